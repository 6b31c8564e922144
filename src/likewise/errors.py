"""The one family of exceptions: each is a message with a code that programs can rely on."""

from __future__ import annotations

from typing import Any

from likewise.catalogue import Message, Value


class LikewiseError(Exception):
    """Something the user can understand and act on.

    `about` is the file or place that it is about, told before the sentence.

    >>> error = BadInput("core.no_text", about="essay.pdf")
    >>> str(error), error.code
    ('essay.pdf: there is no text in it to compare', 'core.no_text')
    """

    def __init__(self, key: str | Message, /, about: object = None, **values: Value) -> None:
        self.message = key if isinstance(key, Message) else Message(key, values)
        self.about = None if about is None else str(about)
        super().__init__(self.message, self.about)

    @property
    def code(self) -> str:
        """What went wrong, for programs: the key of its message (docs/codes.md)."""
        return self.message.key

    @property
    def full_message(self) -> Message:
        """The message, with what it is about before it."""
        if self.about is None:
            return self.message
        return Message("core.about", {"about": self.about, "why": self.message})

    def __str__(self) -> str:
        return str(self.message) if self.about is None else f"{self.about}: {self.message}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Between processes an error travels as it is, whatever its constructor takes."""
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[LikewiseError], args: tuple[Any, ...]) -> LikewiseError:
    error: LikewiseError = kind.__new__(kind)
    error.args = args
    return error


class BadInput(LikewiseError):
    """The input, or the way it was asked for, cannot be used."""


class ReadingError(BadInput):
    """A file gave no document; the message says why, and what would help."""


class BadSettings(LikewiseError):
    """A setting has a value that makes no sense, or two settings contradict each other."""


class OutputFailed(LikewiseError):
    """A result could not be written; nothing half-written was left behind."""


def words_of_system(error: OSError) -> Message:
    """What the operating system says of a file or place, in its own words.

    >>> print(words_of_system(FileNotFoundError(2, "No such file or directory", "a.txt")))
    No such file or directory
    """
    return Message("core.system_error", {"why": Message.verbatim(error.strerror or str(error))})
