"""A pair to passages: where exactly two documents share text."""

from likewise.align.align import Alignment, align, align_sides, draft_of
from likewise.align.check import CheckOptions, check_against, wordings_of
from likewise.align.correspondence import correspondences
from likewise.align.kinds import differences, unchanged_words
from likewise.align.matches import compare_pair, judge_by_meaning, shares_by_meaning, with_passages
from likewise.align.shares import NOT_COUNTED, CountedText, without
from likewise.align.side import Side, side_of

__all__ = [
    "NOT_COUNTED",
    "Alignment",
    "CheckOptions",
    "CountedText",
    "Side",
    "align",
    "align_sides",
    "check_against",
    "compare_pair",
    "correspondences",
    "differences",
    "draft_of",
    "judge_by_meaning",
    "shares_by_meaning",
    "side_of",
    "unchanged_words",
    "with_passages",
    "without",
    "wordings_of",
]
