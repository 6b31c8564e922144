"""Which words correspond in a passage in other words: in the view, on the page and on paper."""

from dataclasses import replace

import pytest

import likewise as lw
from likewise.report import view_of_batch, view_of_check
from likewise.report.passages import CHARS_OF_A_CORRESPONDENCE
from likewise.report.redaction import redact_batch, redact_check
from likewise.report.storage import pack_view, unpack_view
from likewise.report.texts import TextBudget
from likewise.report.view import CheckView, PassageView, TextView

from .correspondence_views import DATE, check_in_other_words, view_in_other_words
from .test_page import stretch


@pytest.fixture(scope="module")
def view() -> CheckView:
    return view_in_other_words()


def passage_of(view: CheckView, kind: str) -> PassageView:
    return next(each for each in view.passages if each.kind == kind)


def told(here: TextView, there: TextView, passage: PassageView) -> dict[str, list[str]]:
    return {
        stretch(here, word): [stretch(there, each) for each in others]
        for word, others, _ in passage.correspondences
    }


# The view


def test_a_passage_in_other_words_says_which_words_correspond(view):
    there = view.sources[passage_of(view, "translated").source].text
    translated = told(view.document, there, passage_of(view, "translated"))
    assert translated["мост"] == ["bridge"] and translated["1954"] == ["1954"]
    rewritten = told(view.document, there, passage_of(view, "rewritten"))
    assert rewritten["timber"] == ["wood"] and rewritten["bridge"] == ["bridge"]
    assert passage_of(view, "verbatim").correspondences == ()


def test_they_are_kept_with_the_report(view):
    assert unpack_view(pack_view(view)) == view


def test_they_have_as_much_room_as_the_report(view):
    rows = len(passage_of(view, "translated").correspondences)
    # The text of the sources is held whatever it takes, as long as its passages are short.
    budget = TextBudget(CHARS_OF_A_CORRESPONDENCE * rows)
    held = view_of_check(check_in_other_words(), DATE, budget=budget)
    assert passage_of(held, "translated").correspondences
    assert not passage_of(held, "rewritten").correspondences


def test_of_an_erased_source_nobody_learns_what_its_words_were(view):
    redacted, _ = redact_check(check_in_other_words(), lambda name, _: name == "english.txt")
    assert not any(each.correspondences for each in view_of_check(redacted, DATE).passages)
    english = next(each.text for each in view.sources if each.text.name == "english.txt")
    matches = lw.find([check_in_other_words().document])
    batch = replace(view_of_batch([], matches), checks=(view,))
    (checked,) = redact_batch(batch, {english.sha256}, {}).checks
    assert not any(each.correspondences for each in checked.passages)
