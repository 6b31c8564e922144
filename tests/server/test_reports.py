"""Reports in every format and language, made by processes that may fail alone."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
import zipfile

import docx
import pypdfium2
import pytest
import zstandard

from likewise.report.page import policy
from likewise.server.database import tables
from likewise.server.problems import Problem
from likewise.server.reports.renderer_pool import Renderers
from tests.server.checking import checked, small_library


@pytest.fixture
def id(context, teacher, work_off):
    small_library(context)
    return checked(teacher, work_off, name="Диплом “Алия”.txt")


def report(client, id, **asked):
    answer = client.get(f"/checks/{id}/report", params=asked)
    assert answer.status_code == 200, answer.text
    return answer


def test_every_format_opens_and_is_saved_under_its_name(teacher, id):
    for format, kind in (
        ("html", "text/html; charset=utf-8"),
        ("pdf", "application/pdf"),
        ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("json", "application/json"),
        ("csv", "text/csv; charset=utf-8"),
    ):
        answer = report(teacher, id, format=format)
        assert answer.headers["content-type"] == kind
        assert answer.headers["x-content-type-options"] == "nosniff"
        saved = answer.headers["content-disposition"]
        assert saved.startswith("attachment; ") and saved.isascii()
        assert saved.endswith(f"%20report.{format}")
        opened(format, answer.content)


def opened(format, data):
    if format == "pdf":
        pages = pypdfium2.PdfDocument(data)
        assert "river.txt" in " ".join(page.get_textpage().get_text_bounded() for page in pages)
        pages.close()
    elif format == "docx":
        cells = [c.text for t in docx.Document(io.BytesIO(data)).tables for c in t._cells]
        assert any("river.txt" in cell for cell in cells)
        zipfile.ZipFile(io.BytesIO(data)).testzip()
    elif format == "csv":
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
        assert {len(row) for row in rows} == {len(rows[0])} and "river.txt" in rows[1]
    elif format == "json":
        assert json.loads(data)["type"] == "check"
    else:
        page = data.decode()
        tags = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.S)
        assert not re.search(r"(src|href)\s*=", tags) and "http" not in tags.replace(
            "http-equiv", ""
        )


def test_a_page_may_run_its_own_script_and_nothing_else(teacher, id):
    answer = report(teacher, id, format="html")
    assert answer.headers["content-security-policy"].startswith(policy())
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert 'data-language="kk"' in report(teacher, id, format="html", language="kk").text


def test_reports_speak_the_language_that_is_asked_for(teacher, id):
    for language, word in (("en", "Sources"), ("ru", "Источники"), ("kk", "Дереккөздер")):
        data = report(teacher, id, format="docx", language=language).content
        assert any(word in p.text for p in docx.Document(io.BytesIO(data)).paragraphs)
    assert teacher.get(f"/checks/{id}/report?language=fr").status_code == 422
    assert teacher.get(f"/checks/{id}/report?format=exe").status_code == 422


def test_a_report_is_dated_by_its_check_and_is_the_same_tomorrow(teacher, id):
    first = report(teacher, id, format="json").json()
    assert first["made"]["date"] == teacher.get(f"/checks/{id}").json()["summary"]["done_on"]
    assert report(teacher, id, format="json").json() == first


def test_a_damaged_result_is_a_problem_and_no_crash(context, teacher, id):
    table = tables.check_results
    for packed in (b"likewise check 1\nrubbish", b"rubbish", b"likewise check 99\n"):
        with context.store.beside() as connection:
            connection.execute(table.update().values(packed=packed))
        for path in ("result", "view", "report?format=pdf"):
            answer = teacher.get(f"/checks/{id}/{path}")
            assert (answer.status_code, answer.json()["kind"]) == (500, "internal error")
            assert "kept" in answer.json()["message"]
    assert teacher.get(f"/checks/{id}").status_code == 200


# The processes


HANGS = """
import struct, sys, os, time
for line in sys.stdin.buffer:
    if b"hang" in line: time.sleep(600)
    if b"die" in line: os.kill(os.getpid(), 11)
    answer = str(os.getpid()).encode()
    sys.stdout.buffer.write(b"d" + struct.pack("<Q", len(answer)) + answer)
    sys.stdout.buffer.flush()
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A program in the place of the one that makes reports."""
    (tmp_path / "stand_in_renderer.py").write_text(HANGS)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    made = Renderers(1, seconds=2, program="stand_in_renderer")
    yield made
    made.close()


def test_a_process_that_hangs_or_dies_costs_its_own_report_alone(stand_in):
    first = stand_in.render({"what": "well"})
    assert stand_in.render({"what": "well"}) == first and int(first) != os.getpid()
    with pytest.raises(Problem, match="2 seconds"):
        stand_in.render({"what": "hang"})
    second = stand_in.render({"what": "well"})
    assert second != first
    with pytest.raises(Problem, match="could not be made"):
        stand_in.render({"what": "die"})
    assert stand_in.render({"what": "well"}) not in (first, second)


def test_a_report_that_needs_too_much_memory_is_given_up(context, teacher, id):
    table = tables.check_results
    with context.store.reading() as connection:
        packed = bytes(connection.execute(table.select()).one().packed)
    small = Renderers(1, memory_bytes=200 << 20)
    try:
        order = {"what": "report", "format": "pdf", "language": None, "date": None}
        with pytest.raises(Problem) as refused:
            small.render(order | {"decisions": [], "confirmations": []}, packed)
        assert refused.value.kind == "internal error"
    finally:
        small.close()


def test_a_result_that_an_older_likewise_kept_is_shown_still(context, teacher, id):
    """It knew no numbers of sources; what it did not know has its default."""
    table = tables.check_results
    with context.store.beside() as connection:
        packed = bytes(connection.execute(table.select()).one().packed)
        head, _, body = packed.partition(b"\n")
        first, *others = zstandard.ZstdDecompressor().decompress(body).split(b"\n")
        plain = json.loads(first)
        for name in ("ids", "partners", "taken_out", "before"):
            del plain[name]
        lines = b"\n".join([json.dumps(plain).encode(), *others])
        older = head + b"\n" + zstandard.ZstdCompressor().compress(lines)
        connection.execute(table.update().values(packed=older))
    result = teacher.get(f"/checks/{id}/result").json()
    assert len(result["sources"]) == 2
    assert {one["document"] for one in result["sources"]} == {None}
    opened("pdf", report(teacher, id, format="pdf").content)
