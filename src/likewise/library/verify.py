"""Whether everything in a library agrees: text, fingerprints, counts, copies, index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select, text

from likewise.library import schema
from likewise.library.errors import LibraryError
from likewise.library.families import TABLES, TEXTS, Family
from likewise.library.index import View
from likewise.library.recipes import Sketching
from likewise.library.sketches import hashes_from, sketches_of
from likewise.library.tables import read_tokens, tokens_of_tables
from likewise.library.texts import (
    hash_of_bytes,
    hash_of_text,
    unpack_document,
    unpack_original,
)
from likewise.model import Document
from likewise.search.postings import Hashes, Numbers, segment_of

Progress = Callable[[str, int, int], None]
_ROWS = 200


def verify_documents(
    connection: Connection, using: Sketching | None, progress: Progress | None
) -> list[str]:
    """What is wrong with documents; without a recipe that this machine makes, texts alone."""
    total = int(connection.execute(select(func.count()).select_from(schema.documents)).scalar_one())
    problems: list[str] = []
    last, done = 0, 0
    while True:
        rows = connection.execute(_rows_after(last, using)).all()
        if not rows:
            return problems
        problems += _of_rows(connection, rows, using)
        last, done = rows[-1].id, done + len(rows)
        if progress:
            progress("verifying", done, total)


def _rows_after(last: int, using: Sketching | None) -> Any:
    document, packed, sketch = schema.documents.c, schema.texts.c, schema.sketches.c
    recipe_id = using.recipe.id if using else -1
    joined = schema.documents.outerjoin(schema.texts, packed.document_id == document.id).outerjoin(
        schema.sketches,
        (sketch.document_id == document.id) & (sketch.recipe_id == recipe_id),
    )
    return (
        select(
            document.id,
            document.name,
            document.text_hash,
            document.copy_of,
            document.words,
            document.chars,
            packed.packed,
            sketch.hashes,
            sketch.fingerprints,
            sketch.shingles,
        )
        .select_from(joined)
        .where(document.id > last)
        .order_by(document.id)
        .limit(_ROWS)
    )


def _of_rows(connection: Connection, rows: Any, using: Sketching | None) -> list[str]:
    problems: list[str] = []
    read: list[tuple[Any, Document]] = []
    for row in rows:
        where = f"document {row.id} ({row.name})"
        if row.packed is None:
            problems.append(f"{where}: its text is missing")
            continue
        try:
            found = unpack_document(row.packed, row.name)
        except LibraryError as error:
            problems.append(f"{where}: {error}")
            continue
        except (IndexError, KeyError, OverflowError, TypeError, ValueError):
            problems.append(f"{where}: its text in the library is damaged")
            continue
        if hash_of_text(found) != bytes(row.text_hash) or len(found.text) != row.chars:
            problems.append(f"{where}: its text is not the one that was added")
        read.append((row, found))
    if using is None:
        return problems
    sketches = sketches_of([found.compared_text for _, found in read], using)
    tokens = _tokens(connection, using, [row.id for row in rows])
    for (row, found), sketch in zip(read, sketches, strict=True):
        where = f"document {row.id} ({row.name})"
        tables, noted = tokens_of_tables(found, using), tokens.get(row.id, [])
        if noted is None:
            problems.append(f"{where}: what its tables are found by is damaged")
        elif len(tables) != len(noted) or not all(map(np.array_equal, tables, noted)):
            problems.append(f"{where}: its tables are not noted as they are")
        if row.words != sketch.words:
            problems.append(f"{where}: {row.words} words are noted, and there are {sketch.words}")
        if row.copy_of is not None:
            if row.hashes is not None:
                problems.append(f"{where}: a copy has fingerprints of its own")
        elif row.hashes is None:
            problems.append(f"{where}: its fingerprints are missing")
        elif len(row.hashes) % 8:
            problems.append(f"{where}: its fingerprints are damaged")
        elif not np.array_equal(hashes_from(row.hashes), sketch.hashes):
            problems.append(f"{where}: its fingerprints are not those of its text")
        elif (row.fingerprints, row.shingles) != (len(sketch.hashes), sketch.shingles):
            problems.append(f"{where}: the counts of its fingerprints are wrong")
    return problems


def _tokens(
    connection: Connection, using: Sketching, numbers: Sequence[int]
) -> Mapping[int, Sequence[Hashes] | None]:
    """What tables are found by; None where it is damaged."""
    try:
        return read_tokens(connection, using.recipe.id, numbers)
    except LibraryError:
        if len(numbers) == 1:
            return {numbers[0]: None}
        found: dict[int, Sequence[Hashes] | None] = {}
        for number in numbers:
            found.update(_tokens(connection, using, [number]))
        return found


def verify_originals(connection: Connection) -> list[str]:
    """Whether the files that were kept are those that were added."""
    document, kept = schema.documents.c, schema.originals.c
    query = (
        select(document.id, document.name, document.sha256, kept.packed)
        .join_from(schema.originals, schema.documents, document.id == kept.document_id)
        .order_by(document.id)
        .execution_options(yield_per=10)
    )
    problems = []
    for row in connection.execute(query):
        where = f"document {row.id} ({row.name})"
        try:
            is_right = hash_of_bytes(unpack_original(row.packed, where)) == bytes(row.sha256)
        except LibraryError as error:
            problems.append(str(error))
        else:
            if not is_right:
                problems.append(f"{where}: its original is not the file that was added")
    return problems


def verify_tables(connection: Connection) -> list[str]:
    """Rows of documents and recipes that are not there, wrong numbers, dates that are none."""
    document, recipe = schema.documents.c, schema.recipes.c
    problems = []
    for table in schema.metadata.sorted_tables:
        if table in (schema.documents, schema.removals):
            continue
        for column, owner in (("document_id", document.id), ("recipe_id", recipe.id)):
            if column in table.c:
                owned = select(owner).where(owner == table.c[column])
                query = select(func.count()).select_from(table).where(~owned.exists())
                if orphans := int(connection.execute(query).scalar_one()):
                    rows = "1 row belongs" if orphans == 1 else f"{orphans:,} rows belong"
                    what = column.removesuffix("_id")
                    problems.append(f"the table {table.name}: {rows} to no {what}")
    last = connection.execute(select(schema.library.c.last_document)).scalar()
    highest = connection.execute(select(func.max(document.id))).scalar() or 0
    if last is not None and last < highest:
        problems.append(
            f"the library has given out numbers up to {last}, and there is document {highest}"
        )
    if connection.dialect.name == "sqlite":  # which takes anything for a date
        problems += _dates(connection)
    return problems


def _dates(connection: Connection) -> list[str]:
    problems = []
    for table, number in (("documents", "id"), ("document_references", "document_id")):
        rows = connection.execute(text(f"SELECT {number}, added_on FROM {table}"))
        for document, written in rows:
            try:
                datetime.fromisoformat(written)
            except (TypeError, ValueError):
                problems.append(f"document {document}: {written!r} is no date to be added on")
    return problems


def verify_copies(connection: Connection) -> list[str]:
    """Copies of nothing, of copies, or of another text; and the engine's own check of its file."""
    document, first = schema.documents, schema.documents.alias()
    query = (
        select(document.c.id, first.c.id, first.c.copy_of, first.c.text_hash, document.c.text_hash)
        .select_from(document.outerjoin(first, first.c.id == document.c.copy_of))
        .where(document.c.copy_of.is_not(None))
    )
    problems = [
        f"document {number}: it is noted as a copy, and not of the first with its text"
        for number, root, root_copy_of, root_text, own_text in connection.execute(query)
        if root is None or root_copy_of is not None or bytes(root_text) != bytes(own_text)
    ]
    if connection.dialect.name == "sqlite":
        said = connection.execute(text("PRAGMA integrity_check(20)")).scalars().all()
        problems += [f"the file: {line}" for line in said if line != "ok"]
    return problems


