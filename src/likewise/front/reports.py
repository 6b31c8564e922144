"""Results as files for people and programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.catalogue import LanguageCode
from likewise.corpus import Deduped
from likewise.corpus.view import view_of_dedup
from likewise.errors import BadInput
from likewise.model import Check, Match, Matches
from likewise.progress import Progress
from likewise.report import (
    View,
    ensure_writable,
    view_of_check,
    view_of_matches,
    view_of_pair,
    write_view,
)

if TYPE_CHECKING:
    from likewise.library import Batch


def save(
    result: Check | Match | Matches | Deduped | Batch,
    path: str | Path,
    *,
    language: LanguageCode | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a report; the ending of its name says how: .html, .pdf, .docx, .json or .csv.

    Its language is en, ru or kk: that of the system by default, and a page speaks its reader's.

    >>> from tempfile import TemporaryDirectory
    >>> from likewise.front import compare
    >>> from likewise.model import Document
    >>> a, b = (Document.from_text("The first snow fell early.", name=name) for name in "ab")
    >>> with TemporaryDirectory() as folder:
    ...     save(compare(a, b), Path(folder, "pair.csv"), language="en")
    ...     Path(folder, "pair.csv").read_text("utf-8-sig").splitlines()[1][:2]
    'a,'
    """
    ensure_writable(path)
    view: View
    if isinstance(result, Check):
        view = view_of_check(result)
    elif isinstance(result, Matches):
        view = view_of_matches(result, progress=progress)
    elif isinstance(result, Match):
        view = view_of_pair(result)
    elif isinstance(result, Deduped):
        view = view_of_dedup(result)
    else:
        view = _view_of_batch(result, progress)
    if progress:
        progress("writing the report", 0, 0)
    write_view(view, path, language)


def _view_of_batch(result: Any, progress: Progress | None) -> View:
    # The database's modules are loaded by those who have a library.
    from likewise.library import Batch, batch_view

    if isinstance(result, Batch):
        return batch_view(result, progress)
    raise BadInput("core.no_report_of", kind=type(result).__name__)
