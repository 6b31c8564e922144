"""Text that a page of a PDF has and does not show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from ctypes import addressof, c_ushort
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from likewise.reading.draft import Hidden
from likewise.reading.pdf.drawn import Box
from likewise.reading.pdf.looking import Look
from likewise.reading.pdf.page import HiddenRun, LivePage, PageText
from likewise.reading.pdf.painted import Area, Painted, TextPiece, painted_on

WHITE = 242  # of 255: paper, for those who look at it
CLEAR = 13  # of 255: hardly a shadow
TINY = 1.5  # points, on a page as high as A4
PAGE_HEIGHT = 842.0  # points, of A4
NEAR = 12  # of 255 in each colour: the same to the eye
LARGE_PICTURE = 0.2  # of a page: a scan, or a part of one
COVERED = 0.9  # of a piece of text below or above something
DOUBLE = 3.0  # points by which a piece and its shadow differ
MOST_LOOKS = 200  # pages of a document that are looked at
FEWEST = 5  # words of a page; fewer hide nothing, and programs leave such behind
FEWEST_CUT = 10  # outside of a clip or of the page, where figures lose their edges
MOST_AREAS = 500  # of a page that are compared with its text

_CUT = (Hidden.OFF_PAGE, Hidden.CLIPPED)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")


class Suspect(NamedTuple):
    piece: TextPiece
    how: str


class Searcher:
    """Looks for hidden text on the pages of one document."""

    def __init__(self) -> None:
        self._looks = MOST_LOOKS

    def hidden_on(self, live: LivePage, text: PageText) -> list[HiddenRun]:
        """The hidden runs of a page, from its beginning to its end."""
        painted = painted_on(live.page)
        certain, doubtful = _suspects(painted, live)
        if _words(certain + doubtful, live) < FEWEST:
            return []
        if doubtful and self._looks:
            self._looks -= 1
            certain += _unseen(doubtful, painted, live)
        cut = [suspect for suspect in certain if suspect.how in _CUT]
        if cut and _words(cut, live) < FEWEST_CUT:
            certain = [suspect for suspect in certain if suspect.how not in _CUT]
        if _words(certain, live) < FEWEST:
            return []
        hows = {addressof(piece.thing.contents): how for piece, how in certain}
        return _runs(live, text.raw, hows)


def _suspects(painted: Painted, live: LivePage) -> tuple[list[Suspect], list[Suspect]]:
    """Pieces that are certainly hidden, and those that must be looked at."""
    certain: list[Suspect] = []
    doubtful: list[Suspect] = []
    left, bottom, right, top = live.box
    tiny = TINY * min(1.0, max(right - left, top - bottom) / PAGE_HEIGHT)
    plain = []
    for piece in painted.texts:
        x0, y0, x1, y1 = piece.box
        if x0 >= x1 or y0 >= y1:
            continue  # blanks
        clip = piece.clip
        if x1 <= left or x0 >= right or y1 <= bottom or y0 >= top:
            certain.append(Suspect(piece, Hidden.OFF_PAGE))
        elif x1 <= clip[0] or x0 >= clip[2] or y1 <= clip[1] or y0 >= clip[3]:
            doubtful.append(Suspect(piece, Hidden.CLIPPED))
        elif piece.mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE:
            if not _on_scan(piece, painted.areas, live):
                doubtful.append(Suspect(piece, Hidden.INVISIBLE))
        elif piece.mode == pdfium.FPDF_TEXTRENDERMODE_CLIP:
            doubtful.append(Suspect(piece, Hidden.INVISIBLE))
        elif piece.alpha <= CLEAR:
            doubtful.append(Suspect(piece, Hidden.TRANSPARENT))
        elif min(x1 - x0, y1 - y0) < tiny and piece.size < tiny:
            certain.append(Suspect(piece, Hidden.TINY))
        else:
            plain.append(piece)
    return certain, doubtful + _by_what_is_around(plain, painted.areas)


def _by_what_is_around(pieces: Sequence[TextPiece], areas: Sequence[Area]) -> list[Suspect]:
    """White pieces with nothing dark below, pieces of their ground's colour, covered pieces."""
    if not areas:
        return [Suspect(piece, Hidden.WHITE) for piece in pieces if _is_white(piece.colour)]
    if not pieces:
        return []
    boxes = np.array([piece.box for piece in pieces])
    orders = np.array([piece.order for piece in pieces])
    ground: list[Area | None] = [None] * len(pieces)
    covered: set[int] = set()
    for area in areas[:MOST_AREAS]:
        there = _covers(area.box, boxes)
        for i in np.flatnonzero(there & (orders > area.order)).tolist():
            ground[i] = area
        covered.update(np.flatnonzero(there & (orders < area.order)).tolist())
    suspects = []
    for i, piece in enumerate(pieces):
        below = ground[i]
        colour = (255, 255, 255) if below is None else below.colour
        if colour is None:
            alike = _is_white(piece.colour)  # of a picture nobody knows the colour
        else:
            alike = _near(piece.colour, colour) or (_is_white(piece.colour) and _is_white(colour))
        if alike:
            suspects.append(Suspect(piece, Hidden.WHITE))
        elif i in covered:
            suspects.append(Suspect(piece, Hidden.UNDER_PICTURE))
    return suspects


