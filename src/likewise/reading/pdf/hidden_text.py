"""Text that a page of a PDF has and does not show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from ctypes import addressof, c_ushort
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from likewise.reading.draft import Hidden
from likewise.reading.pdf.page import HiddenRun, LivePage, PageText
from likewise.reading.pdf.page_objects import Area, Box, Colour, Painter, TextPiece
from likewise.reading.pdf.rendering import PageRendering

CLEAR = 13  # of 255: hardly a shadow
TINY = 1.5  # points, where the page is not itself a miniature
MINIATURE = 250.0  # points of the longer side of a page
LARGE_PICTURE = 0.2  # of a page: a scan, or a part of one
OVERLAPPED = 0.3  # of a piece of text that stands across another
DOUBLE = 3.0  # points by which a piece and its shadow differ
MOST_RENDERED = 200  # pages of a document that are looked at
FEWEST = 5  # words of a page; fewer hide nothing, and programs leave such behind
FEWEST_CUT = 10  # outside of a clip or of the page, where figures lose their edges
ALL_PIECES, FARTHEST = 300, 8  # pieces of a page of which each is seen, or else one of so many

_CUT = (Hidden.OFF_PAGE, Hidden.CLIPPED)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")


class _Suspects(NamedTuple):
    """Pieces that are certainly hidden, those that must be looked at, and all others."""

    certain: list[Suspect]
    doubtful: list[Suspect]
    plain: list[TextPiece]


class Searcher:
    """Looks for hidden text on the pages of one document."""

    def __init__(self) -> None:
        self._remaining_renderings = MOST_RENDERED

    def hidden_on(self, live: LivePage, text: PageText) -> list[HiddenRun]:
        """The hidden runs of a page, from its beginning to its end."""
        texts = live.objects.texts
        painter = Painter(live.objects)
        areas = painter.areas()
        # Browsers paint letter by letter: some of them tell whether there is anything to look for.
        step = min(FARTHEST, len(texts) // ALL_PIECES + 1)
        suspects = _suspects(painter.pieces(texts[::step]), areas, live)
        if step > 1 and (suspects.certain or suspects.doubtful):
            suspects = _suspects(painter.pieces(texts), areas, live)
        certain, doubtful, _ = suspects
        piece_texts = _PieceTexts(live)
        if piece_texts.words(certain + doubtful) < FEWEST:
            return []
        if doubtful and self._remaining_renderings:
            self._remaining_renderings -= 1
            certain = certain + _unseen(suspects, piece_texts)
        cut = [suspect for suspect in certain if suspect.how in _CUT]
        if cut and piece_texts.words(cut) < FEWEST_CUT:
            certain = [suspect for suspect in certain if suspect.how not in _CUT]
        if piece_texts.words(certain) < FEWEST:
            return []
        hows = {addressof(piece.thing.contents): how for piece, how in certain}
        return _runs(live, text.raw, hows)


class _PieceTexts:
    """What pieces of text say."""

    def __init__(self, live: LivePage) -> None:
        self.live = live

    def of(self, piece: TextPiece) -> str:
        """The text of a piece; nothing where PDFium dropped it as the double of another."""
        text_page = self.live.text_page
        length = pdfium.FPDFTextObj_GetText(piece.thing, text_page, None, 0)
        buffer = (c_ushort * (length // 2 + 1))()
        pdfium.FPDFTextObj_GetText(piece.thing, text_page, buffer, length)
        return bytes(buffer).decode("utf-16-le", "ignore").strip("\0\r\n")

    def words(self, suspects: Sequence[Suspect]) -> int:
        """How many words pieces are, as far as they stand one after the other."""
        parts: list[str] = []
        for i, (piece, _) in enumerate(suspects):
            before = suspects[i - 1].piece if i else None
            if before is None or not _follows(before.box, piece.box):
                parts.append(" ")
            parts.append(self.of(piece))
        return len(_WORD.findall("".join(parts)))


def _follows(before: Box, box: Box) -> bool:
    """Whether a piece goes on where the one before ended: letters of a word do."""
    height = max(before[3] - before[1], box[3] - box[1])
    level = min(before[3], box[3]) > max(before[1], box[1])
    return level and -height < box[0] - before[2] < 0.25 * height


def _suspects(pieces: Sequence[TextPiece], areas: Sequence[Area], live: LivePage) -> _Suspects:
    suspects = _Suspects([], [], [])
    left, bottom, right, top = live.box
    tiny = TINY * min(1.0, max(right - left, top - bottom) / MINIATURE)
    for piece in pieces:
        x0, y0, x1, y1 = piece.box
        clip = piece.clip
        if x1 <= left or x0 >= right or y1 <= bottom or y0 >= top:
            suspects.certain.append(Suspect(piece, Hidden.OFF_PAGE))
        elif x1 <= clip[0] or x0 >= clip[2] or y1 <= clip[1] or y0 >= clip[3]:
            suspects.doubtful.append(Suspect(piece, Hidden.CLIPPED))
        elif piece.mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE:
            if not _on_scan(piece, areas, live):
                suspects.doubtful.append(Suspect(piece, Hidden.INVISIBLE))
        elif piece.mode == pdfium.FPDF_TEXTRENDERMODE_CLIP:
            suspects.doubtful.append(Suspect(piece, Hidden.INVISIBLE))
        elif piece.alpha <= CLEAR:
            suspects.doubtful.append(Suspect(piece, Hidden.TRANSPARENT))
        elif min(x1 - x0, y1 - y0) < tiny and piece.size < tiny:
            suspects.certain.append(Suspect(piece, Hidden.TINY))
        else:
            suspects.plain.append(piece)
    around = by_what_is_around(suspects.plain, areas)
    if around:
        suspected = {suspect.piece.order for suspect in around}
        suspects.plain[:] = [piece for piece in suspects.plain if piece.order not in suspected]
        suspects.doubtful.extend(around)
    return suspects


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


def _unseen(suspects: _Suspects, piece_texts: _PieceTexts) -> list[Suspect]:
    """Those that nobody sees, by looking at the page with and without them."""
    doubtful = suspects.doubtful
    pieces = [suspect.piece for suspect in doubtful]
    look = PageRendering(piece_texts.live.page, [piece.box for piece in pieces])
    missed = look.missed([piece.thing for piece in pieces], [piece.box for piece in pieces])
    plain = np.array([piece.box for piece in suspects.plain]).reshape(-1, 4)
    return [
        suspect
        for suspect, is_missed in zip(doubtful, missed, strict=True)
        if not is_missed
        and not _has_double(suspect.piece, suspects.plain, plain, piece_texts)
        and (suspect.how not in _UNPAINTED or _nothing_shows(suspect.piece, look, plain))
    ]


# What leaves no trace itself may still be the shape of something that does: letters filled with a
# picture, letters drawn as shapes below.
_UNPAINTED = (Hidden.INVISIBLE, Hidden.TRANSPARENT)


def _nothing_shows(piece: TextPiece, look: PageRendering, plain: np.ndarray[Any, Any]) -> bool:
    """Whether there is nothing in its place, or other text."""
    if look.blank(piece.box):
        return True
    left, bottom, right, top = piece.box
    width = np.minimum(right, plain[:, 2]) - np.maximum(left, plain[:, 0])
    height = np.minimum(top, plain[:, 3]) - np.maximum(bottom, plain[:, 1])
    across = np.maximum(width, 0) * np.maximum(height, 0)
    return bool(across.sum() > OVERLAPPED * (right - left) * (top - bottom))


def _has_double(
    piece: TextPiece,
    others: Sequence[TextPiece],
    boxes: np.ndarray[Any, Any],
    piece_texts: _PieceTexts,
) -> bool:
    """Whether the same is painted visibly at the same place, over its halo or its shadow."""
    near = np.flatnonzero(np.abs(boxes - np.array(piece.box)).max(axis=1, initial=0) < DOUBLE)
    texts = [piece_texts.of(others[i]) for i in near.tolist()]
    return any(not text or text.strip() == piece_texts.of(piece).strip() for text in texts)


def _runs(live: LivePage, raw: str, hows: dict[int, str]) -> list[HiddenRun]:
    """Where the characters of hidden pieces stand in the text of the page."""
    owner_of = pdfium.FPDFText_GetTextObject
    ways: dict[int, str] = {}
    for i, offset in enumerate(live.offsets()):
        owner = owner_of(live.text_page, i)
        if owner and (how := hows.get(addressof(owner.contents))):
            ways[offset] = how
    runs: list[HiddenRun] = []
    for at, how in sorted(ways.items()):
        if not 0 <= at < len(raw) or raw[at].isspace():
            continue
        last = runs[-1] if runs else None
        if last and last.how == how and not raw[last.end : at].strip():
            runs[-1] = HiddenRun(last.start, at + 1, how)
        else:
            runs.append(HiddenRun(at, at + 1, how))
    return [run for run in runs if _LETTER.search(raw, run.start, run.end)]


# Pieces of text that may not be seen because of what lies below or above them.

WHITE = 242  # of 255: paper, for those who look at it
NEAR = 12  # of 255 in each colour: the same to the eye
COVERED = 0.9  # of a piece of text below or above something
MOST_AREAS = 500  # of a page that are compared with its text


class Suspect(NamedTuple):
    """A piece of text that may be hidden, and how."""

    piece: TextPiece
    how: str


def by_what_is_around(pieces: Sequence[TextPiece], areas: Sequence[Area]) -> list[Suspect]:
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


def _is_white(colour: Colour) -> bool:
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue >= WHITE


def _near(one: Colour, other: Colour) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= NEAR
