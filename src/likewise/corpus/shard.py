"""One file of a corpus: what every format has in common."""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BufferedWriter
from pathlib import Path
from typing import ClassVar, Self

from likewise.catalogue import Value
from likewise.corpus.packing import unreadable
from likewise.errors import BadInput
from likewise.model import Message
from likewise.progress import Count

SHOWN_BAD = 20
SHOWN_FIELDS = 20
WHOLE_FILE = 0  # stands among the rows left out for "all of them"

# A document of a shard: its line or row (from 1), its id and its text.
Numbered = tuple[int, str, str]
# What becomes of a document, given a way to its text: kept, dropped, or rewritten to this text.
Verdict = Callable[[Callable[[], str]], bool | str]
# Opens the output file of a shard; called only if there is one.
NewFile = Callable[[], BufferedWriter]


@dataclass(frozen=True, slots=True)
class BadRecord:
    """What could not be used: in which file, at which line or row (None: all of it), and why.

    >>> print(BadRecord("crawl.jsonl.gz", 17, Message("corpus.json_deep")))
    crawl.jsonl.gz, line 17: not usable JSON (nested too deep)
    """

    file: str
    line: int | None
    reason: Message

    @property
    def place(self) -> Message:
        """The file, or the line in it."""
        if self.line is None:
            return Message.verbatim(self.file)
        return Message("corpus.line_of", {"file": self.file, "n": self.line})

    @property
    def message(self) -> Message:
        """Where and why."""
        return Message("core.about", {"about": self.place, "why": self.reason})

    def __str__(self) -> str:
        return str(self.message)


@dataclass(slots=True)
class Survey:
    """What the first pass over a corpus found, so that later ones see the same documents."""

    skip_bad: bool
    complete: bool = False
    documents: int = 0
    places: int = 0
    bad: list[BadRecord] = field(default_factory=list)
    bad_count: int = 0
    left_out: dict[str, set[int]] = field(default_factory=dict)

    def rows_left_out(self, shard: Shard) -> set[int]:
        """The lines or rows of a file that the first pass could not use."""
        return self.left_out.get(shard.name, set()) if self.complete else set()

    def complain(self, shard: Shard, row: int, reason: Message, records: int = 1) -> None:
        """Notes something bad and returns, or raises when that was not allowed."""
        if self.complete and row in self.left_out.get(shard.name, ()):
            return
        place = shard.where(row)
        if self.complete:
            raise BadInput("corpus.bad_in_writing", place=place, why=reason)
        if not self.skip_bad:
            key = shard.bad_row if row else "corpus.bad_file"
            raise BadInput(key, place=place, why=reason)
        self.left_out.setdefault(shard.name, set()).add(row)
        self.bad_count += records
        if len(self.bad) < SHOWN_BAD:
            self.bad.append(BadRecord(shard.name, row or None, reason))


@dataclass(frozen=True, slots=True)
class Shard(ABC):
    """A file of documents, called by its path relative to the corpus, with `/`."""

    name: str
    path: Path
    text: str
    id: str | None
    size_bytes: int
    modified_ns: int

    # Keys of what a row is called and of what is said when one is bad.
    row_is: ClassVar[str] = "corpus.line_of"
    bad_row: ClassVar[str] = "corpus.bad_line"
    brings_ids: ClassVar[bool] = True  # ids are read from the file, and may repeat

    @classmethod
    def at(cls, path: Path, name: str, text: str, id: str | None) -> Self:
        """The file as it is now; every later look makes sure that it has not changed."""
        try:
            status = path.stat()
        except OSError as error:
            raise unreadable(path, error) from error
        if not stat.S_ISREG(status.st_mode):  # a pipe, say, can be read once only
            raise BadInput("corpus.no_file_or_folder", about=path)
        return cls(name, path, text, id, status.st_size, status.st_mtime_ns)

    def make_sure_unchanged(self, status: os.stat_result) -> None:
        """Places are counted, so a file that changes between two passes would mix them up."""
        if (status.st_size, status.st_mtime_ns) != (self.size_bytes, self.modified_ns):
            raise BadInput("corpus.changed_shard", about=self.path)

    def where(self, row: int) -> Message:
        """The name of a place in the file, for people."""
        if not row:
            return Message.verbatim(self.name)
        return Message(self.row_is, {"file": self.name, "n": row})

    @abstractmethod
    def documents(self, survey: Survey, progress: Count | None) -> Iterator[Numbered]:
        """The usable documents in order; the others are complained about to the survey."""

    @abstractmethod
    def write(
        self, new_file: NewFile, verdict: Verdict, survey: Survey, progress: Count | None
    ) -> None:
        """Writes what remains of the file, in its own format, asking the verdict in order."""


@dataclass(frozen=True, slots=True)
class Unusable(Shard):
    """A file in a corpus folder that is not what its name says."""

    reason: Message = field(default_factory=lambda: Message("corpus.binary_data"))

    def documents(self, survey: Survey, progress: Count | None) -> Iterator[Numbered]:
        survey.complain(self, WHOLE_FILE, self.reason)
        yield from ()

    def write(
        self, new_file: NewFile, verdict: Verdict, survey: Survey, progress: Count | None
    ) -> None:
        """Leaves nothing, as there was nothing in it."""


def missing(name: str, option: str, fields: list[str]) -> Message:
    """The reason why a record without a field is bad.

    >>> print(missing("text", "--text", ["id", "content"]))
    no field "text", only id, content; name the right one with --text
    """
    if not fields:
        return Message("corpus.no_field_at_all", {"name": name, "option": option})
    values: dict[str, Value] = {"name": name, "fields": tuple(fields[:SHOWN_FIELDS])}
    values["option"] = option
    if more := max(0, len(fields) - SHOWN_FIELDS):
        return Message("corpus.no_field_more", values | {"n": more})
    return Message("corpus.no_field", values)
