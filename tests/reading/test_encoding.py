"""Bytes become the text that they were made of, or a note says that this is not sure."""

import re
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.making.letters import chain_of_letters, letter_pairs
from likewise.errors import ReadingError
from likewise.reading.encoding import decode
from likewise.reading.encoding import letters as encoding_letters
from likewise.reading.encoding.mojibake import repair_mojibake

FILES = Path(__file__).parent.parent / "files"
RUSSIAN = (
    "Осенью станция жила своей жизнью. Поезда приходили ночью, и никто не знал, куда они уйдут "
    "утром: на юг или на восток."
)
KAZAKH = (
    "Ұлы дала төсінде халық ғасырлар бойы көшіп-қонып өмір сүрді. Әрбір рудың өз жайлауы мен "
    "қыстауы болған."
)
ONE_BYTE = ("cp1251", "koi8-r", "koi8-u", "cp866", "iso-8859-5", "kz-1048", "mac-cyrillic")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def source(name: str) -> str:
    return (FILES / "making" / "web" / f"{name}.txt").read_text("utf-8")


# Real files


@pytest.mark.parametrize("path", sorted((FILES / "text").glob("*.txt")), ids=lambda p: p.name)
def test_a_text_reads_the_same_in_every_encoding_it_was_saved_in(path: Path) -> None:
    name, encoding = path.name.removesuffix(".txt").split(".", 1)
    decoded = decode(path.read_bytes())
    assert words(decoded.text) == words(source(name))
    assert decoded.note is None
    same_for_russian = {"koi8-u": "koi8-r", "utf-16": "utf-16-le"}  # what differs is not in it
    assert decoded.encoding == same_for_russian.get(encoding, encoding)


@pytest.mark.parametrize("encoding", ONE_BYTE)
def test_a_few_words_are_enough(encoding: str) -> None:
    text = source("mill_ru").replace("\n", " ")
    pieces = [text[i : i + 15] for i in range(0, len(text) - 15, 5)]
    known = [p for p in pieces if p.encode(encoding, "ignore").decode(encoding) == p]
    right = [decode(piece.encode(encoding)).text == piece for piece in known]
    assert sum(right) >= 0.96 * len(right) > 100


def test_kazakh_letters_are_not_taken_for_serbian_ones() -> None:
    text = source("mill_kk").replace("\n", " ").replace("І", "I")
    pieces = [text[i : i + 15] for i in range(0, len(text) - 15, 5)]
    right = [decode(piece.encode("kz-1048")).text == piece for piece in pieces]
    assert sum(right) >= 0.97 * len(right) > 90


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("ПРОТОКОЛ ЗАСЕДАНИЯ", "koi8-r"),
        ("ПРОТОКОЛ ЗАСЕДАНИЯ", "cp1251"),
        ("КӨКӨЗЕН ДИІРМЕНІ", "kz-1048"),
        ("Приказ №17 от 5 мая", "cp1251"),
        ("Модуль Python: как его подключить", "cp866"),
        ("Їжак і щука живуть у лісі біля озера", "koi8-u"),
        ("Їжак знає, що його їжа є на дні озера", "cp1251"),
        ("Усе людзі нараджаюцца свабоднымі, але ўсё ж", "cp1251"),
        ("Добър ден, как сте днес?", "iso-8859-5"),
        ("Où est le café de l’été ?", "cp1252"),
        ("Grüße aus Köln, schöne Straße", "cp1252"),
        ("The “quoted” word — and a dash…", "cp1252"),
        ("Copyright © 2001 by the authors", "cp1252"),
    ],
)
def test_capitals_signs_and_other_languages_are_told_apart(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.note) == (text, None)


def test_lines_drawn_around_a_text_do_not_confuse() -> None:
    text = "╔══════════╗\n║ Ведомость ║\n╟──────────╢\n║ мука, мешков: 12 ║\n╚══════════╝\n"
    assert decode(text.encode("cp866")).text == text


# Unicode


def test_ascii_is_utf_8_and_so_is_nothing_at_all() -> None:
    for data in (b"", b"a", b"steppe and sky\n"):
        decoded = decode(data)
        assert (decoded.text, decoded.encoding, decoded.note) == (data.decode(), "utf-8", None)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [RUSSIAN, KAZAKH, "Hello", "Да", "Я — 5", "Мəдина, world!\r\n"])