def _covers(area: Box, boxes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Which boxes an area covers, but for a little."""
    left, bottom, right, top = boxes.T
    width = np.minimum(right, area[2]) - np.maximum(left, area[0])
    height = np.minimum(top, area[3]) - np.maximum(bottom, area[1])
    return np.asarray(
        (width > COVERED * (right - left)) & (height > COVERED * (top - bottom)), dtype=bool
    )


def _on_scan(piece: TextPiece, areas: Iterable[Area], live: LivePage) -> bool:
    """Whether a piece lies on a large picture: that of the page from which it was recognised."""
    x, y = (piece.box[0] + piece.box[2]) / 2, (piece.box[1] + piece.box[3]) / 2
    return any(
        area.is_picture
        and area.box[0] <= x <= area.box[2]
        and area.box[1] <= y <= area.box[3]
        and (area.box[2] - area.box[0]) * (area.box[3] - area.box[1]) >= LARGE_PICTURE * live.area
        for area in areas
    )


def _unseen(doubtful: Sequence[Suspect], painted: Painted, live: LivePage) -> list[Suspect]:
    """Those that nobody sees, by looking at the page with and without them."""
    look = Look(live.page, [suspect.piece.box for suspect in doubtful])
    shown = [suspect for suspect in doubtful if suspect.how != Hidden.INVISIBLE]
    unseen = [suspect for suspect in doubtful if suspect.how == Hidden.INVISIBLE]
    unseen = [suspect for suspect in unseen if look.blank(suspect.piece.box)]
    if shown:
        pieces = [suspect.piece for suspect in shown]
        missed = look.missed([piece.thing for piece in pieces], [piece.box for piece in pieces])
        unseen += [suspect for suspect, seen in zip(shown, missed, strict=True) if not seen]
    suspected = {id(suspect.piece) for suspect in doubtful}
    others = [piece for piece in painted.texts if id(piece) not in suspected]
    return [suspect for suspect in unseen if not _has_double(suspect.piece, others, live)]


def _has_double(piece: TextPiece, others: Iterable[TextPiece], live: LivePage) -> bool:
    """Whether the same is painted visibly at the same place, over its halo or its shadow."""
    for other in others:
        if max(abs(a - b) for a, b in zip(piece.box, other.box, strict=True)) < DOUBLE:
            said = _said(other, live)
            if not said or said == _said(piece, live):  # PDFium itself drops a double
                return True
    return False


def _words(suspects: Iterable[Suspect], live: LivePage) -> int:
    """How many words there are at least."""
    return sum(len(_WORD.findall(_said(suspect.piece, live))) for suspect in suspects)


def _said(piece: TextPiece, live: LivePage) -> str:
    length = pdfium.FPDFTextObj_GetText(piece.thing, live.text_page, None, 0)
    room = (c_ushort * (length // 2 + 1))()
    pdfium.FPDFTextObj_GetText(piece.thing, live.text_page, room, length)
    return bytes(room).decode("utf-16-le", "ignore").strip("\0 \r\n")


def _runs(live: LivePage, raw: str, hows: dict[int, str]) -> list[HiddenRun]:
    """Where the characters of hidden pieces stand in the text of the page."""
    owner_of = pdfium.FPDFText_GetTextObject
    found: dict[int, str] = {}
    for i, offset in enumerate(live.offsets()):
        owner = owner_of(live.text_page, i)
        if owner and (how := hows.get(addressof(owner.contents))):
            found[offset] = how
    runs: list[HiddenRun] = []
    for at, how in sorted(found.items()):
        if not 0 <= at < len(raw) or raw[at].isspace():
            continue
        last = runs[-1] if runs else None
        if last and last.how == how and not raw[last.end : at].strip():
            runs[-1] = HiddenRun(last.start, at + 1, how)
        else:
            runs.append(HiddenRun(at, at + 1, how))
    return [run for run in runs if _LETTER.search(raw, run.start, run.end)]


def _is_white(colour: tuple[int, int, int]) -> bool:
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue >= WHITE


def _near(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= NEAR
