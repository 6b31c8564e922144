"""Whether everything in a library agrees: text, fingerprints, counts, copies, index."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select, text

from likewise.catalogue import Value
from likewise.language.concept_blocks import concept_blocks
from likewise.library import schema
from likewise.library.add import FIRST_OF_COLLECTIONS
from likewise.library.concept_index import block_row, concept_recipe_id, concept_state
from likewise.library.entries import (
    hash_of_bytes,
    hash_of_text,
    unpack_document,
    unpack_original,
)
from likewise.library.errors import LibraryError
from likewise.library.index import Index
from likewise.library.object_store import ObjectMissing, StoreAway
from likewise.library.originals import file_of
from likewise.library.recipes import Sketching
from likewise.library.registry import present_tables
from likewise.library.segments import CONCEPTS, TABLES, TEXTS, Family, View
from likewise.library.sketch_rows import count_lost, read_sketches, split_row
from likewise.library.sketches import hashes_from, sketches_of
from likewise.library.snapshot import SnapshotCache
from likewise.library.store import State, Store
from likewise.library.tables import read_tokens, tokens_of_tables
from likewise.model import Document, Message
from likewise.progress import Progress
from likewise.search.postings import MOST_DOCUMENTS, Hashes, Numbers, segment_of


def verify_library(
    store: Store, snapshots: SnapshotCache, progress: Progress | None = None
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
        using = snapshots.sketching(connection, state) if is_ours else None
        problems += verify_copies(connection)
        problems += verify_shared_rows(connection, state.recipe_id)
        problems += verify_documents(connection, using, progress)
        problems += verify_originals(connection)
        for family, used in ((TEXTS, snapshots.texts), (TABLES, snapshots.tables)):
            problems += verify_index(connection, store, state, family, used)
        if of_concepts := concept_state(connection, state):
            index = snapshots.concepts
            problems += verify_index(connection, store, of_concepts, CONCEPTS, index)
    return tuple(problems)


# Rows that belong together


def verify_tables(connection: Connection) -> list[Message]:
    """Rows of documents and recipes that are not there, wrong numbers, dates that are none."""
    document, recipe = schema.documents.c, schema.recipes.c
    problems = []
    for table in present_tables(connection):
        if table in (schema.documents, schema.removals):
            continue
        for column, owner, key in (
            ("document_id", document.id, "library.verify_rows_without_document"),
            ("recipe_id", recipe.id, "library.verify_rows_without_recipe"),
        ):
            if column in table.c:
                owned = select(owner).where(owner == table.c[column])
                query = select(func.count()).select_from(table).where(~owned.exists())
                orphans = int(connection.execute(query).scalar_one())
                if table is schema.sketches and owner is document.id:
                    orphans += count_lost(connection)
                if orphans:
                    problems.append(Message(key, {"table": table.name, "n": orphans}))
    last = connection.execute(select(schema.library.c.last_document)).scalar()
    counted = select(func.max(document.id)).where(document.id < FIRST_OF_COLLECTIONS)
    highest = connection.execute(counted).scalar() or 0
    if last is not None and last < highest:
        problems.append(Message("library.verify_numbers", {"last": last, "n": highest}))
    if connection.dialect.name == "sqlite":  # which takes anything for a date
        problems += _dates(connection)
    return problems


def _dates(connection: Connection) -> list[Message]:
    problems = []
    for table, number in (("documents", "id"), ("document_references", "document_id")):
        rows = connection.execute(text(f"SELECT {number}, added_on FROM {table}"))  # noqa: S608 - names are ours
        for document, value in rows:
            try:
                datetime.fromisoformat(value)
            except (TypeError, ValueError):
                values = {"n": document, "date": repr(value)}
                problems.append(Message("library.verify_date", values))
    return problems


def verify_copies(connection: Connection) -> list[Message]:
    """Copies of nothing, of copies, or of another text; and the engine's own check of its file."""
    document, first = schema.documents, schema.documents.alias()
    query = (
        select(document.c.id, first.c.id, first.c.copy_of, first.c.text_hash, document.c.text_hash)
        .select_from(document.outerjoin(first, first.c.id == document.c.copy_of))
        .where(document.c.copy_of.is_not(None))
    )
    problems = [
        Message("library.verify_copy", {"n": number})
        for number, root, root_copy_of, root_text, own_text in connection.execute(query)
        if root is None or root_copy_of is not None or bytes(root_text) != bytes(own_text)
    ]
    if connection.dialect.name == "sqlite":
        lines = connection.execute(text("PRAGMA integrity_check(20)")).scalars().all()
        problems += [
            Message("library.verify_file", {"words": Message.verbatim(line)})
            for line in lines
            if line != "ok"
        ]
    return problems


