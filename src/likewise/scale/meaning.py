"""What was rewritten or translated in a corpus, on Spark: told, never removed.

Keys of blocks meet where they are equal; what met a document goes to it, and there the very
functions of the local engine choose its likely sources, once more with the blocks of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from likewise.corpus.meaning import PairJudge
from likewise.kernels.blocks import NOBODY, BlockRows, pack_rows
from likewise.language.concept_blocks import (
    ConceptBlocks,
    concept_blocks,
    pack_blocks,
    recipe,
    unpack_blocks,
)
from likewise.scale.blobs import (
    SCHEMA,
    bind_arguments,
    group_by_slot,
    int64_array,
    pack_records,
    sides_of,
    slots_of,
    unpack_records,
)
from likewise.scale.stages import WorkFolder, recipe_of, shuffle_partitions
from likewise.search.meaning import (
    MOST_HOLDERS,
    MOST_ROWS_OF_COLLECTION,
    MOST_SOURCES,
    PART_BITS,
    find_rows,
    indexed_keys,
    measure_gains,
    queried_keys,
    rank_sources,
)
from likewise.search.postings import NUMBER_BITS, Hashes, Segment
from likewise.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BLOCKS = "place long, indexed binary, queried binary"
_MEETINGS = "query long, blob binary"
_ROWS = "query long, block int, place long, part int"
_LIKELY = "a long, b long"
_SHARES = "a long, b long, meaning_a double, meaning_b double"
_QUERY = -1  # instead of a block: who asks for a key
_KEY_MASK = np.uint64((1 << (64 - int(NUMBER_BITS))) - 1)  # of a key what postings keep
_POSTING = np.dtype([("key", "<u8"), ("place", "<i8"), ("block", "<i4")])


STAGES = ("concept-blocks", "meaning-candidates", "meaning-pairs")


def find_meaning_pairs(
    work: WorkFolder,
    texts: DataFrame,
    settings: Settings,
    slots: int,
    made_of: str,
    *,
    across: bool = False,
) -> DataFrame:
    """(a, b, meaning_a, meaning_b) of documents, by their places: frame is of place and text.

    Or of those of two corpora, each beside the other's alone.
    """
    from pyspark.sql import functions as sql

    stage_recipe = recipe_of(made_of, recipe(), settings.as_dict(), slots, across)
    with shuffle_partitions(work.spark, slots):
        blocks = work.stage(
            "concept-blocks",
            stage_recipe,
            lambda: texts.mapInArrow(cut_into_blocks, BLOCKS),
            counts={"documents": sql.count(sql.lit(1))},
        )
        documents = work.counts("concept-blocks")["documents"]
        queries = blocks.select(sql.col("place").alias("query"), "queried")

        def choose_candidates() -> DataFrame:
            routed = blocks.mapInArrow(partial(route_postings, slots=slots), SCHEMA)
            meetings = group_by_slot(routed, slots).applyInArrow(
                bind_arguments(find_meetings, across=across), _MEETINGS
            )
            together = meetings.groupBy("query").cogroup(queries.groupBy("query"))
            return together.applyInArrow(rows_of_query, _ROWS)

        candidates = work.stage("meaning-candidates", stage_recipe, choose_candidates)

        def judge() -> DataFrame:
            with_blocks = candidates.join(blocks.select("place", "indexed"), "place")
            together = with_blocks.groupBy("query").cogroup(queries.groupBy("query"))
            likely = together.applyInArrow(sources_of_query, _LIKELY).distinct()
            for side in ("a", "b"):
                of_side = texts.select(
                    sql.col("place").alias(side), sql.col("text").alias(f"text_{side}")
                )
                likely = likely.join(of_side, side)
            likely = likely.select("a", "b", "text_a", "text_b")
            return likely.mapInArrow(
                partial(judge_pairs, settings=settings, documents=documents), _SHARES
            )

        return work.stage("meaning-pairs", stage_recipe, judge)


def cut_into_blocks(batches: Iterable[Any]) -> Iterator[Any]:
    """Texts to their blocks: those that others find, and those by which they ask."""
    for batch in batches:
        texts = [text or "" for text in batch.column("text").to_pylist()]
        columns = [
            pa.array([pack_blocks(each.ids) for each in concept_blocks(texts, overlap=overlap)])
            for overlap in (False, True)
        ]
        names = ("place", "indexed", "queried")
        arrays = [batch.column("place"), *(column.cast(pa.binary()) for column in columns)]
        yield pa.record_batch(arrays, names=names)


def route_postings(batches: Iterable[Any], slots: int) -> Iterator[Any]:
    """Every key of every block, and of every text that asks, to where equal ones meet."""
    for batch in batches:
        parts = [np.zeros(0, dtype=_POSTING)]
        columns = (batch.column(name).to_pylist() for name in ("place", "indexed", "queried"))
        for place, indexed, queried in zip(*columns, strict=True):
            for block, keys in enumerate(indexed_keys(unpack_blocks(indexed))):
                parts.append(_postings(keys, place, block))
            asked = queried_keys(unpack_blocks(queried))
            distinct = np.unique(asked[asked > 0] & _KEY_MASK)
            parts.append(_postings(distinct, place, _QUERY))
        records = np.concatenate(parts)
        if len(records):
            yield pack_records(records, slots_of(records["key"], slots))


def _postings(keys: Hashes, place: int, block: int) -> Any:
    records = np.empty(len(keys), dtype=_POSTING)
    records["key"], records["place"], records["block"] = keys & _KEY_MASK, place, block
    return records


def find_meetings(table: Any, across: bool = False) -> Any:
    """For each text the postings of the keys that it asks for, a row for each text.

    Of two corpora, each asks for those of the other. Postings of too many blocks are not followed:
    that is decided here, before they are sent.
    """
    records, _ = unpack_records(table.column("blob"), _POSTING)
    records = records[np.lexsort((records["block"], records["place"], records["key"]))]
    is_query = records["block"] == _QUERY
    postings, queries = records[~is_query], records[is_query]
    rows: list[int] = []
    blobs: list[bytes] = []
    if across:
        side_of_posting, side_of_query = sides_of(postings["place"]), sides_of(queries["place"])
        for side in (0, 1):
            _meet(postings[side_of_posting != side], queries[side_of_query == side], rows, blobs)
    else:
        _meet(postings, queries, rows, blobs)
    return pa.table(
        {"query": pa.array(rows, pa.int64()), "blob": pa.array(blobs, pa.binary())},
    )


def _meet(postings: Any, queries: Any, rows: list[int], blobs: list[bytes]) -> None:
    """Add the postings of those who ask, both in the order of keys."""
    low = np.searchsorted(postings["key"], queries["key"])
    high = np.searchsorted(postings["key"], queries["key"], side="right")
    sizes = np.where(high - low > MOST_HOLDERS, 0, high - low)
    order = np.argsort(queries["place"], kind="stable")
    places = queries["place"][order]
    begins = np.flatnonzero(np.diff(places, prepend=-1))
    for start, end in zip(begins.tolist(), [*begins[1:].tolist(), len(order)], strict=True):
        mine = order[start:end]
        counts = sizes[mine]
        if total := int(counts.sum()):
            first = np.repeat(low[mine] - (np.cumsum(counts) - counts), counts)
            rows.append(int(places[start]))
            blobs.append(postings[first + np.arange(total)].tobytes())


def rows_of_query(meetings: Any, queries: Any) -> Any:
    """For each block of a text the blocks of documents that it is to be held against."""
    rows = [np.zeros((0, 4), dtype=np.int64)]
    if meetings.num_rows and queries.num_rows:
        query = queries.column("query")[0].as_py()
        postings, _ = unpack_records(meetings.column("blob"), _POSTING)
        # Any numbers in the order of places give the same answer as those of the local engine.
        places, rank = np.unique(postings["place"], return_inverse=True)
        holder = rank.astype(np.int64) << PART_BITS | postings["block"]
        holders, number = np.unique(holder, return_inverse=True)
        keys = (postings["key"] << NUMBER_BITS) | number.astype(np.uint64)
        keys.sort()
        ids = unpack_blocks(queries.column("queried")[0].as_py())
        chosen = find_rows(
            ids,
            [Segment(holders, keys)],
            MOST_ROWS_OF_COLLECTION,
            without=np.flatnonzero(places == query),
        )
        block, column = np.nonzero(chosen != NOBODY)
        there = holders[chosen[block, column]]
        place, part = places[there >> PART_BITS], there & ((1 << PART_BITS) - 1)
        rows.append(np.stack((np.full(len(block), query), block, place, part), axis=1))
    columns = np.concatenate(rows).T
    types = (pa.int64(), pa.int32(), pa.int64(), pa.int32())
    arrays = [pa.array(column).cast(kind) for column, kind in zip(columns, types, strict=True)]
    return pa.table(arrays, names=["query", "block", "place", "part"])


def sources_of_query(rows: Any, queries: Any) -> Any:
    """The likely sources of a text, as pairs of places."""
    pairs: list[tuple[int, int]] = []
    if rows.num_rows and queries.num_rows:
        query = queries.column("query")[0].as_py()
        ids = unpack_blocks(queries.column("queried")[0].as_py())
        block, place, part = (int64_array(rows.column(name)) for name in ("block", "place", "part"))
        places, first, rank = np.unique(place, return_index=True, return_inverse=True)
        blobs = rows.column("indexed").take(pa.array(first)).to_pylist()
        blocks_of_places = [unpack_blocks(blob) for blob in blobs]
        sizes = np.array([len(blocks) for blocks in blocks_of_places])
        begins = np.cumsum(sizes) - sizes
        numbers = np.repeat((np.arange(len(places)) << PART_BITS) - begins, sizes)
        there = BlockRows(
            pack_rows(np.concatenate(blocks_of_places)), numbers + np.arange(len(numbers))
        )
        row = begins[rank] + part
        order = np.lexsort((row, block))
        block, row = block[order], row[order]
        column = np.arange(len(block)) - np.searchsorted(block, block)
        chosen = np.full((len(ids), MOST_ROWS_OF_COLLECTION), NOBODY)
        chosen[block, column] = row
        nowhere = np.zeros(len(ids), dtype=np.int64)
        gains = measure_gains(ids, chosen, [there])
        for source in rank_sources(ConceptBlocks(ids, nowhere, nowhere), gains, MOST_SOURCES):
            other = int(places[source.document])
            pairs.append((min(query, other), max(query, other)))
    columns = list(zip(*pairs, strict=True)) or [(), ()]
    return pa.table([pa.array(column, pa.int64()) for column in columns], names=["a", "b"])


def judge_pairs(batches: Iterable[Any], settings: Settings, documents: int) -> Iterator[Any]:
    """Pairs of texts that one says in other words, with the shares of both."""
    judge = PairJudge(settings, documents)
    for batch in batches:
        rows = []
        names = ("a", "text_a", "b", "text_b")
        columns = (batch.column(name).to_pylist() for name in names)
        for a, text_a, b, text_b in zip(*columns, strict=True):
            share_a, share_b = judge.shares(a, text_a or "", b, text_b or "")
            if share_a > 0 or share_b > 0:
                rows.append((a, b, share_a, share_b))
        values = list(zip(*rows, strict=True)) or [(), (), (), ()]
        types = (pa.int64(), pa.int64(), pa.float64(), pa.float64())
        arrays = [pa.array(column, kind) for column, kind in zip(values, types, strict=True)]
        yield pa.record_batch(arrays, names=["a", "b", "meaning_a", "meaning_b"])
