"""The destinations of RTF, groups that have a name, and what becomes of each."""

from __future__ import annotations

import re
from typing import Final

from likewise.reading.office.story import Story
from likewise.reading.office.text_style import (
    MOST_PARAGRAPHS_BEFORE,
    UNKNOWN,
    WHITE,
    reversed_colour,
)
from likewise.reading.rtf.text import words_in
from likewise.reading.rtf.walk import Acts, RowShape, Walk

# Groups without words for people: tables of styles, what a field was asked, labels of lists (which
# the program counts), pictures and shapes as they were drawn for older readers, index entries.
_WITHOUT_WORDS: Final = """
    aftncn aftnsep aftnsepc atnauthor atndate atnicn atnid atnparent atnref atntime atrfend
    atrfstart bkmkend bkmkstart bxe datafield factoidname fchars filetbl ftncn ftnsep
    ftnsepc generator htmltag ixe lchars list listname listoverride listoverridetable listtable
    listtext maccPr mbarPr mborderBoxPr mboxPr mctrlPr mdPr meqArrPr mfPr mfuncPr mgroupChrPr
    mlimlowPr mlimuppPr mmathPict mmathPr mmPr mnaryPr moMathParaPr mphantPr mradPr mrPr msPrePr
    msSubPr msSubSupPr msSupPr nonesttables nonshppict objclass objdata objname objtime panose
    pn pnseclvl pntext pntxta pntxtb private protusertbl revtbl rsidtbl rxe shprslt tc
    template themedata txe userprops xe xmlnstbl
""".split()

_SUPPORTED_PICTURE = re.compile(r"\\(?:png|jpeg)blip")
_BINARY = re.compile(r"\\bin(\d{1,10}) ?")
_WORD = re.compile(r"\\[a-zA-Z]+(?:-?\d+)? ?")
_COUNTED = re.compile(r"\bSEQ\s")

ACTS: Final = Acts()


@ACTS.at("nesttableprops")
def _begin_inner_row(walk: Walk, _number: int) -> None:
    walk.row = RowShape()


@ACTS.at("fonttbl")
def _read_fonts(walk: Walk, _number: int) -> None:
    walk.read_fonts(walk.rest_of_group())


@ACTS.at(*_WITHOUT_WORDS)
def _skip(walk: Walk, _number: int) -> None:
    walk.skip_group()


@ACTS.at("shppict", "shpinst", "ud", "moMath", "moMathPara")
def _enter(_walk: Walk, _number: int) -> None:
    """Others may skip it; for us its text stands where the group stands."""


@ACTS.at("header", "headerl", "headerr", "headerf")
def _header(walk: Walk, _number: int) -> None:
    walk.headers.append(Story())
    walk.tell(walk.headers[-1])


@ACTS.at("footer", "footerl", "footerr", "footerf")
def _footer(walk: Walk, _number: int) -> None:
    walk.footers.append(Story())
    walk.tell(walk.footers[-1])


@ACTS.at("footnote")
def _note(walk: Walk, _number: int) -> None:
    if walk.deleted:
        walk.skip_group()
    else:  # notes follow the whole text: no run of words is cut by one
        walk.notes.end_begun_paragraph()
        walk.tell(walk.notes)


@ACTS.at("shptxt", "dptxbxtext")
def _text_box(walk: Walk, _number: int) -> None:
    if walk.deleted:
        walk.skip_group()
    else:
        walk.tell(walk.story.beside())
        walk.background = walk.shape_fill


@ACTS.at("shp", "do")
def _shape(walk: Walk, _number: int) -> None:
    walk.shape_fill = WHITE


@ACTS.at("shpfblwtxt")
def _below_text(walk: Walk, number: int) -> None:
    if number:
        walk.drawing_behind = MOST_PARAGRAPHS_BEFORE


@ACTS.at("annotation")
def _comment(walk: Walk, _number: int) -> None:
    walk.comments += 1
    walk.skip_group()


@ACTS.at("fldinst")
def _field(walk: Walk, _number: int) -> None:
    if _COUNTED.search(walk.rest_of_group()):
        walk.story.paragraph.counted = True


@ACTS.at("pict")
def _picture(walk: Walk, _number: int) -> None:
    group = walk.rest_of_group()
    if not _SUPPORTED_PICTURE.search(group):
        return  # a drawing of Windows or the Mac
    binary = _BINARY.search(group)
    if binary is not None:
        walk.picture(group[binary.end() :][: int(binary[1])].encode("latin-1"))
        return
    digits = _WORD.sub("", group[group.rfind("}") + 1 :])
    try:
        walk.picture(bytes.fromhex(digits))
    except ValueError:
        return  # cut off, or never a picture


@ACTS.at("sn")
def _name_setting(walk: Walk, _number: int) -> None:
    walk.setting = walk.rest_of_group().strip()


@ACTS.at("sv")
def _set(walk: Walk, _number: int) -> None:
    if walk.setting == "pib":  # the picture of a shape; others are what fills it
        walk.is_text_kept = False
    elif walk.setting in {"fillColor", "fFilled", "fillType"}:
        walk.shape_fill = _filled(walk.setting, walk.rest_of_group().strip(), walk.shape_fill)
    else:
        walk.skip_group()


def _filled(setting: str, value: str, fill: int) -> int:
    """What a shape is filled with, after one more setting."""
    number = int(value) if value.isdigit() and value.isascii() and len(value) < 10 else 0
    if (
        fill == UNKNOWN
        or (setting == "fFilled" and number)
        or (setting == "fillType" and not number)
    ):
        return fill
    return UNKNOWN if setting != "fillColor" else reversed_colour(number)


@ACTS.at("info")
def _no_words_but_inside(walk: Walk, _number: int) -> None:
    walk.is_text_kept = False


@ACTS.at("colortbl")
def _read_colours(walk: Walk, _number: int) -> None:
    walk.text_styles.read_colours(walk.rest_of_group())


@ACTS.at("stylesheet")
def _read_styles(walk: Walk, _number: int) -> None:
    walk.read_styles(walk.rest_of_group())


@ACTS.at("s")
def _choose_style(walk: Walk, number: int) -> None:
    walk.story.paragraph.style = str(number)
    walk.ground = walk.ground._replace(style=number)


@ACTS.at("title")
def _title(walk: Walk, _number: int) -> None:
    walk.about["title"] = Story()
    walk.tell(walk.about["title"])


@ACTS.at("author")
def _author(walk: Walk, _number: int) -> None:
    walk.about["author"] = Story()
    walk.tell(walk.about["author"])


@ACTS.at("creatim")
def _created(walk: Walk, _number: int) -> None:
    walk.created = dict(words_in(walk.rest_of_group()))
