"""What stands in the bytes of the files that students get: nothing of others' real documents."""

from __future__ import annotations

import base64
import gzip
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from importlib.resources import files

import docx
import pypdfium2
import pytest
from fastapi.testclient import TestClient
from PIL import Image, ImageDraw

from likewise.server.context import ServerContext
from tests.library.texts import invented
from tests.server.checking import APPLES, MARKET, OWN, RIVER, add
from tests.server.teaching import handed_in, join, made_assignment, made_course, submissions
from tests.server.test_own_reports import SECRET, end, own_of, soon, words_of

LogIn = Callable[..., TestClient]
WorkOff = Callable[[], int]

FIGURES = [
    ["District", "Horses", "Sheep", "Camels"],
    ["Narynkol", "14817", "90331", "2714"],
    ["Kegen", "20935", "77412", "1893"],
    ["Raiymbek", "31764", "65238", "4476"],
    ["Uigur", "11259", "83907", "3358"],
]
HIDDEN_ROW = ["Zhanalyqsecret", "55501", "55502", "55503"]
FORMATS = ("view", "html", "pdf", "docx")


def picture(seed: int) -> bytes:
    image = Image.new("RGB", (320, 240), "white")
    draw = ImageDraw.Draw(image)
    for n in range(12):
        place = ((n * 53 + seed * 31) % 280, (n * 37 + seed * 17) % 200)
        draw.rectangle((*place, place[0] + 40, place[1] + 30), fill=(n * 20, 90, 255 - n * 20))
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def written(*parts: str, rows: list[list[str]], author: str, title: str) -> bytes:
    """A real document of a word processor, with a header, a table and a picture."""
    document = docx.Document()
    document.core_properties.author, document.core_properties.title = author, title
    document.sections[0].header.paragraphs[0].text = f"{author}: {title}"
    for part in parts:
        document.add_paragraph(part)
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    for row, cells in zip(rows, table.rows, strict=True):
        for text, cell in zip(row, cells.cells, strict=True):
            cell.text = text
    document.add_picture(io.BytesIO(picture(1)))
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


def reworded(text: str) -> str:
    """Every sixth word another one."""
    words = text.split()
    return " ".join(f"altogether{n}" if n % 6 == 5 else word for n, word in enumerate(words))


def texts_in(data: bytes) -> Iterator[str]:
    """All that can be read in a file, however it is packed."""
    yield data.decode("utf-8", "replace")
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name
                yield re.sub(r"</w:t>|<[^>]+>", "", archive.read(name).decode("utf-8", "replace"))
    elif data[:5] == b"%PDF-":
        document = pypdfium2.PdfDocument(data)
        yield str(document.get_metadata_dict())
        for page in document:
            yield page.get_textpage().get_text_bounded()
        document.close()
    elif packed := re.search(rb'id="view">([^<]+)<', data):
        yield gzip.decompress(base64.b64decode(packed[1])).decode()


@pytest.mark.parametrize("is_blind", [False, True], ids=["named", "blind"])
def test_no_file_holds_a_name_or_an_unmarked_word_of_others(
    context: ServerContext,
    teacher: TestClient,
    log_in: LogIn,
    work_off: WorkOff,
    is_blind: bool,
) -> None:
    dana, omar = log_in("dana", "student"), log_in("omarbek", "student")
    course = made_course(teacher, name="Hydrology secretcourse")
    join(teacher, course, "student", "dana", "omarbek")
    closed = teacher.post("/collections", json={"name": "Secretshelf"}).json()["id"]
    add(context, owner="aigul", collection=closed, secretthesis=f"{SECRET}\n\n{MARKET}\n\n{SECRET}")
    rules = {"student_report": "always", "self_checks": True}
    id = made_assignment(teacher, course, rules=rules, due_on=soon(), is_blind=is_blind)
    theirs = written(
        *(SECRET, reworded(RIVER), invented(40, seed=7), SECRET),
        rows=[*FIGURES, HIDDEN_ROW],
        author="Omarbek Secretov",
        title="Turquoise Secrettitle",
    )
    own_text = (OWN, RIVER, MARKET, APPLES)
    own = written(*own_text, rows=FIGURES, author="Dana", title="Waters")
    handed_in(omar, id, {"omarbeks secretfile.docx": theirs}, work_off)
    draft = dana.post(
        f"/assignments/{id}/self-checks", files=[("file", ("waters.docx", own))]
    ).json()["id"]
    work_off()
    path = f"/self-checks/{draft}"
    asked = {path: {one: _file(dana, path, one) for one in FORMATS}}
    assert dana.get(f"/self-checks/{draft}").json()["state"] == "checked"
    handed_in(dana, id, {"waters.docx": own}, work_off)
    path = f"/submissions/{own_of(dana, id)['id']}"
    asked["before"] = {one: _file(dana, path, one) for one in FORMATS}
    end(context, id)
    asked["after"] = {one: _file(dana, path, one) for one in FORMATS}
    asked["teacher"] = {one: _file(teacher, path, one) for one in FORMATS}
    cells = (cell for row in FIGURES for cell in row)
    known = words_of(" ".join((*own_text, *cells, "Dana waters aigul", *_words_of_pages())))
    hidden = words_of(" ".join((SECRET, reworded(RIVER), invented(40, seed=7), *HIDDEN_ROW)))
    hidden |= words_of("Omarbek Secretov Turquoise Secrettitle secretfile secretthesis Secretshelf")
    hidden |= words_of("secretcourse")
    hidden -= known
    assert len(hidden) > 40
    for of, reports in asked.items():
        for format, data in reports.items():
            told = set[str]()
            for text in texts_in(data):
                told |= words_of(text)
            assert not told & hidden, (of, format, told & hidden)
            assert words_of(OWN) <= told or format == "pdf", (of, format)  # it is looked at
    # There was something to find: the teacher's own report has it.
    (full,) = [one for one in submissions(teacher, id, attempts="last") if one["size"] == len(own)]
    report = teacher.get(f"/checks/{full['check']}/view")
    assert words_of(report.text) & hidden
    view = dana.get(f"{path}/view").json()
    assert {source["text"]["name"] for source in view["sources"]} == {
        "another submission",
        "another submission (2)",
    }
    kinds = {one["kind"] for one in view["passages"]}
    assert "verbatim" in kinds and kinds & {"edited", "rewritten"}
    (table,) = view["tables"]
    assert table["name"].startswith("another submission") and len(table["rows"]) == len(FIGURES)
    assert {cell["b"] for row in table["rows"] for cell in row["cells"]} == {""}
    for language, words in (("en", "another submission"), ("ru", "другая работа")):
        report = dana.get(f"{path}/report", params={"format": "docx", "language": language})
        assert any(words in text for text in texts_in(report.content))


def _words_of_pages() -> Iterator[str]:
    """What every page holds, whatever it shows."""
    for file in files("likewise.report").joinpath("static").iterdir():
        yield file.read_text("utf-8")


def _file(client: TestClient, path: str, format: str) -> bytes:
    address = f"{path}/view" if format == "view" else f"{path}/report"
    params = {} if format == "view" else {"format": format, "language": "en"}
    answer = client.get(address, params=params)
    assert answer.status_code == 200, answer.text
    return answer.content
