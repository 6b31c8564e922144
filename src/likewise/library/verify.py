"""Whether everything in a library agrees: text, fingerprints, counts, copies, index."""

from __future__ import annotations

from collections.abc import Callable
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
from likewise.library.texts import hash_of_text, unpack_document
from likewise.model import Document
from likewise.search.postings import Numbers, segment_of

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
        if hash_of_text(found) != bytes(row.text_hash) or len(found.text) != row.chars:
            problems.append(f"{where}: its text is not the one that was added")
        read.append((row, found))
    if using is None:
        return problems
    sketches = sketches_of([found.compared_text for _, found in read], using)
    tokens = read_tokens(connection, using.recipe.id, [row.id for row in rows])
    for (row, found), sketch in zip(read, sketches, strict=True):
        where = f"document {row.id} ({row.name})"
        tables, noted = tokens_of_tables(found, using), tokens.get(row.id, [])
        if len(tables) != len(noted) or not all(map(np.array_equal, tables, noted)):
            problems.append(f"{where}: its tables are not noted as they are")
        if row.words != sketch.words:
            problems.append(f"{where}: {row.words} words are noted, and there are {sketch.words}")
        if row.copy_of is not None:
            if row.hashes is not None:
                problems.append(f"{where}: a copy has fingerprints of its own")
        elif row.hashes is None:
            problems.append(f"{where}: its fingerprints are missing")
        elif not np.array_equal(hashes_from(row.hashes), sketch.hashes):
            problems.append(f"{where}: its fingerprints are not those of its text")
        elif (row.fingerprints, row.shingles) != (len(sketch.hashes), sketch.shingles):
            problems.append(f"{where}: the counts of its fingerprints are wrong")
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
        said = connection.execute(text("PRAGMA quick_check(20)")).scalars().all()
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
