"""Blocks of concepts in a library: made when documents are added, renewed by a rebuild.

They have a recipe of their own, which follows from the lexicon and from nothing that people choose.
Blocks of another recipe are not looked at; until a rebuild has renewed them, the documents they
belong to are found by their words alone, and a check says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select

from likewise.language.concept_blocks import ConceptBlocks, concept_blocks, pack_blocks
from likewise.language.concept_blocks import recipe as recipe_of_blocks
from likewise.library import schema
from likewise.library.entries import apply_filters, unpack_document
from likewise.library.errors import LibraryError
from likewise.library.filters import Filters
from likewise.library.segments import MOST_PARTS
from likewise.library.sketches import readable_blocks
from likewise.library.store import State, Store
from likewise.progress import Progress

_MOST_DOCUMENTS = 200  # in one transaction
_DELETED_AT_ONCE = 2_000


def concept_recipe_id(connection: Connection) -> int | None:
    """The number of this machine's recipe of blocks; None where no document has any by it."""
    recipe = schema.recipes.c
    query = select(recipe.id).where(recipe.recipe == recipe_of_blocks())
    number: int | None = connection.execute(query).scalar()
    return number


def add_concept_recipe(connection: Connection) -> int:
    """The same, written down if it is new."""
    number = concept_recipe_id(connection)
    if number is None:
        recipe = schema.recipes.c
        number = int(connection.execute(select(func.max(recipe.id))).scalar() or 0) + 1
        values = {"id": number, "recipe": recipe_of_blocks(), "settings": "{}"}
        connection.execute(insert(schema.recipes), [values])
    return number


def concept_state(connection: Connection, state: State) -> State | None:
    """The state of the library as its index of concepts sees it: by the recipe of blocks."""
    number = concept_recipe_id(connection)
    return None if number is None else replace(state, recipe_id=number)


def block_row(document: int, recipe_id: int, change: int, blocks: ConceptBlocks) -> dict[str, Any]:
    """The blocks of a document as the database holds them."""
    ids = blocks.ids[:MOST_PARTS]
    return {
        "document_id": document,
        "recipe_id": recipe_id,
        "change": change,
        "blocks": len(ids),
        "concepts": pack_blocks(ids),
    }


def without_blocks(recipe_id: int | None) -> Select[Any]:
    """The documents that have no blocks by a recipe."""
    document, row = schema.documents.c, schema.concept_blocks.c
    present = select(row.document_id).where(
        row.document_id == document.id, row.recipe_id == (-1 if recipe_id is None else recipe_id)
    )
    return select(document.id).where(~present.exists())


def count_without_blocks(connection: Connection, filters: Filters | None = None) -> int:
    """How many documents cannot be found by meaning yet, of all or of those that fit.

    Usually there are none, which two counts tell: a document has one row of blocks by a recipe.
    """
    recipe_id, row = concept_recipe_id(connection), schema.concept_blocks.c
    documents = select(func.count()).select_from(schema.documents)
    missing = int(connection.execute(documents).scalar_one())
    if missing and recipe_id is not None:
        present = select(func.count()).where(row.recipe_id == recipe_id)
        missing -= int(connection.execute(present).scalar_one())
    if not missing or not filters:
        return missing
    query = apply_filters(without_blocks(recipe_id), filters)
    return int(connection.execute(select(func.count()).select_from(query.subquery())).scalar_one())


def rebuild_blocks(store: Store, progress: Progress | None = None) -> int:
    """Make the blocks of documents that lack them, from their stored texts; how many these were.

    Stopped, it goes on where it was; those of other recipes are given up when all are made, and
    what is damaged is made anew.
    """
    done = 0
    _forget_damaged(store)
    with store.reading() as connection:
        total = count_without_blocks(connection)
    while renewed := _renew_some(store):
        done += renewed
        if progress:
            progress("finding concepts", done, max(total, done))
    while _forget_others(store):
        pass
    return done


def _renew_some(store: Store) -> int:
    document, text = schema.documents.c, schema.texts.c
    with store.reading() as connection:
        query = (
            without_blocks(concept_recipe_id(connection))
            .with_only_columns(document.id, document.name, text.packed)
            .join_from(schema.documents, schema.texts, text.document_id == document.id)
            .order_by(document.id)
            .limit(_MOST_DOCUMENTS)
        )
        rows = connection.execute(query).all()
    if not rows:
        return 0
    texts = [_text_of(row) for row in rows]
    blocks = dict(zip((row.id for row in rows), concept_blocks(texts), strict=True))
    with store.writing() as (connection, change):
        recipe_id = add_concept_recipe(connection)
        # Removed, or made by another process, while we worked.
        query = without_blocks(recipe_id).where(document.id.in_(list(blocks)))
        missing = connection.execute(query).scalars().all()
        values = [block_row(number, recipe_id, change, blocks[number]) for number in missing]
        if values:
            connection.execute(insert(schema.concept_blocks), values)
    return len(rows)


def _text_of(row: Any) -> str:
    """Nothing where it is damaged, which `verify` tells: the others must not wait for it."""
    try:
        return unpack_document(row.packed, row.name).compared_text
    except (LibraryError, IndexError, KeyError, OverflowError, TypeError, ValueError):
        return ""


def _forget_damaged(store: Store) -> None:
    """Delete rows that cannot be read: their documents lack blocks then, as others may."""
    row = schema.concept_blocks.c
    with store.reading() as connection:
        ours = concept_recipe_id(connection)
        query = select(row.document_id, row.blocks, row.concepts).where(row.recipe_id == ours)
        rows = connection.execute(query.execution_options(yield_per=_MOST_DOCUMENTS))
        damaged = [each.document_id for each in rows if readable_blocks(each) is None]
    for start in range(0, len(damaged), _DELETED_AT_ONCE):
        some = damaged[start : start + _DELETED_AT_ONCE]
        with store.writing() as (connection, _change):
            connection.execute(
                delete(schema.concept_blocks).where(
                    row.recipe_id == ours, row.document_id.in_(some)
                )
            )


def _forget_others(store: Store) -> int:
    """Give up some blocks of other recipes; how many."""
    row = schema.concept_blocks.c
    with store.reading() as connection:
        ours = concept_recipe_id(connection)
        if ours is None:
            return 0  # there was nothing to make blocks of: what others add meanwhile is theirs
        others = select(row.document_id).where(row.recipe_id != ours)
        if connection.execute(others.limit(1)).first() is None:
            return 0
    with store.writing() as (connection, _change):
        numbers = connection.execute(others.limit(_DELETED_AT_ONCE)).scalars().all()
        is_other = (row.recipe_id != ours) & row.document_id.in_(sorted(set(numbers)))
        connection.execute(delete(schema.concept_blocks).where(is_other))
    return len(numbers)
