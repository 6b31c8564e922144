"""Tesseract: where its language data are, what is missing, and the words of a page."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from likewise.errors import ReadingError
from likewise.languages import language_of
from likewise.model import Message
from likewise.reading.request import LANGUAGES

Array = np.ndarray[Any, np.dtype[Any]]

_PLACES: Final = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "C:/Program Files/Tesseract-OCR/tessdata",
)
_DPI = 200  # of pages whose letters are as high as we make them
_MILLISECONDS = 20_000  # for one page; a newspaper's takes 10,000
_MODULES: Final = ("tesserocr", "cv2")


def language_data() -> Path | None:
    """The folder of Tesseract's language data, or None where there is none.

    `TESSDATA_PREFIX` is asked first, and may name the folder itself or the one around it.
    """
    prefix = os.environ.get("TESSDATA_PREFIX")
    folders = [Path(prefix), Path(prefix) / "tessdata"] if prefix else []
    for folder in [*folders, *map(Path, _PLACES)]:
        if any(folder.glob("*.traineddata")):
            return folder
    return None


def missing(languages: Sequence[str] = LANGUAGES) -> Message | None:
    """What recognition lacks and the command that installs it; None where nothing is missing."""
    if not _is_installed():
        return Message("reading.ocr_not_installed", {"command": "pip install 'likewise[ocr]'"})
    lacking = _lacking(languages)
    if lacking:
        packages = " ".join(f"tesseract-ocr-{name}" for name in lacking + _lacking(["osd"]))
        return Message("reading.language_data", {"command": f"apt-get install {packages}"})
    return None


def usable(languages: Sequence[str] = LANGUAGES) -> tuple[str, ...]:
    """Those of some languages that can be recognised here."""
    lacking = _lacking(languages) if _is_installed() else list(map(_name, languages))
    return tuple(language for language in languages if _name(language) not in lacking)


def _is_installed() -> bool:
    return all(find_spec(module) is not None for module in _MODULES)


def _lacking(languages: Sequence[str]) -> list[str]:
    folder = language_data()
    names = map(_name, languages)
    return [
        name for name in names if folder is None or not (folder / f"{name}.traineddata").is_file()
    ]


def _name(code: str) -> str:
    """Tesseract's name of a language, and that of Debian's package that holds its data."""
    language = language_of(code)
    return code if language is None else language.ocr_data


def recognise(
    grey: Array, languages: Sequence[str] = LANGUAGES, is_one_line: bool = False
) -> OcrPage:
    """The words on a page that is upright and flat, black on white, at about 200 dpi."""
    engine = _engine("+".join(map(_name, languages)), str(language_data()))
    tesserocr = import_module("tesserocr")
    height, width = grey.shape
    engine.SetPageSegMode(tesserocr.PSM.SINGLE_LINE if is_one_line else tesserocr.PSM.AUTO)
    engine.SetImageBytes(np.ascontiguousarray(grey).tobytes(), width, height, 1, width)
    engine.SetSourceResolution(_DPI)
    try:
        if not engine.Recognize(_MILLISECONDS):
            return OcrPage(is_complete=False)
        return OcrPage(tuple(_lines(tesserocr, engine)))
    finally:
        engine.Clear()


def _lines(tesserocr: Any, engine: Any) -> list[Line]:
    level = tesserocr.RIL
    iterator = engine.GetIterator()
    lines: list[Line] = []
    for place in tesserocr.iterate_level(iterator, level.WORD) if iterator else ():
        if place.Empty(level.WORD):
            continue
        if place.IsAtBeginningOf(level.TEXTLINE) or not lines:
            box = place.BoundingBox(level.TEXTLINE) or (0, 0, 0, 0)
            lines.append(Line((), place.IsAtBeginningOf(level.PARA), box))
        text = place.GetUTF8Text(level.WORD).strip()
        if text:
            word = Word(text, place.Confidence(level.WORD))
            lines[-1] = replace(lines[-1], words=(*lines[-1].words, word))
    return [line for line in lines if line.words]


# What Tesseract has to say goes to the standard error. By default it opens /dev/null for writing,
# and crashes where that is refused, as it is to a reader that may write nothing.
QUIET = {"debug_file": ""}


@lru_cache(maxsize=4)
def _engine(names: str, folder: str) -> Any:
    """Tesseract with its models loaded; kept, because loading takes longer than a short page."""
    # More threads would spend twice the CPU time for a little less waiting.
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    tesserocr = import_module("tesserocr")
    tesserocr.set_leptonica_log_level(tesserocr.LeptLogLevel.NONE)
    try:
        return tesserocr.PyTessBaseAPI(
            path=folder, lang=names, psm=tesserocr.PSM.AUTO, variables=QUIET
        )
    except RuntimeError as error:
        raise ReadingError("reading.language_data_damaged", names=names, folder=folder) from error


# What recognition made of a page: lines of words, and how sure it is of each.

LEGIBLE_LINE = 40.0  # confidence from which a line is taken for text
LEGIBLE_PAGE = 50.0  # mean confidence from which a page is


@dataclass(frozen=True, slots=True)
class Word:
    """A word, with the engine's confidence from 0 to 100."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of words; `starts_paragraph` where white space stands above it.

    `box` is where it stands on the cleaned page: left, top, right, bottom.
    """

    words: tuple[Word, ...]
    starts_paragraph: bool = False
    box: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def confidence(self) -> float:
        return mean_confidence(self.words)


@dataclass(frozen=True, slots=True)
class OcrPage:
    """The lines of one page in reading order.

    >>> page = OcrPage((Line((Word("Steppe", 96.0), Word("sky", 90.0))),))
    >>> page.text, page.confidence, page.is_legible
    ('Steppe sky', 94.0, True)
    """

    lines: tuple[Line, ...] = ()
    is_complete: bool = True  # else it took too long

    @property
    def text(self) -> str:
        parts: list[str] = []
        for line in self.lines:
            if parts:
                parts.append("\n\n" if line.starts_paragraph else "\n")
            parts.append(line.text)
        return "".join(parts)

    @property
    def confidence(self) -> float:
        """The mean over all characters; 0 where there are none."""
        return mean_confidence(word for line in self.lines for word in line.words)

    @property
    def is_legible(self) -> bool:
        return self.confidence >= LEGIBLE_PAGE

    @property
    def characters(self) -> int:
        return sum(len(word.text) for line in self.lines for word in line.words)


def mean_confidence(words: Iterable[Word]) -> float:
    """The confidence of a character on average, so that specks between words hardly count."""
    words = tuple(words)
    characters = sum(len(word.text) for word in words)
    if not characters:
        return 0.0
    return sum(word.confidence * len(word.text) for word in words) / characters
