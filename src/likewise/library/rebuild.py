"""Fingerprints by a new recipe, a batch at a time, while checks go on with the old ones."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from likewise.library import schema
from likewise.library.add import sketch_row
from likewise.library.recipes import Recipe, Sketching, add_recipe
from likewise.library.sketches import sketches_of
from likewise.library.stop_words import read_stop_words, settings_with
from likewise.library.store import Store
from likewise.library.texts import unpack_document

Progress = Callable[[str, int, int], None]

MOST_DOCUMENTS = 200  # in one transaction
_DELETED_AT_ONCE = 2_000


def ask_for_recipe(connection: Connection, recipe: Recipe) -> bool:
    """Note which recipe is wanted; whether something has to be rebuilt for it."""
    row = schema.library.c
    used = int(connection.execute(select(row.recipe_id)).scalar_one())
    wanted = recipe.id if recipe.id != used else None
    connection.execute(update(schema.library).values(next_recipe_id=wanted))
    return wanted is not None


def wanted_recipe(connection: Connection, used: Recipe) -> Recipe:
    """The recipe of this machine with the stop words as they are now."""
    return add_recipe(connection, settings_with(used.settings, read_stop_words(connection)))


def rebuild_sketches(store: Store, progress: Progress | None = None) -> int:
    """Renew what is stale; how many documents were sketched. Stopped, it goes on where it was."""
    with store.writing() as (connection, _change):
        state = store.state(connection)
        used = store.recipe(connection, state.recipe_id)
        recipe = wanted_recipe(connection, used)
        if not ask_for_recipe(connection, recipe):
            _forget_others(connection, recipe.id)
            return 0
        total = int(connection.execute(_count(_without(recipe.id))).scalar_one())
    using, done = Sketching(recipe), 0
    while True:
        made = _renew_some(store, using)
        if made is None:
            break
        done += made
        if progress:
            progress("making fingerprints", done, max(total, done))
    while True:
        with store.writing() as (connection, _change):
            if not _forget_others(connection, recipe.id):
                return done


def _renew_some(store: Store, using: Sketching) -> int | None:
    """Sketch a batch; None when all are done and the library has gone over to the new recipe."""
    document, text, wanted = schema.documents.c, schema.texts.c, using.recipe.id
    with store.reading() as connection:
        batch = (
            _without(wanted)
            .with_only_columns(document.id, document.name, text.packed)
            .join_from(schema.documents, schema.texts, text.document_id == document.id)
            .order_by(document.id)
            .limit(MOST_DOCUMENTS)
        )
        rows = connection.execute(batch).all()
    read = [unpack_document(row.packed, row.name) for row in rows]
    sketches = sketches_of([one.compared_text for one in read], using)
    with store.writing() as (connection, change):
        state = store.state(connection)
        if state.next_recipe_id != wanted:
            return None  # another has finished, or asked for something else
        if not rows:
            if connection.execute(_without(wanted).limit(1)).first() is not None:
                return 0  # added meanwhile
            connection.execute(update(schema.library).values(recipe_id=wanted, next_recipe_id=None))
            return None
        numbers = [row.id for row in rows]
        # Removed, or renewed by another process, while we worked.
        query = _without(wanted).where(document.id.in_(numbers))
        missing = set(connection.execute(query).scalars())
        values = [
            {**sketch_row(number, state, change, sketch), "recipe_id": wanted}
            for number, sketch in zip(numbers, sketches, strict=True)
            if number in missing
        ]
        if values:
            connection.execute(insert(schema.sketches), values)
    return len(values)


def _without(recipe_id: int) -> Select[int]:
    """The first documents of every text that have no fingerprints by a recipe."""
    document, sketch = schema.documents.c, schema.sketches.c
    made = select(sketch.document_id).where(
        sketch.document_id == document.id, sketch.recipe_id == recipe_id
    )
    return select(document.id).where(document.copy_of.is_(None), ~made.exists())


def _count(query: Select[int]) -> Select[int]:
    return select(func.count()).select_from(query.subquery())


def stale_documents(connection: Connection, recipe_id: int | None) -> int:
    """How many documents wait for a rebuild."""
    if recipe_id is None:
        return 0
    return int(connection.execute(_count(_without(recipe_id))).scalar_one())


def _forget_others(connection: Connection, recipe_id: int) -> int:
    """Give up some fingerprints of other recipes; how many."""
    sketch = schema.sketches.c
    old = connection.execute(
        select(sketch.document_id, sketch.recipe_id)
        .where(sketch.recipe_id != recipe_id)
        .limit(_DELETED_AT_ONCE)
    ).all()
    for other in {row.recipe_id for row in old}:
        numbers = [row.document_id for row in old if row.recipe_id == other]
        connection.execute(
            delete(schema.sketches).where(
                sketch.recipe_id == other, sketch.document_id.in_(numbers)
            )
        )
    return len(old)
