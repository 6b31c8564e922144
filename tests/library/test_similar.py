"""Every document that fits, measured against a text (paper 003)."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import update

from likewise import compare
from likewise.errors import BadInput, BadSettings
from likewise.library import schema
from likewise.library.similar import ProfileCache
from likewise.measure import Profile
from likewise.model import Document
from likewise.results import measures_result

from .test_meaning import cases, sources
from .texts import MARKET, OWN, RIVER, invented

KAZAKH = "Өзен көктемде тасып, ауылдың шетіндегі көпірді алып кетті, ал адамдар төбеге көшті. " * 4
THESIS = f"{OWN} {RIVER[: len(RIVER) // 2]}"
TEXTS = {
    "river": RIVER,
    "market": MARKET,
    "half": f"{RIVER[: len(RIVER) // 3]} {invented(80, seed=1)}",
    "shuffled": " ".join(sorted(RIVER.split())),  # the same words, and no run of them
    "kazakh": KAZAKH,
    "invented": invented(120, seed=2),
    "empty": "—",
}


def essay(text: str = THESIS) -> Document:
    return Document.from_text(text, name="essay")


def names(similar) -> list[str]:
    return [each.entry.name for each in similar.ranked]


@pytest.mark.parametrize("level", [90, 95, 99])
def test_every_document_is_measured_as_compare_measures_the_pair(library, level):
    library.add_texts(TEXTS)
    wrapped = {
        "wrapped": RIVER.replace(" ", "\n"),
        "broken": RIVER.replace("mountains", "moun-\ntains"),
    }
    library.add_texts(wrapped)
    similar = library.similar(essay(), min_percentage=0, level=level)
    assert similar.measured == similar.documents == similar.total == len(TEXTS) + 2
    for each in similar.ranked:
        pair = compare(essay(), library.get(each.entry.id), level=level)
        assert each.measures == measures_result(pair, level, 0.0)
        assert each.measures.agreement == pair.scores.agreement
        assert each.measures.interval == pair.scores.interval


def test_the_likest_come_first_then_by_number(library):
    library.add_texts(TEXTS)
    library.add_texts({"copy": f"\n{RIVER}\n"})  # the same text, and another document
    similar = library.similar(essay(), min_percentage=0)
    order = [(-each.measures.percentage, each.entry.id) for each in similar.ranked]
    assert order == sorted(order) and names(similar)[:2] == ["river", "copy"]
    assert similar.measured == len(TEXTS) + 1
    assert library.similar(essay(), min_percentage=0) == similar


def test_without_a_minimum_those_that_share_text_are_told(library):
    library.add_texts(TEXTS)
    assert names(library.similar(essay())) == ["river", "half"]
    assert names(library.similar(essay(invented(90, seed=7)))) == []


def test_a_minimum_is_of_the_agreement_whether_text_is_shared_or_not(library):
    library.add_texts(TEXTS)
    everything = library.similar(essay(RIVER), min_percentage=0)
    of_shuffled = next(each for each in everything.ranked if each.entry.name == "shuffled")
    assert of_shuffled.shared_fingerprints == 0.0 and of_shuffled.measures.jaccard == 0.0
    percentage = of_shuffled.measures.percentage
    assert percentage > 20, "the same words, as the cosines see"
    assert "shuffled" in names(library.similar(essay(RIVER), min_percentage=percentage))
    assert "shuffled" not in names(library.similar(essay(RIVER), min_percentage=percentage + 0.01))
    assert names(library.similar(essay(RIVER), min_percentage=100)) == ["river"]


def test_the_level_decides_what_is_inside_and_so_the_agreement(library):
    library.add_texts(TEXTS)
    widths = []
    for level in (90, 95, 99):
        similar = library.similar(essay(), min_percentage=0, level=level)
        (river,) = (each.measures for each in similar.ranked if each.entry.name == "river")
        assert similar.level == river.interval.level == level
        widths.append(river.interval.high - river.interval.low)
    assert widths[0] < widths[1] < widths[2]


def test_no_more_are_listed_than_asked_for_and_all_are_counted(library):
    library.add_texts(TEXTS)
    some = library.similar(essay(), min_percentage=0, limit=2)
    assert (len(some.ranked), some.total) == (2, len(TEXTS))
    assert names(some) == names(library.similar(essay(), min_percentage=0))[:2]


def test_only_what_fits_is_measured_and_counted(library):
    library.add_texts(TEXTS, collection="one", type="essay")
    library.add_texts({"river": RIVER, "other": invented(60, seed=4)}, collection="two")
    similar = library.similar(essay(), min_percentage=0, collection="two")
    assert (similar.documents, similar.measured, similar.total) == (2, 2, 2)
    assert names(similar) == ["river", "other"]
    assert library.similar(essay(), min_percentage=0, collection="three").documents == 0


def test_of_a_large_library_those_are_measured_that_an_index_brings(library, monkeypatch):
    library.add_texts(TEXTS, collection="one")
    of_all = names(library.similar(essay(), min_percentage=0))
    monkeypatch.setattr("likewise.library.similar.MEASURE_ALL", len(TEXTS) - 1)
    similar = library.similar(essay(), min_percentage=0)
    assert similar.documents == len(TEXTS) and names(similar)[:3] == of_all[:3]
    assert set(of_all[:3]) == {"river", "shuffled", "half"}
    assert similar.measured < len(TEXTS) and similar.beyond == 0
    monkeypatch.setattr("likewise.library.similar.MEASURE_BY_MEANING", 0)
    similar = library.similar(essay(), min_percentage=0)
    assert (names(similar), similar.measured) == (["river", "half"], 2)
    monkeypatch.setattr("likewise.library.similar.MEASURE_BEST", 1)
    similar = library.similar(essay(), limit=1)
    assert (names(similar), similar.measured, similar.beyond) == (["river"], 1, 1)
    # What is hidden does not make a library large.
    library.add_texts({"alone": invented(50, seed=5)}, collection="two")
    assert library.similar(essay(), min_percentage=0, collection="two").measured == 1


def test_of_a_large_library_those_are_measured_too_that_say_the_same(library, monkeypatch):
    library.add_texts(sources(), collection="one")
    library.add_texts({"empty": "—"}, collection="two")
    monkeypatch.setattr("likewise.library.similar.MEASURE_ALL", 0)
    monkeypatch.setattr("likewise.library.similar.MEASURE_BY_MEANING", 5)
    text, source = cases("light")[0]
    sharing = {one.name for one in library.candidates(text).ranked}
    similar = library.similar(essay(text), min_percentage=0)
    assert source in names(similar) and source not in sharing
    assert len(sharing) < similar.measured <= len(sharing) + 5 < similar.documents
    (found,) = (each for each in similar.ranked if each.entry.name == source)
    pair = compare(essay(text), library.get(found.entry.id))
    assert found.measures == measures_result(pair) and found.shared_fingerprints == 0
    assert source not in names(library.similar(essay(text), min_percentage=0, collection="two"))


@pytest.mark.parametrize("value", [-0.1, 100.1, float("nan"), "50"])
def test_a_minimum_is_of_percent(library, value):
    with pytest.raises(BadInput, match="0 to 100"):
        library.similar(essay(), min_percentage=value)


@pytest.mark.parametrize("level", [0, 80, 100])
def test_there_are_three_levels(library, level):
    with pytest.raises(BadSettings, match="90, 95 or 99"):
        library.similar(essay(), level=level)


def test_a_damaged_text_is_counted_and_the_others_are_measured(library):
    library.add_texts(TEXTS)
    texts = schema.texts
    with library.store.writing() as (connection, _):
        connection.execute(update(texts).where(texts.c.document_id == 1).values(packed=b"broken"))
    similar = library.similar(essay(), min_percentage=0)
    assert (similar.damaged, similar.measured) == (1, len(TEXTS) - 1)


def test_progress_is_told_up_to_the_last_text(library):
    library.add_texts({f"text {n}": invented(20, seed=n) for n in range(120)})
    stages = []
    library.similar(essay(), progress=lambda *told: stages.append(told))
    assert stages == [("measuring", n, 120) for n in (0, 50, 100, 120)]


# What a process keeps of it.


def test_a_second_search_reads_no_text_again(library, monkeypatch):
    library.add_texts(TEXTS)
    first = library.similar(essay(), min_percentage=0)
    monkeypatch.setattr("likewise.library.similar.unpack_document", None)
    assert library.similar(essay(), min_percentage=0) == first


def test_what_was_removed_or_made_by_another_recipe_is_not_kept(library):
    library.add_texts(TEXTS)
    library.similar(essay())
    assert len(library._profiles) == len(TEXTS)
    library.remove(1)
    assert "river" not in names(library.similar(essay(), min_percentage=0))
    assert len(library._profiles) == len(TEXTS) - 1
    library.erase_removed_from_index()
    assert (len(library._profiles), library._profiles.bytes) == (0, 0)
    before = library.similar(essay(), min_percentage=0)
    assert library.change_stop_words("en", add=["market", "people"])
    library.rebuild()
    after = library.similar(essay(), min_percentage=0)
    assert [each.measures for each in after.ranked] != [each.measures for each in before.ranked]


def test_threads_may_search_at_once(library):
    library.add_texts(TEXTS)
    answers = []

    def search():
        answers.append(library.similar(essay(), min_percentage=0))

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4 and all(answer == answers[0] for answer in answers)


def test_profiles_of_a_round_that_does_not_fit_stay_for_the_next(library):
    library.add_texts({f"text {n}": invented(300, seed=n) for n in range(20)})
    library.similar(essay())
    library._profiles = ProfileCache(library._profiles.bytes // 2)
    rounds = []
    for _ in range(2):
        library.similar(essay())
        rounds.append({number for _, number in library._profiles._profiles})
        assert library._profiles.bytes <= library._profiles.most_bytes
    assert rounds[0] == rounds[1] and 5 < len(rounds[0]) < 15
    # Those that nobody asks for any more make place.
    library.similar(essay(), not_ids=tuple(rounds[0]))
    assert {number for _, number in library._profiles._profiles} != rounds[0]
    assert all(isinstance(one, Profile) for one, _ in library._profiles._profiles.values())