def verify_index(
    connection: Connection, recipe_id: int, view: View, family: Family = TEXTS
) -> list[str]:
    """Whether the index holds the fingerprints of every document, and no others."""
    counts: dict[int, int] = {}
    gone = set(view.gone.tolist())
    sums: dict[int, int] = {}
    for segment in view.segments:
        for start in range(0, len(segment), 1 << 20):
            places = np.arange(start, min(len(segment), start + (1 << 20)))
            number = segment.numbers(places)
            for_each = np.bincount(number)
            checks = _sums(number, segment.keys[places])
            for k in np.flatnonzero(for_each).tolist():
                document = int(segment.documents[k])
                counts[document] = counts.get(document, 0) + int(for_each[k])
                sums[document] = (sums.get(document, 0) + int(checks[k])) % (1 << 64)
    problems = []
    what = "tables" if family is TABLES else "fingerprints"
    kept = family.rows.c
    query = select(*family.order, kept.hashes).where(kept.recipe_id == recipe_id)
    for row in connection.execute(query.execution_options(yield_per=1000)):
        if len(row.hashes) % 8:
            continue  # told of the document itself
        hashes, known_as = hashes_from(row.hashes), family.number(row)
        own = segment_of([known_as], [hashes])
        expected = _sums(np.zeros(len(own), np.int64), own.keys)
        total = int(expected[0]) if len(expected) else 0
        found = counts.pop(known_as, 0), sums.pop(known_as, 0)
        if found != (len(hashes), total):
            problems.append(f"document {row.document_id}: the index does not hold its {what}")
    left = family.documents(np.array(sorted(counts), dtype=np.int64)).tolist()
    problems += [
        f"document {document}: the index holds it, and the library does not"
        for document in dict.fromkeys(left)
        if document not in gone
    ]
    return list(dict.fromkeys(problems))


def _sums(number: Numbers, keys: Any) -> Any:
    """The sum of the fingerprints of each document, so that two indexes can be told apart."""
    sums = np.zeros(int(number.max()) + 1 if len(number) else 0, dtype=np.uint64)
    np.add.at(sums, number, keys >> np.uint64(24))
    return sums
