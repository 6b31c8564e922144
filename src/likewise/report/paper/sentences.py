"""Sentences and figures that every report on paper says alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import floor

from likewise.catalogue import Words
from likewise.model import WORDING_OF, WORDINGS, Kind, Wording
from likewise.report.characters import shorten
from likewise.report.figures import (
    checks_for_one,
    four_shares,
    has_figures,
    verdict_key,
    wording_tenths,
)
from likewise.report.view import (
    CheckView,
    CollectionView,
    PassageView,
    ProvenanceView,
)
from likewise.results import PageRange

MOST_RANGES = 6  # of pages, told in one cell
LONGEST_NAME = 120  # characters of a name in a sentence


def verdict(view: CheckView, words: Words) -> str:
    """What was found, in one sentence."""
    counting = sum(passage.counts for passage in view.passages)
    fragments = len(view.passages) - counting
    passages = counting + len(view.taken_out)
    key = verdict_key(view.shares, passages, fragments, view.documents, view.too_short)
    similar = four_shares(view.shares)[1]
    return words(
        f"verdict.{key}",
        share=words.in_a_sentence(similar, view.shares.similar, view.shares.whole),
        sources=words("count.sources", n=sum(source.counted > 0 for source in view.sources)),
    )


def copied_figures(view: CheckView, words: Words) -> str:
    """How many tables and pictures stand in a source: shares of text say nothing of them."""
    counts = (
        ("verdict.copied_tables", view.copied_tables),
        ("verdict.copied_pictures", view.copied_pictures),
    )
    return " ".join(words(key, n=n) for key, n in counts if n)


def verdict_wordings(view: CheckView, words: Words) -> str:
    """The similar text by its wording, and what of it does not count; else nothing.

    The page has the same in ui/src/report/Verdict.vue.
    """
    if not has_figures(view) or not any(getattr(view.wordings, each) for each in WORDINGS):
        return ""
    shares = [
        f"{words(f'wording.{wording}')} {words.percent(share)}"
        + ("" if wording in view.count else f" ({words('wording.not_counted')})")
        for wording, share in wording_tenths(view).items()
    ]
    return words("verdict.wordings", list=", ".join(shares))


def verdict_of_b(view: CheckView, words: Words) -> str:
    """Of two documents: how much of the second stands in the first; else nothing."""
    if view.kind != "pair" or not view.sources or not view.sources[0].whole_b:
        return ""
    source = view.sources[0]
    tenths = floor(source.covered_b * 1000 / source.whole_b + 0.5)  # as the page rounds
    share = words.in_a_sentence(tenths, source.covered_b, source.whole_b)
    return words("verdict.of_b", share=share, name=shorten(source.text.called, LONGEST_NAME))


def reader_exclusions(view: CheckView, words: Words) -> str:
    """What a reader excluded before the report was made, and what there was before; else nothing.

    The page has the same in ui/src/report/Verdict.vue.
    """
    passages = sum(exclusion.reason == "reader" for exclusion in view.exclusions)
    if view.shares_before is None:
        return ""
    counts = [words("count.sources", n=len(view.taken_out))] if view.taken_out else []
    counts += [words("count.passages", n=passages)] if passages else []
    before = words("exclude.before", share=words.percent(four_shares(view.shares_before)[1]))
    return f"{words('verdict.taken_out', what=', '.join(counts))} {before}"


def kinds_of_disguise(view: CheckView) -> int:
    """How many kinds of disguises the checked document holds."""
    own = (note for note in view.notes if note.name == view.document.name)
    return len({note.kind for note in own if note.is_disguise})


def passage_number(passage: PassageView, words: Words) -> str:
    """What a passage is called in every format; a short run of words has no number."""
    if passage.number is None:
        return words("kind.fragment")
    return words("passage.one", n=passage.number)


def on_pages(pages: PageRange | None, words: Words) -> str:
    """The pages of a passage, where they are known."""
    if pages is None:
        return ""
    first, last = pages
    if first == last:
        return words("page.one", n=first)
    return words("page.several", first=str(first), last=str(last))


def ranges(pages: Iterable[PageRange | None]) -> str:
    """Pages in as few ranges as possible.

    >>> ranges([(3, 4), None, (1, 1), (5, 5), (9, 9)])
    '1, 3–5, 9'
    """
    joined: list[PageRange] = []
    for first, last in sorted(ends for ends in pages if ends):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    texts = [f"{first}–{last}" if first < last else str(first) for first, last in joined]
    return ", ".join(texts[:MOST_RANGES]) + (", …" if len(texts) > MOST_RANGES else "")


def kind_of(passage: PassageView, words: Words) -> str:
    """The kind of a passage; of a translated one with both languages, as far as they have words.

    The page has the same in ui/src/report/kinds.ts.
    """
    if not passage.counts:
        return words("kind.fragment")
    if passage.kind == "translated" and passage.languages:
        into, source = (f"translated_into.{passage.languages[0]}", passage.languages[1])
        source = f"translated_from.{source}"
        if words.has(into) and words.has(source):
            return words("kind.translated_between", **{"from": words(source), "into": words(into)})
    return words(f"kind.{passage.kind}")


def uncounted_part(kind: Kind, count: Collection[Wording], words: Words) -> str:
    """What of passages of a kind does not count, where not every wording does; else nothing.

    The page has the same in ui/src/report/kinds.ts.
    """
    is_whole = WORDING_OF[kind] in count
    if kind != "edited" or is_whole == ("word_for_word" in count):
        return "" if is_whole else words("wording.not_counted")
    return words("wording.only_changed" if is_whole else "wording.only_unchanged")


def describe_passage(
    passage: PassageView,
    words: Words,
    *,
    with_holders: bool = True,
    count: Collection[Wording] = WORDINGS,
) -> str:
    """Kind, length and likeness of a passage; in a check also how many documents hold it."""
    uncounted = uncounted_part(passage.kind, count, words) if passage.counts else ""
    facts = [
        kind_of(passage, words),
        *([words("kind.by_meaning")] if passage.by_meaning else []),
        *([uncounted] if uncounted else []),
        words("count.words", n=passage.words),
        words("passage.score", share=words.share(passage.score)),
    ]
    if passage.counts and passage.kind != "translated":
        facts.append(words("passage.literal", share=words.share(passage.literal)))
    if with_holders and passage.holders:
        facts.append(words("passage.holders", n=passage.holders))
    return " · ".join(facts)


def evidence_sentence(passage: PassageView, words: Words) -> str:
    """Why a passage counts, and that it is to be read; nothing where that was never asked."""
    reasons = []
    if passage.expected is not None and passage.counts:
        reasons.append(words("passage.why_explained", n=checks_for_one(passage.expected)))
    if passage.by_meaning:
        reasons.append(words("passage.by_meaning"))
    return " ".join(reasons)


def of_records(key: str, view: CollectionView, words: Words) -> str:
    """What a collection says of documents, a corpus says of records."""
    own = f"records.{key.partition('.')[2]}"
    return words(own if view.kind == "dedup" and words.has(own) else key)


def maker(provenance: ProvenanceView, words: Words) -> str:
    return f"Likewise {provenance.version} · {words.day_and_time(provenance.date)}"
