"""Stop words: the shipped lists (`en.txt`, `ru.txt`, `kk.txt`) and lists of users."""

from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path

from likewise.catalogue import Message
from likewise.errors import BadInput

__all__ = ["from_file", "shipped"]

LANGUAGES = ("en", "ru", "kk")


def _words(text: str) -> frozenset[str]:
    lines = (line.strip().lower() for line in text.removeprefix("\ufeff").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def shipped(language: str) -> frozenset[str]:
    """The stop words that come with the package; none for a language it does not know.

    >>> "the" in shipped("en"), "және" in shipped("kk"), shipped("fr")
    (True, True, frozenset())
    """
    if language not in LANGUAGES:
        return frozenset()
    return _words(files(__name__).joinpath(f"{language}.txt").read_text(encoding="utf-8"))


def from_file(path: str | PathLike[str]) -> frozenset[str]:
    """The stop words of a user's file: UTF-8, a word a line, `#` starts a comment line."""
    try:
        return _words(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        reason = Message.verbatim(error.strerror or str(error))
        raise BadInput("core.stop_words_unread", path=str(path), why=reason) from error
    except UnicodeDecodeError as error:
        raise BadInput("core.stop_words_not_utf8", path=str(path)) from error
