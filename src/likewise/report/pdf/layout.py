"""Blocks of paper as the template takes them: dictionaries and short lists."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from likewise.report.paper.blocks import Block, BothSides, Facts, Lines, MarkedText, Run, Section
from likewise.results import plain

# Characters without a place where a line may end: hashes fit into a line whole, so that they can
# be copied; a column is narrower.
IN_A_LINE, IN_A_COLUMN = 64, 36
_UNBROKEN = re.compile(rf"[^\s\u2e80-\u9fff\uac00-\ud7af]{{{IN_A_COLUMN},}}")
MAY_BREAK = "\ufdd0"  # no character: the template ends lines here and writes nothing


def section_data(section: Section) -> dict[str, Any]:
    """A section with its blocks, each with its type."""
    return {
        "heading": breakable(section.heading),
        "level": section.level,
        "on_a_new_page": section.on_a_new_page,
        "blocks": [{"type": type(block).__name__, **_block(block)} for block in section.blocks],
    }


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, MarkedText):
        return {"lines": [_line(line) for line in block.lines]}
    if isinstance(block, BothSides):
        sides: dict[str, Any] = _breakable(plain(block))
        sides["here"] = [_side(run) for run in block.here]
        sides["there"] = [_side(run) for run in block.there]
        return sides
    if isinstance(block, Facts):
        rows = [(name, breakable(value, IN_A_LINE)) for name, value in block.rows]
        return {"rows": rows, "mono": block.mono}
    fields: dict[str, Any] = _breakable(plain(block))
    return fields


def _line(line: Lines) -> list[Any]:
    runs = [[breakable(r.text), r.source, r.line, r.faint, r.trick, r.mark] for r in line.runs]
    return [line.page, line.after_a_gap, is_right_to_left(line), runs]


def _side(run: Run) -> list[Any]:
    return [breakable(run.text), run.strong, run.aside]


def is_right_to_left(line: Lines) -> bool:
    """Whether a line is written from right to left: its first letter says so.

    >>> is_right_to_left(Lines((Run("1. "), Run("مرحبا, world"))))
    True
    """
    for run in line.runs:
        for character in run.text[:200]:
            direction = unicodedata.bidirectional(character)
            if direction in ("L", "R", "AL"):
                return direction != "L"
    return False


def breakable(text: str, longest: int = IN_A_COLUMN) -> str:
    """The text with places to end a line in words that are longer than any line.

    >>> breakable("x" * 40).split(MAY_BREAK) == ["x" * 12] * 3 + ["xxxx"]
    True
    """

    def broken(word: re.Match[str]) -> str:
        parts = re.findall(".{1,12}", word[0]) if len(word[0]) > longest else [word[0]]
        return MAY_BREAK.join(parts)

    return _UNBROKEN.sub(broken, text.replace(MAY_BREAK, "\ufffd"))


def _breakable(value: Any) -> Any:
    if isinstance(value, str):
        return breakable(value)
    if isinstance(value, list):
        return [_breakable(each) for each in value]
    if isinstance(value, dict):
        return {key: _breakable(each) for key, each in value.items()}
    return value
