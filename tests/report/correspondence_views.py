"""A check with a translated, a rewritten and a copied passage, of which words correspond."""

from dataclasses import replace

import likewise as lw
from likewise.align import Alignment, CountedText
from likewise.model import Check, Kind, Passage, Span
from likewise.report import view_of_check
from likewise.report.view import CheckView

from .texts import OWN, RIVER, document

DATE = "2026-11-16T12:00:00Z"
RUSSIAN = (
    "Исследование показало, что старый мост через реку выдержит наводнение. В 1954 году инженер "
    "Хартфорд построил его из камня и дерева. Весной рыбаки ставят под ним сети и ждут рассвета."
)
ENGLISH = (
    "The study showed that the old bridge over the river will survive a flood. In 1954 engineer "
    "Hartford built it of stone and wood. In spring fishermen set nets under it and wait for dawn."
)
REWRITTEN = (
    "Investigations prove that a flood cannot destroy the ancient bridge across the river. Stone "
    "and timber are its materials; Hartford, an engineer, constructed it in 1954. Each spring it "
    "shelters fishermen who spread their nets and wait until dawn."
)


def check_in_other_words() -> Check:
    mine = document("mine.txt", OWN, RUSSIAN, REWRITTEN, RIVER)
    copied = document("copied.txt", RIVER)
    english = document("english.txt", "A preface of ten words stands before it, as usual.", ENGLISH)
    check = lw.check(mine, [copied])

    def passage(text: str, kind: Kind) -> Passage:
        start, there = mine.text.index(text), english.text.index(ENGLISH)
        return Passage(
            Span(start, start + len(text)),
            Span(there, there + len(ENGLISH)),
            kind,
            score=0.7,
            literal=0.1,
            expected=1e-6,
            languages=("ru", "en") if kind == "translated" else None,
            by_meaning=True,
        )

    passages = passage(RUSSIAN, "translated"), passage(REWRITTEN, "rewritten")
    alignments = {s.name: Alignment(s.passages, s.fragments) for s in check.sources}
    alignments["english.txt"] = Alignment(passages, ())
    counted = CountedText(mine.text, check.exclusions)
    sources = counted.sources(alignments)
    return replace(
        check,
        sources=sources,
        shares=counted.shares(sources),
        wordings=counted.wordings(sources),
        documents=2,
        texts={**check.texts, "english.txt": english},
    )


def view_in_other_words() -> CheckView:
    return view_of_check(check_in_other_words(), DATE)
