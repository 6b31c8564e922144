"""What is not prose: program listings, tables of numbers, logs and formulas, known by their shape.

Mnemonics, keywords and figures come again in every listing, and mean nothing there. So their words
lead to no passage.
"""

from __future__ import annotations

import re

from likewise.model import Span

_FEWEST_LINES = 3  # that look like a listing, one below the other
_MOST_WORDS = 7  # of three letters and more in such a line: a sentence has more
_MOST_WORDS_OF_CELLS = 4  # in a row of a table: more are prose in cells
_MOST_BETWEEN = 3  # lines of a listing in a row that could be anything: a label, `ret`, a remark
_LONGEST_LINE = 160  # characters

_TELLS = re.compile(r"[{}=|_\\<>≈]").search
_NEAR = 3 * _FEWEST_LINES  # lines, in which as many as make a listing must have such a sign
_SHORT_LINES = 40  # characters in a line, on the average
_DIGITS = "0123456789"
_MOST_DIGITS = 0.05

_WORD = re.compile(r"[^\W\d_]{3,}")
_SIGN = re.compile(r"[={}()\[\]<>|_\\;:,@%$]|--|\d|^\s*(?:import|from|return|end|begin)\b")
_STATEMENT = re.compile(
    r"^(?!#+ ).*(?:[{}]|[\w)\]=+-][)=\]+-]+;|\w\(.*;)\s*(?://.*|/\*.*)?$|"
    r"=|[-]>|<-|&&|\|\||::|\w\(|\w\[\w|[^\W_]_[^\W_]|</?\w+[^>]*>|\S\s{2,};|"
    r"^\s*(?:#\s*(?:include|define|if|endif)\b|(?:import|from|def|class|return|global|raise|elif|"
    r"except|lambda|print|var|let|const|begin|end|procedure|function|program|uses|select|insert|"
    r"create|SELECT|INSERT|CREATE|UPDATE|DELETE|WHERE|VALUES|FROM|JOIN|LEFT|GROUP|ORDER|HAVING|"
    r"LIMIT)\b|(?:for|while|if|else|elif|try|with|finally)\b.*:$|[.@%]\w+|//|/\*|\*/|--\s|>>>|\$ )"
)
# a mnemonic with operands, which are registers, numbers, addresses or names with commas between
_INSTRUCTION = re.compile(
    r"^\s*(?:[.\w$@]+:\s*)?[A-Za-z]{2,8}\.?[a-z]?"
    r"(?:\s+[-\w\[\]#@$%+*.()'\"]+(?:\s*,\s*[-\w\[\]#@$%+*.()'\" ]+){0,3})?\s*(?:[;#!].*)?$"
)
_OPERANDS = re.compile(
    r"^\s*(?:[.\w$@]+:\s*)?[A-Za-z]{2,8}\s+[^\s,]+\s*,\s*\S+\s*(?:[;#].*)?$|^\s*[.\w$@]+:\s*(?:;.*)?$"
)
_COLUMNS = re.compile(r"\S(?: {2,}|\t)\S.*\S(?: {2,}|\t)\S")
_NUMBER = re.compile(r"[-+±]?\d[\d.,:%/e+-]*")
_PROSE_SIGNS = frozenset(" \t\u00a0.,;:!?()\"'«»“”„’-–—…")


def find_listings(text: str) -> list[Span]:
    """The listings, tables, logs and formulas of a text.

    >>> code = "mov ax, 5\\nadd ax, bx\\nmov cx, ax\\nint 21h"
    >>> text = f"We add two numbers.\\n{code}\\nThe sum stands in the register."
    >>> [span.of(text) == code for span in find_listings(text)]
    [True]
    """
    if not _has_any(text) and sum(map(text.count, _DIGITS)) <= _MOST_DIGITS * len(text):
        return []
    listings: list[Span] = []
    block: list[tuple[int, int]] = []  # the lines so far, up to the last that looks like a listing
    alike, between, is_apart = 0, 0, False
    position = 0
    for raw in [*text.splitlines(keepends=True), ""]:
        start, position = position, position + len(raw)
        line = raw.strip()
        if raw and not line:
            is_apart = True
            continue
        if raw and (_is_formula(line) or _looks_like_listing(line)):
            if not alike:
                block = []
            block.append((start, start + len(raw.rstrip())))
            alike, between, is_apart = alike + 1, 0, False
            continue
        if raw and alike and between < _MOST_BETWEEN and _could_be_anything(line):
            if not is_apart:
                block.append((start, start + len(raw.rstrip())))
            between += 1
            continue
        is_alone = alike > 0 and _is_formula(text[slice(*block[0])].strip())
        if alike >= _FEWEST_LINES or is_alone:
            listings.append(Span(block[0][0], block[-1][1]))
        alike, between = 0, 0
    return [Span(span.start + _indent(span.of(text)), span.end) for span in listings]


def _has_any(text: str) -> bool:
    """Whether it is worth looking closely at each line: most texts hold nothing like a listing."""
    lines = text.splitlines()
    if len(lines) * _SHORT_LINES > len(text):
        return True
    short = ((i, line) for i, line in enumerate(lines) if len(line) <= _LONGEST_LINE)
    marked = [i for i, line in short if _TELLS(line) or _OPERANDS.match(line)]
    near = any(j - i <= _NEAR for i, j in zip(marked, marked[_FEWEST_LINES - 1 :], strict=False))
    return near or any(_is_formula(lines[i].strip()) for i in marked)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _looks_like_listing(line: str) -> bool:
    if len(line) > _LONGEST_LINE or not _SIGN.search(line):
        return False
    if "|" in line and len(_WORD.findall(line)) <= _MOST_WORDS_OF_CELLS:
        return True
    if not (_STATEMENT.search(line) or _OPERANDS.match(line)):
        tokens = line.split()
        numbers = sum(_NUMBER.fullmatch(token) is not None for token in tokens)
        are_many = numbers >= 2 and 2 * numbers >= len(tokens)
        if not are_many and not (numbers and _COLUMNS.search(line)):
            return False
    return len(_WORD.findall(line)) <= _MOST_WORDS


def _could_be_anything(line: str) -> bool:
    """A line that says nothing about itself: short, and no sentence."""
    return len(line) <= 60 and (
        _INSTRUCTION.match(line) is not None or (len(line.split()) <= 4 and line[-1] not in ".!?…")
    )


def _is_formula(line: str) -> bool:
    """A line of mathematics: an equals sign, and more signs and digits than letters in words."""
    if ("=" not in line and "≈" not in line) or len(line) > _LONGEST_LINE:
        return False
    letters = sum(map(len, _WORD.findall(line)))
    signs = sum(char not in _PROSE_SIGNS for char in line)
    return 2 * letters < signs
