"""A library's own duplicates: exact over the fingerprints that it keeps, on both engines."""

from __future__ import annotations

import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from likewise.errors import BadInput, BadSettings
from likewise.library import DuplicatePair, Duplicates, Library, schema
from likewise.library.index import read_entries_after
from likewise.library.segments import TEXTS
from tests.library.texts import MARKET, RIVER, invented

STORY = invented(400, seed=7)


def stored_sets(library: Library) -> dict[int, frozenset[int]]:
    """The fingerprints of every document, those of a copy included."""
    with library.store.reading() as connection:
        recipe = library.store.state(connection).recipe_id
        rows = read_entries_after(connection, TEXTS, recipe, 0)
        by_root = {
            number: frozenset(hashes.tolist())
            for _, entries in rows
            for number, hashes in zip(entries.numbers, entries.hashes, strict=True)
        }
        document = schema.documents.c
        copies = connection.execute(select(document.id, document.copy_of)).all()
    return {id: by_root[copy_of or id] for id, copy_of in copies}


def by_brute_force(
    library: Library, threshold: float, measure: str
) -> dict[tuple[int, int], float]:
    """Every pair that reaches the threshold, by looking at all of them."""
    sets = stored_sets(library)
    texts = {entry.id: entry.copy_of or entry.id for entry in library.list(limit=None).entries}
    pairs = {}
    for a, b in combinations(sorted(sets), 2):
        one, other = sets[a], sets[b]
        if texts[a] == texts[b]:
            similarity = 1.0
        elif not one or not other:
            continue
        elif measure == "containment":
            similarity = len(one & other) / min(len(one), len(other))
        else:
            similarity = len(one & other) / len(one | other)
        if similarity >= threshold:
            pairs[a, b] = similarity
    return pairs


def connected(pairs: dict[tuple[int, int], float]) -> set[tuple[int, ...]]:
    groups: dict[int, set[int]] = {}
    for a, b in pairs:
        together = groups.get(a, {a}) | groups.get(b, {b})
        groups |= dict.fromkeys(together, together)
    return {tuple(sorted(group)) for group in groups.values()}


def as_dict(found: Duplicates) -> dict[tuple[int, int], float]:
    return {(pair.a, pair.b): pair.similarity for pair in found}


PIECES = [invented(12, seed=seed) for seed in range(8)]
TEXTS_OF_PIECES = st.lists(
    st.lists(st.integers(0, len(PIECES) - 1), max_size=7), min_size=2, max_size=14
)


@given(
    texts=TEXTS_OF_PIECES,
    threshold=st.sampled_from((0.05, 0.3, 0.5, 0.8, 1.0)),
    measure=st.sampled_from(("jaccard", "containment")),
    seed=st.integers(0, 3),
)
@settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None)
def test_pairs_and_clusters_are_those_of_brute_force_over_the_stored_sets(
    texts, threshold, measure, seed
):
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder, "campus.db")) as library:
        # Documents differ in bytes; those of the same pieces have the same text.
        library.add_texts(
            (f"{i}.txt", "\n" * i + " ".join(PIECES[n] for n in pieces) + "\n" * seed)
            for i, pieces in enumerate(texts)
        )
        found = library.duplicates(threshold=threshold, measure=measure)
        expected = by_brute_force(library, threshold, measure)
        assert as_dict(found) == expected and len(found) == len(expected)
        assert {cluster.members for cluster in found.clusters} == connected(expected)
        assert found.documents == len(library)


def test_copies_near_copies_and_strangers(library):
    near = STORY.replace(STORY.split()[200], "altogether", 1)
    library.add_texts({"story": STORY, "market": MARKET, "copy": STORY + "\n", "near": near})
    found = library.duplicates()
    (same, one, other) = found
    assert same == DuplicatePair(1, 3, 1.0, same.shared, same.shared, same.shared, True)
    assert (one.a, one.b, other.a, other.b) == (1, 4, 3, 4)
    assert 0.8 <= one.similarity == other.similarity < 1 and not one.is_same_text
    (cluster,) = found.clusters
    assert (cluster.members, cluster.weakest) == ((1, 3, 4), one.similarity)
    assert (found.documents, found.threshold, found.measure) == (4, 0.8, "jaccard")
    assert [entry.name for entry in library.entries(cluster.members)] == ["story", "copy", "near"]


