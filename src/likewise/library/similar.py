"""Paper 003's search: the documents that are most like a text, by every measure.

A small library is measured whole. In a larger one those are measured that an index brings: all
candidates come in by `similar_candidates`, whatever index they are from.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.candidates import find_candidates
from likewise.library.entries import Entry, apply_filters, read_entries, unpack_document
from likewise.library.errors import LibraryError
from likewise.library.filter_matcher import count_documents
from likewise.library.filters import NUMBERS, Filters, is_whole
from likewise.library.meaning import find_by_meaning
from likewise.library.snapshot import Snapshot
from likewise.measure import Profile, ProfilePair, check_level, measure_values, profile_of
from likewise.model import Document, Note
from likewise.progress import Progress
from likewise.results import Level, MeasuresResult, measures_of_values

MEASURE_ALL = 3_000  # documents that fit: up to so many, all are measured
MEASURE_BEST = 100  # of more, so many that share most text, however few are to be listed
MEASURE_BY_MEANING = 50  # and so many that may say the same in other words
PROFILE_BYTES = 128 << 20  # of profiles that a process keeps for the next search
_AT_ONCE = 50  # texts that are read together
_THESE_TEXTS = (
    select(schema.documents.c.id, schema.documents.c.name, schema.texts.c.packed)
    .join_from(schema.documents, schema.texts, schema.texts.c.document_id == schema.documents.c.id)
    .where(schema.documents.c.id.in_(NUMBERS))
)


@dataclass(frozen=True, slots=True)
class SimilarCandidate:
    """A document to be measured, copies too: lines that break elsewhere may make other words."""

    id: int
    share: float = 0.0  # of the fingerprints asked about, those that stand in it


@dataclass(frozen=True, slots=True)
class SimilarCandidates:
    """What is to be measured; `beyond` more texts share some, and are not."""

    ranked: tuple[SimilarCandidate, ...]
    documents: int  # that fit
    beyond: int
    common_share: float


@dataclass(frozen=True, slots=True)
class SimilarDocument:
    """A document, and every measure of it and the text that was asked about."""

    entry: Entry
    shared_fingerprints: float
    measures: MeasuresResult


@dataclass(frozen=True, slots=True)
class SimilarDocuments:
    """The documents that are most like a text: the likest first, then by number."""

    ranked: tuple[SimilarDocument, ...]
    total: int  # that are similar; no more are listed than were asked for
    documents: int  # that fit
    measured: int  # of these
    damaged: int  # documents whose text cannot be read, and so cannot be measured
    beyond: int
    common_share: float
    level: Level
    min_percentage: float
    notes: tuple[tuple[str, Note], ...] = ()


def find_similar(
    snapshot: Snapshot,
    profiles: ProfileCache,
    document: Document,
    filters: Filters,
    *,
    min_percentage: float | None,
    level: Level,
    limit: int,
    progress: Progress | None = None,
) -> SimilarDocuments:
    """Every candidate measured, and those that are similar.

    These are the documents whose agreement reaches `min_percentage`; where none is given, those
    that share a shingle with the text (paper 002: all but the different ones).
    """
    _check_arguments(min_percentage, level, limit)
    text, least = document.compared_text, min_percentage or 0.0
    filters, _ = snapshot.resolve_names(filters)
    candidates = similar_candidates(snapshot, text, filters, limit)
    similar: list[tuple[SimilarCandidate, MeasuresResult]] = []
    damaged = 0
    for candidate, values in measure_texts(snapshot, profiles, text, candidates.ranked, progress):
        if values is None:
            damaged += 1
            continue
        measures = measures_of_values(values, level, least)
        is_different = min_percentage is None and measures.matching == "different"
        if measures.is_similar and not is_different:
            similar.append((candidate, measures))
    similar.sort(key=lambda row: (-row[1].percentage, row[0].id))
    listed = similar[:limit]
    entries_of_listed = read_entries(snapshot.connection, [candidate.id for candidate, _ in listed])
    entries = {entry.id: entry for entry in entries_of_listed}
    return SimilarDocuments(
        ranked=tuple(
            SimilarDocument(entries[candidate.id], candidate.share, measures)
            for candidate, measures in listed
            if candidate.id in entries
        ),
        total=len(similar),
        documents=candidates.documents,
        measured=len(candidates.ranked) - damaged,
        damaged=damaged,
        beyond=candidates.beyond,
        common_share=candidates.common_share,
        level=level,
        min_percentage=least,
    )


def _check_arguments(min_percentage: float | None, level: int, limit: int) -> None:
    is_number = isinstance(min_percentage, int | float)
    if min_percentage is not None and not (is_number and 0 <= min_percentage <= 100):
        raise BadInput(
            "library.takes_percentage", name="min_percentage", value=repr(min_percentage)
        )
    if not is_whole(limit, 0):
        raise BadInput("library.takes_whole_number", name="limit", value=repr(limit))
    check_level(level)


def similar_candidates(
    snapshot: Snapshot, text: str, filters: Filters, limit: int
) -> SimilarCandidates:
    """The documents to be measured: all that fit, or in a large library what the indexes bring.

    These are texts that share most fingerprints, and texts that speak of the same things block by
    block; of each text all documents that fit. Whether a library is large is decided by what fits,
    and by nothing else.
    """
    connection = snapshot.connection
    documents = count_documents(connection, filters)
    is_small = documents <= MEASURE_ALL
    most = None if is_small else max(limit, MEASURE_BEST)
    sharing = find_candidates(connection, snapshot.view, snapshot.using, text, filters, most)
    shares = {id: each.share for each in sharing.ranked for id in (each.id, *each.copies)}
    others: Iterable[int]
    if is_small:
        query = apply_filters(select(schema.documents.c.id), filters)
        others = connection.execute(query.order_by(schema.documents.c.id)).scalars()
    else:
        by_meaning = find_by_meaning(
            snapshot, text, filters, limit=MEASURE_BY_MEANING, known=sharing.ranked
        )
        others = [id for each in by_meaning for id in (each.id, *each.copies)]
    shares |= {id: 0.0 for id in others if id not in shares}
    return SimilarCandidates(
        ranked=tuple(SimilarCandidate(id, share) for id, share in shares.items()),
        documents=documents,
        beyond=0 if is_small else sharing.beyond,
        common_share=sharing.common_share,
    )


def measure_texts(
    snapshot: Snapshot,
    profiles: ProfileCache,
    text: str,
    candidates: Sequence[SimilarCandidate],
    progress: Progress | None = None,
) -> Iterator[tuple[SimilarCandidate, Mapping[str, float] | None]]:
    """Each candidate with every measure of it and a text; None where its text is damaged."""
    using, search = snapshot.using, profiles.begin(snapshot)

    def profile(text: str) -> Profile:
        with using.lock:
            return profile_of(text, using.settings, using.lexicon)

    own, count = profile(text), len(candidates)
    for start in range(0, count, _AT_ONCE):
        if progress is not None:
            progress("measuring", start, count)
        part = candidates[start : start + _AT_ONCE]
        cached = ((each.id, search.get(each.id)) for each in part)
        profiles_by_id = {id: one for id, one in cached if one is not None}
        missing = [each.id for each in part if each.id not in profiles_by_id]
        for id, other in _read_texts(snapshot.connection, missing):
            profiles_by_id[id] = profile(other)
            search.add(id, profiles_by_id[id])
        for each in part:
            other_profile = profiles_by_id.get(each.id)
            if other_profile is None:
                yield each, None
            else:
                yield each, measure_values(ProfilePair(own, other_profile, using.settings))
    if progress is not None:
        progress("measuring", count, count)


def _read_texts(connection: Connection, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The compared texts of some documents, but for those that are damaged."""
    if not numbers:
        return
    for number, name, packed in connection.execute(_THESE_TEXTS, {"numbers": list(numbers)}):
        try:
            yield number, unpack_document(packed, name).compared_text
        except LibraryError:
            continue


