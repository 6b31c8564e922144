"""Quotations set off as a block: by `>` before each line, or by indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from likewise.align.exclude.citations import BRACKETED, SIGNED, citation_at
from likewise.align.exclude.lines import Found, Line, count_words, is_code
from likewise.model import Span

_FEWEST_WORDS = 12
_MOST_WORDS = 150
_FEWEST_LINES = 2
_DEEPER = 3  # blanks more than the lines of the text around it
_MOST_LINES = 60
_TAIL = 160  # characters in which a citation ends a block or a line
_LISTED = re.compile(r"[-*•·+]\s|\(?\w{1,3}[.)]\s")
_ENDS_SENTENCE = frozenset('.!?…»”"')
_ENDS_BLOCK = re.compile(r"[\s.;!?…»”\"]*")


def quoted_blocks(lines: Sequence[Line]) -> Iterator[Found]:
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
    said = [line.text.lstrip("> ") for line in lines[first:end]]
    text = " ".join(said)
    if not _FEWEST_WORDS <= count_words(text) <= _MOST_WORDS:
        return ""
    if any(is_code(line) or _LISTED.match(line) for line in said) or text[0].islower():
        return ""
    signed = SIGNED.fullmatch(said[-1])
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
