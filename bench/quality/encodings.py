"""Encodings: web pages in their own, snippets of 15 characters in every one, a detector's test set.

The letter pairs behind the scorer were counted in other texts: never in the pages, never in the
test set, and of the corpora that they were counted in only the texts held out are asked here.

A snippet or a file is right where the decoded text is right, whatever the encoding is called.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.making.letters import is_held_out, texts
from bench.quality.webpages import Listed, listed
from likewise.errors import ReadingError
from likewise.reading.encoding import decode
from likewise.reading.encoding.mojibake import repair_mojibake
from likewise.reading.html import read_html
from likewise.reading.request import Request

LENGTH, SNIPPETS, SEED = 15, 400, 7
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
RUSSIAN = ("cp1251", "koi8-r", "koi8-u", "cp866", "iso-8859-5", "kz-1048", "mac-cyrillic")
RARE = ("cp855", "ptcp154")
KAZAKH = ("kz-1048",)
_HIGH = re.compile("[^\x00-\x7f]")


def score(folder: Path) -> dict[str, Any]:
    """Shares of right answers; `folder` holds the pages, the other corpora stand beside it."""
    return {
        "pages": _pages(folder),
        "snippets": _snippets(folder),
        "chardet": _test_set(folder.parent / "formats" / "chardet_encodings"),
    }


def _pages(folder: Path) -> dict[str, Any]:
    """Each page as bytes, without what it declares."""
    wrong: list[str] = []
    untrue: list[str] = []
    spent, size = 0.0, 0
    pages = listed(folder)
    for page in pages:
        data = page.path.read_bytes()
        began = time.process_time()
        decoded = decode(data)
        spent += time.process_time() - began
        size += len(data)
        asked = data.decode(page.encoding, "replace")
        if decoded.encoding != page.encoding and decoded.text != asked:
            # A listed encoding that makes mojibake of a page is not the page's encoding.
            (untrue if repair_mojibake(asked) else wrong).append(page.path.name)
    right = len(pages) - len(wrong) - len(untrue)
    return {
        "pages": len(pages),
        "right": right,
        "share": round(right / len(pages), 4),
        "wrong": wrong,
        "listed wrongly": untrue,
        "MB/s": round(size / spent / 1e6, 1),
    }


def _snippets(folder: Path) -> dict[str, Any]:
    """Pieces of real text in every encoding that has their letters."""
    dice = random.Random(SEED)
    figures: dict[str, Any] = {}
    total: Counter[str] = Counter()
    for kind, pieces, encodings in _kinds(folder, dice):
        asked, right, unsaid = Counter[str](), Counter[str](), 0
        for encoding in encodings:
            for piece in pieces:
                answer = _answer(piece, encoding)
                if answer is not None:
                    is_right, is_doubted = answer
                    asked[encoding] += 1
                    right[encoding] += is_right
                    unsaid += not is_right and not is_doubted
        figures[kind] = {
            "asked": asked.total(),
            "share": round(right.total() / max(asked.total(), 1), 4),
            "wrong without a note": unsaid,
            **{name: round(right[name] / asked[name], 4) for name in encodings if asked[name]},
        }
        if kind != "rare encodings":
            total += Counter(asked=asked.total(), right=right.total(), unsaid=unsaid)
    shares = {"asked": total["asked"], "share": round(total["right"] / total["asked"], 4)}
    return {"all": shares | {"wrong without a note": total["unsaid"]}, **figures}


def _kinds(folder: Path, dice: random.Random) -> Iterator[tuple[str, list[str], tuple[str, ...]]]:
    russian = _texts_of(folder, "ru")
    kazakh = _texts_of(folder, "kk")
    yield "Russian pages", _cut(russian, dice), (*RUSSIAN, *UNICODE)
    yield "Russian capitals", [s.upper() for s in _cut(russian, dice)], (*RUSSIAN, *UNICODE)
    with_latin = re.compile(r"[a-zA-Z]{2}.*[а-яё]{2}|[а-яё]{2}.*[a-zA-Z]{2}")
    yield "Russian with Latin", _cut(russian, dice, with_latin), RUSSIAN
    with_digits = re.compile(r"(?=.*\d)(?=.*[.,:;()«»–—-]).*[а-яё]{2}")
    yield "Russian with digits", _cut(russian, dice, with_digits), RUSSIAN
    yield "Kazakh pages", _cut(kazakh, dice), (*KAZAKH, *UNICODE)
    yield "Kazakh capitals", [s.upper() for s in _cut(kazakh, dice)], KAZAKH
    for language, encodings in (("ru", RUSSIAN), ("kk", KAZAKH)):
        held_out = [text for name, text in texts(folder.parent, language) if is_held_out(name)]
        if held_out:
            yield f"held out, {language}", _cut(held_out, dice), encodings
    yield "rare encodings", _cut(russian, dice), RARE


def _texts_of(folder: Path, language: str) -> list[str]:
    """The whole texts of pages in a language; pages in a wrongly listed encoding are left out."""
    found = []
    for page in listed(folder):
        text = page.path.read_bytes().decode(page.encoding, "replace")
        if page.language == language and "\ufffd" not in text and not repair_mojibake(text):
            found.append(_visible(page, text))
    return found


def _visible(page: Listed, text: str) -> str:
    draft = read_html(text.encode(), Request(charset="utf-8"))
    return draft.document(page.path.name).text.replace("\n", " ")


def _cut(among: list[str], dice: random.Random, wanted: re.Pattern[str] = _HIGH) -> list[str]:
    """Pieces of the asked length, six of ten from the beginning of a word on."""
    pieces: list[str] = []
    for _ in range(200 * SNIPPETS):
        text = dice.choice(among)
        start = dice.randrange(max(len(text) - LENGTH, 1))
        if dice.random() < 0.6:
            start = text.find(" ", start, len(text) - LENGTH) + 1
        piece = re.sub(r"\s", " ", text[start : start + LENGTH])
        if len(piece) == LENGTH and wanted.search(piece):
            pieces.append(piece)
        if len(pieces) == SNIPPETS:
            break
    return pieces


def _answer(piece: str, encoding: str) -> tuple[bool, bool] | None:
    """Whether a snippet was read rightly, and whether a note says that this is not sure."""
    try:
        data = piece.encode(encoding)
    except UnicodeEncodeError:
        return None
    try:
        decoded = decode(data)
    except ReadingError:
        return False, True
    return decoded.text == piece, decoded.note is not None


def _test_set(folder: Path) -> dict[str, Any]:
    """Files of a detector's test set; their folders are called after their encodings."""
    asked, wrong = Counter[str](), []
    for path in sorted(folder.glob("*/*")):
        encoding = re.sub(r"-(russian|bulgarian)$", "", path.parent.name)
        data = path.read_bytes()
        asked[path.parent.name] += 1
        if decode(data).text != data.decode(encoding, "replace"):
            wrong.append(f"{path.parent.name}/{path.name}")
    if not asked:
        return {}
    share = 1 - len(wrong) / asked.total()
    return {"files": asked.total(), "share": round(share, 4), "wrong": wrong}


def main() -> None:
    """Print the figures: `python -m bench.quality.encodings FOLDER`."""
    print(json.dumps(score(Path(sys.argv[1])), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
