"""Innocent texts, the small version: classes written for the project against each other."""

from pathlib import Path

import pytest

from bench.making.honest import ESSAYS, Genre, written
from bench.quality.degrees import degrees
from bench.quality.innocent import measure


@pytest.fixture(scope="module")
def kinds() -> list[Genre]:
    """Essays and reports in one language."""
    reports = dict(written("reports-ru"))
    skeleton = reports.pop("skeleton")
    return [
        Genre(ESSAYS, tuple(written("essays-ru").values()), (), whole=True),
        Genre("reports", tuple(reports.values()), (), skeleton, whole=True),
    ]


def test_nobody_of_a_class_is_accused_and_copies_are_found(
    kinds: list[Genre], tmp_path: Path
) -> None:
    figures = measure(kinds, tmp_path, [82], 45, jobs=1)
    for figure in figures:
        if "accused" in figure:
            assert (figure["accused"], figure["with_skeleton_counted"]) == (0, 0), figure
            assert figure["texts"] >= 45
        else:
            assert figure["shown"] == figure["texts"]
            assert figure["counted"] >= 0.9 * figure["texts"]


def test_the_share_of_unchanged_words_ranks_degrees_of_revision_best() -> None:
    by_name = {figure["figure"]: figure["spearman"] for figure in degrees(Path())}
    assert by_name["unchanged (literal)"] >= 0.85
    assert by_name["unchanged (literal)"] > by_name["similar"]