def verify_shared_rows(connection: Connection, recipe_id: int) -> list[Message]:
    """Rows of several documents that do not hold as many fingerprints as they say."""
    document, row = schema.documents.c, schema.sketches.c
    query = (
        select(row.document_id, row.others, row.fingerprints, row.hashes, document.name)
        .join_from(schema.sketches, schema.documents, document.id == row.document_id)
        .where(row.recipe_id == recipe_id, row.others.is_not(None))
        .order_by(row.document_id)
        .execution_options(yield_per=_ROWS)
    )
    problems = []
    for stored in connection.execute(query):
        try:
            number = sum(
                len(hashes_from(data))
                for _, data in split_row(stored.document_id, stored.others, stored.hashes)
            )
        except LibraryError:
            continue  # told of the documents themselves
        if number != stored.fingerprints:
            values = {"n": stored.document_id, "name": stored.name}
            problems.append(Message("library.verify_counts_wrong", values))
    return problems


# Documents

_ROWS = 200


def verify_documents(
    connection: Connection, using: Sketching | None, progress: Progress | None
) -> list[Message]:
    """What is wrong with documents; without a recipe that this machine makes, texts alone."""
    total = int(connection.execute(select(func.count()).select_from(schema.documents)).scalar_one())
    problems: list[Message] = []
    last, done = 0, 0
    while True:
        rows = connection.execute(_rows_after(last)).all()
        if not rows:
            return problems
        problems += _of_rows(connection, rows, using)
        last, done = rows[-1].id, done + len(rows)
        if progress:
            progress("verifying", done, total)


def _rows_after(last: int) -> Any:
    document, packed = schema.documents.c, schema.texts.c
    joined = schema.documents.outerjoin(schema.texts, packed.document_id == document.id)
    return (
        select(
            document.id,
            document.name,
            document.text_hash,
            document.copy_of,
            document.words,
            document.chars,
            packed.packed,
        )
        .select_from(joined)
        .where(document.id > last)
        .order_by(document.id)
        .limit(_ROWS)
    )


def _of_rows(connection: Connection, rows: Any, using: Sketching | None) -> list[Message]:  # noqa: C901 - many questions to a row
    problems: list[Message] = []
    documents: list[tuple[Any, Document]] = []
    for row in rows:
        if row.packed is None:
            problems.append(_problem("library.verify_text_missing", row))
            continue
        try:
            document = unpack_document(row.packed, row.name)
        except LibraryError as error:
            problems.append(_problem("library.verify_text_unpacked", row, why=error.message))
            continue
        except (IndexError, KeyError, OverflowError, TypeError, ValueError):
            problems.append(_problem("library.verify_text_damaged", row))
            continue
        if hash_of_text(document) != bytes(row.text_hash) or len(document.text) != row.chars:
            problems.append(_problem("library.verify_text_differs", row))
        documents.append((row, document))
    problems += _verify_blocks(connection, documents)
    if using is None:
        return problems
    sketches = sketches_of([document.compared_text for _, document in documents], using)
    tokens = _tokens(connection, using, [row.id for row in rows])
    kept = read_sketches(connection, using.recipe.id, [row.id for row in rows])
    noted = _noted_counts(connection, using, [row.id for row in rows])
    for (row, document), sketch in zip(documents, sketches, strict=True):
        tables, stored_tokens = tokens_of_tables(document, using), tokens.get(row.id, [])
        if stored_tokens is None:
            problems.append(_problem("library.verify_tables_damaged", row))
        elif len(tables) != len(stored_tokens) or not all(
            map(np.array_equal, tables, stored_tokens)
        ):
            problems.append(_problem("library.verify_tables_differ", row))
        if row.words != sketch.words:
            counts = {"noted": row.words, "words": sketch.words}
            problems.append(_problem("library.verify_words_differ", row, **counts))
        if row.copy_of is not None:
            if row.id in kept:
                problems.append(_problem("library.verify_copy_fingerprints", row))
        elif row.id not in kept:
            problems.append(_problem("library.verify_fingerprints_missing", row))
        elif (hashes := _hashes_in(kept[row.id])) is None:
            problems.append(_problem("library.verify_fingerprints_damaged", row))
        elif not np.array_equal(hashes, sketch.hashes):
            problems.append(_problem("library.verify_fingerprints_differ", row))
        elif noted.get(row.id, (len(hashes), 0)) not in (
            (len(hashes), sketch.shingles),
            (len(hashes), 0),
        ):
            problems.append(_problem("library.verify_counts_wrong", row))
    return problems


