"""The steps of the exact join: both forms, and what each step promises."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likewise.kernels import _join as compiled
from likewise.kernels import join as readable
from tests.kernels.strategies import array, assert_equal, few, flat, hashes, repeatable, sets

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])
cell_bytes = st.sampled_from([1, 2, 16, 1024])


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """Sets and the side of each: 0, 1, or 2 for those that take no part."""
    documents = draw(sets)
    n = len(documents)
    return documents, draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))


def marked(form, documents, sides, across: bool, room: int, pieces: int = 1) -> np.ndarray:
    """Cells after all documents were shown, in one call or in several."""
    cells = np.zeros(room, dtype=np.uint8)
    edges = np.linspace(0, len(documents), pieces + 1).astype(int).tolist()
    for first, last in pairwise(edges):
        form.mark_shared(
            *flat(documents[first:last]), array(sides[first:last], np.uint8), across, cells
        )
    return cells


@repeatable(300)
@given(collections(), st.booleans(), cell_bytes, st.integers(1, 3))
def test_both_forms_mark_the_same_cells_in_any_number_of_calls(
    collection: tuple[list[list[int]], list[int]], across: bool, room: int, pieces: int
) -> None:
    cells = marked(compiled, *collection, across, room)
    assert_equal(cells, marked(readable, *collection, across, room))
    assert_equal(cells, marked(compiled, *collection, across, room, pieces))
    assert_equal(cells, marked(readable, *collection, across, room, pieces))


@repeatable(300)
@given(collections(), st.booleans(), cell_bytes, st.data())
def test_no_shared_shingle_and_no_document_with_enough_of_them_is_lost(
    collection, across: bool, room: int, data: st.DataObject
) -> None:
    documents, sides = collection
    need = data.draw(st.lists(st.integers(0, 6), min_size=len(documents), max_size=len(documents)))
    cells = marked(compiled, documents, sides, across, room)
    found = compiled.keep_shared(*flat(documents), array(need, np.int64), cells)
    assert_equal(readable.keep_shared(*flat(documents), array(need, np.int64), cells), found)

    holders: dict[int, list[int]] = {}
    for document, side in zip(documents, sides, strict=True):
        for shingle in document if side < 2 else ():
            holders.setdefault(shingle, []).append(side)
    shared = {s for s, on in holders.items() if (len(set(on)) == 2 if across else len(on) > 1)}
    kept_documents, kept, ends = found
    kept_of = dict(
        zip(kept_documents.tolist(), map(list, np.split(kept, ends[1:-1])), strict=False)
    )
    for i, document in enumerate(documents):
        must_stay = [shingle for shingle in document if shingle in shared]
        if i in kept_of:
            assert set(must_stay) <= set(kept_of[i]) <= set(document)
            assert len(kept_of[i]) >= max(need[i], 1)
        else:
            assert len(must_stay) < max(need[i], 1)


@repeatable(300)
@given(st.one_of(st.lists(few(9), max_size=40), st.lists(hashes, max_size=12)))
def test_numbers_count_up_as_items_first_appear(items: list[int]) -> None:
    numbers, n = compiled.number(array(items))
    assert_equal(readable.number(array(items)), (numbers, n))
    order = list(dict.fromkeys(items))
    assert numbers.tolist() == [order.index(item) for item in items]
    assert n == len(order)


def test_numbering_outgrows_its_first_table() -> None:
    items = np.random.default_rng(1).integers(1, 2**64, size=150_000, dtype=np.uint64)
    items = np.concatenate((items, items[::-1]))
    assert_equal(readable.number(items), compiled.number(items))


@st.composite
def token_lists(draw: st.DrawFn) -> tuple[list[list[int]], int]:
    """Distinct small numbers in each document, and how many numbers there are."""
    vocabulary = draw(st.integers(1, 25))
    tokens = st.lists(st.integers(0, vocabulary - 1), unique=True, max_size=vocabulary)
    return draw(st.lists(tokens, max_size=8)), vocabulary


@repeatable(300)
@given(token_lists(), st.data())
def test_holders_are_counted_on_each_side(drawn, data: st.DataObject) -> None:
    documents, vocabulary = drawn
    sides = [data.draw(st.integers(0, 1)) for _ in documents]
    asked = (*flat(documents, np.uint32), array(sides, np.uint8), vocabulary)
    holders = compiled.count_holders(*asked)
    assert_equal(readable.count_holders(*asked), holders)
    for number in range(vocabulary):
        on = [side for side, document in zip(sides, documents, strict=True) if number in document]
        assert holders[number].tolist() == [on.count(0), on.count(1)]


@repeatable(300)
@given(token_lists(), st.data())
def test_ranked_tokens_are_put_into_ascending_order_document_by_document(
    drawn, data: st.DataObject
) -> None:
    documents, vocabulary = drawn
    ranked = data.draw(st.lists(st.booleans(), min_size=vocabulary, max_size=vocabulary))
    order = data.draw(st.permutations([n for n in range(vocabulary) if ranked[n]]))
    rank = np.full(vocabulary, readable.UNRANKED)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    chosen = data.draw(st.permutations(range(len(documents))))
    chosen = chosen[: data.draw(st.integers(0, len(documents)))]

    tokens, ends = flat(documents, np.uint32)
    counts = compiled.count_ranked(tokens, ends, rank)
    assert_equal(readable.count_ranked(tokens, ends, rank), counts)
    wanted = [sorted(int(rank[n]) for n in documents[i] if ranked[n]) for i in chosen]
    assert [int(counts[i]) for i in chosen] == [len(row) for row in wanted]

    new_ends = array([0, *np.cumsum([len(row) for row in wanted])], np.int64)
    asked = (tokens, ends, rank, array(chosen, np.int64), new_ends, len(order))
    ordered = compiled.order_tokens(*asked)
    assert_equal(readable.order_tokens(*asked), ordered)
    assert_equal(ordered, flat(wanted, np.uint32)[0])


@repeatable(300)
@given(token_lists(), st.data())
def test_the_index_lists_who_has_a_token_among_its_first(drawn, data: st.DataObject) -> None:
    documents, vocabulary = drawn
    documents = [sorted(document) for document in documents]
    indexed = [data.draw(st.integers(0, len(document))) for document in documents]
    tokens, ends = flat(documents, np.uint32)
    index = compiled.build_index(tokens, ends, array(indexed, np.int64), vocabulary)
    assert_equal(readable.build_index(tokens, ends, array(indexed, np.int64), vocabulary), index)
    starts, holders, places = (part.tolist() for part in index)
    for token, (first, last) in enumerate(pairwise(starts)):
        assert list(zip(holders[first:last], places[first:last], strict=True)) == [
            (i, document.index(token))
            for i, document in enumerate(documents)
            if token in document[: indexed[i]]
        ]


@st.composite
def probes(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[int]]:
    """Ordered documents by ascending size; their sizes, unshared shingles included; their sides."""
    documents, _ = draw(token_lists())
    alone = [draw(st.integers(0, 3)) for _ in documents]
    by_size = sorted(
        (len(document) + more, sorted(document))
        for document, more in zip(documents, alone, strict=True)
    )
    sides = [draw(st.integers(0, 1)) for _ in by_size]
    return [document for _, document in by_size], [size for size, _ in by_size], sides


@repeatable(500)
@given(
    probes(),
    st.booleans(),
    st.booleans(),
    st.one_of(st.sampled_from([0.1, 0.2, 0.5, 0.6, 0.7, 0.8, 1.0]), st.floats(0.01, 1)),
    st.data(),
)
def test_both_forms_probe_alike_whatever_the_prefixes(
    drawn, across: bool, contained: bool, threshold: float, data: st.DataObject
) -> None:
    documents, sizes, sides = drawn
    n = len(documents)
    tokens, ends = flat(documents, np.uint32)
    prefixes = [st.integers(0, len(document)) for document in documents]
    indexed = array([data.draw(prefix) for prefix in prefixes], np.int64)
    probed = array([data.draw(prefix) for prefix in prefixes], np.int64)
    smallest = array([data.draw(st.integers(0, x)) for x in range(n)], np.int64)
    first = data.draw(st.integers(0, n))
    last = data.draw(st.integers(first, n))
    index = readable.build_index(tokens, ends, indexed, 25)
    arguments = (
        *(tokens, ends, array(sizes, np.int64), array(sides, np.uint8), across, probed, smallest),
        *(index, threshold, contained, first, last),
    )
    found = compiled.probe(*arguments)
    assert_equal(readable.probe(*arguments), found)
    assert found[1] >= len(found[0])


@repeatable(500)
@given(
    probes(),
    st.booleans(),
    st.booleans(),
    st.one_of(st.sampled_from([0.1, 0.2, 0.5, 0.6, 0.7, 0.8, 1.0]), st.floats(0.01, 1)),
)
@example(([[0, 1, 2, 3], [0, 1, 2, 3]], [4, 5], [0, 1]), False, False, 0.8)
@example(([list(range(7)), list(range(7))], [7, 10], [0, 1]), True, False, 0.7)
@example(([list(range(3)), list(range(3))], [5, 9], [0, 1]), True, True, 0.6)
def test_probing_with_whole_documents_finds_every_pair(
    drawn, across: bool, contained: bool, threshold: float
) -> None:
    documents, sizes, sides = drawn
    n = len(documents)
    tokens, ends = flat(documents, np.uint32)
    lengths = np.diff(ends)
    expected = []
    for x in range(n):
        for y in range(x):
            shared = len(set(documents[x]) & set(documents[y]))
            base = sizes[y] if contained else sizes[x] + sizes[y] - shared
            if shared and shared / base >= threshold and not (across and sides[x] == sides[y]):
                expected.append((y, x, shared))
    for form in (readable, compiled):
        index = form.build_index(tokens, ends, lengths, 25)
        found, compared = form.probe(
            *(tokens, ends, array(sizes, np.int64), array(sides, np.uint8), across, lengths),
            *(np.zeros(n, dtype=np.int64), index, threshold, contained, 0, n),
        )
        assert sorted(map(tuple, found.tolist())) == sorted(expected)
        assert compared >= len(expected)


@repeatable(300)
@given(sets.filter(len), st.data())
def test_overlaps_are_the_sizes_of_intersections(documents, data: st.DataObject) -> None:
    place = st.integers(0, len(documents) - 1)
    pairs = data.draw(st.lists(st.tuples(place, place), max_size=20))
    if data.draw(st.booleans()):
        pairs.sort()  # pairs of one left document side by side, as they come in practice
    left, right = array([a for a, _ in pairs], np.uint32), array([b for _, b in pairs], np.uint32)
    found = compiled.overlaps(*flat(documents), left, right)
    assert_equal(readable.overlaps(*flat(documents), left, right), found)
    assert found.tolist() == [len(set(documents[a]) & set(documents[b])) for a, b in pairs]


@FORMS
def test_nothing_at_all_goes_through_every_step(form) -> None:
    none, zero = array([]), np.zeros(1, dtype=np.int64)
    cells = np.zeros(16, dtype=np.uint8)
    form.mark_shared(none, zero, array([], np.uint8), False, cells)
    assert not cells.any()
    assert [len(part) for part in form.keep_shared(none, zero, array([], np.int64), cells)] == [
        0,
        0,
        1,
    ]
    assert form.number(none)[1] == 0
    tokens, empty = array([], np.uint32), array([], np.int64)
    assert form.count_holders(tokens, zero, array([], np.uint8), 0).shape == (0, 2)
    assert len(form.count_ranked(tokens, zero, tokens)) == 0
    assert len(form.order_tokens(tokens, zero, tokens, empty, zero, 0)) == 0
    index = form.build_index(tokens, zero, empty, 0)
    assert [len(part) for part in index] == [1, 0, 0]
    found, compared = form.probe(
        *(tokens, zero, empty, array([], np.uint8), False, empty, empty, index, 0.5, False, 0, 0)
    )
    assert found.shape == (0, 3) and compared == 0
    assert len(form.overlaps(none, zero, tokens, tokens)) == 0


@FORMS
def test_a_token_of_many_documents_is_counted_in_each(form) -> None:
    documents = [[0, i] for i in range(1, 2000)]
    tokens, ends = flat(documents, np.uint32)
    whole = np.full(len(documents), 2, dtype=np.int64)
    starts, holders, _ = form.build_index(tokens, ends, whole, 2000)
    assert Counter(np.diff(starts).tolist()) == {1999: 1, 1: 1999}
    assert holders[:1999].tolist() == list(range(1999))
