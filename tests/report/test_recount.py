"""The page counts shares as Python does, whatever its reader takes out."""

import random
from typing import get_args

import pytest

from likewise.align import Alignment, CountedText, without
from likewise.model import (
    WORDINGS,
    Check,
    Document,
    Exclusion,
    ExclusionReason,
    Kind,
    Passage,
    Span,
)
from likewise.report import view_of_check
from likewise.results import plain
from likewise.settings import Settings

WORDS = "steppe river salt wind 😀 reed, tulip. Құс жол дала su\u00a0ok".split(" ")
KINDS: tuple[Kind, ...] = get_args(Kind)
REASONS: tuple[ExclusionReason, ...] = ("quotation", "bibliography", "common")


def made_up(draw: random.Random) -> Check:
    """A check of random passages, without any alignment: only the counting matters here."""
    text = " ".join(draw.choices(WORDS, k=draw.randrange(120)))
    document = Document.from_text(text, "mine")
    texts = {name: Document.from_text("x" * 50, name) for name in names(draw)}

    def span(most: int) -> Span:
        start = draw.randrange(len(text) + 1)
        return Span(start, min(len(text), start + draw.randrange(most)))

    def passages(most: int) -> tuple[Passage, ...]:
        score = draw.choice((1.0, 0.9, 0.5005, draw.random()))
        count = draw.randrange(most)
        return tuple(passage(span(90), draw.choice(KINDS), score) for _ in range(count))

    def passage(a: Span, kind: Kind, score: float) -> Passage:
        ends = sorted(a.start + draw.randrange(len(a) + 1) for _ in range(4))
        spans = (Span(ends[0], ends[1]), Span(ends[2], ends[3]))
        unchanged = tuple(each for each in spans if each) if kind == "edited" else ()
        return Passage(a, Span(0, 9), kind, score, unchanged=unchanged)

    cuts = sorted({draw.randrange(len(text) + 1) for _ in range(draw.randrange(6))})
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    exclusions = tuple(Exclusion(Span(a, b), draw.choice(REASONS)) for a, b in pairs)
    found = {name: Alignment(passages(6), passages(3)) for name in texts}
    found = {name: each for name, each in found.items() if each.passages or each.fragments}
    count = draw.sample(WORDINGS, draw.choice((1, 2, 3, 3, 3)))
    counted = CountedText(text, exclusions, count)
    sources = counted.sources(found)
    return Check(
        name="mine",
        shares=counted.shares(sources),
        wordings=counted.wordings(sources),
        counting={} if len(count) == 3 else {"count": count},
        sources=sources,
        exclusions=exclusions,
        skipped=(),
        documents=len(texts),
        unread=(),
        notes=(),
        settings=Settings(),
        document=document,
        texts=texts,
    )


def names(draw: random.Random) -> list[str]:
    # Python and JavaScript sort the last two differently, unless told otherwise
    return draw.sample(["b", "a", "source 10", "source 9", "\uffee", "😀"], draw.randrange(6))


@pytest.fixture(scope="module")
def cases() -> list[tuple[Check, list[int], list[int]]]:
    draw = random.Random(20)
    found = []
    for _ in range(300):
        check = made_up(draw)
        shown = sum(len(source.passages) + len(source.fragments) for source in check.sources)
        sources = draw.sample(range(len(check.sources)), draw.randrange(len(check.sources) + 1))
        passages = draw.sample(range(shown), draw.randrange(min(3, shown + 1)))
        found.append((check, sources, passages))
    return found


@pytest.mark.bundles
def test_the_page_counts_as_python_does(open_page, cases):
    page = open_page(view_of_check(cases[0][0]))
    views = [view_of_check(check) for check, _, _ in cases]
    asked = [
        {"view": plain(view), "sources": sources, "passages": passages}
        for view, (_, sources, passages) in zip(views, cases, strict=True)
    ]
    told = page.evaluate(
        """(asked) => asked.map(({ view, sources, passages }) => {
            const taken = { sources: new Set(sources), passages: new Set(passages) };
            const { shares, wordings, standings, state } = likewise.anew(view, taken);
            return { shares, wordings, standings, state: [...state] };
        })""",
        asked,
    )
    assert len(told) == len(cases)
    for (check, sources, passages), view, counted in zip(cases, views, told, strict=True):
        spans = [view.passages[i].a for i in passages]
        fewer = without(check, sources=[check.sources[i].name for i in sources], spans=spans)
        wanted = view_of_check(fewer)
        assert counted["shares"] == plain(wanted.shares)
        assert counted["wordings"] == plain(wanted.wordings)
        assert sum(counted["wordings"][each] for each in view.count) == wanted.shares.similar
        states = dict(zip(wanted.segments.cuts, wanted.segments.state, strict=False))
        state = 0
        for cut, told_state in zip(view.segments.cuts, counted["state"], strict=False):
            state = states.get(cut, state)
            assert told_state == state
        numbers = {source.name: i for i, source in enumerate(check.sources)}
        assert counted["standings"] == [
            {
                "source": numbers[source.text.name],
                "covered": source.covered,
                "counted": source.counted,
                "under": None
                if source.under is None
                else numbers[wanted.sources[source.under].text.name],
            }
            for source in wanted.sources
        ]
