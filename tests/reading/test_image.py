"""Pictures of pages: scans, photographs, and what is no page at all."""

import io
import struct
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.image import OCR_MISSING, read_image
from likewise.reading.image import engine as ocr_engine
from likewise.reading.request import LANGUAGES, Limits, Request

FILES = Path(__file__).parent.parent / "files" / "images"
TOP_LINES = "The night train The carriage smelled of tea and wet coats. Nobody".split()
pytestmark = pytest.mark.skipif(ocr_engine.missing() is not None, reason=str(ocr_engine.missing()))


def read(
    data: bytes | Image.Image,
    limits: Limits | None = None,
    ocr: tuple[str, ...] = LANGUAGES,
    **options,
) -> Document:
    if not isinstance(data, bytes):
        data = saved(data, "PNG")
    request = Request(limits=limits or Limits(), ocr=ocr)
    return read_image(data, request, **options).document("picture")


def saved(image: Image.Image, form: str, **options) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def file(name: str) -> bytes:
    return (FILES / name).read_bytes()


def truth(language: str) -> str:
    return (FILES / f"{language}.txt").read_text("utf-8")


def top() -> Image.Image:
    """The first two lines of a scan, which are read quickly."""
    with Image.open(FILES / "scan.png") as image:
        return image.convert("L").crop((0, 100, 1165, 256))


def errors(read_text: str, text: str) -> float:
    """Characters that are wrong, as a share of all."""
    a, b = " ".join(read_text.split()), " ".join(text.split())
    row = list(range(len(b) + 1))
    for i, one in enumerate(a, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, start=1):
            change = before + (one != other)
            before = row[j]
            row[j] = min(change, before + 1, row[j - 1] + 1)
    return row[-1] / len(b)


def kinds(document: Document) -> list[str]:
    return [note.kind for note in document.notes]


@pytest.mark.parametrize("language", ["en", "ru", "kk"])
def test_a_photographed_page_reads_like_a_typed_one(language):
    document = read(file(f"photo-{language}.jpg"))
    assert errors(document.text, truth(language)) <= 0.02
    assert document.language == language
    assert kinds(document) == ["ocr"]
    assert "page 1 was read from a picture" in str(document.notes[0].message)
    assert document.notes[0].spans == (document.pages[0].span,)


def test_a_scan_of_several_pages_is_read_page_by_page():
    told = []
    request = Request(tell_page=lambda done, total: told.append((done, total)))
    document = read_image(file("scan.tiff"), request).document("scan")
    texts = [page.span.of(document.text) for page in document.pages]
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert all(
        errors(text, truth(language)) <= 0.02
        for text, language in zip(texts, ("en", "ru", "kk"), strict=True)
    )
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert "pages 1-3 were read" in str(document.notes[0].message)


def test_pages_beyond_the_limit_are_named():
    document = read(file("scan.tiff"), Limits(pages=1))
    assert len(document.pages) == 1
    assert ("not read in full", "1 of 3 pages were read") in [
        (note.kind, str(note.message)) for note in document.notes
    ]


def sixteen_bits(image: Image.Image) -> bytes:
    return saved(Image.fromarray(np.asarray(image).astype(np.uint16) * 200), "PNG")


def on_glass(image: Image.Image, ink: str) -> bytes:
    """Letters of one colour on nothing."""
    coloured = Image.new("RGBA", image.size, ink)
    coloured.putalpha(image.point(lambda level: 255 - level))
    return saved(coloured, "PNG")


@pytest.mark.parametrize(
    "store",
    [
        lambda image: saved(image, "BMP"),
        lambda image: saved(image, "GIF"),
        lambda image: saved(image, "WEBP", quality=60),
        lambda image: saved(image.convert("CMYK"), "JPEG", quality=80),
        lambda image: saved(image.convert("P"), "PNG"),
        lambda image: saved(image.convert("1"), "TIFF", compression="group4"),
        lambda image: saved(image.point(lambda level: 255 - level), "PNG"),  # white on black
        sixteen_bits,
        lambda image: on_glass(image, "black"),
        lambda image: on_glass(image, "white"),
    ],
    ids="bmp gif webp cmyk palette fax negative 16-bit black-on-glass white-on-glass".split(),
)
def test_it_is_the_same_page_however_it_is_stored(store):
    assert read(store(top())).text.split() == TOP_LINES


@pytest.mark.parametrize("held", [3, 6, 8])
def test_a_camera_that_was_turned_says_so_in_the_file(held):
    turns = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90}
    turned = top().transpose(turns.get(held, Image.Transpose.ROTATE_270))
    exif = Image.Exif()
    exif[0x0112] = held
    document = read(saved(turned, "JPEG", quality=80, exif=exif))
    assert document.text.split() == TOP_LINES


