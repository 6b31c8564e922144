"""A corpus: many documents in JSON Lines, Parquet or text files, read as one stream.

Only the records at hand are in memory, and in the first pass a hash of each id (80 to 110 bytes).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from likewise.corpus.jsonl import JsonLines
from likewise.corpus.packing import unreadable
from likewise.corpus.plain import PlainText
from likewise.corpus.shard import BadRecord, Shard, Survey, Unusable
from likewise.corpus.sniff import Foreign, is_corpus_name, is_lines_by_name_only, kind_of
from likewise.errors import BadInput
from likewise.model import Message
from likewise.progress import Count

Unit = Literal["document", "paragraph"]

# No two different ids share 120 bits, and Python needs as much memory for 64.
ID_HASH_BYTES = 15
PROGRESS_BYTES = 1 << 20
_BLANK_LINES = re.compile(r"\n\s*\n")


class Record(NamedTuple):
    """A document or paragraph: what to call it, what it says, and its number in the corpus.

    (A named tuple because a frozen dataclass takes three times as long to make.)
    """

    id: str
    text: str
    place: int


class Corpus:
    """Many documents in files; iterate over `records()` as often as you like."""

    def __init__(
        self,
        path: Path,
        shards: Sequence[Shard],
        unit: Unit,
        skip_bad: bool,
        left_out: Sequence[str] = (),
    ) -> None:
        self.path = path
        self.unit = unit
        self.shards = tuple(shards)
        self.left_out = tuple(left_out)  # files in the folder that were not taken for a part of it
        self.size_bytes = sum(shard.size_bytes for shard in shards)
        self._survey = Survey(skip_bad)

    @property
    def bad(self) -> list[BadRecord]:
        """The first of the records that could not be used, in the last first pass."""
        return self._survey.bad

    @property
    def bad_count(self) -> int:
        """How many records could not be used."""
        return self._survey.bad_count

    def holds(self, path: Path) -> bool:
        """Whether a path lies in the folder that is the corpus, or is its file."""
        return path.resolve().is_relative_to(self.path.resolve())

    def survey(self) -> Survey:
        """What a whole pass finds: how many documents and places, and what is bad."""
        if not self._survey.complete:
            for _ in self.records():
                pass
        return self._survey

    def records(self, progress: Count | None = None) -> Iterator[Record]:
        """All usable records in order; `progress` hears how many bytes on disk are read."""
        survey = self._survey
        first_pass = not survey.complete
        if first_pass:  # an earlier pass that was given up has told only half
            survey = self._survey = Survey(survey.skip_bad)
        by_paragraph = self.unit == "paragraph"
        id_hashes: set[bytes] = set()
        documents = place = done_bytes = 0
        throttle = Throttle(progress)
        for shard in self.shards:
            check_ids = first_pass and shard.brings_ids and shard.id is not None
            for row, id, text in shard.documents(survey, throttle.after(done_bytes)):
                if check_ids:
                    data = id.encode("utf-8", "surrogatepass")
                    digest = blake2b(data, digest_size=ID_HASH_BYTES).digest()
                    if digest in id_hashes:
                        survey.complain(shard, row, self._repeated(id, survey))
                        continue
                    id_hashes.add(digest)
                documents += 1
                if by_paragraph:
                    for number, (start, end) in enumerate(paragraph_spans(text), 1):
                        yield Record(f"{id}#{number}", text[start:end], place)
                        place += 1
                else:
                    yield Record(id, text, place)
                    place += 1
            done_bytes += shard.size_bytes
        if not documents:
            raise self._nothing_usable(survey)
        survey.documents, survey.places, survey.complete = documents, place, True
        throttle.finish(self.size_bytes)

    def _repeated(self, id: str, survey: Survey) -> Message:
        if survey.skip_bad:  # looking for the first place would take a pass for each
            return Message("corpus.id_used", {"id": repr(id)})
        elsewhere = Survey(skip_bad=True)
        for shard in self.shards:
            for row, other, _ in shard.documents(elsewhere, None):
                if other == id:
                    first = shard.where(row)
                    return Message("corpus.id_used_in", {"id": repr(id), "place": first})
        raise AssertionError("only an id that was seen can repeat")

    def _nothing_usable(self, survey: Survey) -> BadInput:
        why = Message("corpus.no_documents")
        if survey.bad:
            first = survey.bad[0].message
            why = Message("corpus.nothing_usable", {"n": survey.bad_count, "first": first})
        if any(name.lower().endswith(".txt") for name in self.left_out):
            why = Message("corpus.texts_beside", {"why": why})
        return BadInput(why, about=self.path)


class Throttle:
    """Passes progress on, in bytes of the whole corpus, but not at every little step."""

    def __init__(self, progress: Count | None) -> None:
        self._progress = progress
        self._reported = -PROGRESS_BYTES

    def after(self, done_bytes: int) -> Count | None:
        """A progress for one file, when so many bytes of others are behind us."""
        return (lambda count: self._tell(done_bytes + count)) if self._progress else None

    def finish(self, total_bytes: int) -> None:
        self._reported = -PROGRESS_BYTES
        self._tell(total_bytes)

    def _tell(self, count: int) -> None:
        if self._progress and count - self._reported >= PROGRESS_BYTES:
            self._reported = count
            self._progress(count)


def open_corpus(
    path: str | Path,
    *,
    text: str = "text",
    id: str | None = "id",
    unit: Unit = "document",
    skip_bad: bool = False,
) -> Corpus:
    """The corpus in a JSON Lines or Parquet file, a folder of them, or a folder of .txt files.

    `text` and `id` name the fields, with dots for one inside another; without an id field
    records are called by file and line. What cannot be used raises, or is counted.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "crawl.jsonl")
    ...     _ = path.write_text('{"id": 7, "text": "A stitch in time."}\\n')
    ...     list(open_corpus(path).records())
    [Record(id='7', text='A stitch in time.', place=0)]
    """
    path = Path(path)
    if unit not in get_args(Unit):
        raise BadInput("corpus.no_unit", unit=unit)
    if path.is_dir():
        shards, left_out = _shards_in(path, text, id, skip_bad)
        return Corpus(path, shards, unit, skip_bad, left_out)
    shard = _shard(path, path.name, text, id)
    if not shard.size_bytes:
        raise BadInput("corpus.empty_file", about=path)
    return Corpus(path, [shard], unit, skip_bad)


def _shards_in(
    folder: Path, text: str, id: str | None, skip_bad: bool
) -> tuple[list[Shard], list[str]]:
    """The files that make up the corpus, by name, and the names of the others."""
    names = _files_below(folder)
    selected = [name for name in names if is_corpus_name(name)]
    # Beside surer names a .json file describes the data more often than it holds them.
    selected = [name for name in selected if not is_lines_by_name_only(name)] or selected
    shards: list[Shard] = []
    if not selected:
        selected = [name for name in names if name.lower().endswith(".txt")]
        shards = [PlainText.at(folder / name, name, text, id) for name in selected]
    else:
        for name in selected:
            try:
                shards.append(_shard(folder / name, name, text, id))
            except Foreign as error:
                if not skip_bad or len(selected) == 1:
                    raise
                unusable = Unusable.at(folder / name, name, text, id)
                shards.append(replace(unusable, reason=error.message))
    selected_names = set(selected)
    others = [name for name in names if name not in selected_names]
    if not shards:
        if others:
            raise BadInput("corpus.other_files", about=folder, n=len(others), name=others[0])
        raise BadInput("corpus.no_corpus_files", about=folder)
    if selected and not any(shard.size_bytes for shard in shards):
        raise BadInput("corpus.empty_files", about=folder, n=len(shards))
    return shards, others


def _shard(path: Path, name: str, text: str, id: str | None) -> Shard:
    lines = JsonLines.at(path, name, text, id)
    kind = kind_of(path)
    if kind != "parquet":
        return replace(lines, packing=kind)
    from likewise.corpus.parquet import Parquet  # takes long to load, and few need it

    return Parquet.at(path, name, text, id)


def _files_below(folder: Path) -> list[str]:
    """The files in a folder and its folders, relative and sorted; hidden ones are left alone."""

    def give_up(error: OSError) -> None:
        raise unreadable(Path(error.filename or folder), error) from error

    names, visited = [], set()
    for where, folders, files in os.walk(folder, onerror=give_up, followlinks=True):
        if (real := Path(where).resolve()) in visited:  # a link that leads back
            folders.clear()
            continue
        visited.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        place = Path(where).relative_to(folder)
        names += [(place / name).as_posix() for name in files if not name.startswith(".")]
    return sorted(names)


# Paragraphs: what stands between blank lines.


def paragraph_spans(text: str) -> list[tuple[int, int]]:
    """Where the paragraphs that are not blank start and end.

    >>> text = "one\\n\\ntwo\\nlines\\n \\n\\nthree\\n"
    >>> [text[start:end] for start, end in paragraph_spans(text)]
    ['one', 'two\\nlines', 'three\\n']
    """
    spans, start = [], 0
    for blank in _BLANK_LINES.finditer(text):
        end = blank.start()
        # Not in the pattern, which is four times as fast when it starts with a fixed letter.
        spans.append((start, end - text.endswith("\r", start, end)))
        start = blank.end()
    spans.append((start, len(text)))
    # Only the first and the last can be blank: a match takes all the space it can.
    return [(start, end) for start, end in spans if text[start:end].strip()]


def without_paragraphs(text: str, spans: Sequence[tuple[int, int]], flags: Sequence[bool]) -> str:
    """The kept paragraphs, each after the blank lines that stood before it.

    >>> text = "one\\n\\ntwo\\n \\nthree"
    >>> without_paragraphs(text, paragraph_spans(text), [True, False, True])
    'one\\n \\nthree'
    """
    pieces: list[str] = []
    end_before = 0
    for (start, end), keep in zip(spans, flags, strict=True):
        if keep:
            pieces.append(text[end_before if pieces else start : end])
        end_before = end
    return "".join(pieces)