def _verify_blocks(
    connection: Connection, documents: Sequence[tuple[Any, Document]]
) -> list[Message]:
    """Whether blocks of concepts are those of the texts; documents may have none yet."""
    recipe_id, column = concept_recipe_id(connection), schema.concept_blocks.c
    numbers = [row.id for row, _ in documents]
    query = select(column.document_id, column.blocks, column.concepts).where(
        column.recipe_id == recipe_id, column.document_id.in_(numbers)
    )
    there = {row.document_id: row for row in connection.execute(query)} if recipe_id else {}
    present = [(row, document) for row, document in documents if row.id in there]
    blocks = concept_blocks([document.compared_text for _, document in present])
    problems = []
    for (row, _), expected in zip(present, blocks, strict=True):
        values, stored = block_row(row.id, 0, 0, expected), there[row.id]
        if (values["blocks"], values["concepts"]) != (stored.blocks, bytes(stored.concepts)):
            problems.append(_problem("library.verify_blocks_differ", row))
    return problems


def _problem(key: str, row: Any, **values: Value) -> Message:
    return Message(key, {"n": row.id, "name": row.name, **values})


def _noted_counts(
    connection: Connection, using: Sketching, numbers: Sequence[int]
) -> dict[int, tuple[int, int]]:
    """How many fingerprints and shingles are noted of documents with rows of their own."""
    row = schema.sketches.c
    query = select(row.document_id, row.fingerprints, row.shingles).where(
        row.recipe_id == using.recipe.id, row.others.is_(None), row.document_id.in_(numbers)
    )
    return {number: (n, shingles) for number, n, shingles in connection.execute(query)}


def _hashes_in(packed: bytes) -> Hashes | None:
    """Fingerprints; None where they are damaged."""
    try:
        return hashes_from(packed)
    except LibraryError:
        return None


def _tokens(
    connection: Connection, using: Sketching, numbers: Sequence[int]
) -> Mapping[int, Sequence[Hashes] | None]:
    """What tables are found by; None where it is damaged."""
    try:
        return read_tokens(connection, using.recipe.id, numbers)
    except LibraryError:
        if len(numbers) == 1:
            return {numbers[0]: None}
        tokens: dict[int, Sequence[Hashes] | None] = {}
        for number in numbers:
            tokens.update(_tokens(connection, using, [number]))
        return tokens


def verify_originals(connection: Connection) -> list[Message]:
    """Whether the files that were kept are those that were added."""
    document, original = schema.documents.c, schema.originals.c
    query = (
        select(document.id, document.name, document.sha256, original.packed)
        .join_from(schema.originals, schema.documents, document.id == original.document_id)
        .order_by(document.id)
        .execution_options(yield_per=10)
    )
    problems: list[Message] = []
    rows = connection.execute(query)
    for row in rows:
        try:
            data = unpack_original(file_of(row.packed), row.id)
            is_right = hash_of_bytes(data) == bytes(row.sha256)
        except StoreAway as error:  # nothing is known of the others either
            rows.close()
            return [*problems, error.full_message]
        except ObjectMissing:
            problems.append(_problem("library.verify_original_missing", row))
        except LibraryError:
            problems.append(_problem("library.verify_original_damaged", row))
        else:
            if not is_right:
                problems.append(_problem("library.verify_original_differs", row))
    return problems


