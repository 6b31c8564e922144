"""Many documents to pairs: the exact join, LSH, postings, clusters."""

from likewise.search.clusters import Component, components
from likewise.search.find import SearchOptions, cross_between, ensure_own_names, find_in
from likewise.search.lsh import Plan, plan
from likewise.search.owners import Owners, belong_together
from likewise.search.pairs import Pairs
from likewise.search.postings import Lookup, Segment, look_up, merged, segment_of
from likewise.search.similar import describe, similar

__all__ = [
    "Component",
    "Lookup",
    "Owners",
    "Pairs",
    "Plan",
    "SearchOptions",
    "Segment",
    "belong_together",
    "components",
    "cross_between",
    "describe",
    "ensure_own_names",
    "find_in",
    "look_up",
    "merged",
    "plan",
    "segment_of",
    "similar",
]
