"""The library: everything handed in before, found again in milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Unpack

from sqlalchemy import func, select

from likewise.align import CheckOptions, wordings_of
from likewise.align.check import FEWEST_WORDS
from likewise.align.exclude import Exclusions
from likewise.errors import BadInput, BadSettings
from likewise.library import schema
from likewise.library.add import AddResult, add_batch, group_in_batches
from likewise.library.candidates import Candidate, Candidates, find_candidates, find_candidates_in
from likewise.library.check import MOST_ALIGNED, check_document
from likewise.library.concept_index import rebuild_blocks
from likewise.library.duplicates import (
    MIN_SIMILARITY,
    DuplicateMeasure,
    Duplicates,
    ensure_join,
    find_duplicates,
    read_stored_sets,
)
from likewise.library.entries import (
    Entry,
    Listing,
    correct_metadata,
    holds_bytes,
    list_entries,
    read_document,
    read_entries,
    read_original,
)
from likewise.library.filters import (
    FilterChanges,
    Filters,
    check_numbers,
    filters_from,
    resolve_names,
)
from likewise.library.inputs import InputItem, InputSource, read_inputs
from likewise.library.meaning import MOST_BY_MEANING, find_by_meaning
from likewise.library.metadata import (
    NOTHING,
    Metadata,
    MetadataFields,
    MetadataTable,
    metadata_from,
    read_metadata_table,
)
from likewise.library.original_transfer import (
    count_originals,
    delete_orphans,
    move_to_database,
    move_to_store,
)
from likewise.library.rebuild import (
    Stats,
    change_recipe,
    change_stop_words,
    read_stats,
    rebuild_sketches,
)
from likewise.library.recipes import (
    RecipeChanges,
    Sketching,
    change_of_stop_words,
    clean_stop_words,
    read_stop_words,
)
from likewise.library.registry import read_value, write_value
from likewise.library.remove import RemoveResult, remove_matching
from likewise.library.similar import ProfileCache, SimilarDocuments, find_similar
from likewise.library.snapshot import SnapshotCache
from likewise.library.store import Store
from likewise.library.tables import LikeTable, tables_like
from likewise.library.verify import verify_library
from likewise.machine import cores, memory_budget
from likewise.model import WORDINGS, Check, Document, Message, Table
from likewise.progress import Progress
from likewise.reading import read
from likewise.reading.request import LANGUAGES
from likewise.results import Level
from likewise.settings import Settings
from likewise.tables import LEAST_SCORE


class Library:
    """A collection of documents that grows for years: a path is SQLite, or a URL of PostgreSQL.

    Settings are given when a library is made, and kept. Threads may share a library; a process
    that was forked opens its own.

    >>> from tempfile import TemporaryDirectory
    >>> story = "The caravan crossed the pass before the first snow fell on the northern slopes, "
    >>> story += "and seven merchants counted the stars until the mountains hid them from sight."
    >>> with TemporaryDirectory() as folder, Library(Path(folder, "campus.db"), create=True) as lib:
    ...     _ = lib.add_texts({"story": story, "rain": "It has rained for days."}, year=2024)
    ...     [entry.name for entry in lib.list(year=2024).entries], lib.stats().documents
    ...     check = lib.check(Document.from_text(f"They say: {story}", name="essay"))
    ...     [source.name for source in check.sources]
    ...     lib.remove(2).documents, len(lib)
    (['story', 'rain'], 2)
    ['story']
    (1, 1)
    """

    def __init__(
        self,
        place: str | Path,
        *,
        settings: Settings | None = None,
        create: bool = True,
        read_only: bool = False,
    ) -> None:
        self._store = Store(place, settings=settings, create=create, read_only=read_only)
        self._snapshots = SnapshotCache(self._store)
        self._profiles = ProfileCache()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<library {self._store.name}>"

    def close(self) -> None:
        """Give back files and connections."""
        self._store.close()

    @property
    def name(self) -> str:
        """The file, or the address without its password."""
        return self._store.name

    @property
    def store(self) -> Store:
        """The database, for those who keep more in it than documents."""
        return self._store

    @property
    def uid(self) -> str:
        """What tells this library from every other."""
        with self._store.reading() as connection:
            return self._store.state(connection).uid

    @property
    def settings(self) -> Settings:
        """The settings that checks use now."""
        with self._store.reading() as connection:
            state = self._store.state(connection)
            return self._store.recipe(connection, state.recipe_id).settings

    @property
    def next_settings(self) -> Settings | None:
        """The settings that a rebuild brings into use, if they are others."""
        with self._store.reading() as connection:
            number = self._store.state(connection).next_recipe_id
            return None if number is None else self._store.recipe(connection, number).settings

    def __len__(self) -> int:
        with self._store.reading() as connection:
            count = select(func.count()).select_from(schema.documents)
            return int(connection.execute(count).scalar_one())

    # In and out

    def add(
        self,
        source: InputSource,
        *,
        table: str | Path | MetadataTable | None = None,
        keep_original: bool = False,
        jobs: int | None = None,
        cache: bool = True,
        ocr: tuple[str, ...] = LANGUAGES,
        collection: str = "",
        progress: Progress | None = None,
        **metadata: Unpack[MetadataFields],
    ) -> AddResult:
        """Add a file, a folder, a ZIP archive or documents.

        Stopped at any moment it has added whole documents, and goes on when it is called again.
        `table` names a CSV file with metadata of single documents; the metadata given by name
        holds for all. Each `collection` stands alone: what others hold is not asked.
        """
        for_all = metadata_from(metadata)
        rows = read_metadata_table(table) if isinstance(table, str | Path) else table

        def metadata_of(item: InputItem) -> Metadata:
            own = rows.of(item.name, item.path) if rows else NOTHING
            return own.or_else(for_all).or_else(Metadata(author=item.author))

        self._using()  # says at once if nothing can be added
        items = read_inputs(
            source,
            partial(self._holds, collection),
            keep_original=keep_original,
            jobs=jobs,
            cache=cache,
            ocr=ocr,
            progress=progress,
        )
        added = AddResult()
        for batch in group_in_batches(items):
            added += add_batch(self._store, self._using, batch, metadata_of, collection)
        if added.ids:
            self._store.take_stock()
        return added + AddResult(unmatched=rows.unused if rows else ())

    def add_texts(
        self,
        texts: Mapping[str, str] | Iterable[tuple[str, str]],
        *,
        collection: str = "",
        **metadata: Unpack[MetadataFields],
    ) -> AddResult:
        """Add texts under names."""
        pairs = texts.items() if isinstance(texts, Mapping) else texts
        documents = (Document.from_text(text, name=name) for name, text in pairs)
        return self.add(documents, collection=collection, **metadata)

    def remove(
        self, *ids: int, filters: Filters | None = None, **filter_fields: Unpack[FilterChanges]
    ) -> RemoveResult:
        """Remove documents by number, or all that fit.

        Chosen by owner or author, a document that others have handed in too stays with them.
        """
        filters = filters_from(filters, filter_fields)
        if not ids and not filters:
            raise BadInput("library.nothing_to_remove")
        numbers = check_numbers(ids)
        with self._store.writing() as (connection, change):
            removed = remove_matching(connection, change, numbers, filters)
        delete_orphans(self._store)
        return removed

    def set_metadata(self, ids: Iterable[int], **metadata: Unpack[MetadataFields]) -> int:
        """Correct what is known about documents: what is given is set, None or "" forgets it.

        How many documents there were. `tags` stand in the place of those there were.
        """
        with self._store.writing() as (connection, _change):
            return correct_metadata(connection, check_numbers(ids), metadata)

    # Looking

    def list(
        self,
        filters: Filters | None = None,
        *,
        search: str | None = None,
        sort: str = "id",
        limit: int | None = 100,
        offset: int = 0,
        **filter_fields: Unpack[FilterChanges],
    ) -> Listing:
        """Documents that fit, one page of them; every word of `search` stands in name or people."""
        filters = filters_from(filters, filter_fields)
        with self._store.reading() as connection:
            return list_entries(connection, filters, search, sort, limit, offset)

    def get(self, id: int) -> Document:
        """A document as it was read."""
        (number,) = check_numbers([id])
        with self._store.reading() as connection:
            return read_document(connection, number)

    def entry(self, id: int) -> Entry:
        """What is known about a document."""
        with self._store.reading() as connection:
            entries = read_entries(connection, check_numbers([id]))
        if not entries:
            raise BadInput("library.no_document_here", about=self.name, n=id)
        return entries[0]

    def original(self, id: int) -> bytes | None:
        """The file itself, if it was to be kept."""
        (number,) = check_numbers([id])
        with self._store.reading() as connection:
            return read_original(connection, number)

    def entries(self, ids: Iterable[int]) -> tuple[Entry, ...]:
        """What is known about documents, in this order; those that are gone are left out."""
        with self._store.reading() as connection:
            return tuple(read_entries(connection, check_numbers(ids)))

    def duplicates(
        self,
        filters: Filters | None = None,
        *,
        threshold: float = MIN_SIMILARITY,
        measure: DuplicateMeasure = "jaccard",
        jobs: int | None = None,
        memory: int | None = None,
        progress: Progress | None = None,
        **filter_fields: Unpack[FilterChanges],
    ) -> Duplicates:
        """Pairs and clusters of documents here that are alike, by the stored fingerprints.

        No file is read again. The join is exact over the fingerprints, which estimate how much
        text two documents share. `jobs` are threads and `memory` is in bytes: neither changes the
        answer.
        """
        filters = filters_from(filters, filter_fields)
        ensure_join(threshold, measure)
        if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
            raise BadSettings("core.jobs", value=repr(jobs))
        budget = memory_budget(memory)
        with self._store.reading() as connection:
            state = self._store.state(connection)
            recipe = self._store.recipe(connection, state.recipe_id).recipe
            filters, _ = resolve_names(connection, filters)
            stored = read_stored_sets(connection, state, recipe, filters, budget, progress)
        return find_duplicates(
            stored,
            threshold=threshold,
            measure=measure,
            jobs=cores() if jobs is None else jobs,
            memory=budget,
            progress=progress,
        )

    # Checking

    def candidates(
        self,
        document: Document | str,
        filters: Filters | None = None,
        *,
        limit: int | None = 100,
        **filter_fields: Unpack[FilterChanges],
    ) -> Candidates:
        """The documents that share text with this one, ranked, before anything is aligned."""
        filters = filters_from(filters, filter_fields)
        text = document if isinstance(document, str) else document.compared_text
        last = self._snapshots.last
        if last is not None and not filters and not self._store.is_file:
            with self._store.autocommitting() as connection:
                candidates = find_candidates_in(
                    connection, last.state.key, last.view, last.using, text, limit
                )
            if candidates is not None:
                return candidates
        with self._snapshots.snapshot() as snapshot:
            filters, _ = snapshot.resolve_names(filters)
            return find_candidates(
                snapshot.connection, snapshot.view, snapshot.using, text, filters, limit
            )

    def similar(
        self,
        document: Document | str | Path,
        filters: Filters | None = None,
        *,
        min_percentage: float | None = None,
        level: Level = 99,
        limit: int = 100,
        cache: bool = True,
        progress: Progress | None = None,
        **filter_fields: Unpack[FilterChanges],
    ) -> SimilarDocuments:
        """The documents most like this one by every measure, the likest first (paper 003).

        Of up to 3,000 documents that fit all are measured, of more those that share most text.
        Those are listed, `limit` at most, whose agreement at a `level` of 90, 95 or 99 % reaches
        `min_percentage`; where none is given, those that share any text.
        """
        similar_to = document if isinstance(document, Document) else read(document, cache=cache)
        filters = filters_from(filters, filter_fields)
        with self._snapshots.snapshot() as snapshot:
            return find_similar(
                snapshot,
                self._profiles,
                similar_to,
                filters,
                min_percentage=min_percentage,
                level=level,
                limit=limit,
                progress=progress,
            )

    def candidates_by_meaning(
        self,
        document: Document | str,
        filters: Filters | None = None,
        *,
        limit: int = MOST_BY_MEANING,
        **filter_fields: Unpack[FilterChanges],
    ) -> tuple[Candidate, ...]:
        """The documents that this one may have been rewritten or translated from, likeliest first.

        They share what they speak of, block by block; whether more is shared, alignment tells.
        """
        filters = filters_from(filters, filter_fields)
        text = document if isinstance(document, str) else document.compared_text
        with self._snapshots.snapshot() as snapshot:
            filters, _ = snapshot.resolve_names(filters)
            return tuple(find_by_meaning(snapshot, text, filters, limit=limit))

    def check(
        self,
        document: Document | str | Path,
        filters: Filters | None = None,
        *,
        exclusions: Exclusions | None = None,
        templates: Iterable[Document] = (),
        min_words: int = FEWEST_WORDS,
        count: Iterable[str] = WORDINGS,
        by_meaning: bool = True,
        min_share: float = 0.0,
        most: int = MOST_ALIGNED,
        beside: Iterable[Document] = (),
        cache: bool = True,
        progress: Progress | None = None,
        **filter_fields: Unpack[FilterChanges],
    ) -> Check:
        """Where the text of a document comes from, as far as the library holds it.

        The best `most` documents are aligned, every other that holds words which no better one
        holds, and those `beside` the library that are given; a source that holds less than
        `min_share` of the text is not shown. `count` and `by_meaning` as of `likewise.check`.
        """
        options = CheckOptions(
            exclusions=exclusions or Exclusions(),
            templates=tuple(templates),
            min_words=min_words,
            min_share=min_share,
            count=wordings_of(count),
            by_meaning=by_meaning,
        )
        checked_document = (
            document if isinstance(document, Document) else read(document, cache=cache)
        )
        filters = filters_from(filters, filter_fields)
        return self.check_by(
            options, checked_document, filters, most=most, beside=tuple(beside), progress=progress
        )

    def check_by(
        self,
        options: CheckOptions,
        document: Document,
        filters: Filters | None = None,
        *,
        most: int = MOST_ALIGNED,
        beside: Sequence[Document] = (),
        on_candidates: Callable[[Sequence[Candidate]], None] | None = None,
        progress: Progress | None = None,
    ) -> Check:
        """The same by options; `on_candidates` hears of those that `candidates` would give."""
        with self._snapshots.snapshot() as snapshot:
            return check_document(
                snapshot,
                document,
                filters or Filters(),
                options,
                most=most,
                beside=beside,
                on_candidates=on_candidates,
                progress=progress,
            )

    def tables_like(
        self,
        source: Table | Document | str | Path,
        filters: Filters | None = None,
        *,
        threshold: float = LEAST_SCORE,
        cache: bool = True,
        progress: Progress | None = None,
        **filter_fields: Unpack[FilterChanges],
    ) -> tuple[LikeTable, ...]:
        """The tables here that are like a table, or like those of a document; the likest first."""
        filters = filters_from(filters, filter_fields)
        if isinstance(source, Table):
            tables: tuple[Table, ...] = (source,)
        else:
            document = source if isinstance(source, Document) else read(source, cache=cache)
            tables = document.tables
        with self._snapshots.snapshot() as snapshot:
            filters, _ = snapshot.resolve_names(filters)
            like_tables = tables_like(
                snapshot.connection,
                snapshot.tables(),
                snapshot.using,
                tables,
                filters,
                threshold=threshold,
                progress=progress,
            )
        return like_tables.tables

    # Stop words and recipes

    def stop_words(self, language: str | None = None) -> frozenset[str]:
        """The stop words of a language, or all."""
        with self._store.reading() as connection:
            return read_stop_words(connection, language)

    def set_stop_words(self, language: str, words: Iterable[str]) -> bool:
        """Give a language another list; whether a rebuild is needed before it is used."""
        new_words = clean_stop_words(language, words)
        return change_stop_words(self._store, language, lambda _there: new_words)

    def change_stop_words(
        self, language: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> bool:
        """Some words more and some less, whatever others change meanwhile; as `set_stop_words`."""
        more, less = clean_stop_words(language, add), clean_stop_words(language, remove)
        return change_stop_words(self._store, language, change_of_stop_words(language, more, less))

    def change_recipe(self, **changes: Unpack[RecipeChanges]) -> bool:
        """Ask for other settings; whether a rebuild is needed before they are used.

        They are added to what was asked for before and is not in use yet.
        """
        with self._store.writing() as (connection, _change):
            return change_recipe(self._store, connection, changes)

    def rebuild(self, progress: Progress | None = None) -> int:
        """Renew what is stale, while checks go on with what there is; of how many documents.

        Those are fingerprints after another recipe was asked for, and blocks of concepts that an
        older Likewise has not made.
        """
        return max(rebuild_sketches(self._store, progress), rebuild_blocks(self._store, progress))

    # Free for those who build on a library

    def value(self, key: str) -> str | None:
        """What was kept under a key."""
        with self._store.reading() as connection:
            return read_value(connection, key)

    def set_value(self, key: str, value: str | None) -> None:
        """Keep a text under a key, or nothing."""
        with self._store.writing() as (connection, _change):
            write_value(connection, key, value)

    # Operating

    def stats(self) -> Stats:
        """How large the library is."""
        with self._store.reading() as connection:
            state = self._store.state(connection)
            return read_stats(connection, state, self._snapshots.index_sizes(connection, state))

    def verify(self, progress: Progress | None = None) -> tuple[Message, ...]:
        """What does not agree; nothing if all is well."""
        return verify_library(self._store, self._snapshots, progress)

    def move_originals(
        self, *, into_database: bool = False, progress: Progress | None = None
    ) -> tuple[int, int]:
        """Files that were kept into the store of `LIKEWISE_ORIGINALS`, or back from any store.

        How many were moved, and how many orphans were deleted. Stopped, it goes on when called
        again.
        """
        move = move_to_database if into_database else move_to_store
        moved = move(self._store, progress)
        return moved, delete_orphans(self._store)[0]

    def count_originals(self) -> tuple[int, int]:
        """How many files the database holds, and how many are in a store."""
        with self._store.reading() as connection:
            return count_originals(connection)

    def erase_removed_from_index(self) -> int:
        """Take fingerprints of removed documents out of the index at once; segments rewritten."""
        self._profiles.clear()
        with self._store.reading() as connection:
            state = self._store.state(connection)
            snapshots = self._snapshots
            indexes = (snapshots.texts, snapshots.tables, snapshots.concepts)
            return sum(index.erase_removed(connection, state) for index in indexes)

    # Inside

    def _using(self) -> Sketching:
        return self._snapshots.using()

    def _holds(self, collection: str, sha256: bytes) -> bool:
        with self._store.reading() as connection:
            return holds_bytes(connection, collection, sha256)
