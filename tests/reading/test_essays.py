"""One essay a language in every format: every reader makes the same document of it."""

import re
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest

import likewise
from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading import read
from likewise.reading.pictures import SAME_BITS
from tests.files.making.essay_pages import NOTE, Essay, places

FILES = Path(__file__).parent.parent / "files"
ESSAYS = {"en": "steppe", "ru": "lake", "kk": "apple"}

# Word processors keep the same text. A page shows more: the numbers of footnotes and of lists, and
# footnotes in the middle of a sentence that goes on overleaf; and LibreOffice's TXT has footnotes'
# numbers without their text. Each such place costs some nine of 330 shingles.
ALIKE = 0.7
ALIKE_IN_OFFICE = 0.99
ALIKE_BY_EYE = 0.6  # of pictures, where some letters are misread


@dataclass(frozen=True)
class Made:
    """An essay's source, and what was read of its files, by what follows the name."""

    source: Essay
    read: dict[str, Document]

    def kept(self, *left_out: str) -> list[Document]:
        return [document for form, document in self.read.items() if not form.endswith(left_out)]

    def lines(self, kind: str) -> list[str]:
        return [line for block in self.source.blocks if block.kind == kind for line in block.lines]


@pytest.fixture(scope="module", params=ESSAYS)
def essay(request: pytest.FixtureRequest) -> Made:
    name = ESSAYS[request.param]
    paths = sorted((FILES / "essays" / request.param).glob(f"{name}*"))
    paths = [path for path in paths if not path.stem.endswith(("-scan", "-photo"))]
    read_of = {path.name.removeprefix(name): read(path, cache=False) for path in paths}
    return Made(Essay.named(name), read_of)


def in_one_line(text: str) -> str:
    """Without the ends of lines, and without the hyphens that a browser may have put there."""
    return re.sub(r"\s+", " ", text.replace("\N{SOFT HYPHEN}", ""))


def jaccard_of(*documents: Document) -> dict[tuple[str, str], float]:
    return {(m.a, m.b): m.jaccard for m in likewise.find(documents, threshold=0.01)}


def test_all_formats_are_there(essay: Made) -> None:
    forms = {".pdf", "-printed.pdf", ".doc", ".docx", ".odt", ".rtf", ".html", ".txt"}
    assert set(essay.read) - {"-utf16.txt"} == forms


def test_every_two_formats_read_alike(essay: Made) -> None:
    alike = jaccard_of(*essay.read.values())
    names = sorted(document.name for document in essay.read.values())
    assert set(alike) == set(combinations(names, 2))
    assert {pair: j for pair, j in alike.items() if j < ALIKE} == {}


@pytest.mark.parametrize("language", ESSAYS)
@pytest.mark.parametrize("form", ["-scan.pdf", "-photo.jpg"])
@pytest.mark.ocr
def test_a_scan_and_a_photograph_read_like_the_essay(language: str, form: str) -> None:
    folder, name = FILES / "essays" / language, ESSAYS[language]
    (alike,) = jaccard_of(read(folder / f"{name}{form}"), read(folder / f"{name}.docx")).values()
    assert alike > ALIKE_BY_EYE


def test_word_processors_formats_read_the_same(essay: Made) -> None:
    alike = jaccard_of(*essay.kept(".pdf", ".txt", ".html"))
    assert len(alike) == 6
    assert {pair: j for pair, j in alike.items() if j < ALIKE_IN_OFFICE} == {}


def test_the_language_is_seen_in_every_format(essay: Made) -> None:
    assert {document.language for document in essay.read.values()} == {
        essay.source.head["language"]
    }


@pytest.mark.parametrize("kind", ["heading", "list", "picture"])
def test_headings_lists_and_captions_are_whole(essay: Made, kind: str) -> None:
    for document in essay.read.values():
        text = in_one_line(document.compared_text)
        assert [line for line in essay.lines(kind) if line not in text] == [], document.name


def test_the_title_comes_first(essay: Made) -> None:
    first = {d.name: first_line(d.compared_text) for d in essay.read.values()}
    title = essay.source.head["title"]
    assert {name: line for name, line in first.items() if line != title} == {}


def first_line(text: str) -> str:
    return text.lstrip().partition("\n")[0].rstrip()


def test_footnotes_are_read(essay: Made) -> None:
    notes = NOTE.findall(" ".join(essay.lines("paragraph")))
    assert len(notes) == 2
    for document in essay.kept(".txt"):
        text = in_one_line(document.compared_text)
        assert [note for note in notes if note not in text] == [], document.name


def test_the_running_header_is_kept_and_left_out_of_comparison(essay: Made) -> None:
    header = essay.source.head["running"]
    kept = essay.kept(".txt")
    assert [d.name for d in kept if header not in in_one_line(d.text)] == []
    assert [d.name for d in kept if header in in_one_line(d.compared_text)] == []


