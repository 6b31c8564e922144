"""A report as a browser saves it: under its name, and never run as something else."""

from __future__ import annotations

import re
from typing import Literal

from fastapi import Response

from likewise.server.downloads import disposition

Format = Literal["html", "pdf", "docx", "json", "csv"]
WatermarkedFormat = Literal["html", "pdf", "docx"]  # which have a place for a watermark
TYPES: dict[Format, str] = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}
LONGEST_NAME = 120
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"\\/:*?<>|]')


def as_download(data: bytes, name: str, format: Format) -> Response:
    """The file, with headers that no name in it can add to."""
    saved_name = file_name(name, format)
    headers = {
        "Content-Disposition": disposition(saved_name),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    if format == "html":
        from likewise.report.page import policy

        headers["Content-Security-Policy"] = f"{policy()}; frame-ancestors 'none'"
    return Response(data, media_type=TYPES[format], headers=headers)


def file_name(name: str, format: Format) -> str:
    """The name under which a report is downloaded.

    >>> file_name('thesis "final".docx', "pdf")
    'thesis _final_ report.pdf'
    """
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name)
    safe = _NOT_IN_NAMES.sub("_", stem)[:LONGEST_NAME].strip(" .") or "check"
    return f"{safe} report.{format}"


def describe_reports() -> dict[int | str, dict[str, object]]:
    """For the description of the API: one of several kinds of files."""
    kinds: dict[str, object] = {
        kind.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
        for kind in TYPES.values()
    }
    return {200: {"description": "the report, as a file", "content": kinds}}
