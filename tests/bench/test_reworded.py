"""Reworded passages: where they stand, how a threshold is fixed, and the peers' windows."""

from pathlib import Path

import numpy as np

from bench.making.reworded import NOTHING_SHARED, RewordedPair, unseen_cases, unseen_papers
from bench.page.reworded import reworded_page
from bench.quality.concepts import Text, tokens
from bench.quality.plagdet import Region
from bench.quality.reworded import (
    FOLDS,
    Judgement,
    Needed,
    figures_of,
    fold_of,
    score_needed,
    thresholds,
)
from bench.quality.reworded_parts import SETTINGS, switched
from bench.quality.reworded_peers import Scored, _windows
from likewise.language.concepts import BEYOND_CONCEPTS, Concepts


def pair(kind: str, source: str, *cases: Region) -> RewordedPair:
    return RewordedPair(kind, "suspicious", source, "", "", cases)


def test_every_case_stands_where_it_is_said_to_stand() -> None:
    pairs = unseen_cases()
    assert sum(bool(each.cases) for each in pairs) >= 150
    for each in pairs:
        assert bool(each.cases) == (each.kind != NOTHING_SHARED)
        for case in each.cases:
            for text, start, end in (
                (each.suspicious, case.a_start, case.a_end),
                (each.source, case.b_start, case.b_end),
            ):
                assert text[start:end].strip() == text[start:end] != ""
                assert text[:start].endswith("\n\n") or not start
                assert text[end:].startswith("\n\n") or end == len(text)


def test_a_paper_beside_itself_has_its_paragraphs_as_cases_and_beside_others_none() -> None:
    pairs = unseen_papers()
    papers = {each.source_name for each in pairs}
    assert len(pairs) == len(papers) ** 2
    for each in pairs:
        assert len(each.cases) == (each.source.count("\n\n") + 1 if each.kind == "papers" else 0)


def test_a_threshold_is_that_of_the_other_folds() -> None:
    pairs = [pair(NOTHING_SHARED, f"source-{number}") for number in range(20)]
    scores = [[float(number)] for number in range(20)]
    least = thresholds(pairs, scores, 1.0)
    assert len(least) == FOLDS
    assert least[fold_of(pairs[-1])] < 19 == max(least)


def test_a_case_fixes_no_threshold() -> None:
    pairs = [pair("en-light", "source-1", Region(0, 9, 0, 9)), pair(NOTHING_SHARED, "source-2")]
    assert max(thresholds(pairs, [[90.0], [10.0]], 1.0)) == 10


def test_the_score_needed_is_what_it_was_afterwards() -> None:
    shipped = Needed.shipped()
    with score_needed(Needed(1.0, 2.0)):
        assert Needed.shipped() == (1, 2)
    assert Needed.shipped() == shipped


def test_a_part_that_is_switched_off_is_on_again_afterwards() -> None:
    whole, words = Concepts.features, np.array(["dog", "1984", "Carnegie"])
    hashes = np.arange(3, dtype=np.uint64)
    with switched(SETTINGS["+ concepts"]):
        keys = Concepts.shipped().features(hashes, lambda places: words[places].tolist()).key
        assert len(keys) and keys.max() < BEYOND_CONCEPTS
    assert Concepts.features is whole
    keys = Concepts.shipped().features(hashes, lambda places: words[places].tolist()).key
    assert (keys > BEYOND_CONCEPTS).sum() == 2


def test_windows_are_three_sentences_and_neighbours_are_joined() -> None:
    text = "One. Two. Three. Four.\nFive."
    assert [text[slice(*span)] for span in _windows(text)] == [
        "One. Two. Three.",
        "Two. Three. Four.",
        "Three. Four.\nFive.",
    ]
    windows = (
        (Region(0, 9, 0, 9), 0.9, (0, 0)),
        (Region(5, 14, 5, 14), 0.8, (1, 1)),
        (Region(10, 19, 60, 69), 0.8, (2, 40)),
    )
    found = Scored(pair("en-light", "source"), windows).detections(0.7)
    assert found == [Region(0, 14, 0, 14), Region(10, 19, 60, 69)]


def test_a_name_is_no_token_and_the_first_word_of_a_sentence_is() -> None:
    text = Text("", "en", "", "Then Anna saw 3 dogs. They slept.")
    assert [word for word, _ in tokens(text)] == ["then", "saw", "dogs", "they", "slept"]


def test_the_page_shows_a_figure_below_what_was_asked_in_bold(tmp_path: Path) -> None:
    kinds = ["en-light", "ru-light", "kk-light", "en-summary", "en-ru-translated"]
    kinds.append("en-ru-translated-heavy")
    judgements = [
        Judgement(pair(kind, "source", Region(0, 10, 0, 10)), (Region(0, end, 0, end),))
        for kind in kinds
        for end in ([10] if kind != "ru-light" else [2])
    ]
    judgements.append(Judgement(pair(NOTHING_SHARED, "source"), ()))
    facts = {"thresholds": [Needed(1.0, 1.0)] * FOLDS, "shipped_thresholds": Needed(1.0, 1.0)}
    figures = [
        figure
        for how in ("folds", "folds, without the one story", "as shipped", "words alone")
        for figure in figures_of(judgements, how, facts)
    ]
    section = {"command": "", "date": "", "machine": {"likewise": "0"}, "figures": figures}
    rows = "\n".join(reworded_page({"reworded passages": section})).splitlines()
    russian = next(row for row in rows if row.startswith("| Russian, light and heavy"))
    english = next(row for row in rows if row.startswith("| English, light and heavy"))
    assert "**" in russian and "**" not in english