def test_wide_unicode_needs_no_mark(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_is_no_part_of_the_text(encoding: str) -> None:
    assert decode(KAZAKH.encode(encoding)).text == KAZAKH


def test_a_cut_end_costs_one_character_and_is_said() -> None:
    decoded = decode(RUSSIAN.encode()[:-1] + "я".encode()[:1])
    assert decoded.text == RUSSIAN[:-1] + "\ufffd"
    assert str(decoded.note) == "1 character is damaged: not valid in utf-8."


def test_lines_in_another_encoding_are_read_as_what_they_are() -> None:
    data = b"\n".join([RUSSIAN.encode(), RUSSIAN.encode("cp1251"), KAZAKH.encode()])
    decoded = decode(data)
    assert decoded.text.split("\n") == [RUSSIAN, RUSSIAN, KAZAKH]
    assert (
        str(decoded.note) == "The text is UTF-8, but 1 line is cp1251; each was read as what it is."
    )


def test_bytes_that_are_utf_8_by_chance_are_read_as_what_makes_sense() -> None:
    assert decode("её 123 ещё".encode("koi8-r")).text == "её 123 ещё"
    assert decode("µ".encode()).text == "µ"
    assert decode("more »".encode()).text == "more »"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"])))
def test_utf_8_that_is_not_cyrillic_is_never_changed(text: str) -> None:
    text = re.sub("[\u0180-\u036f\u0400-\u07ff\ufeff]", "", text)
    decoded = decode(text.encode())
    assert (decoded.text, decoded.encoding) == (text, "utf-8")


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        decode(data).text.encode("utf-8", "surrogatepass")
    except ReadingError as error:
        assert str(error) == "binary data, not text"


@pytest.mark.parametrize("data", [bytes(range(256)) * 20, b"\x00\x01\x02\x03" * 100])
def test_machine_code_is_not_text(data: bytes) -> None:
    with pytest.raises(ReadingError, match="binary data, not text"):
        decode(data)


def test_a_zero_byte_or_two_do_not_make_a_text_binary() -> None:
    assert decode(b"one two\0three four five six seven").encoding == "utf-8"
    assert decode("один два\0три четыре".encode("cp1251")).encoding == "cp1251"


# What is declared


def test_the_bytes_decide_where_they_contradict_the_declaration() -> None:
    for encoding, declared in (
        ("utf-8", "windows-1251"),
        ("koi8-r", "cp1251"),
        ("cp1251", "UTF-8"),
    ):
        decoded = decode(RUSSIAN.encode(encoding), declared)
        assert (decoded.text, decoded.encoding) == (RUSSIAN, encoding)
        assert str(decoded.note) == f"It declares {declared}, but its bytes are {encoding}."


def test_a_declaration_decides_where_the_bytes_leave_a_choice() -> None:
    data = "А".encode("koi8-r")
    assert decode(data, "koi8-r").text == "А"
    assert decode(data, "cp1251").text == data.decode("cp1251")


def test_declared_encodings_of_other_scripts_are_believed() -> None:
    for text, encoding in (
        ("春眠不觉晓，处处闻啼鸟。", "gb2312"),
        ("吾輩は猫である。", "shift_jis"),
    ):
        assert decode(text.encode(encoding), encoding).text == text
    turkish = "Işığı söndürüp gittiler; çok geç olmuştu."
    assert decode(turkish.encode("cp1254"), "windows-1254").text == turkish


def test_a_declaration_of_nothing_is_no_declaration() -> None:
    for declared in ("klingon", "zlib", "idna", "utf-7", "", "x" * 1000, "\0"):
        assert decode(RUSSIAN.encode("cp866"), declared).text == RUSSIAN


# Doubts


def test_what_is_not_sure_is_said() -> None:
    decoded = decode("Ж".encode("koi8-r"))
    assert decoded.note is not None
    assert re.match(r"The encoding is probably \S+, but \S+ is nearly as likely", str(decoded.note))


def test_undefined_bytes_are_counted() -> None:
    decoded = decode((RUSSIAN * 3).encode("cp1251") + b"\x98\x98")
    assert decoded.text == RUSSIAN * 3 + "\ufffd\ufffd"
    assert str(decoded.note) == "2 characters are damaged: not valid in cp1251."


def test_a_text_in_no_known_language_is_doubted() -> None:
    decoded = decode("Ἐν ἀρχῇ ἦν ὁ λόγος, καὶ ὁ λόγος ἦν πρὸς".encode()[1::2])
    assert decoded.note is not None


# Damage from before


@pytest.mark.parametrize("text", [RUSSIAN, KAZAKH, "Привет, как дела?"])
@pytest.mark.parametrize("read_as", ["cp1251", "latin-1", "cp866", "koi8-r"])
def test_utf_8_that_was_read_as_something_else_is_repaired(text: str, read_as: str) -> None:
    damaged = "".join(
        bytes([byte]).decode(read_as, "ignore") or chr(byte) for byte in text.encode()
    )
    decoded = decode(damaged.encode())
    assert decoded.text == text
    assert decoded.note is not None
    assert "instead of utf-8; this was undone." in str(decoded.note)


@pytest.mark.parametrize(
    ("was", "read_as"), [("cp1251", "cp1252"), ("koi8-r", "cp1251"), ("cp1251", "koi8-r")]
)
def test_one_code_page_read_as_another_is_repaired(was: str, read_as: str) -> None:
    damaged = RUSSIAN.encode(was).decode(read_as)
    decoded = decode(damaged.encode())
    assert decoded.text == RUSSIAN
    assert (
        str(decoded.note)
        == f"The text had been decoded as {read_as} instead of {was}; this was undone."
    )


def test_damaged_lines_among_sound_ones_are_repaired() -> None:
    damaged = RUSSIAN.encode().decode("latin-1")
    decoded = decode(f"{RUSSIAN}\n{damaged}\n{KAZAKH}\nThe end.".encode())
    assert decoded.text == f"{RUSSIAN}\n{RUSSIAN}\n{KAZAKH}\nThe end."
    assert decoded.note is not None


def test_damage_that_lost_characters_is_said_and_left() -> None:
    damaged = RUSSIAN.encode().decode("cp1252", "replace")
    decoded = decode(damaged.encode())
    assert decoded.text == damaged
    assert decoded.note is not None
    assert "characters are lost" in str(decoded.note)


@pytest.mark.parametrize(
    "text",
    [
        RUSSIAN,
        RUSSIAN.upper(),
        KAZAKH,
        KAZAKH.upper(),
        "Українська мова: їжа, єдність, ґанок.",
        "Србија: љубав, њега, џеп, ћирилица, ђак.",
        "РСФСР, СССР, РСР: союзы и республики",
        "Ça va, élève âgé ? Où êtes-vous ?",
        "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ",
        "Það er mjög gott að búa á Íslandi",
        "Việt Nam là một quốc gia nằm ở phía đông",
        "Οι αρχαίοι έγραφαν χωρίς κενά",
        "春眠不觉晓，处处闻啼鸟。",
        "╭──────┬──────╮\n│ name ┆ Utf8 │\n╞══════╪══════╡\n╰──────┴──────╯",
        "50 °C ± 2 °C, § 7, №\u00a05, 3 × 4",
        "\u00a0\u00a0\u00a0item\u00a0\u00a0\u00a0one\u00a0\u00a0\u00a0",
    ],
)
def test_sound_text_is_left_alone(text: str) -> None:
    assert repair_mojibake(text * 3) is None
    assert decode(text.encode()).text == text


# The table behind all this


def test_the_committed_likelihoods_are_likelihoods() -> None:
    chains = encoding_letters.chains()
    assert {"ru", "kk", "western"} <= set(chains.languages)
    assert chains.symbols.shape[1:] == (encoding_letters.SYMBOLS, encoding_letters.SYMBOLS)
    first, size = encoding_letters.FIRST_CYRILLIC, len(encoding_letters.CYRILLIC)
    russian = np.exp(chains.symbols[0, first : first + size, first : first + size]).sum(axis=1)
    assert (russian[:33] < 1.1).all() and (russian[:33] > 0.2).all()  # the rest ends words
    assert chains.symbols.max() < 1e-6


def test_the_committed_file_has_a_row_for_every_letter() -> None:
    lines = (
        resources.files("likewise.reading.encoding").joinpath("letters.txt").read_text("ascii")
    ).splitlines()
    names = [line.split(" ")[0] for line in lines if not line.startswith("#")]
    assert names.count("ru") == names.count("kk") == len(encoding_letters.CYRILLIC) + 1
    assert names.count("western") == len(encoding_letters.LATIN) + 1


def test_letters_are_counted_as_the_maker_of_the_file_says() -> None:
    pairs = letter_pairs([("мама", 3), ("мыла", 1)])
    chain = chain_of_letters(pairs, encoding_letters.CYRILLIC)
    alphabet = encoding_letters.CYRILLIC
    after_m = chain[alphabet.index("м")]
    assert after_m[alphabet.index("а")] == pytest.approx(6 / 7, rel=0.02)
    assert after_m[alphabet.index("ы")] == pytest.approx(1 / 7, rel=0.02)
    assert chain.sum(axis=1)[alphabet.index("м")] == pytest.approx(1)
    assert len(encoding_letters.format_likelihoods(after_m)) == len(alphabet) + 1
