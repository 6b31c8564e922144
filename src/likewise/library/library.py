"""The library: everything handed in before, found again in milliseconds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from likewise.align.check import FEWEST_WORDS
from likewise.align.exclude import Exclusions
from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.add import Added, add_batch, in_batches
from likewise.library.candidates import Candidates, find_candidates
from likewise.library.check import MOST_ALIGNED, check_document
from likewise.library.corrections import correct_metadata
from likewise.library.entries import (
    Entry,
    Listing,
    checked_numbers,
    list_entries,
    read_document,
    read_entries,
)
from likewise.library.errors import LibraryError
from likewise.library.families import TABLES, TEXTS
from likewise.library.filters import Filters, filters_from
from likewise.library.incoming import Incoming, Source, incoming
from likewise.library.index import Index, View
from likewise.library.metadata import (
    NOTHING,
    Metadata,
    MetadataTable,
    metadata_from,
    read_metadata_table,
)
from likewise.library.rebuild import (
    ask_for_recipe,
    rebuild_sketches,
    stale_documents,
    wanted_recipe,
)
from likewise.library.recipes import Sketching
from likewise.library.remove import Removed, remove_chosen, remove_documents
from likewise.library.stop_words import checked_words, read_stop_words, write_stop_words
from likewise.library.store import State, Store
from likewise.library.tables import LikeTable, tables_like
from likewise.library.texts import unpack_original
from likewise.library.verify import (
    verify_copies,
    verify_documents,
    verify_index,
    verify_originals,
    verify_tables,
)
from likewise.model import Check, Document, Table
from likewise.reading import read
from likewise.reading.request import LANGUAGES
from likewise.settings import Settings
from likewise.tables import LEAST_SCORE

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Stats:
    """How large a library is."""

    documents: int
    copies: int
    references: int
    words: int
    postings: int
    tables: int
    database_bytes: int
    fingerprint_bytes: int  # of the database, for fingerprints
    index_bytes: int  # beside the database, on this machine
    stale: int  # documents that wait for a rebuild


class Library:
    """A collection of documents that grows for years: a path is SQLite, or a URL of PostgreSQL.

    Settings are given when a library is made, and kept. Threads may share a library; a process
    that was forked opens its own.
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
        self._index = Index(self._store.address, self._store.changes)
        self._table_index = Index(self._store.address, self._store.changes, TABLES)
        self._sketching: dict[int, Sketching] = {}
        self._lock = threading.Lock()

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

    def __len__(self) -> int:
        with self._store.reading() as connection:
            count = select(func.count()).select_from(schema.documents)
            return int(connection.execute(count).scalar_one())

    # In and out

    def add(
        self,
        source: Source,
        *,
        table: str | Path | MetadataTable | None = None,
        keep_original: bool = False,
        jobs: int | None = None,
        cache: bool = True,
        ocr: tuple[str, ...] = LANGUAGES,
        collection: str = "",
        progress: Progress | None = None,
        **metadata: Any,
    ) -> Added:
        """Add a file, a folder, a ZIP archive or documents.

        Stopped at any moment it has added whole documents, and goes on when it is called again.
        `table` names a CSV file with metadata of single documents; the metadata given by name
        holds for all. Each `collection` stands alone: what others hold is not asked.
        """
        for_all = metadata_from(metadata)
        rows = read_metadata_table(table) if isinstance(table, str | Path) else table

        def metadata_of(item: Incoming) -> Metadata:
            own = rows.of(item.name, item.path) if rows else NOTHING
            return own.or_else(for_all).or_else(Metadata(author=item.author))

        self._using()  # says at once if nothing can be added
        found = incoming(
            source,
            partial(self._holds, collection),
            keep_original=keep_original,
            jobs=jobs,
            cache=cache,
            ocr=ocr,
            progress=progress,
        )
        added = Added()
        for batch in in_batches(found):
            added += add_batch(self._store, self._using, batch, metadata_of, collection)
        return added + Added(unmatched=rows.unused if rows else ())

    def add_texts(
        self, texts: Mapping[str, str] | Iterable[tuple[str, str]], **metadata: Any
    ) -> Added:
        """Add texts under names."""
        pairs = texts.items() if isinstance(texts, Mapping) else texts
        return self.add((Document.from_text(text, name=name) for name, text in pairs), **metadata)

    def remove(self, *ids: int, filters: Filters | None = None, **chosen: Any) -> Removed:
        """Remove documents by number, or all that fit.

        Chosen by owner or author, a document that others have handed in too stays with them.
        """
        wanted = filters_from(filters, chosen)
        if not ids and not wanted:
            raise BadInput("say which documents are to be removed: numbers, or what they have")
        numbers = checked_numbers(ids)
        with self._store.writing() as (connection, change):
            if not wanted:
                return Removed(remove_documents(connection, change, numbers))
            fitting = list_entries(connection, wanted, None, "id", None, 0).entries
            asked = [entry for entry in fitting if not ids or entry.id in set(numbers)]
            return remove_chosen(connection, change, asked, wanted)

    def set_metadata(self, ids: Iterable[int], **metadata: Any) -> int:
        """Correct what is known about documents: what is given is set, None or "" forgets it.

        How many documents there were. `tags` stand in the place of those there were.
        """
        with self._store.writing() as (connection, _change):
            return correct_metadata(connection, checked_numbers(ids), metadata)

    # Looking

    def list(
        self,
        filters: Filters | None = None,
        *,
        search: str | None = None,
        sort: str = "id",
        limit: int | None = 100,
        offset: int = 0,
        **chosen: Any,
    ) -> Listing:
        """Documents that fit, one page of them; every word of `search` stands in name or people."""
        wanted = filters_from(filters, chosen)
        with self._store.reading() as connection:
            return list_entries(connection, wanted, search, sort, limit, offset)

    def get(self, id: int) -> Document:
        """A document as it was read."""
        (number,) = checked_numbers([id])
        with self._store.reading() as connection:
            return read_document(connection, number)

    def entry(self, id: int) -> Entry:
        """What is known about a document."""
        with self._store.reading() as connection:
            found = read_entries(connection, checked_numbers([id]))
        if not found:
            raise BadInput(f"{self.name}: there is no document {id}")
        return found[0]

    def original(self, id: int) -> bytes | None:
        """The file itself, if it was to be kept."""
        column = schema.originals.c
        (number,) = checked_numbers([id])
        with self._store.reading() as connection:
            packed = connection.execute(
                select(column.packed).where(column.document_id == number)
            ).scalar()
        return None if packed is None else unpack_original(packed, f"document {number}")

    # Checking

    def candidates(
        self,
        document: Document | str,
        filters: Filters | None = None,
        *,
        limit: int | None = 100,
        **chosen: Any,
    ) -> Candidates:
        """The documents that share text with this one, ranked, before anything is aligned."""
        wanted = filters_from(filters, chosen)
        text = document if isinstance(document, str) else document.compared_text
        with self._current() as (connection, using, view):
            return find_candidates(connection, view, using, text, wanted, limit)

    def check(
        self,
        document: Document | str | Path,
        filters: Filters | None = None,
        *,
        exclusions: Exclusions | None = None,
        templates: Iterable[Document] = (),
        min_words: int = FEWEST_WORDS,
        min_share: float = 0.0,
        most: int = MOST_ALIGNED,
        beside: Iterable[Document] = (),
        cache: bool = True,
        progress: Progress | None = None,
        **chosen: Any,
    ) -> Check:
        """Where the text of a document comes from, as far as the library holds it.

        The best `most` documents are aligned, every other that holds words which no better one
        holds, and those `beside` the library that are given; a source that holds less than
        `min_share` of the text is not shown.
        """
        wanted = filters_from(filters, chosen)
        checked = document if isinstance(document, Document) else read(document, cache=cache)
        with self._current() as (connection, using, view):
            return check_document(
                connection,
                view,
                using,
                checked,
                wanted,
                which=exclusions or Exclusions(),
                templates=tuple(templates),
                min_words=min_words,
                min_share=min_share,
                most=most,
                progress=progress,
                beside=tuple(beside),
                tables=self._tables(connection) if checked.tables else None,
            )

    def tables_like(
        self,
        source: Table | Document | str | Path,
        filters: Filters | None = None,
        *,
        threshold: float = LEAST_SCORE,
        cache: bool = True,
        progress: Progress | None = None,
        **chosen: Any,
    ) -> tuple[LikeTable, ...]:
        """The tables here that are like a table, or like those of a document; the likest first."""
        wanted = filters_from(filters, chosen)
        if isinstance(source, Table):
            tables: tuple[Table, ...] = (source,)
        else:
            read_from = source if isinstance(source, Document) else read(source, cache=cache)
            tables = read_from.tables
        with self._current() as (connection, using, _view):
            return tables_like(
                connection,
                self._tables(connection),
                using,
                tables,
                wanted,
                threshold=threshold,
                progress=progress,
            ).found

    # Stop words and recipes

    def stop_words(self, language: str | None = None) -> frozenset[str]:
        """The stop words of a language, or all."""
        with self._store.reading() as connection:
            return read_stop_words(connection, language)

    def set_stop_words(self, language: str, words: Iterable[str]) -> bool:
        """Give a language another list; whether a rebuild is needed before it is used."""
        given = checked_words(language, words)
        return self._change_stop_words(language, lambda _there: given)

    def change_stop_words(
        self, language: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> bool:
        """Some words more and some less, whatever others change meanwhile; as `set_stop_words`."""
        more, less = checked_words(language, add), checked_words(language, remove)

        def changed(there: frozenset[str]) -> frozenset[str]:
            if missing := sorted(less - there):
                raise BadInput(f"{missing[0]} is no stop word of {language}; nothing was changed")
            return (there | more) - less

        return self._change_stop_words(language, changed)

    def _change_stop_words(
        self, language: str, changed: Callable[[frozenset[str]], frozenset[str]]
    ) -> bool:
        with self._store.writing() as (connection, _change):
            state = self._store.state(connection)
            used = self._store.recipe(connection, state.recipe_id)
            write_stop_words(connection, language, changed(read_stop_words(connection, language)))
            return ask_for_recipe(connection, wanted_recipe(connection, used))

    def rebuild(self, progress: Progress | None = None) -> int:
        """Renew stale fingerprints, while checks go on with the old ones; how many."""
        return rebuild_sketches(self._store, progress)

    # Free for those who build on a library

    def value(self, key: str) -> str | None:
        """What was kept under a key."""
        column = schema.key_values.c
        with self._store.reading() as connection:
            query = select(column.value).where(column.key == key)
            return connection.execute(query).scalar_one_or_none()

    def set_value(self, key: str, value: str | None) -> None:
        """Keep a text under a key, or nothing."""
        table = schema.key_values
        with self._store.writing() as (connection, _change):
            connection.execute(delete(table).where(table.c.key == key))
            if value is not None:
                connection.execute(insert(table).values(key=key, value=value))

    # Operating

    def stats(self) -> Stats:
        """How large the library is."""
        document, sketch = schema.documents.c, schema.sketches.c
        with self._store.reading() as connection:
            state = self._store.state(connection)
            self._index.view(connection, state)
            self._table_index.view(connection, state)
            documents, copies, words = connection.execute(
                select(
                    func.count(),
                    func.count(document.copy_of),
                    func.coalesce(func.sum(document.words), 0),
                )
            ).one()
            postings, size = connection.execute(
                select(
                    func.coalesce(func.sum(sketch.fingerprints), 0),
                    func.coalesce(func.sum(func.length(sketch.hashes)), 0),
                ).where(sketch.recipe_id == state.recipe_id)
            ).one()
            references = connection.execute(
                select(func.count()).select_from(schema.document_references)
            ).scalar_one()
            tables = connection.execute(
                select(func.count())
                .select_from(schema.document_tables)
                .where(schema.document_tables.c.recipe_id == state.recipe_id)
            ).scalar_one()
            if connection.dialect.name == "sqlite":
                pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
                whole = connection.exec_driver_sql(pages).scalar_one()
            else:
                whole = connection.execute(
                    select(func.pg_database_size(func.current_database()))
                ).scalar_one()
            return Stats(
                documents=documents,
                copies=copies,
                references=references,
                words=int(words),
                postings=int(postings),
                tables=tables,
                database_bytes=int(whole),
                fingerprint_bytes=int(size),
                index_bytes=self._index.file_bytes() + self._table_index.file_bytes(),
                stale=stale_documents(connection, state.next_recipe_id),
            )

    def verify(self, progress: Progress | None = None) -> tuple[str, ...]:
        """What does not agree, in sentences; nothing if all is well."""
        with self._store.reading() as connection:
            problems = verify_tables(connection)
            state = self._store.state(connection)
            try:
                recipe = self._store.recipe(connection, state.recipe_id)
                is_ours = recipe.settings.recipe() == recipe.recipe
            except LibraryError as error:
                problems.append(str(error))
                is_ours = False
            using = self._sketch_by(connection, state) if is_ours else None
            problems += verify_copies(connection)
            problems += verify_documents(connection, using, progress)
            problems += verify_originals(connection)
            for family, used in ((TEXTS, self._index), (TABLES, self._table_index)):
                # An index of its own, which no other thread carries on while it is looked at.
                index = Index(self._store.address, self._store.changes, family)
                wrong = [
                    f"the index: {path.name} is damaged; it is made anew"
                    for path in index.damaged(state)
                ]
                if not wrong:
                    try:
                        view = index.view(connection, state)
                        wrong = verify_index(connection, state.recipe_id, view, family)
                    except LibraryError as error:
                        wrong = [f"the index cannot be made: {error}"]
                if wrong:
                    index.clear()
                    used.forget()
                problems += wrong
        return tuple(problems)

    # Inside

    @contextmanager
    def _current(self) -> Iterator[tuple[Connection, Sketching, View]]:
        """One moment: the recipe that is used, and the index as it stands."""
        with self._store.reading() as connection:
            state = self._store.state(connection)
            using = self._sketch_by(connection, state)
            using.recipe.check(self.name)
            yield connection, using, self._index.view(connection, state)

    def _tables(self, connection: Connection) -> View:
        """The index of tables; those who have none never wait for it."""
        return self._table_index.view(connection, self._store.state(connection))

    def _using(self) -> Sketching:
        with self._store.reading() as connection:
            using = self._sketch_by(connection, self._store.state(connection))
            using.recipe.check(self.name)
            return using

    def _sketch_by(self, connection: Connection, state: State) -> Sketching:
        with self._lock:
            using = self._sketching.get(state.recipe_id)
            if using is None:
                using = Sketching(self._store.recipe(connection, state.recipe_id))
                self._sketching = {state.recipe_id: using}
            return using

    def _holds(self, collection: str, sha256: bytes) -> bool:
        document = schema.documents.c
        with self._store.reading() as connection:
            query = select(document.id).where(
                document.sha256 == sha256, document.collection == collection
            )
            return connection.execute(query).first() is not None
