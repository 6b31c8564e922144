"""Snippets that repeat the text come first; those about the same subject are not fetched."""

from __future__ import annotations

from likewise.internet.model import Result
from likewise.internet.queries import default_budget, informative_parts, searched_words
from likewise.internet.source_search import SURE, WORTH_A_LOOK, RankedResult, ResultRanker
from likewise.language import Lexicon
from likewise.language.rarity import Rarity
from likewise.model import Document
from likewise.settings import Settings
from tests.texts import MARKET, RIVER

COPIED = RIVER[70:260]
EDITED = (
    "In spring it brings branches, ice and at times a drowned goat, and people of the lower "
    "hamlets shift their gardens away from its bank."
)
SAME_SUBJECT = (
    "Rivers in spring carry ice from the mountains. Villages on their banks are flooded and many "
    "gardens are lost each year to the water, say people."
)


def ranked(*snippets: str, titles: str = "") -> list[RankedResult]:
    document = Document.from_text(RIVER)
    lexicon, rarity = Lexicon(Settings()), Rarity.shipped()
    words = searched_words(document, lexicon, rarity)
    (part, *_) = informative_parts(document, words, default_budget(len(words)))
    results = [
        Result(f"https://{n}.example/", titles, snippet, "test", n)
        for n, snippet in enumerate(snippets, 1)
    ]
    return ResultRanker(words, lexicon, rarity).rank(results, part.queries[0])


def test_a_copy_comes_before_an_edit_and_that_before_the_same_subject():
    first, second, third, last = ranked(MARKET[:180], SAME_SUBJECT, EDITED, COPIED)
    assert [each.result.snippet for each in (first, second, third)] == [
        COPIED,
        EDITED,
        SAME_SUBJECT,
    ]
    assert first.score > SURE > third.score
    assert second.score > WORTH_A_LOOK
    assert last.score < WORTH_A_LOOK


def test_a_snippet_in_capitals_or_with_other_letters_is_the_same():
    shouted, disguised = ranked(COPIED.upper(), COPIED.replace("a", "а"))
    assert min(shouted.score, disguised.score) > SURE


def test_without_a_snippet_the_title_is_looked_at_and_counts_less():
    (titled,) = ranked("", titles="A narrow gate of red stone where the river leaves the mountains")
    assert 0 < titled.score < SURE


def test_nothing_shown_is_nothing_known():
    (empty, short) = ranked("", "river")
    assert empty.score == short.score == 0
