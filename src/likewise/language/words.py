"""Text to `Words`: the tokeniser and the lexicon together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import hash_words, scan_texts
from likewise.kernels.tokens import DROP_URLS, JOIN_HYPHENS, SIGNS_ARE_WORDS, Scanned
from likewise.language.alphabet import fold_table
from likewise.language.lexicon import Lexicon
from likewise.settings import Settings

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Canonical words in order: the hash of each and where it stands in the text."""

    hash: Hashes
    start: NDArray[np.uint32]
    end: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.hash)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """All words of a text in order, made once for whoever needs them; hash 0: it is dropped."""

    hash: Hashes
    start: NDArray[np.uint32]
    end: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.hash)

    @property
    def words(self) -> Words:
        """Those that are not dropped."""
        counts = self.hash != 0
        return Words(self.hash[counts], self.start[counts], self.end[counts])


def tokens_of(text: str, lexicon: Lexicon) -> Tokens:
    """The words of one text, with those that are dropped."""
    scanned = scan([text], lexicon, spans=True)
    hashes, _ = settle(scanned, lexicon)
    _, _, start, end, _ = scanned
    assert start is not None and end is not None
    return Tokens(hashes, start, end)


def words_of(text: str, lexicon: Lexicon) -> Words:
    """The canonical words of one text; dropped words are not among them.

    >>> from likewise.settings import Settings
    >>> text = "The steppe is wide, the steppes are wide."
    >>> words = words_of(text, Lexicon(Settings()))
    >>> [text[a:b] for a, b in zip(words.start, words.end)]
    ['steppe', 'wide', 'steppes', 'wide']
    >>> bool(words.hash[0] == words.hash[2])
    True
    """
    return tokens_of(text, lexicon).words


def scan(texts: list[str], lexicon: Lexicon, spans: bool = False) -> Scanned:
    """Read a batch without teaching the lexicon: safe in threads as long as nobody teaches it."""
    flags = token_flags(lexicon.settings)
    return scan_texts(texts, fold_table(), flags, lexicon.known, spans)


def settle(scanned: Scanned, lexicon: Lexicon) -> tuple[Hashes, NDArray[np.int64]]:
    """Teach the lexicon a batch's new words; its canonical hashes, 0 for dropped words."""
    hashes, offsets, _, _, unknown = scanned
    if unknown is not None:
        at, which, new, spelled = unknown
        if len(at):
            hashes[at] = lexicon.learn(new, spelled)[which]
    return hashes, offsets


def canonical_text(text: str, lexicon: Lexicon, forms: dict[int, str]) -> str:
    """The canonical words written out with blanks; `forms` remembers words between calls.

    >>> from likewise.settings import Settings
    >>> canonical_text("To be,   or NOT to be!", Lexicon(Settings.plain()), {})
    'to be or not to be'
    """
    return " ".join(filter(None, canonical_words(text, lexicon, forms)))


def canonical_words(text: str, lexicon: Lexicon, forms: dict[int, str]) -> list[str]:
    """All words of a text as they are compared, in order; empty where one is dropped.

    >>> from likewise.settings import Settings
    >>> canonical_words("The steppes are wide.", Lexicon(Settings()), {})
    ['', 'stepp', '', 'wide']
    """
    nothing = np.zeros((2, 2), dtype=np.uint64)
    *_, unknown = scan_texts([text], fold_table(), token_flags(lexicon.settings), nothing, False)
    assert unknown is not None
    _, which, hashes, spelled = unknown
    keys = hashes.tolist()
    new = [i for i, key in enumerate(keys) if key not in forms]
    if new:
        new_forms = lexicon.canonical([spelled[i] for i in new])
        if len(lexicon.dropped):
            is_dropped = np.isin(hash_words(new_forms), lexicon.dropped)
            new_forms = [
                "" if drop else form for form, drop in zip(new_forms, is_dropped, strict=True)
            ]
        forms.update(zip((keys[i] for i in new), new_forms, strict=True))
    in_order = [forms[key] for key in keys]
    return [in_order[i] for i in which.tolist()]


def token_flags(settings: Settings) -> int:
    """What the kernel must know of the settings."""
    return (
        (JOIN_HYPHENS if settings.join_hyphens else 0)
        | (DROP_URLS if settings.drop_urls else 0)
        | (0 if settings.drop_symbols else SIGNS_ARE_WORDS)
    )
