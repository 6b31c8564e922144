"""Paper 001, the small version: exact filters lose nothing, the paper's own loses nearly all."""

from pathlib import Path
from typing import Any

import pytest

from bench.page.paper_001 import paper_001_page
from bench.papers.paper_001 import measure, published
from bench.papers.paper_001.filtering import FILTERS, MEASURES
from bench.papers.paper_001.texts import INVENTED
from bench.record import keep, read_results


@pytest.fixture(scope="module")
def sections() -> dict[str, Any]:
    return measure(Path("no such folder of corpora"), True, lambda line: None)


@pytest.fixture(scope="module")
def rows(sections: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    found = sections["filters"][INVENTED]["rows"]
    return {(row["measure"], row["filter"]): row for row in found}


def missed_at(sections: dict[str, Any], share: float) -> dict[str, Any]:
    """What is missed of the pairs at .9, by sets."""
    [point] = [point for point in sections["appended"]["points"] if point["share"] == share]
    [row] = [r for r in point["rows"] if (r["measure"], r["threshold"]) == ("jaccard", 0.9)]
    return {"true": row["true"], **row["missed"]}


def test_every_filter_is_tried_with_both_measures(rows: dict[tuple[str, str], Any]) -> None:
    assert set(rows) == {(measure, name) for measure in MEASURES for name in FILTERS}


def test_no_filter_compares_all_pairs(sections: dict[str, Any], rows: dict[Any, Any]) -> None:
    assert rows["jaccard", "none"]["compared"] == sections["filters"][INVENTED]["all_pairs"]


def test_what_is_called_exact_misses_nothing(rows: dict[tuple[str, str], Any]) -> None:
    for row in rows.values():
        assert row["pairs"] > 10
        assert row["missed"] == 0 or not row["exact"]
    assert [name for (_, name), row in rows.items() if row["exact"]] == [
        *("none", "length", "prefix"),
        *("none", "repetitions", "prefix"),
    ]


def test_the_prefix_filter_compares_least(rows: dict[tuple[str, str], Any]) -> None:
    for measure_ in MEASURES:
        compared = [rows[measure_, name]["compared"] for name in FILTERS]
        assert compared == sorted(compared, reverse=True)


def test_the_papers_filter_is_a_length_filter_at_the_root_of_the_threshold(
    sections: dict[str, Any], rows: dict[tuple[str, str], Any]
) -> None:
    ratio = (
        rows["jaccard", "positions"]["compared"] / sections["filters"][INVENTED]["length_at_root"]
    )
    assert 0.8 < ratio < 1.2


def test_copies_with_a_tenth_appended_are_lost_by_the_papers_filter_alone(
    sections: dict[str, Any],
) -> None:
    little, more = missed_at(sections, 0.02), missed_at(sections, 0.1)
    assert little["true"] == sections["appended"]["copies"]
    assert little["positions"] == 0
    assert more["true"] > 0.5 * sections["appended"]["copies"]
    assert more["positions"] == more["true"]
    assert more["length"] == 0


def test_a_search_loses_the_copies_that_lengths_say_it_loses(sections: dict[str, Any]) -> None:
    search = sections["appended"]["search"]
    missed = missed_at(sections, search["share"])
    for name in ("length", "repetitions", "positions"):
        assert search["found"][name] == missed["true"] - missed[name]
    assert search["found"]["prefix"] == missed["true"]


def test_the_papers_own_figures_contradict_each_other() -> None:
    length, positions = published.TABLE["length"], published.TABLE["positions"]
    assert published.ALL_PAIRS == published.DOCUMENTS * (published.DOCUMENTS - 1) // 2
    assert published.ALL_PAIRS - length.dismissed == length.comparisons
    assert published.ALL_PAIRS - positions.dismissed != positions.comparisons


def test_the_page_has_a_plot_and_every_filter(sections: dict[str, Any], tmp_path: Path) -> None:
    for name, figures in sections.items():
        keep(tmp_path / "paper-001.json", name, "a command", figures)
    page = "\n".join(paper_001_page(read_results(tmp_path, "paper-001"), tmp_path / "plots"))
    assert (tmp_path / "plots" / "paper-001-appended.svg").is_file()
    for words in ("25,854 (12.4%)", "Σ i·F(i), the paper's", "prefix filter", "14,324"):
        assert words in page
    assert not list(paper_001_page({}, tmp_path))
