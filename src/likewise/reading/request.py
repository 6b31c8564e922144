"""What a reader is asked for, and how far it may go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict, final

from likewise.languages import codes
from likewise.progress import PageProgress, no_progress

MB = 1 << 20
LANGUAGES = codes()[::-1]  # of text in pictures: the engine takes the first for the main one


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that no honest document meets and no hostile one gets past."""

    file_bytes: int = 512 * MB
    unpacked_bytes: int = 512 * MB  # of the parts of one document or one member of an archive
    archive_bytes: int = 4096 * MB  # of all members of an archive together
    members: int = 20_000  # of an archive
    pages: int = 20_000
    cells: int = 5_000_000  # of the tables of a document
    pixels: int = 100_000_000  # of a picture
    memory_bytes: int = 3072 * MB  # of the process that reads
    seconds: float = 25.0  # without a finished page
    total_seconds: float = 7200.0  # a scanned book takes its time


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What holds for every file of a job.

    `ocr` are the languages in which text in pictures is read, none for not at all; `verify` asks
    whether the text of a PDF is what its pages show; `web_page` for the main text of a web page;
    `jobs` is how many files are read at a time, as many as there are cores where it is None.
    """

    limits: Limits = field(default_factory=Limits)
    cache: bool = True
    web_page: bool = False
    ocr: tuple[str, ...] = LANGUAGES
    verify: bool = False
    jobs: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """How one file is to be read.

    `web_page` asks for the main text of an HTML page instead of all of it, `charset` is the
    encoding that a server declared; `tell_page` hears of every finished page; `ocr` are the
    languages in which text in pictures is read, none for not at all; `verify` asks whether the
    text of a PDF is what its pages show, by looking at a few of them.
    """

    name: str = "document"
    limits: Limits = field(default_factory=Limits)
    web_page: bool = False
    charset: str | None = None
    tell_page: PageProgress = no_progress
    ocr: tuple[str, ...] = LANGUAGES
    verify: bool = False


# The same over a pipe, in JSON: what a process that reads gets to know before the bytes of a file.


@final
class ReadJob(TypedDict):
    """A request, without the limits: the process has them since it started."""

    name: str
    web_page: bool
    charset: str | None
    ocr: tuple[str, ...] | list[str]  # JSON has lists alone
    verify: bool


@final
class CallJob(TypedDict):
    """A function of ours, as "module:name", that takes the bytes and these arguments."""

    function: str
    arguments: Mapping[str, object]
