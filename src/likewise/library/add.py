"""Documents into the library: many in one transaction, each of them whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from likewise.library.added import Added
from likewise.library.incoming import Incoming
from likewise.library.metadata import Metadata
from likewise.library.ready import made_ready
from likewise.library.recipes import Sketching
from likewise.library.store import Store
from likewise.library.writer import Writer
from likewise.model import Unread

MOST_DOCUMENTS = 500  # in one transaction
MOST_CHARS = 16_000_000
MOST_SECONDS = 1.0  # of work that a crash may undo


def in_batches(items: Iterable[Incoming | Unread]) -> Iterator[list[Incoming | Unread]]:
    """Items together until they are many, long, or have taken a second."""
    batch: list[Incoming | Unread] = []
    chars, started = 0, time.monotonic()
    for item in items:
        batch.append(item)
        if isinstance(item, Incoming) and item.document is not None:
            chars += len(item.document.text)
        if isinstance(item, Incoming) and item.original is not None:
            chars += len(item.original)
        late = time.monotonic() - started > MOST_SECONDS
        if len(batch) >= MOST_DOCUMENTS or chars >= MOST_CHARS or late:
            yield batch
            batch, chars, started = [], 0, time.monotonic()
    if batch:
        yield batch


def add_batch(
    store: Store,
    using: Callable[[], Sketching],
    batch: Sequence[Incoming | Unread],
    metadata_of: Callable[[Incoming], Metadata],
    collection: str = "",
) -> Added:
    """One transaction. `using` gives the recipe that checks use now."""
    unread = tuple(item for item in batch if isinstance(item, Unread))
    items = [item for item in batch if isinstance(item, Incoming)]
    textless = tuple(item.name for item in items if _is_textless(item))
    while items:
        sketching = using()
        ready = made_ready(items, sketching, metadata_of)
        with store.writing() as (connection, change):
            state = store.state(connection)
            if state.recipe_id == sketching.recipe.id:
                writer = Writer(connection, state, change, collection)
                return writer.write(ready) + Added(unread=unread, textless=textless)
        # The library was rebuilt meanwhile: once more, by the new recipe.
    return Added(unread=unread)


def _is_textless(item: Incoming) -> bool:
    return item.document is not None and not item.document.has_text
