"""Writing results: all of it, or nothing at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.corpus.packing import SUFFIXES, Packer
from likewise.corpus.plain import PlainText
from likewise.corpus.streams import Corpus, Throttle, paragraph_spans, without_paragraphs
from likewise.errors import BadInput, OutputFailed, words_of_system
from likewise.progress import Count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WRITE_BYTES = 1 << 18
DISK_FULL = {errno.ENOSPC, errno.EDQUOT}


@dataclass(slots=True)
class Cleaned:
    """How many documents were kept as they are, kept with fewer paragraphs, and dropped."""

    kept: int = 0
    shortened: int = 0
    dropped: int = 0


def ensure_output(output_dir: str | Path, corpus: Corpus | None = None) -> None:
    """Raises `BadInput` if `write_clean` could not put its result there; best asked early."""
    folder = Path(output_dir)
    try:
        _look_at_output(folder, corpus)
    except OSError as error:
        raise BadInput("corpus.output_refused", about=folder, why=words_of_system(error)) from error


def _look_at_output(folder: Path, corpus: Corpus | None) -> None:
    if folder.is_dir():
        if next(folder.iterdir(), None) is not None:
            raise BadInput("corpus.output_not_empty", about=folder)
    elif folder.exists() or folder.is_symlink():
        raise BadInput("corpus.output_no_folder", about=folder)
    if corpus and corpus.holds(folder):
        raise BadInput("corpus.output_in_corpus", about=folder)
    existing = next(parent for parent in (folder, *folder.resolve().parents) if parent.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        raise BadInput("corpus.output_impossible", about=folder, folder=str(existing))


def write_clean(
    corpus: Corpus,
    keep: Callable[[int], bool] | NDArray[np.bool_],
    output_dir: str | Path,
    *,
    progress: Count | None = None,
) -> Cleaned:
    """Writes the records whose places are kept, file by file, as they were.

    Kept lines, rows and texts are copied untouched; only a document that loses paragraphs
    gets a new text, and one that loses all of them is dropped. The folder appears at the end,
    complete, or not at all.

    >>> from tempfile import TemporaryDirectory
    >>> from likewise.corpus import open_corpus
    >>> with TemporaryDirectory() as folder:
    ...     corpus, clean = Path(folder, "crawl.jsonl"), Path(folder, "clean")
    ...     _ = corpus.write_text('{"id": 1, "text": "a"}\\n{"id": 2, "text": "a"}\\n')
    ...     write_clean(open_corpus(corpus), lambda place: place == 0, clean)
    ...     Path(clean, "crawl.jsonl").read_text()
    Cleaned(kept=1, shortened=0, dropped=1)
    '{"id": 1, "text": "a"}\\n'
    """
    ensure_output(output_dir, corpus)
    survey = corpus.survey()
    judge = _Judge(_by_place(keep, survey.places), by_paragraph=corpus.unit == "paragraph")
    tell = Throttle(progress)
    done_bytes = 0
    with _new_folder(Path(output_dir)) as folder:
        for shard in corpus.shards:
            # To wait for the disk after every little text would take longer than all the rest.
            durable = not isinstance(shard, PlainText)
            target = folder / shard.name
            shard.write(
                partial(_new_file, target, durable),
                judge.verdict,
                survey,
                tell.after(done_bytes),
            )
            done_bytes += shard.size_bytes
        if judge.places != survey.places:
            raise BadInput("corpus.changed", about=corpus.path)
    tell.finish(corpus.size_bytes)
    return judge.cleaned


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Writes lines of text, packed if the name says so (.gz, .zst, .xz); complete or not at all.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_lines(Path(folder, "pairs.jsonl"), ['{"a": "x", "b": "y"}'])
    ...     Path(folder, "pairs.jsonl").read_text()
    '{"a": "x", "b": "y"}\\n'
    """
    path = Path(path)
    # What is there and is no file (standard output, a pipe) must not be replaced by one.
    direct = path.exists() and not path.is_file()
    target = path if direct else path.resolve()  # a link stays a link
    draft = target if direct else _beside(target)
    try:
        with _told_as_output(path):
            with _Durable(FileIO(draft, "w" if direct else "x")) as file:
                file.durable = not direct
                packer = Packer(file, SUFFIXES.get(path.suffix.lower(), "plain"))
                for line in lines:
                    # Half a surrogate pair has no UTF-8; this form is what JSON calls it too.
                    packer.write((line + "\n").encode("utf-8", "backslashreplace"))
                packer.finish()
            if not direct:
                draft.replace(target)
    except BaseException:
        if not direct:
            with suppress(OSError):
                draft.unlink()
        raise


