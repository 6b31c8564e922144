"""Whole numbers that add up, for people."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.report.view import SharesView


def tenths(counts: Sequence[int], whole: int) -> list[int]:
    """Shares in tenths of a percent that add up to exactly 1000, by the largest remainders.

    Of equal remainders the first is rounded up. The page has the same in ui/src/report/figures.ts.

    >>> tenths([1, 1, 1], 3)
    [334, 333, 333]
    """
    if not whole:
        return [1000, *[0] * (len(counts) - 1)]
    shares = [divmod(count * 1000, whole) for count in counts]
    missing = 1000 - sum(share for share, _ in shares)
    upwards = sorted(range(len(counts)), key=lambda i: (-shares[i][1], i))[:missing]
    return [share + (i in upwards) for i, (share, _) in enumerate(shares)]


def verdict_key(shares: SharesView, passages: int, fragments: int) -> str:
    """Which sentence of the catalogue tells what was found: `verdict.` and this.

    `passages` are those that can count, whether or not they stand in what is quoted or excluded.
    The page has the same in ui/src/report/figures.ts.

    >>> verdict_key(SharesView(whole=200, original=190, similar=10, quoted=0, excluded=0), 1, 0)
    'some'
    >>> verdict_key(SharesView(whole=9, original=9, similar=0, quoted=0, excluded=0), 0, 3)
    'only_short'
    """
    if not shares.whole:
        return "empty"
    if not shares.similar:
        return "only_uncounted" if passages else "only_short" if fragments else "none"
    below = ((5, "little"), (25, "some"), (75, "much"))
    hundredths = shares.similar * 100
    return next((key for top, key in below if hundredths < top * shares.whole), "nearly_all")
