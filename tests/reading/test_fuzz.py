"""Whatever is wrong with a file, there is a document or a reason, and nothing else.

Readers in Python are called directly, so that no exception can hide. Those that stand on native
code work in the sandbox; there a crash is a reason too.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.formats import Format, read_as, sniff
from likewise.reading.request import Limits, Request
from likewise.reading.sandbox import Sandbox

from .mutations import mutated

FILES = Path(__file__).parent.parent / "files"
LIMITS = Limits(pages=50, cells=200_000, unpacked_bytes=32 << 20, pixels=4_000_000, seconds=20)
TIMES = 230  # for each of nine
KINDS = {
    "pdf": ("pdf", "essays/*/*.pdf"),
    "docx": ("docx", "essays/*/*.docx"),
    "odt": ("odt", "essays/*/*.odt"),
    "doc": ("doc", "essays/*/*.doc"),
    "rtf": ("rtf", "essays/*/*.rtf"),
    "html": ("html", "essays/*/*.html"),
    "plain": ("plain", "essays/*/*.txt"),
    "sheet": ("sheet", "sheet/*[xs]"),
    "csv": ("csv", "sheet/*.csv"),
}
seeds = st.integers(0, 2**32 - 1)
rarely_the_same = settings(max_examples=TIMES, deadline=None, derandomize=True, database=None)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox(LIMITS)
    yield made
    made.close()


def files_of(kind: str) -> list[bytes]:
    form, pattern = KINDS[kind]
    found = [path.read_bytes() for path in sorted(FILES.glob(pattern))]
    assert found, f"no files to damage for {form}"
    return found


def is_sound(document: Document) -> bool:
    """Every span lies in the text, every table is even, and the text can be written."""
    document.text.encode()
    spans = [page.span for page in document.pages]
    spans += [table.span for table in document.tables]
    spans += [picture.span for picture in document.pictures]
    spans += [span for note in document.notes for span in note.spans]
    spans += [span for span, _ in document.left_out]
    even = all(len({len(row) for row in table.rows}) == 1 for table in document.tables)
    return even and all(span.end <= len(document.text) for span in spans)


@pytest.mark.parametrize("kind", ["docx", "odt", "rtf", "plain", "csv"])
def test_readers_in_python_give_a_document_or_a_reason(kind: str) -> None:
    originals = files_of(kind)
    form: Format = KINDS[kind][0]

    @rarely_the_same
    @given(st.sampled_from(originals), seeds)
    def check(original: bytes, seed: int) -> None:
        try:
            document = read_as(form, mutated(original, seed), Request(f"a.{kind}", LIMITS, ocr=()))
        except ReadingError as error:
            assert str(error)
        else:
            assert is_sound(document)

    check()


@pytest.mark.parametrize("kind", ["pdf", "doc", "html", "sheet"])
def test_readers_on_native_code_give_a_document_or_a_reason(kind: str, sandbox: Sandbox) -> None:
    originals = files_of(kind)

    @rarely_the_same
    @given(st.sampled_from(originals), seeds)
    def check(original: bytes, seed: int) -> None:
        try:
            request = Request(f"a.{kind}", LIMITS, ocr=())
            document = sandbox.read(mutated(original, seed), request).document
        except ReadingError as error:
            assert not str(error).startswith("it cannot be read ("), error
        else:
            assert is_sound(document)

    check()


@rarely_the_same
@given(st.sampled_from(sorted(KINDS)), seeds)
def test_what_a_damaged_file_is_is_always_told(kind: str, seed: int) -> None:
    originals = files_of(kind)
    try:
        sniff(mutated(originals[seed % len(originals)], seed), f"a.{kind}")
    except ReadingError as error:
        assert str(error)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.binary(max_size=2000), st.sampled_from(["a.pdf", "a.doc", "a.csv", "a"]))
def test_noise_is_told_apart_from_documents(data: bytes, name: str) -> None:
    try:
        sniff(data, name)
    except ReadingError as error:
        assert str(error)