def test_page_numbers_are_left_out_of_comparison(essay: Made) -> None:
    number = re.compile(r"\n\s*\d+\s*$")
    assert [d.name for d in essay.kept(".txt") if number.search(d.compared_text)] == []


def test_the_table_is_the_same_in_every_format(essay: Made) -> None:
    caption, *lines = essay.lines("table")
    rows = whole_rows(lines)
    for document in essay.kept(".txt"):
        assert [table.rows for table in document.tables] == [rows], document.name
        assert in_one_line(document.tables[0].caption) == caption, document.name


def whole_rows(lines: list[str]) -> tuple[tuple[str, ...], ...]:
    """The rows of a source, with a merged cell in every place that it covers."""
    grid: dict[tuple[int, int], str] = {}
    for i, row in enumerate(places(lines)):
        for j, cell in enumerate(row):
            if cell:
                for down in range(cell.down):
                    for right in range(cell.across):
                        grid[i + down, j + right] = cell.text
    columns = range(max(j for _, j in grid) + 1)
    return tuple(tuple(grid[i, j] for j in columns) for i in range(len(lines)))


def test_the_figure_is_recognised_in_every_format(essay: Made) -> None:
    pictures = {document.name: document.pictures for document in essay.kept(".txt")}
    assert {name: len(found) for name, found in pictures.items() if len(found) != 1} == {}
    figures = [found[0] for found in pictures.values()]
    assert max(a.bits_apart(b) for a, b in combinations(figures, 2)) <= SAME_BITS


def test_figures_of_different_essays_differ() -> None:
    figures = [
        read(FILES / "essays" / language / f"{name}.docx", cache=False).pictures[0]
        for language, name in ESSAYS.items()
    ]
    assert all(a.bits_apart(b) > SAME_BITS for a, b in combinations(figures, 2))


@pytest.mark.slow
def test_each_essay_is_one_cluster_in_all_its_formats_and_archives() -> None:
    found = likewise.find(FILES)  # scans have been read above
    clusters = [set(cluster) for cluster in found.clusters]
    packed = {
        "en": {
            "archives/canvas.zip/carterdaniel_11482_920115_essay.docx",
            "archives/moodle.zip/Daniel Carter_204517_assignsubmission_file_/essay.docx",
        },
        "ru": {
            "archives/canvas.zip/orlovamaria_LATE_11490_920131_essay.pdf",
            "archives/moodle.zip/Мария Орлова_204519_assignsubmission_onlinetext_/onlinetext.html",
            "archives/windows.zip/Работы/Орлова Мария.docx",
            "archives/windows.zip/Работы/Ёлкин Пётр.doc",
        },
        "kk": {
            "archives/canvas.zip/sarsenovaaigerim_11503_920127_essay.rtf",
            "archives/moodle.zip/Айгерім Сәрсенова_204518_assignsubmission_file_/эссе.docx",
        },
    }
    for language, name in ESSAYS.items():
        files = (FILES / "essays" / language).glob(f"{name}*")
        own = {path.relative_to(FILES).as_posix() for path in files}
        [cluster] = [cluster for cluster in clusters if cluster & own]
        # Sources, and what other tests made of them, are rightly there too.
        here = {name for name in cluster if name.startswith(("essays/", "archives/"))}
        assert here == own | packed[language]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("ferry.doc", "Waiting for the Ferry"),
        ("bread.doc", "Хлеб на закваске"),
        ("winter.txt", "Қысқы соқпақ"),
        ("clock.pdf", "The Town Clock"),
        ("station.docx", "Станция без названия"),
    ],
)
def test_content_decides_where_a_name_is_wrong(name: str, title: str) -> None:
    document = read(FILES / "misnamed" / name, cache=False)
    assert document.text.strip().startswith(title)
    assert "\N{REPLACEMENT CHARACTER}" not in document.text


@pytest.mark.parametrize("suffix", ["doc", "docx", "odt", "pdf"])
def test_a_password_is_named_as_the_reason(suffix: str) -> None:
    with pytest.raises(ReadingError, match="password"):
        read(FILES / "broken" / f"locked.{suffix}", cache=False)


@pytest.mark.parametrize(
    "name", ["empty.pdf", "folder.pdf", "random.bin", "program.exe", "program"]
)
def test_what_holds_no_text_is_refused_with_a_reason(name: str) -> None:
    with pytest.raises(ReadingError):
        read(FILES / "broken" / name, cache=False)


@pytest.mark.parametrize("name", ["truncated.docx", "truncated.pdf"])
def test_half_a_document_is_refused_or_read_with_a_note(name: str) -> None:
    try:
        document = read(FILES / "broken" / name, cache=False)
    except ReadingError:
        return
    assert document.notes
