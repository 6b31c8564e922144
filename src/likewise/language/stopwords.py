"""Stop words: the shipped lists of the languages, and lists of users."""

from collections.abc import Callable
from functools import cache
from os import PathLike
from pathlib import Path

from likewise.catalogue import Message
from likewise.errors import BadInput
from likewise.languages import language_of
from likewise.languages.registry import words_in

__all__ = ["from_file", "shipped"]


def shipped(code: str) -> frozenset[str]:
    """The stop words that come with the package; none for a language it does not know.

    >>> "the" in shipped("en"), "және" in shipped("kk"), shipped("fr")
    (True, True, frozenset())
    """
    language = language_of(code)
    return frozenset() if language is None else _shipped(language.stop_words)


@cache
def _shipped(stop_words: Callable[[], frozenset[str]]) -> frozenset[str]:
    return stop_words()


def from_file(path: str | PathLike[str]) -> frozenset[str]:
    """The stop words of a user's file: UTF-8, a word a line, `#` starts a comment line."""
    try:
        return words_in(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        reason = Message.verbatim(error.strerror or str(error))
        raise BadInput("core.stop_words_unread", path=str(path), why=reason) from error
    except UnicodeDecodeError as error:
        raise BadInput("core.stop_words_not_utf8", path=str(path)) from error