class _Judge:
    """Asks about each place in turn, and says what becomes of the document."""

    def __init__(self, keep: Callable[[int], bool], by_paragraph: bool) -> None:
        self._keep = keep
        self.verdict = self._shorten if by_paragraph else self._take_or_leave
        self.places = 0
        self.cleaned = Cleaned()

    def _take_or_leave(self, text: Callable[[], str]) -> bool:
        is_kept = bool(self._keep(self.places))
        self.places += 1
        if is_kept:
            self.cleaned.kept += 1
        else:
            self.cleaned.dropped += 1
        return is_kept

    def _shorten(self, text: Callable[[], str]) -> bool | str:
        spans = paragraph_spans(whole := text())
        flags = [bool(self._keep(self.places + number)) for number in range(len(spans))]
        self.places += len(spans)
        if all(flags):  # and so a document that had no paragraphs to begin with
            self.cleaned.kept += 1
            return True
        if not any(flags):
            self.cleaned.dropped += 1
            return False
        self.cleaned.shortened += 1
        return without_paragraphs(whole, spans, flags)


def _by_place(
    keep: Callable[[int], bool] | NDArray[np.bool_], places: int
) -> Callable[[int], bool]:
    if callable(keep):
        return keep
    if keep.shape != (places,) or keep.dtype != bool:
        raise ValueError(f"keep must be {places} booleans, not {keep.dtype} {keep.shape}")
    return keep.tobytes().__getitem__  # type: ignore[return-value]  # 0 or 1, found fast


class _Durable(BufferedWriter):
    """A new file that is safely on the disk when it is closed."""

    durable = True

    def close(self) -> None:
        try:
            if not self.closed and self.durable:
                self.flush()
                os.fsync(self.fileno())
        finally:
            super().close()


def _new_file(path: Path, durable: bool) -> BufferedWriter:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = _Durable(FileIO(path, "x"), WRITE_BYTES)
    file.durable = durable
    return file


@contextmanager
def _new_folder(final: Path) -> Iterator[Path]:
    """A folder to fill, put into place when that went well, removed when not."""
    final = final.resolve()
    parents = [parent for parent in final.parents if not parent.exists()]
    # A mounted folder cannot be replaced by another.
    inside = final.is_mount()
    draft = final / f".{secrets.token_hex(6)}.part" if inside else _beside(final)
    moved: list[Path] = []
    try:
        with _told_as_output(final):
            draft.mkdir(parents=True)
            yield draft
            if inside:
                for path in sorted(draft.iterdir()):
                    moved.append(path.rename(final / path.name))
                draft.rmdir()
            else:
                if final.exists():
                    final.rmdir()
                draft.rename(final)
    except BaseException:
        for path in (draft, *moved):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(True)
        for parent in parents:
            with suppress(OSError):
                parent.rmdir()
        raise


def _beside(path: Path) -> Path:
    """A hidden name in the same folder, so that moving it to the final one takes no copying."""
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")


@contextmanager
def _told_as_output(path: Path) -> Iterator[None]:
    """Turns what the system says about writing into what a person can act on."""
    try:
        yield
    except OSError as error:
        if error.errno in DISK_FULL:
            raise OutputFailed("corpus.disk_full", path=str(path)) from error
        why = words_of_system(error)
        raise OutputFailed("corpus.not_written", path=str(path), why=why) from error
