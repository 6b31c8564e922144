"""The stop words of a library, a list a language, editable."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import Connection, delete, insert, select

from likewise.errors import BadInput
from likewise.language import stopwords
from likewise.languages import codes
from likewise.library import schema
from likewise.library.metadata import clean_text
from likewise.settings import Settings


def fill_stop_words(connection: Connection, settings: Settings) -> Settings:
    """The lists that a new library begins with; words given by hand are of no language."""
    if isinstance(settings.stop_words, frozenset):
        write_stop_words(connection, "", settings.stop_words)
    elif settings.stop_words:
        for language in settings.languages:
            write_stop_words(connection, language, stopwords.shipped(language))
    return settings


def clean_stop_words(language: str, words: Iterable[str]) -> frozenset[str]:
    """Words as they are kept, of a language that there is; "" is for words of none."""
    if language not in ("", *codes()):
        raise BadInput("library.no_stop_words", language=language, languages=codes())
    if isinstance(words, str):
        raise BadInput("library.stop_words_several")
    cleaned = frozenset(clean_text(word).strip().lower() for word in words)
    for word in sorted(cleaned):
        if word.split() not in ([], [word]):
            raise BadInput("library.not_one_word", word=word)
    return cleaned - {""}


def write_stop_words(connection: Connection, language: str, words: Iterable[str]) -> None:
    """One language's list instead of the one that was there."""
    table = schema.stop_words
    connection.execute(delete(table).where(table.c.language == language))
    rows = [{"language": language, "word": word} for word in sorted(set(words))]
    if rows:
        connection.execute(insert(table), rows)


def read_stop_words(connection: Connection, language: str | None = None) -> frozenset[str]:
    """One language's list, or all together."""
    table = schema.stop_words
    query = select(table.c.word)
    if language is not None:
        query = query.where(table.c.language == language)
    return frozenset(connection.execute(query).scalars())


def change_of_stop_words(
    language: str, more: frozenset[str], less: frozenset[str]
) -> Callable[[frozenset[str]], frozenset[str]]:
    """A change of a list, whatever is in it by then."""

    def changed(there: frozenset[str]) -> frozenset[str]:
        if missing := sorted(less - there):
            raise BadInput("library.no_stop_word", word=missing[0], language=language)
        return (there | more) - less

    return changed


def settings_with_stop_words(settings: Settings, words: frozenset[str]) -> Settings:
    """The settings under which exactly these words are dropped."""
    shipped = frozenset().union(*map(stopwords.shipped, settings.languages))
    if words == shipped:
        return settings.but(stop_words=True)
    return settings.but(stop_words=words if words else False)
