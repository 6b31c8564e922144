"""Texts of any length that nobody writes, but somebody may hand in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

ZERO_WIDTH, SOFT_HYPHEN, ACUTE = "\u200b", "\u00ad", "\u0301"


def _filled(piece: str) -> Callable[[int], str]:
    return lambda length: piece * (length // len(piece) + 1)


def _numbered(line: str) -> Callable[[int], str]:
    def made(length: int) -> str:
        lines: list[str] = []
        size = 0
        for number in count(1):
            lines.append(line.format(number))
            size += len(lines[-1])
            if size > length:
                break
        return "".join(lines)

    return made


def _halves(first: str, then: str) -> Callable[[int], str]:
    return lambda length: _filled(first)(length // 2) + _filled(then)(length // 2)


def _distinct_words(length: int) -> str:
    return " ".join(_word(number) for number in range(length // 6))


def _word(number: int) -> str:
    letters = "bcdfghjklmnprstvwxz"
    word = ""
    for _ in range(5):
        number, at = divmod(number * 7 + 3, len(letters))
        word += letters[at] + "aeiou"[at % 5]
    return word


HOSTILE: dict[str, Callable[[int], str]] = {
    "one long word": _filled("a"),
    "one long word with a zero-width character": lambda n: "a" * n + ZERO_WIDTH + "b",
    "a zero-width character after every letter": _filled("a" + ZERO_WIDTH),
    "alternating alphabets": _filled("aя"),
    "one word of capitals": _filled("Z"),
    "capitals after a dash": lambda n: "— " + "Z" * n,
    "a dash before every capital": _filled("--Z"),
    "letters spread by spaces": _filled("a b c d e f g h i k l m n o p "),
    "quotes": _filled('"'),
    "curly quotes": _filled("“”"),
    "opening quotes": _filled("« "),
    "quotations": _filled("“the grass of the steppe is green and wide” (Lee, 2019), "),
    "open quotations": _filled("“the grass of the steppe is green "),
    "open brackets": _filled("("),
    "brackets": _filled("[1] (2019) "),
    "digits": _filled("1"),
    "digits and dots": _filled("1."),
    "dots": _filled("."),
    "one line again and again": _filled("the grass of the steppe is green\n"),
    "equal sentences": _filled("The grass of the steppe is green and wide as the sea. "),
    "newlines": _filled("\n"),
    "newlines and spaces": _filled("\n "),
    "spaces": _filled(" "),
    "letters in lines": _filled("a\n"),
    "underscores": _filled("_"),
    "references": _numbered("{0}. Ivanov I. I. The steppe // Journal of grass. 1999. P. 5-9.\n"),
    "a bibliography": lambda n: "References\n" + HOSTILE["references"](n),
    "headings": _filled("References\n"),
    "headings of contents": _filled("Contents\n"),
    "headings over numbers": _halves("References\n", "12\n"),
    "headings between numbers": _filled("References\n12\n"),
    "headings over short lines": _halves("References\n", "Grass\n"),
    "headings over entries": _halves("References\n", "Lee, K. (1999). Sky. London: Fox.\n"),
    "entries among numbers": _filled("Lee, K. (1999). Sky. London: Fox.\n12\n12\n12\n"),
    "headings of contents over lines": _halves("Contents\n", "Steppe and sky\n"),
    "headings of contents over pages": _halves("Contents\n", "Steppe and sky 7\n"),
    "leaders over lines": _halves("Steppe ..... 5\n", "Steppe and sky\n"),
    "many contents": _filled("Contents\nA ..... 1\nB ..... 2\nC ..... 3\nThe sky is wide.\n12\n"),
    "many lists": _numbered("“the grass of the steppe is green {0}” [{0},\n p. 3]. "),
    "contents": lambda n: "Contents\n" + _numbered("Steppe {0} ..... {0}\n")(n),
    "leaders": _filled("Steppe ........ 5\n"),
    "a title page without words": lambda n: "University\nEssay\n" + "12\n" * (n // 3),
    "quoted lines": _filled("> grass grows\n"),
    "indented lines": _filled("text\n      grass grows\n"),
    "a listing": _filled("mov ax, 5\n"),
    "formulas": _filled("x = y + 5\n"),
    "tags": _filled("<a"),
    "equals signs": _filled("="),
    "soft hyphens": _filled("a" + SOFT_HYPHEN),
    "combining marks": _filled(ACUTE),
    "a letter with combining marks": lambda n: "a" + ACUTE * n,
    "hyphens": _filled("a-"),
    "hyphens at line ends": _filled("gra-\n"),
    "words of two letters": _filled("ab "),
    "distinct words": _distinct_words,
    "Chinese": _filled("中文"),
    "e-mail addresses": _filled("a@a."),
    "mistaken Cyrillic": _filled("Ð¡Ñ‚ÐµÐ¿ÑŒ "),
    "form feeds": _filled("a\f"),
    "tabs": _filled("1\t"),
    "Kazakh endings": _filled("лардың"),
}


def texts() -> Iterator[tuple[str, Callable[[int], str]]]:
    yield from HOSTILE.items()
