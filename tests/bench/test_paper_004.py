"""Paper 004, the small version: its worked table by its own formulas, and by ours."""

from pathlib import Path
from typing import Any

import pytest

from bench.page.paper_004 import paper_004_page
from bench.papers import MissingCorpus
from bench.papers.paper_004 import METRICS, SIZES, measure
from bench.record import keep, read_results

NOWHERE = Path("no such folder of corpora")


@pytest.fixture(scope="module")
def sections() -> dict[str, Any]:
    return measure(NOWHERE, True, lambda line: None)


def test_the_modified_table_is_compared_by_every_window_and_metric(
    sections: dict[str, Any],
) -> None:
    modified = [f for f in sections["worked table"] if f["table"] == "modified"]
    assert {(f["metric"], f["window"]) for f in modified} == {
        (metric, size) for metric in METRICS for size in SIZES
    }


def test_numbers_one_by_one_are_all_found_again(sections: dict[str, Any]) -> None:
    for figure in sections["worked table"]:
        if figure["table"] == "modified" and figure["window"] == 1:
            assert figure["distances"] == [0] * 6
            assert figure["verdict"] == "near-duplicate"


def test_two_numbers_in_a_row_are_as_far_apart_as_one_computes_by_hand(
    sections: dict[str, Any],
) -> None:
    """1150, 895 975 is nearest to 1220, 895 975."""
    [figure] = [
        f
        for f in sections["worked table"]
        if (f["table"], f["metric"], f["window"]) == ("modified", "euclidean", 2)
    ]
    assert figure["distances"][0] == 70
    assert figure["distances"][1] == 590  # 895 975, 560 and 895 975, 1150


def test_every_table_satisfies_the_condition_on_numbers(sections: dict[str, Any]) -> None:
    assert all(figure["numbers_alike"] for figure in sections["worked table"])


def test_likewise_tells_the_modified_table_from_another(sections: dict[str, Any]) -> None:
    scores = {figure["done"]: figure["likewise"] for figure in sections["doctored copies"]}
    assert scores.pop("another table") == 0
    assert min(scores.values()) > 0.5
    assert scores["rows permuted"] == scores["transposed"] == 1


def test_the_full_version_names_the_corpus_that_it_needs() -> None:
    with pytest.raises(MissingCorpus, match="table-revisions"):
        measure(NOWHERE, False, lambda line: None)


def test_the_page_shows_both_verdicts(sections: dict[str, Any], tmp_path: Path) -> None:
    for name, figures in sections.items():
        keep(tmp_path / "paper-004.json", name, "a command", figures, small=True)
    page = "\n".join(paper_004_page(read_results(tmp_path, "paper-004"), tmp_path))
    assert "| Table 2 | euclidean | 3 |" in page
    assert "near-duplicate by windows of 1 and 2" in page
    assert "The rivers satisfy (14) in 9 of 9 cases" in page
    assert not list(paper_004_page({}, tmp_path))