def test_a_part_is_a_duplicate_by_containment(library):
    library.add_texts({"story": STORY, "half": " ".join(STORY.split()[:200])})
    assert len(library.duplicates()) == 0
    (pair,) = library.duplicates(measure="containment")
    assert pair.similarity > 0.9 and pair.fingerprints_b < pair.fingerprints_a


def test_texts_without_fingerprints_are_duplicates_of_the_same_text_alone(library):
    library.add_texts({"a": "The and.", "b": "Of it.", "c": "The and.\n", "river": RIVER})
    found = library.duplicates(threshold=0.01)
    assert list(found) == [DuplicatePair(1, 3, 1.0, 0, 0, 0, True)]
    assert [cluster.members for cluster in found.clusters] == [(1, 3)]
    assert found.without_fingerprints == 3


def test_an_empty_library_has_none(library):
    found = library.duplicates()
    assert (len(found), list(found), found.clusters, found.documents) == (0, [], (), 0)


def test_filters_choose_whose_duplicates(library):
    library.add_texts({"a": STORY}, owner="aigul", year=2023)
    library.add_texts({"b": STORY + "\n"}, owner="bolat", year=2024)
    library.add_texts({"c": STORY + "\n\n"}, owner="dean", year=2024, collection="class")
    assert as_dict(library.duplicates(year=2024)) == {(2, 3): 1.0}
    assert as_dict(library.duplicates(collection="")) == {(1, 2): 1.0}
    assert len(library.duplicates(owner="aigul")) == 0
    assert as_dict(library.duplicates(not_owner="AIGUL")) == {(2, 3): 1.0}
    with pytest.raises(BadInput):
        library.duplicates(colour="red")


def test_what_is_no_threshold_and_no_measure_is_refused(library):
    for wrong in (
        *({"threshold": 0}, {"threshold": 1.5}, {"threshold": "much"}),
        *({"measure": "multiset"}, {"jobs": 0}),
    ):
        with pytest.raises(BadSettings):
            library.duplicates(**wrong)


def test_memory_and_threads_change_nothing(library, monkeypatch):
    texts = [" ".join(PIECES[(n * k) % 8] for k in range(1, 6)) for n in range(24)]
    library.add_texts((f"{n}.txt", text) for n, text in enumerate(texts))
    expected = list(library.duplicates(threshold=0.2))
    monkeypatch.setattr("likewise.library.library.memory_budget", lambda limit: 300)
    monkeypatch.setattr("likewise.library.duplicates._TEXTS_AT_ONCE", 3)
    monkeypatch.setattr("likewise.library.duplicates._ROWS_AT_ONCE", 5)
    assert expected and list(library.duplicates(threshold=0.2, jobs=3)) == expected


def test_progress_tells_of_reading_and_comparing(library):
    library.add_texts({"a": STORY, "b": RIVER})
    stages: list[tuple[str, int, int]] = []
    library.duplicates(progress=lambda *stage: stages.append(stage))
    assert stages == [("reading fingerprints", 0, 2), ("comparing", 0, 0)]


def test_until_a_rebuild_has_ended_the_recipe_in_use_decides_and_it_is_said(library):
    library.add_texts({"story": STORY, "copy": STORY + "\n"})
    before = library.duplicates()
    assert not before.awaits_rebuild
    assert library.change_stop_words("en", add=STORY.split()[:50])
    library.add_texts({"later": STORY + "\n\n"})
    meanwhile = library.duplicates()
    assert meanwhile.awaits_rebuild and meanwhile.recipe == before.recipe
    assert as_dict(meanwhile) == {(1, 2): 1.0, (1, 3): 1.0, (2, 3): 1.0}
    library.rebuild()
    after = library.duplicates()
    assert not after.awaits_rebuild and after.recipe != before.recipe
    shared = {pair.shared for pair in after}
    assert len(after) == 3 and shared < {pair.shared for pair in meanwhile} | shared
    sets = stored_sets(library)
    assert shared == {len(sets[1])} and np.isfinite(list(shared)).all()


def test_nothing_is_read_but_fingerprints(library, monkeypatch):
    library.add_texts({"story": STORY, "copy": STORY + "\n"})
    monkeypatch.setattr("likewise.library.entries.unpack_document", None)
    monkeypatch.setattr("likewise.library.recipes.Recipe.check", None)
    assert len(library.duplicates()) == 1
