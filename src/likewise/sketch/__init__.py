"""Words to integers: shingle sets, signatures and fingerprints."""

from likewise.sketch.sets import Sets, build_sets, common_words, sets_of_words
from likewise.sketch.signature import estimate, signatures_of
from likewise.sketch.winnow import Fingerprints, fingerprints_of

__all__ = [
    "Fingerprints",
    "Sets",
    "build_sets",
    "common_words",
    "estimate",
    "fingerprints_of",
    "sets_of_words",
    "signatures_of",
]
