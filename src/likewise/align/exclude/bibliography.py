"""Bibliographies: from a heading to the last entry, or a long list that can be nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.align.exclude.entries import (
    AUTHOR,
    NUMBER,
    entry_score,
    is_unmistakable,
    number_of,
    score_of,
    signs_of,
)
from likewise.align.exclude.headings import BIBLIOGRAPHY, begins_a_part
from likewise.align.exclude.lines import (
    Found,
    Line,
    count_words,
    from_line_to_line,
    overlaps_any,
)
from likewise.model import Message, Span

_LEAST_SCORE = 3.0  # of all entries under a heading together
_DROP = 10.0  # so far below the best score, the list is over: about sixty words of prose
_MOST_LINES_WITHOUT_GAIN = 200
_MOST_LINES_TO_SUBHEADING = 3
_MOST_ENTRIES_OF_FEW_SIGNS = 3
_LEAST_OF_LAST_ENTRY = -2.0
_FEWEST_WITHOUT_HEADING = 6
_MOST_LINES_PER_ENTRY = 6
_MOST_WORDS_OF_ENTRY = 60
_LONGEST_LINE = 2_000  # characters; a longer line is no entry
_MOST_LINES_OF_REST = 2


def find_bibliographies(lines: Sequence[Line], contents: Sequence[Span] = ()) -> list[Found]:
    """The bibliographies among the lines of a text; what stands in its contents is no heading.

    >>> from likewise.align.exclude.lines import lines_of
    >>> text = "End.\\nSources\\n1. Lee K. Sky. London: Fox, 1999.\\n2. Lee K. Sea. Bonn: Owl, 2001"
    >>> [(span.start, len(text) - span.end, detail) for span, detail in
    ...  find_bibliographies(lines_of(text))]
    [(5, 0, 'Sources')]
    """
    found: list[Found] = []
    i = 0
    while i < len(lines):
        line = lines[i]
        last = None
        detail: str | Message
        if line.said in BIBLIOGRAPHY:
            if not overlaps_any(line, contents):
                last, detail = _last_entry_under(lines, i), line.text
        elif _begins_entry(line.text) and not overlaps_any(line, contents):
            last, detail = _last_of_a_list(lines, i), Message("core.no_heading")
        if last is None:
            i += 1
        else:
            found.append((from_line_to_line(lines, i, last), detail))
            i = last + 1
    return found


def _last_entry_under(lines: Sequence[Line], place: int) -> int | None:
    """Go down from a heading and add up how much each line looks like an entry, or like prose.

    The list ends at its best sum (the largest-sum segment that begins here, found as BLAST extends
    a hit: walk on until the sum has dropped too far). Lines of an entry that a page breaks into
    several lose a little and the entry's other lines make up for it.
    """
    best, total, last = 0.0, 0.0, None
    for j in range(place + 1, len(lines)):
        line = lines[j]
        if len(line.text) > _LONGEST_LINE or (line.said and begins_a_part(line.said)):
            break
        if line.said in BIBLIOGRAPHY and j - (last or place) > _MOST_LINES_TO_SUBHEADING:
            break  # it is looked at on its own
        signs = signs_of(line.text)
        total += score_of(line.text, signs)
        is_sure = len(signs) > 1 or "link" in signs  # another sign may stand in a line of prose
        if total > best and is_sure:
            best, last = total, j
        elif total < best - _DROP or j - (last or place) > _MOST_LINES_WITHOUT_GAIN:
            break
    if last is None or best < _LEAST_SCORE:
        return None
    return _with_last_entries(lines, _with_rest_of_entry(lines, last))


def _with_last_entries(lines: Sequence[Line], last: int) -> int:
    """The last entries may have few signs, and be entries by how they begin."""
    for _ in range(_MOST_ENTRIES_OF_FEW_SIGNS):
        if last + 1 == len(lines):
            break
        text = lines[last + 1].text
        if lines[last + 1].after_blank and not lines[last].after_blank:
            break
        if not _begins_entry(text) or count_words(text) > _MOST_WORDS_OF_ENTRY:
            break
        by_author = AUTHOR.match(text) and entry_score(text) >= _LEAST_OF_LAST_ENTRY
        if not by_author and number_of(text) != _next(lines, last):
            break
        last += 1
    return last


def _next(lines: Sequence[Line], last: int) -> int:
    """The number that follows the last one in a list; 0 if it has none."""
    for line in reversed(lines[max(0, last + 1 - _MOST_LINES_PER_ENTRY) : last + 1]):
        number = number_of(line.text)
        if number is not None:
            return number + 1
    return 0


def _with_rest_of_entry(lines: Sequence[Line], last: int) -> int:
    """An entry that a page breaks into lines may end in one that has no sign."""
    for _ in range(_MOST_LINES_OF_REST):
        after = last + 1
        ended = lines[last].text[-1] in ".!?)]»”" or lines[last].text[-1].isdecimal()
        if ended or after == len(lines) or lines[after].after_blank:
            break
        if not (lines[after].text[0].islower() or lines[after].text[0] in "–—-(/0123456789"):
            break
        if len(lines[after].text) > len(lines[last].text) + 20:
            break  # the page's width is known: this is a paragraph
        last = after
    return last


def _begins_entry(text: str) -> bool:
    return NUMBER.match(text) is not None or AUTHOR.match(text) is not None


def _last_of_a_list(lines: Sequence[Line], place: int) -> int | None:
    """The last line of a list without a heading in which every entry is unmistakable."""
    last, entries, j = None, 0, place
    while j < len(lines) and _begins_entry(lines[j].text):
        end = _end_of_unmistakable(lines, j)
        if end is None:
            break
        entries, last, j = entries + 1, end - 1, end
    return last if entries >= _FEWEST_WITHOUT_HEADING else None


def _end_of_unmistakable(lines: Sequence[Line], place: int) -> int | None:
    """Where an unmistakable entry ends: best before another or a blank line, else at once."""
    soonest = None
    text = ""
    for end in range(place + 1, min(place + _MOST_LINES_PER_ENTRY, len(lines)) + 1):
        text = f"{text} {lines[end - 1].text}".lstrip()
        if len(text) > _LONGEST_LINE:
            break
        over = end == len(lines) or lines[end].after_blank or _begins_entry(lines[end].text)
        if (over or soonest is None) and is_unmistakable(text):
            soonest = end
        if over:
            break
    return soonest
