"""Whole numbers that add up, for people."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from likewise.catalogue import Words
from likewise.measure import agreeing
from likewise.model import WORDINGS, Wording
from likewise.report.view import CheckView, SharesView, TextView

SHARE_NAMES = ("original", "similar", "quoted", "excluded")  # in the order in which they are shown
_MOST_CHECKS = 10**9  # beyond, nobody counts


def tenths(counts: Sequence[int], whole: int, total: int = 1000) -> list[int]:
    """Shares in tenths of a percent that add up to exactly a total, by the largest remainders.

    Of equal remainders the first is rounded up. The page has the same in ui/src/report/figures.ts.

    >>> tenths([1, 1, 1], 3), tenths([2, 1, 0], 3, 125)
    ([334, 333, 333], [83, 42, 0])
    """
    if not whole:
        return [total, *[0] * (len(counts) - 1)]
    shares = [divmod(count * total, whole) for count in counts]
    missing = total - sum(share for share, _ in shares)
    upwards = sorted(range(len(counts)), key=lambda i: (-shares[i][1], i))[:missing]
    return [share + (i in upwards) for i, (share, _) in enumerate(shares)]


def four_shares(shares: SharesView) -> list[int]:
    """The four shares in tenths of a percent, in the order in which they are shown."""
    return tenths([getattr(shares, name) for name in SHARE_NAMES], shares.whole)


def wording_tenths(view: CheckView) -> dict[Wording, int]:
    """The similar text by its wording, in tenths of a percent.

    Those that count add up to the similar share as it is shown; of the others each is rounded by
    itself. The page has the same in ui/src/report/figures.ts.
    """
    shares = view.shares
    if not shares.whole:
        return dict.fromkeys(WORDINGS, 0)
    similar = four_shares(shares)[1]
    chars = {wording: getattr(view.wordings, wording) for wording in WORDINGS}
    counted = tenths([chars[each] for each in view.count], shares.similar, similar)
    figures = dict(zip(view.count, counted, strict=True))
    return {
        each: figures[each] if each in figures else tenths([n, shares.whole - n], shares.whole)[0]
        for each, n in chars.items()
    }


def has_figures(view: CheckView) -> bool:
    """Whether there was something to count: enough text, and another to hold it against.

    The page has the same in ui/src/report/figures.ts.
    """
    is_text = view.shares.whole > 0 and not view.too_short
    return is_text and (view.documents > 0 or len(view.taken_out) > 0)


def checks_for_one(expected: float) -> int:
    """In how many checks chance would give fewer than one passage, as a round number.

    The page has the same in ui/src/report/figures.ts.

    >>> checks_for_one(0.00042), checks_for_one(1e-30)
    (2000, 1000000000)
    """
    if expected * _MOST_CHECKS <= 1:
        return _MOST_CHECKS
    checks = floor(1 / expected)
    unit = int(10 ** (len(str(checks)) - 1))
    return checks // unit * unit


def same_as(document: TextView, source: TextView) -> str:
    """`same_file` or `same_text` where a source is the checked document itself, else nothing.

    The page has the same in ui/src/report/figures.ts.
    """
    if source.sha256 != document.sha256 or source.is_file != document.is_file:
        return ""
    return "same_file" if source.is_file else "same_text"


# Up to how many hundredths of the text a sentence is true.
_STEPS = ((5, "little"), (25, "some"), (50, "much"), (95, "most"), (100, "nearly_all"))


def verdict_key(
    shares: SharesView,
    passages: int,
    fragments: int,
    documents: int = 1,
    too_short: bool = False,
) -> str:
    """Which sentence of the catalogue tells what was found: `verdict.` and this.

    `passages` are those that can count, whether or not they stand in what is quoted or excluded,
    and those of sources that a reader took out. The page has the same in ui/src/report/figures.ts.

    >>> verdict_key(SharesView(whole=200, original=190, similar=10, quoted=0, excluded=0), 1, 0)
    'some'
    >>> verdict_key(SharesView(whole=100, original=21, similar=79, quoted=0, excluded=0), 1, 0)
    'most'
    >>> verdict_key(SharesView(whole=9, original=9, similar=0, quoted=0, excluded=0), 0, 3)
    'only_short'
    >>> verdict_key(SharesView(whole=9, original=9, similar=0, quoted=0, excluded=0), 0, 0, 0)
    'nothing'
    """
    if not shares.whole:
        return "empty"
    if too_short:
        return "too_short"
    if not shares.similar:
        if passages or fragments:
            return "only_uncounted" if passages else "only_short"
        return "none" if documents else "nothing"
    hundredths = shares.similar * 100
    return next((key for top, key in _STEPS if hundredths < top * shares.whole), "all")


# What the measures of a pair are called.


_COUNTED_IN_WORDS = 4  # so many agree, unless somebody registers another


def measure_name(name: str, words: Words) -> str:
    """A measure as people call it; one that the catalogue does not have by its key.

    >>> measure_name("words", Words("en")), measure_name("toy", Words("en"))
    ('words (cosine)', 'toy')
    """
    key = f"measures.{name}"
    return words(key) if words.has(key) else name


def agreement_heading(words: Words) -> str:
    """The heading of the measures that are to agree."""
    return _with_count("measures.heading", words)


def agreement_explained(words: Words) -> str:
    """What their agreement says, and what it does not."""
    return _with_count("measures.explained", words)


def _with_count(key: str, words: Words) -> str:
    number = len(agreeing())
    return words(key) if number == _COUNTED_IN_WORDS else words(f"{key}_n", n=number)