class ProfileCache:
    """Profiles that were made already, for as long as the process lives and they fit.

    A search that measures all goes round in a circle: where not all fit, dropping the least
    recently used would drop each just before it is asked for again. So only those make place that
    the search at hand has not asked for.
    """

    def __init__(self, most_bytes: int = PROFILE_BYTES) -> None:
        self.most_bytes, self.bytes = most_bytes, 0
        self._profiles: dict[tuple[str, int], tuple[Profile, int]] = {}  # least recently used first
        self._searches = 0
        self._changes = 0  # of the library, up to which removed documents were dropped
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._profiles)

    def begin(self, snapshot: Snapshot) -> ProfileSearch:
        """The profiles by the recipe in use, for one search; nothing of what was removed stays."""
        recipe = f"{snapshot.state.uid} {snapshot.using.recipe.id}"
        removals, changes = schema.removals.c, snapshot.state.changes
        with self._lock:
            if changes > self._changes:
                removed = select(removals.document_id).where(removals.change > self._changes)
                for number in snapshot.connection.execute(removed).scalars():
                    self._drop((recipe, number))
                self._changes = changes
            self._searches += 1
            return ProfileSearch(self, recipe, self._searches)

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._profiles.clear()
            self.bytes = 0

    def get(self, key: tuple[str, int], search: int) -> Profile | None:
        """A profile, if it is here still."""
        with self._lock:
            profile, _ = self._profiles.pop(key, (None, 0))
            if profile is not None:
                self._profiles[key] = profile, search
            return profile

    def add(self, key: tuple[str, int], profile: Profile, search: int) -> None:
        """Keep a profile, unless there is no place for it."""
        size = profile.memory_bytes
        with self._lock:
            if key in self._profiles:
                return
            while self._profiles and self.bytes + size > self.most_bytes:
                eldest, (_, last_search) = next(iter(self._profiles.items()))
                if last_search >= search:
                    return
                self._drop(eldest)
            if size <= self.most_bytes:
                self._profiles[key] = profile, search
                self.bytes += size

    def _drop(self, key: tuple[str, int]) -> None:
        if key in self._profiles:
            profile, _ = self._profiles.pop(key)
            self.bytes -= profile.memory_bytes


@dataclass(frozen=True, slots=True)
class ProfileSearch:
    """What one search takes out of a cache and leaves in it."""

    cache: ProfileCache
    recipe: str
    number: int

    def get(self, document: int) -> Profile | None:
        return self.cache.get((self.recipe, document), self.number)

    def add(self, document: int, profile: Profile) -> None:
        self.cache.add((self.recipe, document), profile, self.number)
