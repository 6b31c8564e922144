"""The checked text with its passages marked, and the passages side by side with their sources."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import get_args

from likewise.align import NOT_COUNTED
from likewise.catalogue import Words
from likewise.model import IN_ORDER, Correspondence, CorrespondenceReason, Kind, Span
from likewise.report.characters import in_one_line, printable, shorten
from likewise.report.paper.blocks import (
    Block,
    BothSides,
    Legend,
    Line,
    Lines,
    MarginComment,
    MarkedText,
    Paragraph,
    Run,
    Section,
)
from likewise.report.paper.sentences import (
    describe_passage,
    evidence_sentence,
    on_pages,
    passage_number,
    uncounted_part,
)
from likewise.report.view import CheckView, PassageView, State, TextView
from likewise.results import CommentRow

MOST_PASSAGES = 200  # printed side by side; all are marked in the text
MOST_LINES = 500  # passages of sources that add nothing
LINES: tuple[Line, ...] = (*get_args(Kind), "fragment")
MOST_MARKS = 4  # numbers of sources told where several begin
CUT_WORD = 30  # characters of a word that is not cut
MOST_CORRESPONDENCES = 16  # told below a passage; the page shows them all
LEAST_CLOSENESS = 280  # of words that are told there, in thousandths
LONGEST_SIDE = 900  # characters of a passage that are shown; the middle of longer ones is left out
_TELLING: tuple[CorrespondenceReason, ...] = ("name", "number", "concept", "word")


def passages_section(view: CheckView, words: Words) -> Section | None:
    """The longest passages side by side, those that add nothing in a line each."""
    counting, adding, longest, adding_nothing = _by_rank(view)
    if not counting:
        return None
    beside = comments_by_passage(view)
    blocks: list[Block] = []
    if len(adding) > len(longest):
        limit_note = words("paper.longest", n=len(longest), all=len(counting))
        blocks.append(Paragraph(limit_note))
    if any(passage.kind in IN_ORDER for _, passage in counting):
        blocks.append(Paragraph(_sentence(words("passage.differs")), "faint"))
    blocks.append(Paragraph(words("passage.holders_explained"), "faint"))
    if adding_nothing:
        blocks.append(Paragraph(words("paper.under_in_a_line"), "faint"))
    here = shorten(view.document.called, 50)
    for i, passage in sorted((*longest, *adding_nothing)):
        comments = [comment_paragraph(comment, words) for comment in beside.get(i, ())]
        source = view.sources[passage.source]
        there = f"{passage.source + 1}. {shorten(source.text.called, 60)}"
        if source.under is not None:
            pages = (on_pages(each, words) for each in (passage.pages_a, passage.pages_b))
            where = " – ".join(page for page in pages if page)
            line = _join_with_commas(f"{passage_number(passage, words)} · {there}", where)
            blocks.append(
                Paragraph(f"{line} · {describe_passage(passage, words, count=view.count)}", "faint")
            )
            blocks += comments
            continue
        blocks.append(
            BothSides(
                number=passage_number(passage, words),
                source=passage.source,
                facts=describe_passage(passage, words, count=view.count),
                heads=(
                    _join_with_commas(here, on_pages(passage.pages_a, words)),
                    _join_with_commas(there, on_pages(passage.pages_b, words)),
                ),
                here=side(view.document, passage.a, passage.differs_a, words),
                there=side(source.text, passage.b, passage.differs_b, words),
            )
        )
        if line := corresponding_words(view.document, source.text, passage, words):
            blocks.append(Paragraph(line, "faint"))
        if reason := evidence_sentence(passage, words):
            blocks.append(Paragraph(reason, "faint"))
        blocks += comments
    return Section(words("passage.heading"), tuple(blocks))


Numbered = list[tuple[int, PassageView]]


def _by_rank(view: CheckView) -> tuple[Numbered, Numbered, Numbered, Numbered]:
    """Passages that count; of those the ones that add something; and what of both is printed."""
    counting = [(i, passage) for i, passage in enumerate(view.passages) if passage.counts]
    adding = [each for each in counting if view.sources[each[1].source].under is None]
    longest = sorted(adding, key=lambda each: (-each[1].words, each[0]))[:MOST_PASSAGES]
    adding_nothing = [each for each in counting if view.sources[each[1].source].under is not None]
    return counting, adding, longest, adding_nothing[:MOST_LINES]


def comments_by_passage(view: CheckView) -> dict[int, list[CommentRow]]:
    """Comments on printed passages, by their numbers: each beside the one that it fits best."""
    if not view.comments:
        return {}
    *_, longest, adding_nothing = _by_rank(view)
    printed = sorted((*longest, *adding_nothing))
    beside: dict[int, list[CommentRow]] = defaultdict(list)
    for comment in view.comments:
        touching = [
            (_misfit(comment.span, p.a), i) for i, p in printed if _touch(comment.span, p.a)
        ]
        if touching:
            beside[min(touching)[1]].append(comment)
    return beside


def _touch(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _misfit(a: Span, b: Span) -> int:
    """Characters that are in one of two places alone."""
    common = min(a.end, b.end) - max(a.start, b.start)
    return len(a) + len(b) - 2 * common


def comment_paragraph(comment: CommentRow, words: Words) -> Paragraph:
    """Who said what, and when."""
    values = {"by": in_one_line(comment.by), "on": words.day_and_time(comment.on)}
    text = words("comments.line", **values, comment=in_one_line(comment.comment))
    return Paragraph(text, "comment")


def listings_section(view: CheckView, words: Words) -> Section | None:
    """Programs, tables of numbers and the like that stand in sources: shown apart."""
    if not view.listings:
        return None
    blocks: list[Block] = [Paragraph(words("listings.explained"), "faint")]
    for listing in view.listings[:MOST_PASSAGES]:
        source = view.sources[listing.source]
        there = f"{listing.source + 1}. {shorten(source.text.called, 60)}"
        blocks.append(
            BothSides(
                number=words("count.words", n=listing.words),
                source=listing.source,
                facts=words("reason.listing"),
                heads=(
                    _join_with_commas(
                        shorten(view.document.called, 50), on_pages(listing.pages_a, words)
                    ),
                    _join_with_commas(there, on_pages(listing.pages_b, words)),
                ),
                here=side(view.document, listing.a, (), words),
                there=side(source.text, listing.b, (), words),
            )
        )
    return Section(words("listings.heading"), tuple(blocks))


def _join_with_commas(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def text_section(view: CheckView, words: Words) -> Section:
    """The checked text with everything marked in it, on a page of its own."""
    disguised = [
        place
        for note in view.notes
        if note.is_disguise and note.name == view.document.name
        for place in note.places
    ]
    blocks: tuple[Block, ...] = (marked_text(view, words, disguised),)
    kinds = {passage.kind if passage.counts else "fragment" for passage in view.passages}
    legend = Legend(
        words("kind.legend"),
        tuple((kind, _legend_words(kind, view, words)) for kind in LINES if kind in kinds),
        faint=words("exclusions.heading") if view.exclusions else "",
        trick=words("tricks.heading") if disguised else "",
    )
    if legend.kinds or legend.faint or legend.trick:
        blocks = (legend, *blocks)
    return Section(words("text.heading"), blocks, on_a_new_page=True)


def _legend_words(line: Line, view: CheckView, words: Words) -> str:
    kind = words(f"kind.{line}")
    uncounted = "" if line == "fragment" else uncounted_part(line, view.count, words)
    return f"{kind} ({uncounted})" if uncounted else kind


# The text cut into runs of one look, passages by colour and line.


def marked_text(view: CheckView, words: Words, disguised: Sequence[Span] = ()) -> MarkedText:
    """The whole text with disguises set apart, and a comment for each passage that counts."""
    numbers: dict[int, int] = {}
    comments: list[MarginComment] = []
    for i, passage in enumerate(view.passages):
        if passage.counts and passage.a:
            numbers[i] = len(comments)
            comments.append(MarginComment(_comment(view, passage, words)))
    by_place = [(comment.span, len(comments) + i) for i, comment in enumerate(view.comments)]
    comments += [
        MarginComment(in_one_line(one.comment), in_one_line(one.by), one.on)
        for one in view.comments
    ]
    starts = {start: words("page.one", n=number) for number, start, _ in view.document.pages}
    runs = _runs(view, numbers, by_place, _join_spans(disguised))
    return MarkedText(tuple(_lines(runs, starts)), tuple(comments))


def _join_spans(places: Sequence[Span]) -> list[Span]:
    """The same places in order, none touching the next."""
    joined: list[Span] = []
    for place in sorted(places):
        if joined and place.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, place.end))
        elif place:
            joined.append(place)
    return joined


def _comment(view: CheckView, passage: PassageView, words: Words) -> str:
    name = in_one_line(view.sources[passage.source].text.called)
    source = words("paper.source", n=passage.source + 1, name=name)
    facts = [
        f"{passage_number(passage, words)} · {source}",
        describe_passage(passage, words, count=view.count),
    ]
    if passage.pages_a:
        facts.append(f"{words('passage.here')}: {on_pages(passage.pages_a, words)}")
    if passage.pages_b:
        facts.append(f"{words('passage.there')}: {on_pages(passage.pages_b, words)}")
    if passage.by_meaning:
        facts.append(words("passage.by_meaning"))
    source_text = view.sources[passage.source].text
    if line := corresponding_words(view.document, source_text, passage, words):
        facts.append(line)
    return "\n".join(facts)


def _runs(
    view: CheckView,
    numbers: dict[int, int],
    comments: list[tuple[Span, int]],
    disguised: list[Span],
) -> Iterator[tuple[int, Run]]:
    """Runs with where each begins. They end wherever a look changes or a passage begins or ends."""
    passages = view.passages
    begins: dict[int, list[int]] = defaultdict(list)
    ends: dict[int, list[int]] = defaultdict(list)
    for i, passage in enumerate(passages):
        if passage.a:
            begins[passage.a.start].append(i)
            ends[passage.a.end].append(i)
    beginning: dict[int, list[int]] = defaultdict(list)  # in the margin, by their numbers
    ending: dict[int, list[int]] = defaultdict(list)
    for i, number in numbers.items():
        beginning[passages[i].a.start].append(number)
        ending[passages[i].a.end].append(number)
    for place, number in comments:
        beginning[place.start].append(number)
        ending[place.end].append(number)
    page_starts = {start for _, start, _ in view.document.pages}
    states = view.segments
    # Starts and ends by turns.
    tricks = [place for each in disguised for place in (each.start, each.end)]
    places = {*begins, *ends, *beginning, *ending, *states.cuts, *page_starts, *tricks}
    for stretch_start, text in view.document.stretches:
        text = printable(text)
        stretch_end = stretch_start + len(text)
        inside = (place for place in places if stretch_start < place < stretch_end)
        cuts = [stretch_start, *sorted(inside), stretch_end]
        active: set[int] = set()
        pending: tuple[int, Run] | None = None
        for start, end in pairwise(cuts):
            active.update(begins.get(start, ()))
            active.difference_update(ends.get(start, ()))
            segment = bisect_right(states.cuts, start) - 1
            state = states.state[segment] if 0 <= segment < len(states.state) else 0
            run = replace(
                _run_style(passages, active, state),
                text=text[start - stretch_start : end - stretch_start],
                trick=bisect_right(tricks, start) % 2 == 1,
                mark=_mark(passages, begins.get(start, ())),
                begins=tuple(beginning.get(start, ())),
                ends=tuple(ending.get(end, ())),
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


def _run_style(passages: Sequence[PassageView], active: set[int], state: State) -> Run:
    """The colour and line of the highest ranked source that holds the text."""
    if not active:
        return Run("", faint=state > 0)
    best = min(active, key=lambda i: (not passages[i].counts, passages[i].source, i))
    passage = passages[best]
    line: Line = passage.kind
    if passage.counts and state == NOT_COUNTED:
        return Run("", line=line, faint=True)
    if not passage.counts or state:
        return Run("", line="fragment", faint=state > 0)
    return Run("", source=passage.source, line=line)


def _mark(passages: Sequence[PassageView], beginning: Sequence[int]) -> str:
    numbers = sorted({passages[i].source + 1 for i in beginning})
    more = f"+{len(numbers) - MOST_MARKS}" if len(numbers) > MOST_MARKS else ""
    return ",".join(map(str, numbers[:MOST_MARKS])) + more


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
    for first, last, text_here in _excerpts(text, place):
        if at is not None and first > at:
            gap = words("count.characters", n=first - at)
            gap_note = words("passage.gap", characters=gap)
            blank = "" if runs and runs[-1].text.endswith(" ") else " "
            runs.append(Run(f"{blank}{gap_note} ", aside=True))
        at = first
        for each in differs:
            if each.end > at and each.start < last:
                start, end = max(at, each.start), min(each.end, last)
                runs.append(Run(text_here[at - first : start - first]))
                runs.append(Run(text_here[start - first : end - first], strong=True))
                at = end
        runs.append(Run(text_here[at - first :]))
        at = last
    missing = "passage.not_held" if text.length else "passage.not_shown"
    return tuple(run for run in runs if run.text) or (Run(words(missing), aside=True),)


def corresponding_words(here: TextView, there: TextView, passage: PassageView, words: Words) -> str:
    """Some of the words of a passage in other words with their partners, in a line."""
    pairs = []
    rows = passage.correspondences
    if passage.languages is None:  # words that both sides have anybody sees
        rows = tuple(row for row in rows if row[2] != "word")
    for own, others in _most_telling(here, rows):
        partners: dict[str, str] = {}  # a form once, as it stands first
        for place in others:
            partner = there.at(place)
            partners.setdefault(partner.casefold(), partner)
        if told := ", ".join(filter(None, partners.values())):
            pairs.append(in_one_line(f"{own} – {told}"))
    return f"{words('correspondence.list')}: {'; '.join(pairs)}" if pairs else ""


def _most_telling(
    text: TextView, rows: Sequence[Correspondence]
) -> list[tuple[str, tuple[Span, ...]]]:
    """Names and numbers before other words, equal words last."""
    ranked: dict[int, list[int]] = defaultdict(list)
    spelled = [text.at(place) for place, _, _, _ in rows]
    forms = set[str]()
    for k, (_, _, reason, closeness) in enumerate(rows):
        form = spelled[k].casefold()
        if form and form not in forms and closeness >= LEAST_CLOSENESS:
            forms.add(form)
            is_digit = reason == "number" and len(form) == 1
            ranked[len(_TELLING) if is_digit else _TELLING.index(reason)].append(k)
    chosen: list[int] = []
    for _, alike in sorted(ranked.items()):
        some = min(MOST_CORRESPONDENCES - len(chosen), len(alike))
        chosen += (alike[i * len(alike) // some] for i in range(some))  # from the whole passage
    return [(spelled[k], rows[k][1]) for k in sorted(chosen)]


def _excerpts(text: TextView, place: Span) -> Iterator[tuple[int, int, str]]:
    """What is shown of a passage, as far as the report holds it: start, end and text."""
    spans = [place]
    if len(place) > LONGEST_SIDE * 5 // 4:  # a gap of a few words would save nothing
        spans = [
            Span(place.start, place.start + LONGEST_SIDE * 2 // 3),
            Span(place.end - LONGEST_SIDE // 3, place.end),
        ]
    for span in spans:
        for stretch_start, stretch in text.stretches:
            begin, stop = (
                max(span.start, stretch_start),
                min(span.end, stretch_start + len(stretch)),
            )
            if begin < stop:
                excerpt = printable(stretch[begin - stretch_start : stop - stretch_start]).replace(
                    "\n", " "
                )
                # A word that a gap cuts is left to the gap.
                if begin > place.start:
                    begin, excerpt = _from_a_word(begin, excerpt)
                if begin + len(excerpt) < place.end:
                    excerpt = excerpt[: excerpt.rfind(" ", -CUT_WORD) + 1] or excerpt
                yield begin, begin + len(excerpt), excerpt


def _from_a_word(begin: int, excerpt: str) -> tuple[int, str]:
    skipped = excerpt.find(" ", 0, CUT_WORD) + 1
    return begin + skipped, excerpt[skipped:]
