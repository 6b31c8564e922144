"""The ten methods of the paper, and a few that stand beside them: two texts in, a number out.

A method is prepared (its modules are imported) before the clock runs. The first four are ours,
from text to value, with everything that Likewise does to words; the lexicon is new each time, as
for two documents that come alone. The others get the same texts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from likewise.language import Lexicon, words_of
from likewise.measure import containment, jaccard, profile_of, scores, tfidf_cosine, word_cosine
from likewise.measure.profile import Bag, bag_of
from likewise.settings import Settings
from likewise.sketch import build_sets, estimate, signatures_of

Method = Callable[[str, str], float]
SETTINGS = Settings()


def shingles_hashed() -> Method:
    """Jaccard of the sets of runs of five words."""

    def value(a: str, b: str) -> float:
        sets = build_sets([a, b], SETTINGS)
        shared = np.intersect1d(sets[0], sets[1], assume_unique=True)
        return jaccard(len(shared), len(sets[0]), len(sets[1]))

    return value


def shingles_contained() -> Method:
    """How much of the smaller set stands in the other: what finds partial copies."""

    def value(a: str, b: str) -> float:
        sets = build_sets([a, b], SETTINGS)
        shared = np.intersect1d(sets[0], sets[1], assume_unique=True)
        return containment(len(shared), min(len(sets[0]), len(sets[1])))

    return value


def shingles_minhash() -> Method:
    """The same, told from two signatures."""

    def value(a: str, b: str) -> float:
        one, two = signatures_of(build_sets([a, b], SETTINGS), SETTINGS)
        return estimate(one, two, SETTINGS.bits)

    return value


def tfidf() -> Method:
    """Cosine with the idf of the two texts."""
    return lambda a, b: tfidf_cosine(*_bags(a, b))


def bag_of_words() -> Method:
    """Cosine of the counts."""
    return lambda a, b: word_cosine(*_bags(a, b))


def _bags(a: str, b: str) -> tuple[Bag, Bag]:
    lexicon = Lexicon(SETTINGS)
    return bag_of(words_of(a, lexicon).hash), bag_of(words_of(b, lexicon).hash)


def all_four() -> Method:
    """Every measure and their agreement, as `likewise compare` gives them."""
    return lambda a, b: _agreement(a, b, Lexicon(SETTINGS))


def all_four_again() -> Method:
    """The same with a lexicon that has met the words, as inside a collection."""
    lexicon = Lexicon(SETTINGS)
    return lambda a, b: _agreement(a, b, lexicon)


def _agreement(a: str, b: str, lexicon: Lexicon) -> float:
    one, two = (profile_of(text, SETTINGS, lexicon) for text in (a, b))
    return scores(one, two, SETTINGS).agreement


def difflib_characters() -> Method:
    """SequenceMatcher as it comes."""
    from difflib import SequenceMatcher

    return lambda a, b: SequenceMatcher(None, a, b).ratio()


def difflib_all_characters() -> Method:
    """SequenceMatcher without its rule that frequent characters are junk: quadratic, and worse."""
    from difflib import SequenceMatcher

    return lambda a, b: SequenceMatcher(None, a, b, autojunk=False).ratio()


def difflib_words() -> Method:
    """SequenceMatcher on words, with frequent ones taken seriously."""
    from difflib import SequenceMatcher

    return lambda a, b: SequenceMatcher(None, a.split(), b.split(), autojunk=False).ratio()


def jellyfish_jaro() -> Method:
    """Jaro similarity of the characters."""
    from jellyfish import jaro_similarity

    method: Method = jaro_similarity
    return method


def jellyfish_jaro_winkler() -> Method:
    """Jaro-Winkler similarity of the characters."""
    from jellyfish import jaro_winkler_similarity

    method: Method = jaro_winkler_similarity
    return method


def rapidfuzz_jaro() -> Method:
    """The same as jellyfish's, by another library."""
    from rapidfuzz.distance import Jaro

    method: Method = Jaro.similarity
    return method


def fuzz_ratio() -> Method:
    """rapidfuzz, in place of what was probably fuzzywuzzy."""
    from rapidfuzz.fuzz import ratio

    return lambda a, b: ratio(a, b) / 100


def fuzz_token_sort_ratio() -> Method:
    """Words folded and sorted first."""
    from rapidfuzz.fuzz import token_sort_ratio
    from rapidfuzz.utils import default_process

    return lambda a, b: token_sort_ratio(a, b, processor=default_process) / 100


def fuzz_token_set_ratio() -> Method:
    """Sets of words, folded."""
    from rapidfuzz.fuzz import token_set_ratio
    from rapidfuzz.utils import default_process

    return lambda a, b: token_set_ratio(a, b, processor=default_process) / 100


OURS: dict[str, Callable[[], Method]] = {
    "shingles, hashed": shingles_hashed,
    "shingles, MinHash": shingles_minhash,
    "tf-idf cosine": tfidf,
    "bag of words": bag_of_words,
    "containment": shingles_contained,
    "all four and their agreement": all_four,
    "all four, words met before": all_four_again,
}
PEERS: dict[str, Callable[[], Method]] = {
    "difflib SequenceMatcher": difflib_characters,
    "jellyfish Jaro": jellyfish_jaro,
    "jellyfish Jaro-Winkler": jellyfish_jaro_winkler,
    "fuzz ratio": fuzz_ratio,
    "fuzz token sort ratio": fuzz_token_sort_ratio,
    "fuzz token set ratio": fuzz_token_set_ratio,
    "difflib, no character junk": difflib_all_characters,
    "difflib on words": difflib_words,
    "rapidfuzz Jaro": rapidfuzz_jaro,
}
METHODS = OURS | PEERS
