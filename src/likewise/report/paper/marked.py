"""The checked text cut into runs of one look, passages by colour and line."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from likewise.catalogue import Words
from likewise.model import Span
from likewise.report.paper.blocks import Line, Lines, MarkedText, Run
from likewise.report.paper.characters import in_one_line, shown
from likewise.report.paper.sentences import on_pages, passage_number, told_of
from likewise.report.view import CheckView, PassageView, TextView

MOST_MARKS = 4  # numbers of sources told where several begin
CUT_WORD = 30  # characters of a word that is not cut
LONGEST_SIDE = 900  # characters of a passage that are shown; the middle of longer ones is left out


def marked_text(view: CheckView, words: Words, disguised: Sequence[Span] = ()) -> MarkedText:
    """The whole text with disguises set apart, and a comment for each passage that counts."""
    numbers: dict[int, int] = {}
    comments: list[str] = []
    for i, passage in enumerate(view.passages):
        if passage.counts and passage.a:
            numbers[i] = len(comments)
            comments.append(_comment(view, passage, words))
    starts = {start: words("page.one", n=number) for number, start, _ in view.document.pages}
    runs = _runs(view, numbers, _joined(disguised))
    return MarkedText(tuple(_lines(runs, starts)), tuple(comments))


def _joined(places: Sequence[Span]) -> list[Span]:
    """The same places in order, none touching the next."""
    joined: list[Span] = []
    for place in sorted(places):
        if joined and place.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, place.end))
        elif place:
            joined.append(place)
    return joined


def _comment(view: CheckView, passage: PassageView, words: Words) -> str:
    name = in_one_line(view.sources[passage.source].text.name)
    source = words("paper.source", n=passage.source + 1, name=name)
    told = [f"{passage_number(passage, words)} · {source}", told_of(passage, words)]
    if passage.pages_a:
        told.append(f"{words('passage.here')}: {on_pages(passage.pages_a, words)}")
    if passage.pages_b:
        told.append(f"{words('passage.there')}: {on_pages(passage.pages_b, words)}")
    return "\n".join(told)


def _runs(
    view: CheckView, numbers: dict[int, int], disguised: list[Span]
) -> Iterator[tuple[int, Run]]:
    """Runs with where each begins. They end wherever a look changes or a passage begins or ends."""
    passages = view.passages
    begins: dict[int, list[int]] = defaultdict(list)
    ends: dict[int, list[int]] = defaultdict(list)
    for i, passage in enumerate(passages):
        if passage.a:
            begins[passage.a.start].append(i)
            ends[passage.a.end].append(i)
    page_starts = {start for _, start, _ in view.document.pages}
    states = view.segments
    # Starts and ends by turns.
    tricks = [place for each in disguised for place in (each.start, each.end)]
    places = {*begins, *ends, *states.cuts, *page_starts, *tricks}
    for stretch_start, text in view.document.stretches:
        text = shown(text)
        stretch_end = stretch_start + len(text)
        inside = (place for place in places if stretch_start < place < stretch_end)
        cuts = [stretch_start, *sorted(inside), stretch_end]
        active: set[int] = set()
        pending: tuple[int, Run] | None = None
        for start, end in pairwise(cuts):
            active.update(begins.get(start, ()))
            active.difference_update(ends.get(start, ()))
            segment = bisect_right(states.cuts, start) - 1
            counts = not (0 <= segment < len(states.state) and states.state[segment])
            run = replace(
                _look(passages, active, counts),
                text=text[start - stretch_start : end - stretch_start],
                trick=bisect_right(tricks, start) % 2 == 1,
                mark=_mark(passages, begins.get(start, ())),
                begins=tuple(numbers[i] for i in begins.get(start, ()) if i in numbers),
                ends=tuple(numbers[i] for i in ends.get(end, ()) if i in numbers),
            )
            if pending and start not in page_starts and _alike(pending[1], run):
                joined = replace(pending[1], text=pending[1].text + run.text, ends=run.ends)
                pending = pending[0], joined
                continue
            if pending:
                yield pending
            pending = start, run
        if pending:
            yield pending


def _look(passages: Sequence[PassageView], active: set[int], counts: bool) -> Run:
    """The colour and line of the highest ranked source that holds the text."""
    if not active:
        return Run("", faint=not counts)
    best = min(active, key=lambda i: (not passages[i].counts, passages[i].source, i))
    passage = passages[best]
    if not passage.counts or not counts:
        return Run("", line="fragment", faint=not counts)
    line: Line = passage.kind
    return Run("", source=passage.source, line=line)


def _mark(passages: Sequence[PassageView], beginning: Sequence[int]) -> str:
    found = sorted({passages[i].source + 1 for i in beginning})
    more = f"+{len(found) - MOST_MARKS}" if len(found) > MOST_MARKS else ""
    return ",".join(map(str, found[:MOST_MARKS])) + more


def _alike(before: Run, after: Run) -> bool:
    """Whether two runs can be one: they look alike, and nothing is told between them."""
    return not (after.mark or after.begins or before.ends) and (
        (before.source, before.line, before.faint, before.trick)
        == (after.source, after.line, after.faint, after.trick)
    )


def _lines(runs: Iterator[tuple[int, Run]], page_starts: dict[int, str]) -> Iterator[Lines]:
    """Runs by lines of the document. Comments begin and end with the outer pieces of a run."""
    line: list[Run] = []
    page, after_a_gap = "", False
    for start, run in runs:
        if start in page_starts:
            if line:
                yield Lines(tuple(line), page, after_a_gap)
                line = []
            page, after_a_gap = page_starts[start], False
        pieces = run.text.split("\n")
        for i, text in enumerate(pieces):
            if i:
                if any(piece.text.strip() or piece.ends or piece.begins for piece in line):
                    yield Lines(tuple(line), page, after_a_gap)
                    page, after_a_gap = "", False
                else:
                    after_a_gap = True
                line = []
            is_last = i == len(pieces) - 1
            piece = replace(
                run,
                text=text,
                mark="" if i else run.mark,
                begins=() if i else run.begins,
                ends=run.ends if is_last else (),
            )
            if piece.text or piece.mark or piece.begins or piece.ends:
                line.append(piece)
    if line or page:
        yield Lines(tuple(line), page, after_a_gap)


def side(text: TextView, place: Span, differs: Sequence[Span], words: Words) -> tuple[Run, ...]:
    """A passage as it stands in a document: differing words strong, a long middle left out."""
    runs: list[Run] = []
    at: int | None = None  # as far as it is told
    for first, last, said in _held(text, place):
        if at is not None and first > at:
            gap = words("count.characters", n=first - at)
            told = words("passage.gap", characters=gap)
            blank = "" if runs and runs[-1].text.endswith(" ") else " "
            runs.append(Run(f"{blank}{told} ", aside=True))
        at = first
        for each in differs:
            if each.end > at and each.start < last:
                start, end = max(at, each.start), min(each.end, last)
                runs.append(Run(said[at - first : start - first]))
                runs.append(Run(said[start - first : end - first], strong=True))
                at = end
        runs.append(Run(said[at - first :]))
        at = last
    return tuple(run for run in runs if run.text) or (Run(words("passage.not_held"), aside=True),)


def _held(text: TextView, place: Span) -> Iterator[tuple[int, int, str]]:
    """What is shown of a passage, as far as the report holds it: start, end and text."""
    wanted = [place]
    if len(place) > LONGEST_SIDE * 5 // 4:  # a gap of a few words would save nothing
        wanted = [
            Span(place.start, place.start + LONGEST_SIDE * 2 // 3),
            Span(place.end - LONGEST_SIDE // 3, place.end),
        ]
    for one in wanted:
        for held_from, held in text.stretches:
            begin, stop = max(one.start, held_from), min(one.end, held_from + len(held))
            if begin < stop:
                said = shown(held[begin - held_from : stop - held_from]).replace("\n", " ")
                # A word that a gap cuts is left to the gap.
                if begin > place.start:
                    begin, said = _from_a_word(begin, said)
                if begin + len(said) < place.end:
                    said = said[: said.rfind(" ", -CUT_WORD) + 1] or said
                yield begin, begin + len(said), said


def _from_a_word(begin: int, said: str) -> tuple[int, str]:
    skipped = said.find(" ", 0, CUT_WORD) + 1
    return begin + skipped, said[skipped:]
