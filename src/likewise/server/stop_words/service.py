"""Stop words as administrators change them, and what a change would do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field
from sqlalchemy import Connection, func, select

from likewise.errors import BadInput
from likewise.language import Lexicon, words_of
from likewise.languages import codes
from likewise.library import schema
from likewise.library.entries import read_document
from likewise.library.rebuild import request_recipe, target_recipe, target_settings
from likewise.library.recipes import (
    clean_stop_words,
    read_stop_words,
    settings_with_stop_words,
    write_stop_words,
)
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.people.audit import record_act
from likewise.server.permissions import permissions_of
from likewise.server.shapes import RequestBody, Shape

ANY = "any"  # words of no language
if TYPE_CHECKING:
    Language: TypeAlias = str
else:
    Language = Literal[(*codes()[::-1], ANY)]
StopWord = Annotated[str, Field(min_length=1, max_length=100)]
StopWords = Annotated[list[StopWord], Field(max_length=20_000)]
_SAMPLED = 5  # documents
_SAMPLED_CHARS = 200_000  # of each


class WordsInput(RequestBody):
    """The whole list."""

    words: StopWords


class WordsChange(RequestBody):
    """Some words more, some less."""

    add: StopWords = Field(default_factory=list)
    remove: StopWords = Field(default_factory=list)


class WordsPreview(RequestBody):
    """What might be changed: the whole list, or some words."""

    words: StopWords | None = None
    add: StopWords = Field(default_factory=list)
    remove: StopWords = Field(default_factory=list)


class WordsShape(Shape):
    """A list; a rebuild brings what was changed into use, checks go on with the old ones."""

    language: str
    words: list[str]
    needs_rebuild: bool


class SampleDocument(Shape):
    """A document before and after the change."""

    id: int
    name: str
    words_before: int
    words_after: int
    become_stop_words: int


class PreviewShape(Shape):
    language: str
    added: list[str]
    removed: list[str]
    needs_rebuild: bool
    documents: int = Field(description="whose fingerprints would be made anew")
    sample: list[SampleDocument]


def show_words(context: ServerContext, language: Language) -> WordsShape:
    """The list of a language, as it is written down now."""
    with context.store.reading() as connection:
        state = context.store.state(connection)
        return WordsShape(
            language=language,
            words=sorted(read_stop_words(connection, _key(language))),
            needs_rebuild=state.next_recipe_id is not None,
        )


def change_words(
    context: ServerContext, caller: Caller, language: Language, change: WordsInput | WordsChange
) -> WordsShape:
    """Change a list, whatever others change meanwhile."""
    with context.store.writing() as (connection, _change):
        before = read_stop_words(connection, _key(language))
        words = _changed_words(language, before, change)
        write_stop_words(connection, _key(language), words)
        needs_rebuild = request_recipe(connection, target_recipe(context.store, connection))
        record_act(
            connection,
            caller,
            "stop words changed",
            language,
            added=len(words - before),
            removed=len(before - words),
        )
    return WordsShape(language=language, words=sorted(words), needs_rebuild=needs_rebuild)


def _changed_words(
    language: Language,
    before: frozenset[str],
    change: WordsInput | WordsChange | WordsPreview,
) -> frozenset[str]:
    if isinstance(change, WordsInput):
        return _normalize(language, change.words)
    replacement = change.words if isinstance(change, WordsPreview) else None
    base = before if replacement is None else _normalize(language, replacement)
    less = _normalize(language, change.remove)
    if missing := sorted(less - base):
        raise BadInput("server.no_stop_word", word=missing[0], language=language)
    return (base | _normalize(language, change.add)) - less


def preview(
    context: ServerContext, caller: Caller, language: Language, change: WordsPreview
) -> PreviewShape:
    """What a change would do, without doing it."""
    with context.store.reading() as connection:
        state = context.store.state(connection)
        used = context.store.recipe(connection, state.recipe_id).settings
        before_words = read_stop_words(connection, _key(language))
        words = _changed_words(language, before_words, change)
        target = target_settings(context.store, connection)
        after = settings_with_stop_words(target, _of_others(connection, language) | words)
        needs_rebuild = after.recipe() != used.recipe()
        document = schema.documents.c
        count = select(func.count()).select_from(schema.documents)
        first = connection.execute(count.where(document.copy_of.is_(None))).scalar_one()
        documents = _sample(connection, caller, language)
        texts = [(one, read_document(connection, one.id).compared_text) for one in documents]
    before_lexicon, after_lexicon = Lexicon(used), Lexicon(after)
    sample = []
    for one, whole in texts:
        before_count = len(words_of(whole[:_SAMPLED_CHARS], before_lexicon))
        after_count = len(words_of(whole[:_SAMPLED_CHARS], after_lexicon))
        sample.append(
            SampleDocument(
                id=one.id,
                name=one.name,
                words_before=before_count,
                words_after=after_count,
                become_stop_words=before_count - after_count,
            )
        )
    return PreviewShape(
        language=language,
        added=sorted(words - before_words),
        removed=sorted(before_words - words),
        needs_rebuild=needs_rebuild,
        documents=int(first) if needs_rebuild else 0,
        sample=sample,
    )


def _of_others(connection: Connection, language: Language) -> frozenset[str]:
    """The words of all other languages."""
    column = schema.stop_words.c
    query = select(column.word).where(column.language != _key(language))
    return frozenset(connection.execute(query).scalars())


@dataclass(frozen=True, slots=True)
class _Document:
    id: int
    name: str


def _sample(connection: Connection, caller: Caller, language: Language) -> list[_Document]:
    """Some of the newest documents of a language that the caller may read."""
    document = schema.documents.c
    query = select(document.id, document.name).where(
        document.collection.in_(permissions_of(connection, caller).readable)
    )
    if language != ANY:
        query = query.where(document.language == language)
    rows = connection.execute(query.order_by(document.id.desc()).limit(_SAMPLED))
    return [_Document(number, name) for number, name in rows]


def _key(language: Language) -> str:
    return "" if language == ANY else language


def _normalize(language: Language, words: Iterable[str]) -> frozenset[str]:
    return clean_stop_words(_key(language), words)
