"""What a caller gives to be compared, as documents: folders, archives, files or documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from likewise.errors import BadInput, BadSettings
from likewise.machine import cores
from likewise.model import Collection, Document, Unread
from likewise.progress import Progress
from likewise.reading import ReadOptions, labels, read, read_folder
from likewise.reading.read import archive_at

Source = str | Path | Iterable[Document]


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of one collection, and what became of its other files."""

    documents: Sequence[Document]
    unread: Sequence[Unread] = ()
    label: str = ""
    place: str = ""  # its folder, as it was given
    other_languages: int = 0

    @property
    def counts(self) -> Collection:
        """How much there is, for who shows a result."""
        return Collection(self.place, len(self.documents), self.other_languages, len(self.unread))


def read_source(
    source: Any, options: ReadOptions, progress: Progress | None, language: str | None = None
) -> Documents:
    """The documents of a folder or an archive, or those given; of a language, if one is asked."""
    if isinstance(source, str | Path):
        documents, unread = read_folder(
            source,
            progress,
            jobs=options.jobs,
            cache=options.cache,
            ocr=options.ocr,
            verify=options.verify,
        )
        label, place = Path(source).resolve().name, str(source)
    else:
        documents, unread, label, place = _given(source), [], "", ""
    fitting = [one for one in documents if language is None or one.language == language]
    return Documents(fitting, unread, label, place, len(documents) - len(fitting))


def read_two(
    left: Any,
    right: Any,
    options: ReadOptions,
    progress: Progress | None,
    language: str | None = None,
) -> tuple[Documents, Documents]:
    """Two collections by labels that tell them apart, and so are files that were not read."""
    ours = read_source(left, options, progress, language)
    theirs = read_source(right, options, progress, language)
    names = "a", "b"
    if isinstance(left, str | Path) and isinstance(right, str | Path):
        names = labels(Path(left), Path(right))
    known = [
        {one.name for one in side.documents} | {file.name for file in side.unread}
        for side in (ours, theirs)
    ]
    twice = known[0] & known[1]

    def named(side: Documents, label: str) -> Documents:
        unread = [
            replace(file, name=f"{label}/{file.name}") if file.name in twice else file
            for file in side.unread
        ]
        return replace(side, unread=unread, label=label)

    return named(ours, names[0]), named(theirs, names[1])


def read_any(source: Any, options: ReadOptions, progress: Progress | None) -> Documents:
    """Documents of a folder or an archive, the one in a file, or those given."""
    if isinstance(source, str | Path):
        path = Path(source)
        if not path.is_dir() and archive_at(path, options.limits) is None:
            return Documents([read_document(path, options)], place=str(source))
    return read_source(source, options, progress)


def read_document(
    source: str | Path | Document, options: ReadOptions, name: str | None = None
) -> Document:
    """The document itself, or the one in a file, called by its name unless it is given one."""
    if isinstance(source, Document):
        return source
    return read(source, name, cache=options.cache, ocr=options.ocr, verify=options.verify)


def workers(jobs: int | None) -> int:
    """How many threads: as many as asked for, else as there are cores."""
    if jobs is None:
        return cores()
    if not isinstance(jobs, int) or jobs < 1:
        raise BadSettings(f"jobs is {jobs!r}; it takes a whole number from 1 on")
    return jobs


def _given(source: Any) -> list[Document]:
    documents = list(source) if isinstance(source, Iterable) else [source]
    for document in documents:
        if not isinstance(document, Document):
            kind = type(document).__name__
            raise BadInput(f"a folder or documents are needed, not {kind}; see Document.from_text")
    return documents
