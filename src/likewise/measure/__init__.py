"""A pair to numbers: overlap, cosines, and how far the measures agree."""

from likewise.measure.agreement import agreement
from likewise.measure.cosine import tfidf_cosine, word_cosine
from likewise.measure.overlap import containment, dice, jaccard
from likewise.measure.profile import Profile, measured, profile_of, scores

__all__ = [
    "Profile",
    "agreement",
    "containment",
    "dice",
    "jaccard",
    "measured",
    "profile_of",
    "scores",
    "tfidf_cosine",
    "word_cosine",
]
