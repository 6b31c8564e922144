"""A file that damage has emptied is never taken in without a word."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path

from fastapi.testclient import TestClient
from typer.testing import CliRunner

from likewise.cli.app import app as command_line
from tests.server.handing_in import STEPPE, added, text

PDF = (Path(__file__).parents[1] / "files" / "pdf" / "six-pages.pdf").read_bytes()
_STREAM = re.compile(rb"(stream\r?\n)(.*?)(\r?\nendstream)", re.S)
EMPTIED = _STREAM.sub(rb"\1\3", PDF)  # and so its list of parts points elsewhere
# As long as before: all parts are where they should be, and what they say is gone.
SPOILT = _STREAM.sub(lambda found: found[1] + b"\x00" * len(found[2]) + found[3], PDF)


def blank_pdf() -> bytes:
    """A whole PDF with one page on which nothing stands."""
    packed = zlib.compress(b" ")
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (len(packed), packed),
    ]
    data, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(data)
    data += b"xref\n0 5\n0000000000 65535 f \n" + table
    return data + b"trailer\n<</Root 1 0 R/Size 5>>\nstartxref\n%d\n%%%%EOF\n" % start


FILES = {"emptied.pdf": EMPTIED, "spoilt.pdf": SPOILT, "blank.pdf": blank_pdf()}


def test_the_server_tells_of_every_file_without_text(
    teacher: TestClient, work_off: Callable[[], int]
) -> None:
    outcome = added(teacher, work_off, FILES | {"good.txt": text(STEPPE)})
    told = {one["name"]: (one["state"], one["reason"] or "") for one in outcome["documents"]}
    assert told["good.txt"] == ("new", "")
    assert told["emptied.pdf"][0] == "unread" and "damaged" in told["emptied.pdf"][1]
    assert told["spoilt.pdf"][1] != ""
    assert told["blank.pdf"][1] == "there is no text in it to compare"


def test_the_command_line_tells_of_every_file_without_text(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, data in (FILES | {"good.txt": text(STEPPE)}).items():
        (folder / name).write_bytes(data)
    asked = ["add", str(folder), "--library", str(tmp_path / "a.db"), "--json", "--no-cache"]
    lines = [
        json.loads(line)
        for line in CliRunner().invoke(command_line, asked).stdout.split("\n")
        if line
    ]
    told = {one["name"] for one in lines if one["type"] in ("unread", "textless")}
    assert told == set(FILES)
