"""What the control words of RTF do."""

from __future__ import annotations

from typing import Final

from likewise.reading.office.code_pages import page_codec
from likewise.reading.office.text_style import UNKNOWN
from likewise.reading.rtf.text_style import FLAT, RUN_WORDS, UNSAID, with_property
from likewise.reading.rtf.walk import Act, Acts, Walk

_CHARACTERS: Final = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "zwj": "\u200d",
    "zwnj": "\u200c",
}
_SYSTEMS: Final = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}

ACTS: Final = Acts()


def _writes(text: str) -> Act:
    return lambda walk, _: walk.write(text)


def _is_system(codec: str) -> Act:
    return lambda walk, _: walk.choose_page(codec)


ACTS.update({word: _writes(text) for word, text in _CHARACTERS.items()})
ACTS.update({word: _is_system(codec) for word, codec in _SYSTEMS.items()})


# Paragraphs and tables.


@ACTS.at("par", "sect", "page", "column")
def _end_paragraph(walk: Walk, _number: int) -> None:
    if walk.is_text_kept and not walk.deleted:
        walk.story.end_paragraph(walk.level)
        walk.drawing_behind -= walk.drawing_behind > 0


@ACTS.at("pard")
def _begin_paragraph(walk: Walk, _number: int) -> None:
    walk.level = 0
    walk.ground = FLAT


@ACTS.at("intbl")
def _enter_table(walk: Walk, _number: int) -> None:
    walk.level = max(walk.level, 1)


@ACTS.at("itap")
def _enter_tables(walk: Walk, number: int) -> None:
    walk.level = max(number, 0)


@ACTS.at("cell")
def _end_cell(walk: Walk, _number: int) -> None:
    walk.story.end_cell(1)
    walk.cell += 1


@ACTS.at("row")
def _end_row(walk: Walk, _number: int) -> None:
    walk.story.end_row(1, walk.row.shape())
    walk.cell = 0


@ACTS.at("nestcell")
def _end_inner_cell(walk: Walk, _number: int) -> None:
    walk.story.end_cell(max(walk.level, 2))


@ACTS.at("nestrow")
def _end_inner_row(walk: Walk, _number: int) -> None:
    walk.story.end_row(max(walk.level, 2), walk.row.shape())


@ACTS.at("trowd")
def _begin_row(walk: Walk, _number: int) -> None:
    walk.row.begin()


@ACTS.at("trleft")
def _place_row(walk: Walk, number: int) -> None:
    walk.row.left = number


@ACTS.at("clmrg")
def _join_left(walk: Walk, _number: int) -> None:
    walk.row.joins_left = True


@ACTS.at("clvmrg")
def _join_above(walk: Walk, _number: int) -> None:
    walk.row.joins_above = True


@ACTS.at("cellx")
def _place_cell(walk: Walk, number: int) -> None:
    walk.row.end_cell(number)


@ACTS.at("clcbpat")
def _fill_cell(walk: Walk, number: int) -> None:
    walk.row.fill = number


@ACTS.at("clshdng", "clbghoriz", "clbgvert", "clbgcross", "clbgdcross", "clbgfdiag", "clbgbdiag")
def _pattern_cell(walk: Walk, number: int) -> None:
    walk.row.fill = UNKNOWN if number else walk.row.fill


@ACTS.at("cbpat")
def _fill_paragraph(walk: Walk, number: int) -> None:
    walk.ground = walk.ground._replace(behind=max(number, 0))


@ACTS.at("shading")
def _pattern_paragraph(walk: Walk, number: int) -> None:
    if number:
        walk.ground = walk.ground._replace(behind=UNKNOWN)


# Text style.


def _says(word: str) -> Act:
    def act(walk: Walk, number: int) -> None:
        walk.run_style = with_property(walk.run_style, word, number)

    return act


ACTS.update({word: _says(word) for word in RUN_WORDS})


@ACTS.at("cs")
def _choose_character_style(walk: Walk, number: int) -> None:
    walk.run_style = walk.run_style._replace(character_style=number)


@ACTS.at("chshdng")
def _pattern(walk: Walk, number: int) -> None:
    if number:
        walk.run_style = walk.run_style._replace(outlined=True)


# Characters.


@ACTS.at("ansicpg")
def _choose_page(walk: Walk, number: int) -> None:
    codec = page_codec(number)
    if codec is not None:
        walk.choose_page(codec)


@ACTS.at("uc")
def _count_stand_ins(walk: Walk, number: int) -> None:
    walk.stand_ins = max(number, 0)


@ACTS.at("deff")
def _choose_default_font(walk: Walk, number: int) -> None:
    walk.default_font = number


@ACTS.at("f")
def _choose_font(walk: Walk, number: int) -> None:
    walk.choose_font(number)


@ACTS.at("dbch")
def _expect_wide_font(walk: Walk, _number: int) -> None:
    walk.wide = True


@ACTS.at("loch", "hich")
def _leave_wide_font(walk: Walk, _number: int) -> None:
    walk.wide = False
    walk.codec = walk.font_codec


@ACTS.at("af")
def _choose_beside(walk: Walk, number: int) -> None:
    if walk.wide:  # elsewhere it is the font of letters that run from right to left
        walk.choose_wide_font(number)


@ACTS.at("plain")
def _plain(walk: Walk, _number: int) -> None:
    walk.deleted = False
    walk.run_style = UNSAID
    walk.choose_font(walk.default_font)


@ACTS.at("deleted")
def _delete(walk: Walk, number: int) -> None:
    walk.deletions += number != 0 and not walk.deleted
    walk.deleted = number != 0
