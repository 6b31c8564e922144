"""What a process holds open of a library: the recipe in use, the indexes, the people."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from sqlalchemy import Connection

from likewise.library.concept_index import concept_state, count_without_blocks
from likewise.library.filter_matcher import document_matcher
from likewise.library.filters import Filters, Spellings, read_spellings, resolve_names
from likewise.library.index import Index
from likewise.library.rebuild import IndexSizes
from likewise.library.recipes import Sketching
from likewise.library.segments import CONCEPTS, NOTHING, TABLES, View
from likewise.library.store import State, Store

T = TypeVar("T")

_MOST_CACHED = 64  # answers, for as many sets of collections
_ALL_DOCUMENTS = Filters()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a library: the recipe that is used, and the index as it stands."""

    connection: Connection
    state: State
    using: Sketching
    view: View
    _cache: SnapshotCache

    def tables(self) -> View:
        """The index of tables; those who have none never wait for it."""
        return self._cache.tables.view(self.connection, self.state)

    def concepts(self, filters: Filters) -> View:
        """The index of concepts, as if there were nothing but what fits.

        Documents that are left out by their numbers are in it: they are never the same twice.
        """
        return self._cache.concepts_among(self.connection, self.state, replace(filters, not_ids=()))

    def without_concepts(self, filters: Filters) -> int:
        """How many documents that fit have no blocks of concepts until a rebuild."""
        return self._cache.without_concepts(
            self.connection, self.state, replace(filters, not_ids=())
        )

    def resolve_names(self, filters: Filters) -> tuple[Filters, list[str]]:
        """Filters as the library spells names, and names that it does not know."""
        return self._cache.name_spellings.resolve_names(self.connection, self.state, filters)


@dataclass(frozen=True, slots=True)
class LastSnapshot:
    """What a snapshot has read; the library may have changed since."""

    state: State
    using: Sketching
    view: View


class SnapshotCache:
    """Carried from one moment to the next, so that only what has changed is read again."""

    def __init__(self, store: Store) -> None:
        self.texts = Index(store.address, store.changes)
        self.tables = Index(store.address, store.changes, TABLES)
        self.concepts = Index(store.address, store.changes, CONCEPTS)
        self.name_spellings = NameSpellings()
        self._store = store
        self._sketching: dict[int, Sketching] = {}
        self._filtered = _AnswersByFilters[View]()
        self._counted = _AnswersByFilters[int]()
        self._concept_states = _AnswersByFilters[State | None]()
        self._lock = threading.Lock()
        self.last: LastSnapshot | None = None

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """A transaction that reads, by a recipe that this machine makes."""
        with self._store.reading() as connection:
            state = self._store.state(connection)
            using = self.sketching(connection, state)
            using.recipe.check(self._store.name)
            view = self.texts.view(connection, state)
            self.last = LastSnapshot(state, using, view)
            yield Snapshot(connection, state, using, view, self)

    def concepts_among(self, connection: Connection, state: State, filters: Filters) -> View:
        """Which documents fit is asked once for as long as nothing changes."""
        version = state.uid, state.changes
        of_concepts = self._concept_states.get(
            version, _ALL_DOCUMENTS, lambda: concept_state(connection, state)
        )
        if of_concepts is None:
            return NOTHING
        view = self.concepts.view(connection, of_concepts)
        if not filters or not len(view):
            return view
        return self._filtered.get(
            (*version, of_concepts.recipe_id),
            filters,
            lambda: view.among(document_matcher(connection, filters), CONCEPTS),
        )

    def without_concepts(self, connection: Connection, state: State, filters: Filters) -> int:
        """Counted once for as long as nothing changes."""
        version = state.uid, state.changes
        return self._counted.get(
            version, filters, lambda: count_without_blocks(connection, filters)
        )

    def using(self) -> Sketching:
        """The recipe that is used, if this machine makes it."""
        with self._store.reading() as connection:
            using = self.sketching(connection, self._store.state(connection))
            using.recipe.check(self._store.name)
            return using

    def sketching(self, connection: Connection, state: State) -> Sketching:
        """The recipe that is used, whoever made it."""
        with self._lock:
            using = self._sketching.get(state.recipe_id)
            if using is None:
                using = Sketching(self._store.recipe(connection, state.recipe_id))
                self._sketching = {state.recipe_id: using}
            return using

    def index_sizes(self, connection: Connection, state: State) -> IndexSizes:
        """How large the indexes are on this machine, once they are up to date."""
        for index in (self.texts, self.tables):
            index.view(connection, state)
        of_texts = self.texts.file_bytes() + self.tables.file_bytes()
        of_concepts = concept_state(connection, state)
        if of_concepts is None:
            return IndexSizes(of_texts)
        view = self.concepts.view(connection, of_concepts)
        postings = sum(map(len, view.segments))
        return IndexSizes(of_texts, self.concepts.file_bytes(), postings)


class _AnswersByFilters(Generic[T]):
    """What was found out for some filters, for as long as the library has one version."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version: tuple[object, ...] | None = None
        self._answers: dict[Filters, T] = {}

    def get(self, version: tuple[object, ...], filters: Filters, find_out: Callable[[], T]) -> T:
        """An answer from before, else a new one; others may ask while it is found out."""
        with self._lock:
            if self._version != version or len(self._answers) >= _MOST_CACHED:
                self._version, self._answers = version, {}
            if filters in self._answers:
                return self._answers[filters]
        answer = find_out()
        with self._lock:
            if self._version == version:
                self._answers[filters] = answer
        return answer


class NameSpellings:
    """How a library spells its owners and authors, read once for as long as nothing changes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version: tuple[str, int] | None = None  # the library, and its last change
        self._spellings: dict[tuple[str, tuple[str, ...] | None], Spellings] = {}

    def resolve_names(
        self, connection: Connection, state: State, filters: Filters
    ) -> tuple[Filters, list[str]]:
        """As the function of `filters`, in a transaction that reads."""

        def read(reading: Connection, what: str, collections: tuple[str, ...] | None) -> Spellings:
            with self._lock:
                version = state.uid, state.changes
                if self._version != version or len(self._spellings) >= _MOST_CACHED:
                    self._version, self._spellings = version, {}
                if (what, collections) not in self._spellings:
                    self._spellings[what, collections] = read_spellings(reading, what, collections)
                return self._spellings[what, collections]

        return resolve_names(connection, filters, read)
