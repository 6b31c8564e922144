"""What a genre says in the same words belongs to nobody; what many have copied is still found."""

from __future__ import annotations

import pytest

import likewise as lw
from bench.making.honest import LANGUAGES, written
from likewise.align.exclude import Exclusions
from likewise.model import Document
from tests.texts import MARKET, OWN, RIVER

HEAD = "Northern Institute of Wells and Bridges\nDepartment of quiet waters\nTerm paper, autumn"
SENTENCE = (
    "The author confirms that every measurement was taken in the field under supervision and "
    "entered in the register of the department."
)


def documents(texts: list[str]) -> list[Document]:
    return [Document.from_text(text, name=f"d{n}") for n, text in enumerate(texts)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.slow
def test_forms_and_reports_with_one_skeleton_are_nobodys_copies(language):
    texts = dict(written(f"reports-{language}"))
    texts.pop("skeleton")
    every = documents(list(texts.values()))
    for mine in every[::6]:
        found = lw.check(mine, [other for other in every if other is not mine])
        assert found.shares.similar == 0, mine.text[:80]
        assert not any(source.passages for source in found.sources)
        assert {e.reason for e in found.exclusions} & {"common", "title page"}


def test_a_sentence_that_several_hold_is_common_with_the_number_of_its_holders():
    essays = list(written("essays-en").values())
    others = [f"{essay}\n\n{SENTENCE}" for essay in essays[:6]] + essays[6:30]
    mine = Document.from_text(f"{essays[31]}\n\n{SENTENCE}", name="mine")
    found = lw.check(mine, documents(others))
    (common,) = (e for e in found.exclusions if e.reason == "common")
    assert common.span.of(mine.text) == SENTENCE
    assert common.holders == 6
    assert found.shares.similar == 0
    kept = lw.check(mine, documents(others), exclusions=Exclusions(common=False))
    assert kept.shares.similar > 0


def test_what_first_pages_have_in_common_is_a_title_page_whatever_its_layout():
    essays = list(written("essays-en").values())
    others = [f"{HEAD}\n\n{essay}" for essay in essays[:4]]
    mine = Document.from_text(f"{HEAD}\n\n{essays[5]}", name="mine")
    found = lw.check(mine, documents(others))
    (title,) = (e for e in found.exclusions if e.reason == "title page")
    assert title.span.of(mine.text) == HEAD
    assert not found.sources


def test_a_paragraph_that_many_have_copied_counts():
    long = f"{RIVER} {MARKET}"
    others = [f"{essay}\n\n{long}" for essay in list(written("essays-en").values())[:7]]
    found = lw.check(Document.from_text(f"{OWN}\n\n{long}", name="mine"), documents(others))
    assert found.shares.similar > 0.5


@pytest.mark.parametrize("holders", [2, 3, 6])
def test_prose_on_the_first_page_of_several_is_no_title_page(holders):
    """Found by a teacher: a paragraph that three had copied was taken for a title page."""
    essays = list(written("essays-en").values())
    others = [f"{RIVER}\n\n{essay}" for essay in essays[:holders]] + essays[8:30]
    found = lw.check(Document.from_text(f"{essays[31]}\n\n{RIVER}", name="mine"), documents(others))
    assert not any(e.reason == "title page" for e in found.exclusions)
    assert found.shares.similar > 0.12


def test_a_blank_form_is_nobodys_copy():
    texts = written("reports-en")
    forms = [text for name, text in texts.items() if name.startswith("form")]
    blank = "\n".join(texts["skeleton"].splitlines()[-20:])
    found = lw.check(Document.from_text(blank, name="mine"), documents(forms))
    assert found.shares.similar == 0


def test_what_is_filled_in_behind_labels_is_not_swallowed():
    forms = [text for name, text in written("reports-en").items() if name.startswith("form")]
    mine = Document.from_text(forms[0], name="mine")
    found = lw.check(mine, documents(forms[1:2]))
    literal, similar = found.literal, found.shares.similar
    assert similar < 0.9 and similar - literal < 0.35
