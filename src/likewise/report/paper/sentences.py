"""Sentences and figures that every report on paper says alike."""

from __future__ import annotations

from collections.abc import Iterable

from likewise.report.catalogue import Words
from likewise.report.figures import tenths, verdict_key
from likewise.report.view import CheckView, Ends, MadeView, PassageView, SharesView

MOST_RANGES = 6  # of pages, told in one cell
SHARE_NAMES = ("original", "similar", "quoted", "excluded")


def four_shares(shares: SharesView) -> list[int]:
    """The four shares in tenths of a percent, in the order in which they are shown."""
    return tenths([getattr(shares, name) for name in SHARE_NAMES], shares.whole)


def verdict(view: CheckView, words: Words) -> str:
    """What was found, in one sentence."""
    passages = sum(passage.counts for passage in view.passages)
    key = verdict_key(view.shares, passages, len(view.passages) - passages)
    return words(
        f"verdict.{key}",
        share=words.percent(four_shares(view.shares)[1]),
        sources=words("count.sources", n=sum(source.counted > 0 for source in view.sources)),
    )


def on_pages(pages: Ends | None, words: Words) -> str:
    """The pages of a passage, where they are known."""
    if pages is None:
        return ""
    first, last = pages
    if first == last:
        return words("page.one", n=first)
    return words("page.several", first=str(first), last=str(last))


def ranges(pages: Iterable[Ends | None]) -> str:
    """Pages in as few ranges as possible.

    >>> ranges([(3, 4), None, (1, 1), (5, 5), (9, 9)])
    '1, 3–5, 9'
    """
    joined: list[Ends] = []
    for first, last in sorted(ends for ends in pages if ends):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    told = [f"{first}–{last}" if first < last else str(first) for first, last in joined]
    return ", ".join(told[:MOST_RANGES]) + (", …" if len(told) > MOST_RANGES else "")


def kind_of(passage: PassageView, words: Words) -> str:
    return words(f"kind.{passage.kind if passage.counts else 'fragment'}")


def told_of(passage: PassageView, words: Words, *, with_holders: bool = True) -> str:
    """Kind, length and likeness of a passage; in a check also how many documents hold it."""
    told = [
        kind_of(passage, words),
        words("count.words", n=passage.words),
        words("passage.score", share=words.share(passage.score)),
    ]
    if with_holders and passage.holders:
        told.append(words("passage.holders", n=passage.holders))
    return " · ".join(told)


def when(date: str) -> str:
    """A moment as everybody reads it.

    >>> when("2026-03-01T09:05:59Z")
    '2026-03-01 09:05 UTC'
    """
    return f"{date[:10]} {date[11:16]} UTC" if len(date) > 10 else date


def maker(made: MadeView) -> str:
    return f"Likewise {made.version} · {when(made.date)}"
