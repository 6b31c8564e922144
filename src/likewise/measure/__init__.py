"""A pair to numbers: overlap, cosines, and how far the measures agree.

Each file of this folder registers the measures that stand in it.
"""

from importlib import import_module
from pkgutil import iter_modules

from likewise.measure.cosine import tfidf_cosine, word_cosine
from likewise.measure.overlap import containment, dice, jaccard
from likewise.measure.profile import Profile, ProfilePair, profile_of
from likewise.measure.registry import (
    Measure,
    agreeing,
    register,
    registered,
    share_measures,
    unregister,
    values_in_agreement,
)
from likewise.measure.scores import agreement, check_level, measure_pair, measure_values, scores

__all__ = [
    "Measure",
    "Profile",
    "ProfilePair",
    "agreeing",
    "agreement",
    "check_level",
    "containment",
    "dice",
    "share_measures",
    "jaccard",
    "measure_pair",
    "measure_values",
    "profile_of",
    "register",
    "registered",
    "scores",
    "tfidf_cosine",
    "unregister",
    "values_in_agreement",
    "word_cosine",
]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
