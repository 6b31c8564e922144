"""The curves, the small version: the code runs, and its figures are sane."""

from pathlib import Path
from typing import Any

import pytest

from bench.page.curves import curves_page
from bench.papers.curves import measure
from bench.papers.curves.pairs import known_pairs
from bench.record import keep, read_results

NOWHERE = Path("no such folder of corpora")


@pytest.fixture(scope="module")
def sections() -> dict[str, Any]:
    return measure(NOWHERE, True, lambda line: None)


def test_known_pairs_have_the_jaccard_that_was_chosen() -> None:
    known = known_pairs(5, 60, 0.8)
    for pair in range(5):
        left, right = (set(known.sets[2 * pair + side].tolist()) for side in (0, 1))
        assert len(left & right) / len(left | right) == known.jaccard == 0.8


def test_every_error_is_near_the_theory_or_below_it(sections: dict[str, Any]) -> None:
    for figure in sections["error by slots"]:
        assert figure["rmse"] < 1.35 * figure["theory"], figure


def test_more_slots_make_smaller_errors(sections: dict[str, Any]) -> None:
    ours = [
        figure["rmse"]
        for figure in sections["error by slots"]
        if (figure["maker"], figure["union"], figure["jaccard"]) == ("likewise", 1000, 0.5)
    ]
    assert ours == sorted(ours, reverse=True)


def test_on_small_sets_our_error_is_below_that_of_classic_minhash(
    sections: dict[str, Any],
) -> None:
    errors = {
        (figure["maker"], figure["jaccard"]): figure["rmse"]
        for figure in sections["error by slots"]
        if (figure["union"], figure["slots"]) == (60, 256)
    }
    for jaccard in (0.2, 0.5, 0.8):
        assert errors["likewise", jaccard] < errors["classic", jaccard]


def test_one_bit_a_slot_costs_what_theory_says(sections: dict[str, Any]) -> None:
    for figure in sections["error by bits"]:
        if figure["kept"] == "slots":
            assert figure["rmse"] < 1.35 * figure["theory"]
    by_bits = {
        figure["bits"]: figure["rmse"]
        for figure in sections["error by bits"]
        if (figure["kept"], figure["jaccard"]) == ("slots", 0.5)
    }
    assert by_bits[1] > 1.3 * by_bits[16]


def test_lsh_keeps_the_recall_it_was_asked_for(sections: dict[str, Any]) -> None:
    for run in sections["recall"]["runs"]:
        if run["engine"] == "lsh":
            assert run["chance_at_threshold"] >= run["asked"]
            assert run["recall"] >= run["asked"]


def test_mega_shingles_find_fewer_pairs_than_lsh(sections: dict[str, Any]) -> None:
    pairs = {(run["engine"], run["documents"]): run["pairs"] for run in sections["cost"]}
    assert pairs["mega-shingles", 2000] < pairs["lsh", 2000]


def test_the_page_shows_every_curve_and_takes_others_costs_from_their_results(
    sections: dict[str, Any], tmp_path: Path
) -> None:
    for name, figures in sections.items():
        keep(tmp_path / "curves.json", name, "a test", figures)
    spark = {"documents": 1000, "method": "lsh", "warm": {"cpu_s": {"all": 2.0}}}
    keep(tmp_path / "spark.json", "lsh 1000", "a test", spark)
    run = {"cpu_s": 0.5, "documents": 1000}
    keep(tmp_path / "speed.json", "scaling", "a test", [{"name": "exact 1000", "runs": [run]}])
    results = read_results(tmp_path, "curves")
    page = "\n\n".join(curves_page(results, tmp_path / "one", tmp_path))
    assert page == "\n\n".join(curves_page(results, tmp_path / "two", tmp_path))
    assert list(curves_page({}, tmp_path, tmp_path)) == []
    assert "| 1,000 | 500.0 | – | 2,000.0 |" in page
    for name in ("slots", "makers", "bits", "recall", "cost"):
        plot = f"curves-{name}.svg"
        assert f"plots/{plot}" in page
        assert (tmp_path / "one" / plot).read_bytes() == (tmp_path / "two" / plot).read_bytes()