@pytest.mark.parametrize("turn", ["ROTATE_90", "ROTATE_180", "ROTATE_270"])
def test_a_page_that_lies_on_its_side_or_head_is_turned(turn):
    with Image.open(FILES / "scan.webp") as image:
        document = read(image.convert("L").transpose(Image.Transpose[turn]))
    assert errors(document.text, truth("ru")) <= 0.02


def test_two_pages_in_one_picture_are_two_pages_in_order():
    document = read(file("spread.png"))
    left, right = (page.span.of(document.text) for page in document.pages)
    assert errors(left, truth("en")) <= 0.02
    assert errors(right, truth("ru")) <= 0.02


def test_a_table_is_read_row_by_row():
    rows = read(file("table.png")).text.splitlines()
    assert rows[0].split() == ["Station", "Arrives", "Leaves", "Platform"]
    assert [row.split()[0] for row in rows[1:]] == ["Aktogay", "Balkhash", "Karaganda", "Astana"]


def test_handwriting_is_no_text_and_says_so():
    document = read(file("handwriting.png"))
    assert document.text == ""
    assert "low confidence" in kinds(document)
    assert len(document.pictures) == 1


@pytest.mark.parametrize(
    "image",
    [
        Image.new("L", (1, 1), 255),
        Image.new("RGB", (900, 1200), "white"),
        Image.new("L", (900, 1200), 0),
        Image.new("L", (9000, 3), 255),
        Image.fromarray(np.random.default_rng(3).integers(0, 255, (900, 900), np.uint8)),
    ],
    ids="one-pixel blank black thread sand".split(),
)
def test_a_picture_without_text_says_that_none_was_found(image):
    document = read(image)
    assert document.text == ""
    assert "no text" in kinds(document)
    assert len(document.pages) == 1


def png_of(width: int, height: int) -> bytes:
    """The beginning of a picture as large as it claims to be."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    body = b"IDAT" + zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        for chunk in (header, body)
    )


@pytest.mark.parametrize("side", [20_000, 60_000])
def test_a_picture_that_would_fill_the_memory_is_refused(side):
    with pytest.raises(ReadingError, match="up to 100 million pixels"):
        read(png_of(side, side))


def test_what_is_left_of_a_cut_off_picture_is_read():
    whole = file("photo-en.jpg")
    document = read(whole[: len(whole) * 2 // 3])
    assert set(kinds(document)) == {"ocr", "damaged"}
    assert "The carriage smelled of tea" in document.text


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff\xe0 nothing", b"II*\x00\xff\xff\xff\xff"])
def test_what_is_no_picture_is_refused(data):
    with pytest.raises(ReadingError, match="damaged"):
        read(data)


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP"])
def test_of_a_moving_picture_the_first_frame_is_read(form):
    first, second = top().convert("RGB"), Image.new("RGB", top().size, "white")
    document = read(saved(first, form, save_all=True, append_images=[second], duration=100))
    assert document.text.split() == TOP_LINES
    assert kinds(document) == ["ocr", "not read in full"]


def test_the_same_bytes_give_the_same_document():
    assert read(file("photo-kk.jpg")) == read(file("photo-kk.jpg"))


def test_languages_can_be_asked_for():
    assert read(top(), ocr=("en",)).text.split() == TOP_LINES


def test_without_language_data_the_document_tells_how_to_get_them(monkeypatch):
    monkeypatch.setattr(ocr_engine, "language_data", lambda: None)
    document = read(top())
    assert (document.text, kinds(document)) == ("", [OCR_MISSING])
    assert "apt-get install tesseract-ocr-kaz tesseract-ocr-rus tesseract-ocr-eng" in str(
        document.notes[0].message
    )


def test_without_the_engine_the_document_tells_how_to_get_it(monkeypatch):
    monkeypatch.setattr(ocr_engine, "find_spec", lambda _module: None)
    document = read(top())
    assert (document.text, kinds(document)) == ("", [OCR_MISSING])
    assert "pip install 'likewise[ocr]'" in str(document.notes[0].message)


def test_of_the_languages_those_are_read_that_are_there():
    document = read(top(), ocr=("en", "xxx"))
    assert document.text.split() == TOP_LINES
    assert kinds(document) == [OCR_MISSING, "ocr"]
    assert "tesseract-ocr-xxx" in str(document.notes[0].message)


SMALL = [saved(top().resize((120, 20)), form) for form in ("JPEG", "PNG", "TIFF", "WEBP", "GIF")]


@settings(max_examples=40)
@given(st.sampled_from(SMALL), st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data, draw):
    damaged = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 5))):
        at = draw.draw(st.integers(0, len(damaged) - 1))
        damaged[at] = draw.draw(st.integers(0, 255))
    end = draw.draw(st.integers(1, len(damaged)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read(bytes(damaged[:end]), Limits(pixels=1_000_000))
    except ReadingError as error:
        assert str(error)
