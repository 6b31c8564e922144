"""Web pages: how near the whole text comes to what a browser would show.

`manifest.tsv` counts the letters of a page with everything but scripts and styles. What we leave
out on purpose (ways to other pages, controls, what is not displayed, the title) is counted apart by
another parser, so that the two counts of Cyrillic letters should meet; the words that only one of
the two has are lost or invented.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import html

from likewise.model import Document
from likewise.reading.encoding import decode
from likewise.reading.html import looks_like_html, read_html
from likewise.reading.request import Request

NEAR = 0.02  # of the listed letters
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_KAZAKH = re.compile("[әғқңөұүһ]", re.IGNORECASE)
_WORD = re.compile("[\u0400-\u04ff]+")
_LEFT_OUT = (
    "nav select datalist noscript noembed template object iframe canvas video audio title"
    " *[@role='navigation'] *[@role='menu'] *[@role='menubar']".split()
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPACED = " {}"
_WITHIN_WORDS = frozenset(
    "abbr acronym b big cite code em font i ins s small span strike strong sub sup tt u".split()
)
_NEVER_COUNTED = ("script", "style")


@dataclass(frozen=True, slots=True)
class Listed:
    """A page and what is known about it."""

    path: Path
    encoding: str
    language: str
    cyrillic: int
    kazakh: int


def listed(folder: Path) -> list[Listed]:
    """The pages of the manifest."""
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as lines:
        return [
            Listed(
                folder / row["group"] / row["file"],
                {"utf8": "utf-8"}.get(row["decoded_as"], row["decoded_as"]),
                row["lang_guess"],
                int(row["cyrillic_chars"]),
                int(row["kazakh_letters"]),
            )
            for row in csv.DictReader(lines, delimiter="\t")
        ]


def score(folder: Path) -> dict[str, Any]:
    """Encodings, letters and words of the pages, and the pages where they are not near."""
    pages = listed(folder)
    right = near = kazakh_near = alike = noted = mains = 0
    lost: Counter[str] = Counter()
    words_of_all = 0
    far, spent, size = [], 0.0, 0
    for page in pages:
        data = page.path.read_bytes()
        assert looks_like_html(data), page.path
        began = time.process_time()
        document = read_html(data, Request()).document(page.path.name)
        spent += time.process_time() - began
        size += len(data)
        decoded = decode(data)
        right += decoded.encoding == page.encoding
        noted += any(note.kind == "encoding" for note in document.notes)
        seen, aside = _by_another_parser(decoded.text)
        ours = document.text
        letters = len(_CYRILLIC.findall(ours)) + len(_CYRILLIC.findall(aside))
        is_near = abs(letters - page.cyrillic) <= NEAR * page.cyrillic
        near += is_near
        kazakh = len(_KAZAKH.findall(ours)) + len(_KAZAKH.findall(aside))
        kazakh_near += abs(kazakh - page.kazakh) <= max(NEAR * page.kazakh, 2)
        words, our_words = (Counter(_WORD.findall(text.lower())) for text in (seen, ours))
        missing = words - our_words
        words_of_all += words.total()
        lost[page.path.name] = missing.total()
        alike += missing.total() <= NEAR * words.total()
        mains += _has_main_text(data, document)
        if not is_near:
            far.append({"page": page.path.name, "letters": letters, "listed": page.cyrillic})
    return {
        "pages": len(pages),
        "encoding as listed": right,
        "Cyrillic letters near": near,
        "Kazakh letters near": kazakh_near,
        "words kept": alike,
        "words lost": round(lost.total() / max(words_of_all, 1), 5),
        "with a note on the encoding": noted,
        "with a main text": mains,
        "not near": far,
        "MB/s": round(size / spent / 1e6, 1),
    }


def _has_main_text(data: bytes, whole: Document) -> bool:
    main = read_html(data, Request(web_page=True)).document(whole.name)
    return all(note.kind != "whole page" for note in main.notes)


def _by_another_parser(page: str) -> tuple[str, str]:
    """What lxml sees of a page, and what of it we leave out on purpose."""
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, huge_tree=True)
    tree = html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    for name in _NEVER_COUNTED:
        for element in tree.xpath(f"//{name}"):
            element.drop_tree()
    aside = []
    for name in _LEFT_OUT:
        for element in tree.xpath(f"//{name}"):
            if element.getparent() is not None:
                aside.append(element.text_content())
                element.drop_tree()
    return _text_of(tree), " ".join(aside)


def _text_of(tree: html.HtmlElement) -> str:
    """Its text, with a space around every element that is not part of a word."""
    for element in tree.iter():
        if element.tag not in _WITHIN_WORDS:
            element.text = _SPACED.format(_CONTROL.sub(" ", element.text or ""))
            element.tail = _SPACED.format(_CONTROL.sub(" ", element.tail or ""))
    return str(tree.text_content())


def main() -> None:
    """Print the figures: `python -m bench.quality.webpages FOLDER`."""
    print(json.dumps(score(Path(sys.argv[1])), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
