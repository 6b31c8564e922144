"""How letters follow one another in the languages we know: the ground for guessing encodings.

A character is reduced to a symbol: a letter without its case, or one of a few kinds of other
characters. How likely a symbol is after another one says, summed over a text, whether the text
is one that people write. The likelihoods are committed in `letters.txt`; they hold for
letters within words, and for kinds of characters around them:

* letter after letter, and the beginning or end of a word: by language;
* kind after kind (a quote after a space, a digit after a dash): the same for all;
* case after case: as in running text, or as in a heading in capitals.

`bench/making/letters.py` makes that file anew.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

# Kinds of characters that are no letters.
KINDS = (
    *("space", "nbsp", "digit", "mark", "opening", "closing", "quote", "dash", "sign", "dots"),
    *("rare", "box", "bad"),
)
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўђѓѕјљњћќџәғқңөұүһ?"
LATIN = "abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœšžßðþ?"  # ? is any other
FIRST_CYRILLIC = len(KINDS)
FIRST_LATIN = FIRST_CYRILLIC + len(CYRILLIC)
ENGLISH = 26  # of the Latin letters, those every encoding has
SYMBOLS = FIRST_LATIN + len(LATIN)
NO_CASE, UPPER, LOWER = range(3)

# What a letter of the language, and one of the other script, are to the chain of kinds.
LETTER, FOREIGN = len(KINDS), len(KINDS) + 1
WORD_EDGE = "#"  # stands for any kind in the chain of letters

_KINDS_BY_CHAR = {
    "«": "opening",
    "»": "closing",
    "–": "dash",
    "—": "dash",
    "…": "dots",
    "\xa0": "nbsp",
}
_KINDS_BY_CHAR |= dict.fromkeys("„“”’", "quote") | dict.fromkeys("№§©®™°•·±", "sign")
_STEPS_PER_NAT = 6  # likelihoods are kept in steps of a sixth of a nat
_FIRST_SIGN = 35  # "#": likelihood 1; every next character is a step less
STEPS = 90
# A text in several languages: what each takes of it. English and Russian share no letters.
_SHARES = {"ru": 0.6, "kk": 0.2, "uk": 0.1, "be": 0.03, "bg": 0.04, "mk": 0.03, "western": 0.0}
_BEFORE = {"mixed": -1.0, "uk": -1.0, "bg": -1.5, "be": -2.0, "mk": -2.0}
_STRANGE = -8.0  # a letter that a text in the language's script does not have


@dataclass(frozen=True, slots=True)
class Chains:
    """Log-likelihoods in nats, of a symbol after a symbol and of a case after a case."""

    languages: tuple[str, ...]
    before: NDArray[np.float32]  # how likely a language is before anything is seen
    symbols: NDArray[np.float32]  # by language, symbol, next symbol
    cases: NDArray[np.float32]  # by manner (running text, capitals), case, next case


def kind_of(char: str) -> str:
    """The kind of a character that is no letter.

    >>> kind_of("«"), kind_of("7"), kind_of("║"), kind_of("\\x90")
    ('opening', 'digit', 'box', 'bad')
    """
    if char in " \t\n\r\f":
        return "space"
    if char in _KINDS_BY_CHAR:
        return _KINDS_BY_CHAR[char]
    if char < "\x80":
        return "digit" if char.isdigit() else "mark" if char.isprintable() else "bad"
    if "\u2300" <= char <= "\u25ff":
        return "box"
    is_bad = char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cn", "Co", "Cs")
    return "bad" if is_bad else "rare"


def symbol_of(char: str) -> int:
    """What a character is to the chains."""
    small = char.lower() if len(char.lower()) == 1 else char
    if "\u0400" <= small <= "\u052f":
        place = CYRILLIC.find(small)
        return FIRST_CYRILLIC + (place if place >= 0 else len(CYRILLIC) - 1)
    if small.isalpha() and small < "\u0250" and small not in "ªº":
        place = LATIN.find(small)
        return FIRST_LATIN + (place if place >= 0 else len(LATIN) - 1)
    return KINDS.index("rare" if small.isalpha() else kind_of(char))


def case_of(char: str) -> int:
    return UPPER if char.isupper() else LOWER if char.islower() else NO_CASE


def symbols_in(text: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The symbol and the case of every character."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    distinct, places = np.unique(codes, return_inverse=True)
    chars = [chr(code) for code in distinct]
    symbols = np.array([symbol_of(char) for char in chars], dtype=np.uint8)
    cases = np.array([case_of(char) for char in chars], dtype=np.uint8)
    return symbols[places], cases[places]


def letters_of(language: str) -> str:
    """The letters of a language's script."""
    return LATIN if language == "western" else CYRILLIC


@cache
def chains() -> Chains:
    """The committed likelihoods."""
    rows: dict[str, list[list[float]]] = {}
    file = resources.files(__package__).joinpath("letters.txt")
    for line in file.read_text("ascii").splitlines():
        if not line.startswith("#"):
            name, steps = line.split(" ", 1)
            rows.setdefault(name, []).append(
                [(_FIRST_SIGN - ord(step)) / _STEPS_PER_NAT for step in steps]
            )
    kinds = np.array(rows.pop("kinds"), dtype=np.float32)
    cases = np.array(rows.pop("cases"), dtype=np.float32).reshape(-1, 3, 3)
    languages = tuple(rows)
    symbols = [_chain(language, np.array(rows[language]), kinds) for language in languages]
    shares = [_SHARES[language] for language in languages]
    mixed = np.log(np.tensordot(shares, np.exp(symbols), axes=1) + 1e-9)
    likelihoods = np.stack([*symbols, mixed]).astype(np.float32)
    before = [_BEFORE.get(language, 0.0) for language in (*languages, "mixed")]
    return Chains((*languages, "mixed"), np.array(before, dtype=np.float32), likelihoods, cases)


def format_likelihoods(likelihoods: NDArray[np.float64]) -> str:
    """Likelihoods as the file has them."""
    with np.errstate(divide="ignore"):
        steps = np.rint(-np.log(likelihoods) * _STEPS_PER_NAT)
    return "".join(chr(_FIRST_SIGN + int(step)) for step in np.minimum(steps, STEPS))


def _chain(
    language: str, letters: NDArray[np.float64], kinds: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Symbol after symbol, from letter after letter within words and kind after kind.

    The last row and column of `letters` are the edge of a word.
    """
    is_latin = letters_of(language) is LATIN
    first, size = (FIRST_LATIN, len(LATIN)) if is_latin else (FIRST_CYRILLIC, len(CYRILLIC))
    own = np.zeros(SYMBOLS, dtype=bool)
    own[first : first + size] = True
    as_kind = np.full(SYMBOLS, FOREIGN)
    as_kind[: len(KINDS)] = range(len(KINDS))
    as_kind[own] = LETTER
    as_letter = np.full(SYMBOLS, size)  # the edge
    as_letter[own] = range(size)
    chain: NDArray[np.float64] = letters[as_letter[:, None], as_letter].copy()
    among_kinds = kinds[as_kind[:, None], as_kind]
    chain[~own[:, None] & ~own] = 0  # no word: only the kinds say something
    chain += np.where(own[:, None] & own, 0, among_kinds)
    strange = ~own
    strange[: len(KINDS)] = False
    strange[FIRST_LATIN : FIRST_LATIN + ENGLISH] = False
    chain[strange] = chain[:, strange] = _STRANGE
    return chain