def verify_index(
    connection: Connection, store: Store, state: State, family: Family, used: Index
) -> list[Message]:
    """What is wrong with the segments of a family; these are thrown away and made anew."""
    # An index of its own, which no other thread carries on while it is looked at.
    index = Index(store.address, store.changes, family)
    problems = [
        Message("library.verify_index_damaged", {"name": path.name})
        for path in index.damaged(state)
    ]
    if not problems:
        try:
            view = index.view(connection, state)
            problems = _against_rows(connection, state.recipe_id, view, family)
        except LibraryError as error:
            problems = [Message("library.verify_index_impossible", {"why": error.full_message})]
    if problems:
        index.clear()
        used.forget()
    return problems


def _against_rows(
    connection: Connection, recipe_id: int, view: View, family: Family
) -> list[Message]:
    """Whether the index holds the fingerprints of every document, and no others."""
    counts: dict[int, int] = {}
    removed = set(view.removed.tolist())
    sums: dict[int, int] = {}
    for segment in view.segments:
        for start in range(0, len(segment), 1 << 20):
            keys = segment.keys[start : start + (1 << 20)]
            number = (keys & np.uint64(MOST_DOCUMENTS - 1)).astype(np.int64)
            for_each = np.bincount(number)
            checks = _sums(number, keys)
            for k in np.flatnonzero(for_each).tolist():
                document = int(segment.documents[k])
                counts[document] = counts.get(document, 0) + int(for_each[k])
                sums[document] = (sums.get(document, 0) + int(checks[k])) % (1 << 64)
    problems = []
    lacks = {
        TEXTS: "library.verify_index_lacks_fingerprints",
        TABLES: "library.verify_index_lacks_tables",
        CONCEPTS: "library.verify_index_lacks_blocks",
    }[family]
    rows_there = _row_checksums(view)
    column = family.rows.c
    query = select(*family.order, *family.data).where(column.recipe_id == recipe_id)
    for row in connection.execute(query.execution_options(yield_per=1000)):
        try:
            (entries,) = family.entries([row])
        except LibraryError:
            continue  # told of the document itself
        for place, (known_as, hashes) in enumerate(
            zip(entries.numbers, entries.hashes, strict=True)
        ):
            own = segment_of([known_as], [hashes])
            expected = _sums(np.zeros(len(own), np.int64), own.keys[:])
            total = int(expected[0]) if len(expected) else 0
            actual = counts.pop(known_as, 0), sums.pop(known_as, 0)
            checksum = None if entries.rows is None else zlib.crc32(entries.rows[place].tobytes())
            if actual != (len(hashes), total) or rows_there.get(known_as) != checksum:
                document = int(family.documents(np.array([known_as]))[0])
                problems.append(Message(lacks, {"n": document}))
    surplus = family.documents(np.array(sorted(counts), dtype=np.int64)).tolist()
    problems += [
        Message("library.verify_index_holds_more", {"n": document})
        for document in dict.fromkeys(surplus)
        if document not in removed
    ]
    return list(dict.fromkeys(problems))


def _row_checksums(view: View) -> dict[int, int]:
    """Of what an index keeps beside the fingerprints of each document."""
    return {
        number: zlib.crc32(row.tobytes())
        for segment in view.segments
        if segment.rows is not None
        for number, row in zip(segment.documents.tolist(), segment.rows, strict=True)
    }


def _sums(number: Numbers, keys: Any) -> Any:
    """The sum of the fingerprints of each document, so that two indexes can be told apart."""
    sums = np.zeros(int(number.max()) + 1 if len(number) else 0, dtype=np.uint64)
    np.add.at(sums, number, keys >> np.uint64(24))
    return sums
