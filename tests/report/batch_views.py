"""Batches made up for reports: a small class with a library behind it, and large ones."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

import likewise as lw
from likewise.model import Check, Document, Message, Note, Span, Unread
from likewise.report import view_of_batch
from likewise.report.view import BatchView, CheckView, NoteView

from .collection_views import collection
from .texts import MARKET, OWN, RIVER, document, edited

DATE = "2026-11-15T12:00:00Z"
FISH = (
    "Dried fish hangs from the beams like a row of small brown flags. The smoke is made of apple "
    "wood, never of pine, because pine remembers the forest and tells it to whoever eats. Three "
    "days are enough for a perch, and seven for the old pike that nobody would name aloud."
)
CLASS: tuple[Document, ...] = (
    document("aigerim.txt", OWN, RIVER),
    document("boris.txt", edited(RIVER), FISH, page_chars=300),
    document("dana.txt", MARKET),
    document("erlan.txt", FISH, OWN[:60]),
    document(
        "farida.txt",
        "Nothing of this was ever written by anybody else before tonight. Copper kettles whistle, "
        "violet lanterns flicker, seven cousins quarrel about chess, and a borrowed umbrella drips "
        "quietly beside the wardrobe until somebody remembers lunch.",
    ),
)
LIBRARY = (document("library/market.txt", MARKET), document("library/old.txt", MARKET[:200]))


EMPTY = Unread("gulnara.pdf", Message("reading.empty_file"))


def batch_of(
    documents: Sequence[Document],
    library: Sequence[Document] = LIBRARY,
    unread: Sequence[Unread] = (EMPTY,),
) -> BatchView:
    """Documents checked against a library and each other, in earnest."""
    checks = checks_of(documents, library)
    matches = lw.find(documents, measure="containment", threshold=0.2)
    return view_of_batch(checks, matches, against="campus", unread=unread, date=DATE)


def checks_of(documents: Sequence[Document], library: Sequence[Document]) -> list[Check]:
    return [
        lw.check(each, [*library, *(other for other in documents if other is not each)])
        for each in documents
    ]


@cache
def small_batch() -> BatchView:
    """Five essays; one with a trick, one read in part, one that shares nothing."""
    trick = Note("foreign letters", Message.verbatim("o of another alphabet"), (Span(0, 5),))
    in_part = Note("no text layer", Message.verbatim("page 2 has no text"))
    aigerim, boris, *rest = CLASS
    return batch_of([replace(aigerim, notes=(trick,)), replace(boris, notes=(in_part,)), *rest])


@cache
def large_batch(count: int = 1000, groups: tuple[int, ...] = (30, 12, 9, 7)) -> BatchView:
    """So many essays with shares of all sizes; some of them, in groups, are pairs."""
    rng = Random(5)
    (mold, *_) = small_batch().checks
    names = [f"group/essay {i + 1:03}.docx" for i in range(count)]
    rng.shuffle(names)
    checks = [_like(mold, name, rng) for name in names]
    checks.sort(key=lambda check: -check.shares.similar)
    among = collection(groups=groups, threshold=0.3, names=names)
    return replace(
        small_batch(),
        checks=tuple(checks),
        collection=replace(among, documents=count, notes=()),
    )


def _like(check: CheckView, name: str, rng: Random) -> CheckView:
    """The same check with shares of its own, and at times a trick."""
    whole = check.shares.whole
    similar = min(whole, int(whole * rng.paretovariate(0.9) * 0.02)) if rng.random() < 0.7 else 0
    quoted = int((whole - similar) * rng.choice((0, 0, 0.05, 0.1)))
    excluded = int((whole - similar - quoted) * rng.choice((0, 0.02)))
    original = whole - similar - quoted - excluded
    shares = replace(
        check.shares, original=original, similar=similar, quoted=quoted, excluded=excluded
    )
    notes = [
        NoteView(name, kind, "", in_part, not in_part)
        for kind, in_part, often in (
            ("hidden text", False, 0.02),
            ("foreign letters", False, 0.03),
            ("no text layer", True, 0.02),
        )
        if rng.random() < often
    ]
    sources = tuple(
        replace(source, covered=similar // (i + 1)) for i, source in enumerate(check.sources)
    )
    return replace(
        check,
        document=replace(check.document, name=name, sha256=f"{rng.getrandbits(256):064x}"),
        shares=shares,
        sources=sources,
        notes=tuple(notes),
    )
