"""The second index of a library, of blocks of concepts: what it takes, and what it costs to add.

Documents are added to two libraries in turn, with blocks and without. Releases before there were
blocks have nothing to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from unittest.mock import patch

from bench.speed.library_texts import Texts
from bench.speed.meter import Reading
from likewise.library import Library

QUESTION = "to be or not to be"
MOST_DOCUMENTS = 10_000  # that are added with blocks and without
_AT_ONCE = 2_000
_MAKER = "likewise.library.inputs.concept_blocks"

ServerCpu = Callable[[], float]


def has_blocks() -> bool:
    """Whether the code that is measured knows blocks of concepts."""
    return hasattr(Library, "candidates_by_meaning")


def block_figures(
    library: Library, table_bytes: Callable[[str], int], server_cpu: ServerCpu
) -> dict[str, Any]:
    """What the second index takes, and what making it costs, of a library that has just grown."""
    if not has_blocks():
        return {}
    index_cpu_s = _cpu_of(server_cpu, partial(library.candidates_by_meaning, QUESTION))
    stats = library.stats()
    rows, segments = table_bytes("concept_blocks"), stats.block_index_bytes
    whole = stats.database_bytes + stats.index_bytes + segments
    return {
        "blocks": {
            "blocks": stats.blocks,
            "keys": stats.block_postings,
            "rows_bytes": rows,
            "index_bytes": segments,
            "bytes_per_key": round((rows + segments) / max(1, stats.block_postings), 2),
            "disk_share": round((rows + segments) / max(1, whole), 4),
            "index_cpu_s": round(index_cpu_s, 3),
        }
    }


def adding_figures(
    places: tuple[tuple[str, ServerCpu], tuple[str, ServerCpu]], texts: Texts, documents: int
) -> dict[str, Any]:
    """CPU seconds of adding the same documents with blocks and without, until indexes know them."""
    if not has_blocks():
        return {}
    documents = min(documents, MOST_DOCUMENTS)
    (one, one_server), (other, other_server) = places
    cpu_with = cpu_without = 0.0
    with Library(one) as with_blocks, Library(other) as without:
        for library in (with_blocks, without):
            library.add_texts({"first": QUESTION})  # what a process loads once is not counted
        for first in range(0, documents, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, documents))
            some = [(f"{number}.txt", texts.text(number)) for number in numbers]
            cpu_with += _cpu_of(one_server, partial(with_blocks.add_texts, some))
            with patch(_MAKER, _no_blocks):
                cpu_without += _cpu_of(other_server, partial(without.add_texts, some))
        cpu_with += _cpu_of(one_server, partial(with_blocks.candidates, QUESTION))
        cpu_with += _cpu_of(one_server, partial(with_blocks.candidates_by_meaning, QUESTION))
        cpu_without += _cpu_of(other_server, partial(without.candidates, QUESTION))
    return {
        "adding": {
            "documents": documents,
            "with_blocks_cpu_s": round(cpu_with, 3),
            "without_cpu_s": round(cpu_without, 3),
        }
    }


def _cpu_of(server_cpu: ServerCpu, work: Callable[[], object]) -> float:
    """CPU seconds of this process and of the server for some work."""
    server, start = server_cpu(), Reading.now()
    work()
    return start.spent()["cpu_s"] + server_cpu() - server


def _no_blocks(texts: Sequence[str]) -> list[None]:
    return [None] * len(texts)
