"""Long texts to documents."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

SHORTEST_WORDS, LONGEST_WORDS = 40, 4000
_UNSEEN = frozenset({"head", "script", "style", "nav", "footer"})
_INLINE = frozenset(
    {
        "a",
        "abbr",
        "b",
        "code",
        "em",
        "i",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "tt",
        "u",
        "var",
    }
)


class _Visible(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.unseen += tag in _UNSEEN
        if tag not in _INLINE:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in _UNSEEN and self.unseen > 0
        if tag not in _INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.pieces.append(data)


def visible_text(html: str) -> str:
    """What a browser shows of a page, a line a block.

    >>> visible_text("<p>one <b>two</b></p><script>three</script><p>four").split()
    ['one', 'two', 'four']
    """
    parser = _Visible()
    parser.feed(html)
    parser.close()
    return "".join(parser.pieces)


def cut(text: str, dice: random.Random) -> Iterator[str]:
    """Documents of log-normal length (median 257 words), cut at line ends; a short rest is lost."""
    wanted, lines, words = document_words(dice), list[str](), 0
    for line in text.splitlines():
        line = " ".join(line.split())
        if line:
            lines.append(line)
            words += line.count(" ") + 1
        if words >= wanted:
            yield "\n".join(lines)
            wanted, lines, words = document_words(dice), [], 0
    if words >= SHORTEST_WORDS:
        yield "\n".join(lines)


def document_words(dice: random.Random) -> int:
    """How long the next document is."""
    return round(min(max(dice.lognormvariate(5.55, 0.75), SHORTEST_WORDS), LONGEST_WORDS))


def first_chars(texts: Iterable[str], chars: int) -> list[str]:
    """The first texts, up to the one that fills this many characters.

    >>> first_chars(["ab", "cd", "ef"], 3)
    ['ab', 'cd']
    """
    taken: list[str] = []
    filled = 0
    for text in texts:
        if filled >= chars:
            break
        taken.append(text)
        filled += len(text)
    return taken
