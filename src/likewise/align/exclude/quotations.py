"""Quotations with a citation: in quotation marks, or set off as a block."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from likewise.align.exclude.bibliography import entry_score, is_unmistakable, signs_of
from likewise.align.exclude.citations import (
    BRACKETED,
    SIGNED,
    citation_at,
    cites_right_after_quotation,
)
from likewise.align.exclude.lines import UPPER, DetailedSpan, Line, count_words, is_code
from likewise.align.exclude.quotation_marks import Pair, paired_marks
from likewise.model import Span

FEWEST_WORDS = 5
_FEWEST_WORDS_IN_SINGLE_MARKS = 12
MOST_WORDS = 150
_LEAST_LETTERS = 0.7  # of the characters that are not blank
_LONGEST_NOTE = 500  # characters
_SIGNS_OF_NOTE = {"pages", "place", "slashes"}
_LINE = 80  # characters of a line that are looked at for code
_NEAR = 140  # characters from the marks to a citation in the same sentence

_SHORT = frozenset(  # words that a full stop shortens
    "al ed vol no p pp dr mr mrs ms prof st cf др см гг стр проф акад доц ред цит им напр".split()
)
_LONGEST_SHORT = max(map(len, _SHORT))
_SENTENCE_END = re.compile(
    r"(?<![.!?…])[.!?…]++(?:\s?\[[^\[\]]{1,20}\])*[\"»”’)\]]*+\s++"  # also "grows.[9] Lee"
    rf"(?=[{UPPER}«“„\"\[(\d—–])"
)
_ANY_MARK = re.compile('[«»“”„"]')
_NEW_LINE = re.compile(rf"\n\s*(?=[\n{UPPER}^•*])")
_PARAGRAPH = re.compile(r"\n\s*\n")
_FOOTNOTE = re.compile(r"[.,;!?…]?(?:[¹²³⁰⁴-⁹]{1,3}|\d{1,3}(?![\w%°,.]\w|\w))")
_FOOTNOTE_AFTER_STRAIGHT = re.compile(r"\.?(?:[¹²³⁰⁴-⁹]{1,3}|\d{1,3}(?=[\s.;]|$))")
_AT_ONCE = re.compile(r"[.,;:!?…]{0,3}\s{0,3}(?=[\[(])")
_AT_ONCE_AFTER_STRAIGHT = re.compile(r"[.;!?…]{0,3}\s{1,3}(?=[\[(])")
_AT_END = re.compile(r"(?:\[[^\[\]]{1,80}\]|\([^()]{2,120}\))[.!?…]?[»”\"’'“]+$")
_TO_SIGNATURE = re.compile(r"[.!?…,]?\s{0,3}(?:\n\s{0,60}+)?(?=[—–-])")


def find_quotations(
    text: str, lines: Sequence[Line], elsewhere: Iterable[Span] = ()
) -> list[DetailedSpan]:
    """Quotations near a citation, each with the citation; none in the spans of `elsewhere`.

    >>> text = "So, “the grass of the steppe is green” (Lee, 2019), not “as green as the sea”."
    >>> [(span.of(text), detail) for span, detail in find_quotations(text, [])]
    [('“the grass of the steppe is green”', '(Lee, 2019)')]
    """
    excluded = sorted(elsewhere)
    candidates = [
        pair
        for pair in paired_marks(text)
        if _is_quotation(text, pair) and _is_free(Span(pair.start, pair.end), excluded)
    ]
    candidates.sort(key=lambda pair: (pair.start, -pair.end))
    quotations: list[DetailedSpan] = []
    uncited: list[Pair] = []
    used = 0  # a citation after one quotation does not speak for the next
    for pair in candidates:
        if quotations and pair.start < quotations[-1][0].end:
            continue  # inside a quotation that has its citation
        citation = _citation(text, pair, used)
        if citation is None:
            uncited.append(pair)
        else:
            quotations.append((Span(pair.start, pair.end), citation.of(text)))
            if citation.start >= pair.end:
                used = citation.end
    quotations += _with_note_below(lines, uncited)
    quotations += [block for block in quoted_blocks(lines) if _is_free(block[0], excluded)]
    return sorted((span, " ".join(str(citation).split())) for span, citation in quotations)


def _is_free(span: Span, excluded: Sequence[Span]) -> bool:
    """Whether a span touches none of some disjoint ones in order."""
    after = bisect_right(excluded, span.start, key=lambda other: other.end)
    return after == len(excluded) or excluded[after].start >= span.end


def _is_quotation(text: str, pair: Pair) -> bool:
    """Whether marks stand around words of someone, not around a term or a string of code."""
    inside = text[pair.start + 1 : pair.end - 1]
    fewest = _FEWEST_WORDS_IN_SINGLE_MARKS if pair.is_single else FEWEST_WORDS
    if not fewest <= count_words(inside) <= MOST_WORDS:
        return False
    letters = sum(map(str.isalpha, inside))
    if letters < _LEAST_LETTERS * (len(inside) - inside.count(" ")):
        return False
    return not (pair.is_straight and _is_code(text, pair))


def _is_code(text: str, pair: Pair) -> bool:
    before = text[max(0, pair.start - _LINE) : pair.start + 1].rpartition("\n")[2]
    after = text[pair.end - 1 : pair.end + _LINE].partition("\n")[0]
    inside = text[pair.start + 1 : pair.end - 1]
    return any(map(is_code, (before, after, inside)))


def _citation(text: str, pair: Pair, used: int) -> Span | None:
    """The citation of a quotation: at its end, at once after it, or in the same sentence."""
    at_once = _citation_at_once(text, pair)
    if at_once is not None or pair.is_single:
        return at_once
    citation = _citation_behind(text, pair) or _citation_before(text, pair, used)
    if citation and pair.is_straight:
        between = text[min(citation.end, pair.end) : max(citation.start, pair.start)]
        if is_code(between):
            return None  # brackets somewhere in a program
    return citation


def _citation_at_once(text: str, pair: Pair) -> Span | None:
    end = pair.end
    note = (_FOOTNOTE_AFTER_STRAIGHT if pair.is_straight else _FOOTNOTE).match(text, end)
    if note and not pair.is_single:
        return Span(end, note.end())
    gap = (_AT_ONCE_AFTER_STRAIGHT if pair.is_straight else _AT_ONCE).match(text, end)
    bracket = BRACKETED.match(text, gap.end()) if gap else None
    if bracket and (citation_at(bracket, text) or cites_right_after_quotation(bracket[2] or "")):
        return Span(*bracket.span())
    gap = _TO_SIGNATURE.match(text, end)
    signed = SIGNED.match(text, gap.end()) if gap else None
    if signed:
        return Span(*signed.span("who"))
    last = _AT_END.search(text, max(pair.start, end - _NEAR), end)
    bracket = BRACKETED.match(text, last.start()) if last else None
    return Span(*bracket.span()) if bracket and citation_at(bracket, text) else None


def _citation_behind(text: str, pair: Pair) -> Span | None:
    """A citation later in the sentence, before anything else is quoted."""
    start, end = pair.end, min(len(text), pair.end + _NEAR)
    if text[start - 2] in ".!?…" and text[start : start + 3].strip()[:1].isupper():
        return None  # the sentence ended inside the marks
    stop = _ANY_MARK.search(text, start, end) or _PARAGRAPH.search(text, start, end)
    end = min([end, *_sentence_ends(text, start, end), *([stop.start()] if stop else [])])
    for bracket in BRACKETED.finditer(text, start, end):
        if citation_at(bracket, text):
            return Span(*bracket.span())
    return None


def _citation_before(text: str, pair: Pair, used: int) -> Span | None:
    """The last citation earlier in the sentence that does not belong to another quotation."""
    end = pair.start
    start = max(used, end - _NEAR)
    breaks = [match.end() for match in _NEW_LINE.finditer(text, start, end)]
    start = max([start, *breaks, *_sentence_ends(text, start, end)])
    last = None
    for bracket in BRACKETED.finditer(text, start, end):
        if citation_at(bracket, text):
            last = Span(*bracket.span())
    return last


def _sentence_ends(text: str, start: int, end: int) -> list[int]:
    """Where sentences end; initials and abbreviations end none."""
    part = text[start:end]
    ends: list[int] = []
    for match in _SENTENCE_END.finditer(part):
        word = _word_before(part, match.start())
        if not (len(word) == 1 or word.casefold() in _SHORT) or part[match.start()] in "!?":
            ends.append(start + match.end())
    return ends


def _word_before(text: str, end: int) -> str:
    """The letters before a place, no more of them than tell a word that is not shortened."""
    start = end
    while start and end - start <= _LONGEST_SHORT and _is_letter(text[start - 1]):
        start -= 1
    return text[start:end]


def _is_letter(char: str) -> bool:
    return char.isalnum() and not char.isdecimal()


def _with_note_below(lines: Sequence[Line], uncited: Sequence[Pair]) -> list[DetailedSpan]:
    """Quotations of a paragraph whose footnotes, one for each, are the lines after it."""
    in_line: dict[int, list[Pair]] = {}
    end = 0
    for pair in uncited:
        if pair.start >= end and not pair.is_single:
            end = pair.end
            line = bisect_right(lines, pair.start, key=lambda line: line.start) - 1
            if line >= 0 and pair.end <= lines[line].end:
                in_line.setdefault(line, []).append(pair)
    quotations: list[DetailedSpan] = []
    for line, pairs in in_line.items():
        notes = lines[line + 1 : line + 1 + len(pairs)]
        if len(notes) == len(pairs) and _are_notes_of(lines[line], notes):
            quotations += [
                (Span(pair.start, pair.end), note.text[:_NEAR])
                for pair, note in zip(pairs, notes, strict=True)
            ]
    return quotations


def _are_notes_of(paragraph: Line, notes: Sequence[Line]) -> bool:
    if any(len(note.text) > _LONGEST_NOTE or note.after_blank for note in notes):
        return False
    return all(map(_is_note, notes)) and entry_score(paragraph.text) <= 0


def _is_note(line: Line) -> bool:
    return is_unmistakable(line.text) and bool(signs_of(line.text).keys() & _SIGNS_OF_NOTE)


# Quotations set off as a block: by `>` before each line, or by indentation.


_FEWEST_WORDS = 12
_MOST_WORDS = 150
_FEWEST_LINES = 2
_DEEPER = 3  # blanks more than the lines of the text around it
_MOST_LINES = 60
_TAIL = 160  # characters in which a citation ends a block or a line
_LISTED = re.compile(r"[-*•·+]\s|\(?\w{1,3}[.)]\s")
_ENDS_SENTENCE = frozenset('.!?…»”"')
_ENDS_BLOCK = re.compile(r"[\s.;!?…»”\"]*")


def quoted_blocks(lines: Sequence[Line]) -> Iterator[DetailedSpan]:
    """Blocks of lines that are quoted, each with its citation."""
    first = 0
    while first < len(lines):
        quoted = lines[first].text.startswith(">")
        end = first + 1
        if quoted or _is_deeper(lines, first, first - 1):
            least = lines[first].indent - _DEEPER + 1
            while end < len(lines) and _goes_on(lines[end], quoted, least):
                end += 1
            if quoted or _is_deeper(lines, first, end):
                citation = _citation_of_block(lines, first, end, quoted)
                if citation:
                    yield Span(lines[first].start, lines[end - 1].end), citation
        first = end


def _is_deeper(lines: Sequence[Line], place: int, neighbour: int) -> bool:
    """Whether a line is indented more than a neighbour; the edge of the text is not indented."""
    least = lines[neighbour].indent if 0 <= neighbour < len(lines) else 0
    return lines[place].indent >= least + _DEEPER


def _goes_on(line: Line, quoted: bool, least_indent: int) -> bool:
    if line.after_blank:
        return False
    starts = line.text.startswith(">")
    return starts if quoted else not starts and line.indent >= least_indent


def _citation_of_block(lines: Sequence[Line], first: int, end: int, quoted: bool) -> str:
    """What a block cites: at its end, under it, or in a line before it that ends with a colon."""
    if end - first > _MOST_LINES or (not quoted and end - first < _FEWEST_LINES):
        return ""
    texts = [line.text.lstrip("> ") for line in lines[first:end]]
    text = " ".join(texts)
    if not _FEWEST_WORDS <= count_words(text) <= _MOST_WORDS:
        return ""
    if any(is_code(line) or _LISTED.match(line) for line in texts) or text[0].islower():
        return ""
    signed = SIGNED.fullmatch(texts[-1])
    if signed and end - first > 1:
        return signed["who"]
    after = lines[end].text if end < len(lines) else ""
    signed = SIGNED.fullmatch(after[:_TAIL])
    if signed:
        return signed["who"]
    before = lines[first - 1].text if first else ""
    introduced = before.endswith(":") and text[-1] in _ENDS_SENTENCE and not is_code(before[:-1])
    return _citation_at_end(text) or (_citation_at_end(before, True) if introduced else "")


def _citation_at_end(text: str, anywhere: bool = False) -> str:
    tail = text[-_TAIL:]
    citation = ""
    for bracket in BRACKETED.finditer(tail):
        if citation_at(bracket, tail) and (anywhere or _ENDS_BLOCK.fullmatch(tail, bracket.end())):
            citation = bracket[0]
    return citation
