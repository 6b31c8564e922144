"""Whether everything in a library agrees: text, fingerprints, counts, copies, index."""

from __future__ import annotations

from likewise.library.current import Current
from likewise.library.errors import LibraryError
from likewise.library.families import TABLES, TEXTS
from likewise.library.store import Store
from likewise.library.verify_documents import verify_documents, verify_originals
from likewise.library.verify_index import verify_index
from likewise.library.verify_rows import verify_copies, verify_tables
from likewise.model import Message
from likewise.progress import Progress


def verify_library(
    store: Store, current: Current, progress: Progress | None = None
) -> tuple[Message, ...]:
    """What does not agree; nothing if all is well."""
    with store.reading() as connection:
        problems = verify_tables(connection)
        state = store.state(connection)
        try:
            recipe = store.recipe(connection, state.recipe_id)
            is_ours = recipe.settings.recipe() == recipe.recipe
        except LibraryError as error:
            problems.append(error.full_message)
            is_ours = False
        using = current.sketching(connection, state) if is_ours else None
        problems += verify_copies(connection)
        problems += verify_documents(connection, using, progress)
        problems += verify_originals(connection)
        for family, used in ((TEXTS, current.texts), (TABLES, current.tables)):
            problems += verify_index(connection, store, state, family, used)
    return tuple(problems)
