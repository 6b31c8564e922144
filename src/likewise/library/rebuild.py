"""Fingerprints by a new recipe, a batch at a time, while checks go on with the old ones.

How large a library is stands here too, with how much of it waits for a rebuild.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from likewise.library import schema
from likewise.library.concept_index import concept_recipe_id, count_without_blocks
from likewise.library.entries import unpack_document
from likewise.library.filters import Filters
from likewise.library.recipes import (
    Recipe,
    RecipeChanges,
    Sketching,
    add_recipe,
    change_settings,
    read_stop_words,
    settings_with_stop_words,
    write_stop_words,
)
from likewise.library.sketch_rows import lacks_sketch, share_rows, sketched_numbers
from likewise.library.sketches import sketch_row, sketches_of
from likewise.library.store import State, Store
from likewise.library.tables import table_rows, tokens_of_tables
from likewise.progress import Progress
from likewise.settings import Settings

MOST_DOCUMENTS = 200  # in one transaction
_DELETED_AT_ONCE = 2_000


def request_recipe(connection: Connection, recipe: Recipe) -> bool:
    """Note which recipe is wanted; whether something has to be rebuilt for it."""
    row = schema.library.c
    used = int(connection.execute(select(row.recipe_id)).scalar_one())
    next_id = recipe.id if recipe.id != used else None
    connection.execute(update(schema.library).values(next_recipe_id=next_id))
    return next_id is not None


def target_settings(store: Store, connection: Connection) -> Settings:
    """The settings that were asked for last, with the stop words as they are now."""
    state = store.state(connection)
    recipe = store.recipe(connection, state.next_recipe_id or state.recipe_id)
    return settings_with_stop_words(recipe.settings, read_stop_words(connection))


def target_recipe(store: Store, connection: Connection) -> Recipe:
    """The recipe of this machine for them."""
    return add_recipe(connection, target_settings(store, connection))


def change_recipe(store: Store, connection: Connection, changes: RecipeChanges) -> bool:
    """Ask for other settings; whether something has to be rebuilt for them."""
    settings = change_settings(target_settings(store, connection), changes)
    return request_recipe(connection, add_recipe(connection, settings))


def change_stop_words(
    store: Store, language: str, changed: Callable[[frozenset[str]], frozenset[str]]
) -> bool:
    """Another list for a language; whether something has to be rebuilt for it."""
    with store.writing() as (connection, _change):
        write_stop_words(connection, language, changed(read_stop_words(connection, language)))
        return request_recipe(connection, target_recipe(store, connection))


def rebuild_sketches(store: Store, progress: Progress | None = None) -> int:
    """Renew what is stale; how many documents were sketched. Stopped, it goes on where it was.

    What is asked for meanwhile is done too.
    """
    done, settings = 0, None
    while True:
        with store.writing() as (connection, _change):
            next_id = store.state(connection).next_recipe_id
            recipe = target_recipe(store, connection)
            # A machine with other tables has a recipe of its own for the same settings: these two
            # must not undo each other's work for ever.
            if recipe.settings == settings and recipe.id != next_id:
                break
            if not request_recipe(connection, recipe):
                break
            total = done + int(connection.execute(_count(_without(recipe.id))).scalar_one())
        using, settings = Sketching(recipe), recipe.settings
        while (renewed := _renew_some(store, using)) is not None:
            done += renewed
            if progress:
                progress("making fingerprints", done, max(total, done))
        _forget_unused(store)  # before the last look at what is asked for, since it takes a while
    _forget_unused(store)
    return done


def _renew_some(store: Store, using: Sketching) -> int | None:
    """Sketch a batch; None when all are done and the library has gone over to the new recipe."""
    document, text, recipe_id = schema.documents.c, schema.texts.c, using.recipe.id
    with store.reading() as connection:
        batch = (
            _without(recipe_id)
            .with_only_columns(document.id, document.name, text.packed)
            .join_from(schema.documents, schema.texts, text.document_id == document.id)
            .order_by(document.id)
            .limit(MOST_DOCUMENTS)
        )
        rows = connection.execute(batch).all()
    documents = [unpack_document(row.packed, row.name) for row in rows]
    sketches = sketches_of([one.compared_text for one in documents], using)
    tables = [tokens_of_tables(one, using) for one in documents]
    with store.writing() as (connection, change):
        state = store.state(connection)
        if state.next_recipe_id != recipe_id:
            return None  # another has finished, or asked for something else
        if not rows:
            if connection.execute(_without(recipe_id).limit(1)).first() is not None:
                return 0  # added meanwhile
            connection.execute(
                update(schema.library).values(recipe_id=recipe_id, next_recipe_id=None)
            )
            return None
        # Removed, renewed by another process, or made the first of its text, while we worked.
        copies_query = select(document.id, document.copy_of).where(
            document.id.in_([row.id for row in rows])
        )
        there = {row.id: row.copy_of for row in connection.execute(copies_query)}
        query = _without(recipe_id).where(document.id.in_(list(there)))
        missing = set(connection.execute(query).scalars())
        table = schema.document_tables.c
        tables_query = select(table.document_id).where(
            table.recipe_id == recipe_id, table.document_id.in_(list(missing))
        )
        with_tables = set(connection.execute(tables_query).scalars())
        sketched = sketched_numbers(connection, recipe_id, missing)
        new_sketches: list[dict[str, Any]] = []
        new_tables: list[dict[str, Any]] = []
        for row, sketch, tokens in zip(rows, sketches, tables, strict=True):
            if row.id not in missing:
                continue
            if there[row.id] is None and row.id not in sketched:
                new_sketches.append(sketch_row(row.id, recipe_id, change, sketch))
            if row.id not in with_tables:
                new_tables += table_rows(row.id, recipe_id, change, tokens)
        new_sketches = share_rows(new_sketches, connection.dialect.name)
        for where, new in (
            (schema.sketches, new_sketches),
            (schema.document_tables, new_tables),
        ):
            if new:
                connection.execute(insert(where), new)
    return len(missing)


def _without(recipe_id: int) -> Select[int]:
    """The documents that lack something by a recipe.

    The first one of every text has fingerprints, and every document has tokens of its tables.
    """
    document = schema.documents.c
    return select(document.id).where(
        or_(
            and_(document.copy_of.is_(None), lacks_sketch(document.id, recipe_id)),
            _has_stale_tables(recipe_id),
        )
    )


def _has_stale_tables(recipe_id: int) -> ColumnElement[bool]:
    document, table = schema.documents.c, schema.document_tables.c
    tables = select(table.document_id).where(table.document_id == document.id)
    renewed = tables.where(table.recipe_id == recipe_id)
    return and_(tables.exists(), ~renewed.exists())


def _count(query: Select[int]) -> Select[int]:
    return select(func.count()).select_from(query.subquery())


def stale_documents(
    connection: Connection, recipe_id: int | None, collections: Sequence[str] | None = None
) -> int:
    """How many documents wait for a rebuild, of all or of those in some collections.

    Of a text that several of these hold, the eldest of them waits: the document that has its
    fingerprints may stand elsewhere.
    """
    if recipe_id is None:
        return 0
    if collections is None:
        return int(connection.execute(_count(_without(recipe_id))).scalar_one())
    document = schema.documents.c
    here, root = document.collection.in_(collections), func.coalesce(document.copy_of, document.id)
    texts = select(func.min(document.id)).where(here, lacks_sketch(root, recipe_id)).group_by(root)
    tables = select(document.id).where(here, _has_stale_tables(recipe_id))
    either = select(document.id).where(or_(document.id.in_(texts), document.id.in_(tables)))
    return int(connection.execute(_count(either)).scalar_one())


def count_waiting(
    connection: Connection, next_recipe_id: int | None, collections: Sequence[str] | None = None
) -> int:
    """How many documents wait for a rebuild, of their fingerprints or of their blocks of concepts.

    Those that wait for one of them usually wait for the other too: the larger number is told.
    """
    filters = None if collections is None else Filters(collection=tuple(collections))
    without_blocks = count_without_blocks(connection, filters)
    return max(stale_documents(connection, next_recipe_id, collections), without_blocks)


def _forget_unused(store: Store) -> None:
    """Give up the fingerprints of recipes that nobody uses or has asked for."""
    while True:
        with store.writing() as (connection, _change):
            if not _forget_some(connection, store.state(connection)):
                return


def _forget_some(connection: Connection, state: State) -> int:
    """Some of them; how many."""
    live_ids = [state.recipe_id, state.next_recipe_id or state.recipe_id]
    deleted = 0
    for table in (schema.sketches, schema.document_tables):
        row = table.c
        old = connection.execute(
            select(row.document_id, row.recipe_id)
            .where(row.recipe_id.not_in(live_ids))
            .limit(_DELETED_AT_ONCE)
        ).all()
        for other in {each.recipe_id for each in old}:
            numbers = {each.document_id for each in old if each.recipe_id == other}
            connection.execute(
                delete(table).where(row.recipe_id == other, row.document_id.in_(numbers))
            )
        deleted += len(old)
    return deleted


@dataclass(frozen=True, slots=True)
class Stats:
    """How large a library is."""

    documents: int
    copies: int
    references: int
    words: int
    postings: int
    tables: int
    database_bytes: int
    fingerprint_bytes: int  # of the database, for fingerprints
    index_bytes: int  # beside the database, on this machine
    stale: int  # documents that wait for a rebuild
    blocks: int = 0  # of concepts, by which documents are found by their meaning
    block_bytes: int = 0  # of the database, for them
    block_postings: int = 0
    block_index_bytes: int = 0  # beside the database, on this machine
    without_blocks: int = 0  # documents that are found by their words alone until a rebuild


@dataclass(frozen=True, slots=True)
class IndexSizes:
    """How large the indexes of a library are on this machine."""

    text_bytes: int  # of fingerprints and of tables
    concept_bytes: int = 0
    concept_postings: int = 0


def read_stats(connection: Connection, state: State, sizes: IndexSizes) -> Stats:
    """Counted in this moment; the indexes are not in the database."""
    document, sketch = schema.documents.c, schema.sketches.c
    documents, copies, words = connection.execute(
        select(
            func.count(),
            func.count(document.copy_of),
            func.coalesce(func.sum(document.words), 0),
        )
    ).one()
    postings, size = connection.execute(
        select(
            func.coalesce(func.sum(sketch.fingerprints), 0),
            func.coalesce(func.sum(func.length(sketch.hashes)), 0),
        ).where(sketch.recipe_id == state.recipe_id)
    ).one()
    references = connection.execute(
        select(func.count()).select_from(schema.document_references)
    ).scalar_one()
    tables = connection.execute(
        select(func.count())
        .select_from(schema.document_tables)
        .where(schema.document_tables.c.recipe_id == state.recipe_id)
    ).scalar_one()
    block = schema.concept_blocks.c
    blocks, block_bytes = connection.execute(
        select(
            func.coalesce(func.sum(block.blocks), 0),
            func.coalesce(func.sum(func.length(block.concepts)), 0),
        ).where(block.recipe_id == (concept_recipe_id(connection) or -1))
    ).one()
    return Stats(
        documents=documents,
        copies=copies,
        references=references,
        words=int(words),
        postings=int(postings),
        tables=tables,
        database_bytes=_database_bytes(connection),
        fingerprint_bytes=int(size),
        index_bytes=sizes.text_bytes,
        stale=stale_documents(connection, state.next_recipe_id),
        blocks=int(blocks),
        block_bytes=int(block_bytes),
        block_postings=sizes.concept_postings,
        block_index_bytes=sizes.concept_bytes,
        without_blocks=count_without_blocks(connection),
    )


def _database_bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return int(connection.exec_driver_sql(pages).scalar_one())
    whole = select(func.pg_database_size(func.current_database()))
    return int(connection.execute(whole).scalar_one())
