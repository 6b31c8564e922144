"""One document against a folder or a library, for `likewise check`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.cli.libraries import named_documents, open_library
from likewise.errors import BadInput
from likewise.settings import Settings

if TYPE_CHECKING:
    from likewise.library import Filters
    from likewise.model import Check, Document


def in_folder(
    document: Document,
    file: Path,
    against: Path,
    settings: Settings,
    skip: list[str] | None,
    jobs: int | None,
    reading: dict[str, Any],
    counting: dict[str, Any],
) -> Check:
    """Compared with every document of a folder, by the settings asked for."""
    from likewise.align import check_against
    from likewise.reading import is_file_of, read_folder
    from likewise.tables import check_with_tables

    others, unread = read_folder(against, counting["progress"], jobs=jobs, **reading)
    others = [other for other in others if not is_file_of(file, against, other)]
    if unknown := sorted(set(skip or ()) - {other.name for other in others}):
        raise BadInput(f"--skip {unknown[0]}: there is no such source in {against}")
    _has_text(document, file)
    which = counting.pop("exclusions")
    found = check_against(
        document, others, settings, which=which, skip=skip or (), unread=unread, **counting
    )
    if not found.documents and not found.skipped:
        told = f"; {found.unread[0].name}: {found.unread[0].reason}" if found.unread else ""
        raise BadInput(f"{against}: no document in it to compare with{told}")
    return check_with_tables(found, others)


def in_library(
    document: Document,
    file: Path,
    library: str | None,
    filters: Filters | None,
    skip: list[str] | tuple[str, ...],
    counting: dict[str, Any],
) -> Check:
    """Compared with what a library holds, the document itself aside."""
    from likewise.library import Filters, itself_in, told_of_itself

    _has_text(document, file)
    with open_library(library, read_only=True) as opened:
        own = itself_in(opened, document, file)
        skipped = named_documents(opened, skip)
        wanted = replace(filters or Filters(), not_ids=(*own, *skipped))
        found = opened.check(document, wanted, **counting)
        if not found.documents and not skipped:
            fits = "that fits" if filters else "in it" if not own else "in it but this one"
            raise BadInput(f"{opened.name}: no document {fits} to compare with")
    return replace(told_of_itself(found, own), skipped=tuple(sorted(skip)))


def _has_text(document: Document, file: Path) -> None:
    if not document.compared_text.strip():
        raise BadInput(f"{file}: there is no text in it to compare")
