"""The arguments of the front door: what is compared, how many threads, and settings by name.

What is compared may be folders, archives, files or documents; here it becomes documents.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from likewise.errors import BadInput, BadSettings, ReadingError
from likewise.machine import cores
from likewise.model import Collection, Document, Unread
from likewise.progress import Progress
from likewise.reading import ReadOptions, read, read_folder_by
from likewise.reading import labels as path_labels
from likewise.reading.read import archive_at
from likewise.reading.request import Limits
from likewise.settings import Settings

Source = str | Path | Iterable[Document]
Function = TypeVar("Function", bound=Callable[..., Any])


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
        documents, unread = read_folder_by(options, source, progress)
        label, place = Path(source).resolve().name, str(source)
    else:
        documents, unread, label, place = _as_documents(source), [], "", ""
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
    labels = side_labels(left, right)
    names_a, names_b = (
        {one.name for one in side.documents} | {file.name for file in side.unread}
        for side in (ours, theirs)
    )
    names_in_both = names_a & names_b

    def label_side(side: Documents, label: str) -> Documents:
        unread = [
            replace(file, name=f"{label}/{file.name}") if file.name in names_in_both else file
            for file in side.unread
        ]
        return replace(side, unread=unread, label=label)

    return label_side(ours, labels[0]), label_side(theirs, labels[1])


def side_labels(left: Any, right: Any) -> tuple[str, str]:
    """What tells two sides apart: as much of their paths as differs, or letters."""
    if isinstance(left, str | Path) and isinstance(right, str | Path):
        return path_labels(Path(left), Path(right))
    return "a", "b"


def read_any(source: Any, options: ReadOptions, progress: Progress | None) -> Documents:
    """Documents of a folder or an archive, the one in a file, or those given."""
    if isinstance(source, str | Path) and not is_collection(source):
        return Documents([read_document(source, options)], place=str(source))
    return read_source(source, options, progress)


def is_collection(path: str | Path) -> bool:
    """Whether this is many documents: a folder or an archive."""
    return Path(path).is_dir() or archive_at(Path(path), Limits()) is not None


def read_paths(
    paths: Sequence[str | Path], options: ReadOptions, progress: Progress | None
) -> tuple[list[Document], list[Unread], dict[str, Path]]:
    """The documents of files, folders and archives, what was not read, and each one's place.

    Of a single folder they are called as they are there, else by the whole path.
    """
    documents: list[Document] = []
    unread: list[Unread] = []
    paths_by_name: dict[str, Path] = {}
    for path in paths:
        if is_collection(path):
            collection = read_source(path, options, progress)
            above = "" if len(paths) == 1 else f"{path}/"
            documents += [replace(one, name=f"{above}{one.name}") for one in collection.documents]
            unread += [replace(one, name=f"{above}{one.name}") for one in collection.unread]
            paths_by_name |= {
                f"{above}{one.name}": Path(path) / one.name for one in collection.documents
            }
            continue
        try:
            documents.append(read_document(path, options, str(path)))
            paths_by_name[str(path)] = Path(path)
        except ReadingError as error:
            unread.append(Unread(str(path), error.message))
    return documents, unread, paths_by_name


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
        raise BadSettings("core.jobs", value=repr(jobs))
    return jobs


def names_settings(function: Function) -> Function:
    """The function itself; `help` and notebooks list its settings as the type checker does.

    >>> @names_settings
    ... def f(source: str, *, threshold: float = 0.8, **changes: bool) -> None: ...
    >>> list(inspect.signature(f).parameters)[:3], "stem" in inspect.signature(f).parameters
    (['source', 'threshold', 'languages'], True)
    """
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    usual = Settings()
    more = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=getattr(usual, field.name),
            annotation=field.type,
        )
        for field in fields(Settings)
        if field.name not in signature.parameters
    ]
    function.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    return function


def _as_documents(source: Any) -> list[Document]:
    documents = list(source) if isinstance(source, Iterable) else [source]
    for document in documents:
        if not isinstance(document, Document):
            kind = type(document).__name__
            raise BadInput("core.needs_documents", kind=kind)
    return documents
