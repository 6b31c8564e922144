"""Paper 000, the small version: the code runs, and its figures are sane."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.page.paper_000 import paper_000_page
from bench.papers.paper_000 import measure
from bench.papers.paper_000.published import BANDINGS, IDEAL, SIMILARITIES
from bench.papers.paper_000.recipe import list_hashes, shingle_hashes
from bench.papers.paper_000.rows import rows_of, sets_of
from bench.record import keep, read_results

NOWHERE = Path("no such folder of corpora")
ROW = "seven copper kettles boiled quietly"


@pytest.fixture(scope="module")
def sections() -> dict[str, Any]:
    return measure(NOWHERE, True, lambda line: None)


def test_the_ideal_curve_is_the_one_that_the_paper_prints(sections: dict[str, Any]) -> None:
    for cell in sections["retrieval"]["cells"]:
        row = SIMILARITIES.index(cell["similarity"])
        column = BANDINGS.index((cell["bands"], cell["rows"]))
        assert cell["ideal"] == pytest.approx(IDEAL[row][column], abs=0.011)


def test_the_true_jaccard_lies_below_the_share_of_rows_that_stay(
    sections: dict[str, Any],
) -> None:
    for each in sections["retrieval"]["jaccard"]:
        assert each["mean"] < each["similarity"]


def test_what_is_retrieved_follows_the_curve_at_the_true_jaccard(
    sections: dict[str, Any],
) -> None:
    cells = sections["retrieval"]["cells"]
    for who in ("likewise", "recipe"):
        at_rows = np.mean([abs(cell[who] - cell["ideal"]) for cell in cells])
        at_jaccard = np.mean([abs(cell[who] - cell["ideal_at_jaccard"]) for cell in cells])
        assert at_jaccard < at_rows


def test_every_pdf_is_read_and_every_stage_leaves_something(sections: dict[str, Any]) -> None:
    stages = sections["stages"]
    assert stages["unread"] == 0
    assert stages["pages"] >= stages["documents"] == sections["retrieval"]["documents"]
    assert stages["signature_bytes"] == stages["documents"] * 100 * 2
    assert [run["candidates"] for run in stages["lsh"]] == sorted(
        (run["candidates"] for run in stages["lsh"]), reverse=True
    )


def test_each_use_names_the_original_of_a_copy_with_few_lines_replaced(
    sections: dict[str, Any],
) -> None:
    assert [use["use"] for use in sections["uses"]] == ["find", "cross", "check"]
    for use in sections["uses"]:
        for part in use["right"]:
            if part["similarity"] >= 0.5:
                assert part["right"] == part["copies"]


def test_the_page_shows_every_table_and_writes_the_same_plots_twice(
    sections: dict[str, Any], tmp_path: Path
) -> None:
    for name, figures in sections.items():
        keep(tmp_path / "paper-000.json", name, "a test", figures)
    results = read_results(tmp_path, "paper-000")
    page = "\n\n".join(paper_000_page(results, tmp_path / "one"))
    assert list(paper_000_page({}, tmp_path)) == []
    assert page == "\n\n".join(paper_000_page(results, tmp_path / "two"))
    assert page.count("\n| --- |") == 7
    for name in ("paper-000-rows.svg", "paper-000-jaccard.svg"):
        assert f"plots/{name}" in page
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_no_shingle_reaches_over_the_end_of_a_row() -> None:
    one, two = rows_of([ROW]), rows_of([f"{ROW}\n{ROW}"])
    assert set(sets_of(two, [two.of(0)])[0].tolist()) == set(sets_of(one, [one.of(0)])[0].tolist())
    assert sets_of(one, [one.of(0)]).sizes.tolist() == [len(ROW) - 9]
    assert two.theirs.tolist() == one.theirs.tolist() * 2


def test_a_row_shorter_than_a_shingle_is_left_out() -> None:
    rows = rows_of([f"kettle\n{ROW}"])
    assert rows.of(0).tolist() == [0]


def test_the_papers_hash_of_a_shingle_is_its_formula() -> None:
    text = "quiet kettles"
    codes = np.array([ord(letter) for letter in text], dtype=np.uint64)
    values = [0 if letter == " " else ord(letter) - 96 for letter in text]
    expected = [
        sum(values[start + i] * 31**i for i in range(10)) % 1_000_003
        for start in range(len(text) - 9)
    ]
    assert shingle_hashes(codes, np.array([0, len(text)])).tolist() == expected


def test_a_band_is_hashed_in_positional_notation() -> None:
    signature = np.array([[1, 4, 2, 9, 9, 9]])
    assert list_hashes(signature, 2, 3).tolist() == [[142], [999]]
