"""Files with something wrong inside: damage that knows each format and reaches behind checksums."""

from __future__ import annotations

import io
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable

from tests.reading.mutations import MUTATIONS

MOST_BYTES = 4 << 20  # of a corrupted file; what is longer is cut
_NUMBERS = (b"-1", b"0", b"65536", b"99999999", b"2147483648", b"4294967295", b"1e309", b"NaN")
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u0301\u180e\u2028"
_LOOK_ALIKE = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")
_CODECS = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp1251"),
    *("koi8-r", "cp866", "iso-8859-5", "mac-cyrillic", "ptcp154", "gb18030", "shift_jis", "cp037"),
)
_TAG = re.compile(rb"<[^<>]{1,400}>")
_NUMBER = re.compile(rb"\d+")
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_REFERENCE = re.compile(rb"\d+ \d+ R\b")
_PDF_NAME = re.compile(rb"/[A-Za-z]\w+")
_CONTROL_WORD = re.compile(rb"\\[a-z]+-?\d*")

Change = Callable[[bytes, random.Random], bytes]


def corrupted(data: bytes, form: str, dice: random.Random) -> bytes:
    """A file with damage of its own format, of any, or both; the same for the same dice."""
    changes = CHANGES.get(form, ())
    if changes and dice.random() < 0.75:
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            data = dice.choice(changes)(data, dice)
        if dice.random() < 0.85:
            return data[:MOST_BYTES]
    return damaged(data, dice)[:MOST_BYTES]


# Of any file


def damaged(data: bytes, dice: random.Random) -> bytes:
    """Bytes flipped, lost, repeated or cut off, whatever they mean."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        if changed:
            dice.choice(MUTATIONS)(changed, dice)
    return bytes(changed)


# Of any text


def hard_text(dice: random.Random) -> str:
    """Text that no person wrote: long words, invisible characters, letters of other alphabets."""
    size = dice.choice((1, 40, 400, 4_000, 40_000))
    kind = dice.randrange(8)
    if kind == 0:
        return "a" * size + dice.choice(_INVISIBLE)
    if kind == 1:
        return "".join(dice.choice("ab" + _INVISIBLE) for _ in range(size))
    if kind == 2:
        return ("steppe and sky ".translate(_LOOK_ALIKE) + "river ") * (size // 20 + 1)
    if kind == 3:
        return "e" + "\u0301" * size
    if kind == 4:
        return " ".join("s t e p p e" for _ in range(size // 10 + 1))
    if kind == 5:
        return "".join(chr(dice.randrange(32, 0xD7FF)) for _ in range(min(size, 4_000)))
    if kind == 6:
        return "(" * size + "«" * size
    return "1." * size + "\u202e" + "﷽" * (size // 10)


def _insert(data: bytes, piece: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + piece + data[at:]


def _at_match(
    data: bytes, pattern: re.Pattern[bytes], dice: random.Random, made: Callable[[bytes], bytes]
) -> bytes:
    """Change one place that a pattern finds, anywhere with equal chance."""
    found = [match.span() for match in pattern.finditer(data)]
    if not found:
        return data
    start, end = dice.choice(found)
    return data[:start] + made(data[start:end]) + data[end:]


def _swap_matches(data: bytes, pattern: re.Pattern[bytes], dice: random.Random) -> bytes:
    found = [match.span() for match in pattern.finditer(data)]
    if len(found) < 2:
        return data
    (start, end), (next_start, next_end) = sorted(dice.sample(found, 2))
    first, second = data[start:end], data[next_start:next_end]
    return data[:start] + second + data[end:next_start] + first + data[next_end:]


def other_number(data: bytes, dice: random.Random) -> bytes:
    """A number becomes one that lengths, counts and offsets are seldom made for."""
    return _at_match(data, _NUMBER, dice, lambda _: dice.choice(_NUMBERS))


# Markup


def nested_tag(data: bytes, dice: random.Random) -> bytes:
    """A tag that opens far more often than it closes."""
    times = dice.choice((3, 300, 3_000, 20_000))
    return _at_match(data, _TAG, dice, lambda tag: tag * (times if len(tag) < 40 else 300))


def lost_tag(data: bytes, dice: random.Random) -> bytes:
    return _at_match(data, _TAG, dice, lambda _: b"")


def swapped_tags(data: bytes, dice: random.Random) -> bytes:
    return _swap_matches(data, _TAG, dice)


def strange_tag(data: bytes, dice: random.Random) -> bytes:
    piece = dice.choice(
        (
            *(b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?", b"?>", b"&#x110000;", b"&#0;", b"&amp"),
            *(b"<noscript>" * 500, b"<table><tr><td colspan=65535 rowspan=65535>", b"<svg><style>"),
            *(
                b"<script>",
                b"<template>" * 50,
                b"<p hidden>",
                b"</body></html>",
                b"\0",
                b"<a " * 99,
            ),
            b'<!DOCTYPE a [<!ENTITY b "cccc"><!ENTITY d "&b;&b;&b;&b;">]>',
            b"<p style='display:none'>",
        )
    )
    return _insert(data, piece, dice)


def other_charset(data: bytes, dice: random.Random) -> bytes:
    """The encoding is not the one that is declared."""
    name = dice.choice(("utf-16", "windows-1251", "koi8-r", "utf-7", "x-none", "gb18030", ""))
    pattern = re.compile(rb"(?i)(?<=encoding=[\"'])[\w-]+|(?<=charset=)[\"']?[\w-]+")
    return _at_match(data, pattern, dice, lambda _: name.encode())


def hard_text_in_markup(data: bytes, dice: random.Random) -> bytes:
    text = hard_text(dice).replace("<", "").replace("&", "").encode("utf-8", "ignore")
    return _at_match(data, re.compile(rb">[^<>]*<"), dice, lambda _: b">" + text + b"<")


MARKUP: tuple[Change, ...] = (
    *(nested_tag, lost_tag, swapped_tags, strange_tag, other_charset, hard_text_in_markup),
    other_number,
)


# Packages: ZIP archives of XML


def in_package(data: bytes, dice: random.Random) -> bytes:
    """One part changed and packed again, so that its checksum is right."""
    return _repacked(data, dice, _change_part)


def package_parts(data: bytes, dice: random.Random) -> bytes:
    """Parts that are lost, doubled, exchanged or called otherwise."""
    return _repacked(data, dice, _change_parts)


def package_heads(data: bytes, dice: random.Random) -> bytes:
    """The archive says other sizes, methods and places than there are."""
    heads = [match.start() for match in re.finditer(rb"PK(?:\x03\x04|\x01\x02|\x05\x06)", data)]
    if not heads:
        return data
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 3))):
        at = dice.choice(heads) + dice.randrange(4, 46)
        if at + 4 <= len(changed):
            value = dice.choice((0, 1, 8, 12, 0xFFFF, 0xFFFFFFFF, dice.getrandbits(32)))
            changed[at : at + 2] = struct.pack("<H", value & 0xFFFF)
    return bytes(changed)


Parts = list[tuple[str, bytes]]


def _change_part(parts: Parts, dice: random.Random) -> Parts:
    filled = [i for i, (_, content) in enumerate(parts) if content]
    if not filled:
        return parts
    largest = sorted(filled, key=lambda i: -len(parts[i][1]))[:3]
    i = dice.choice(largest if dice.random() < 0.5 else filled)
    name, content = parts[i]
    is_markup = b"<" in content[:100]
    if is_markup and dice.random() < 0.8:
        content = dice.choice(MARKUP)(content, dice)
    else:
        content = damaged(content, dice)
    return [*parts[:i], (name, content), *parts[i + 1 :]]


def _change_parts(parts: Parts, dice: random.Random) -> Parts:
    i, j = dice.randrange(len(parts)), dice.randrange(len(parts))
    parts = list(parts)
    kind = dice.randrange(6)
    if kind == 0:
        del parts[i]
    elif kind == 1:
        parts[i], parts[j] = (parts[i][0], parts[j][1]), (parts[j][0], parts[i][1])
    elif kind == 2:
        parts.insert(j, parts[i])
    elif kind == 3:
        parts[i] = (parts[i][0].upper(), parts[i][1])
    elif kind == 4:
        parts[i] = (dice.choice(("../", "/", "a\\", "\u202e")) + parts[i][0], parts[i][1])
    else:
        parts[i] = (parts[i][0], b"")
    return parts


def _repacked(
    data: bytes, dice: random.Random, change: Callable[[Parts, random.Random], Parts]
) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as old:
            parts = [(part.filename, old.read(part)) for part in old.infolist()]
    except Exception:  # an earlier change has ruined it, in whatever way
        return damaged(data, dice)
    made = io.BytesIO()
    methods = (zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2)
    with zipfile.ZipFile(made, "w", dice.choice(methods)) as new:
        for name, content in change(parts, dice) if parts else parts:
            info = zipfile.ZipInfo(name or "a")
            info.compress_type = new.compression
            with_warning_off(new, info, content)
    return made.getvalue()


def with_warning_off(file: zipfile.ZipFile, info: zipfile.ZipInfo, content: bytes) -> None:
    """Write a member whose name may be there already."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        file.writestr(info, content)


# PDF


def pdf_stream(data: bytes, dice: random.Random) -> bytes:
    """What a stream holds, unpacked, changed and packed again."""
    found = list(_STREAM.finditer(data))
    if not found:
        return data
    match = dice.choice(found)
    try:
        content = zlib.decompress(match[1])
    except zlib.error:
        packed = damaged(match[1], dice)
    else:
        change = dice.choice((_pdf_operators, other_number, damaged))
        packed = zlib.compress(change(content, dice)[: MOST_BYTES * 4])
    head = data[: match.start()]
    if dice.random() < 0.8:  # else the length is a lie
        before = head.rfind(b"/Length ")
        if before > len(head) - 600 and before >= 0:
            length = re.match(rb"/Length \d+(?! \d+ R)", head[before:])
            if length:
                end = before + length.end()
                head = head[:before] + b"/Length %d" % len(packed) + head[end:]
    return head + b"stream\n" + packed + b"\nendstream" + data[match.end() :]


def _pdf_operators(data: bytes, dice: random.Random) -> bytes:
    piece = dice.choice(
        (
            *(b" q" * 3_000, b" Q" * 50, b" BT", b" ET", b" /X0 Do" * 20, b" 0 0 0 0 0 0 cm"),
            *(b" 1e30 0 0 1e30 0 0 Tm", b" [" * 2_000, b" <<" * 2_000, b" (" * 500),
            *(b" 0 0 1e9 1e9 re f", b" BI /W 99999 /H 99999 ID EI", b" 3 Tr", b" W n"),
            b" 0 0 m" + b" 1 1 l" * 20_000 + b" S",
        )
    )
    return _insert(data, piece + b" ", dice)


def pdf_references(data: bytes, dice: random.Random) -> bytes:
    """Objects that lead to others than they should, or back to themselves."""
    if dice.random() < 0.4:
        return _swap_matches(data, _REFERENCE, dice)
    number = dice.choice((b"0 0 R", b"1 0 R", b"2 0 R", b"3 0 R", b"65535 65535 R"))
    return _at_match(data, _REFERENCE, dice, lambda _: number)


def pdf_names(data: bytes, dice: random.Random) -> bytes:
    if dice.random() < 0.5:
        return _swap_matches(data, _PDF_NAME, dice)
    name = dice.choice((b"/ASCIIHexDecode", b"/JBIG2Decode", b"/Crypt", b"/Kids", b"/Pages"))
    return _at_match(data, _PDF_NAME, dice, lambda _: name)


def pdf_brackets(data: bytes, dice: random.Random) -> bytes:
    piece = dice.choice((b"<<" * 3_000, b"[" * 3_000, b">>", b"endobj", b"endstream", b"%%EOF\n"))
    return _insert(data, piece, dice)


def pdf_table_of_objects(data: bytes, dice: random.Random) -> bytes:
    """The table of objects is wrong, or gone."""
    pattern = re.compile(rb"startxref\s+\d+|xref\r?\n|trailer|\d{10} \d{5} [nf]")
    made = (b"", b"startxref 0", b"0000000000 00000 n", b"9999999999 65535 n")
    return _at_match(data, pattern, dice, lambda _: dice.choice(made))


# Old Office: sectors of a compound file


_SECTOR = 512


def ole_sectors(data: bytes, dice: random.Random) -> bytes:
    """Two sectors exchanged, one blank, or one of nothing but numbers of sectors."""
    count = len(data) // _SECTOR
    if count < 3:
        return data
    changed = bytearray(data)
    first, second = (_SECTOR * dice.randrange(1, count) for _ in range(2))
    one, other = (bytes(changed[at : at + _SECTOR]) for at in (first, second))
    kind = dice.randrange(4)
    if kind == 0:
        changed[first : first + _SECTOR], changed[second : second + _SECTOR] = other, one
    elif kind == 1:
        changed[first : first + _SECTOR] = bytes([dice.choice((0, 0xFF))]) * _SECTOR
    elif kind == 2:
        changed[first : first + _SECTOR] = struct.pack("<I", dice.randrange(count)) * 128
    else:
        changed[first : first + _SECTOR] = other
    return bytes(changed)


def ole_numbers(data: bytes, dice: random.Random) -> bytes:
    """Chains that run in circles, sizes beyond the file, a head that leads nowhere."""
    changed = bytearray(data)
    for _ in range(dice.choice((1, 2, 8))):
        size = dice.choice((2, 4, 4))
        top = 76 if dice.random() < 0.3 else len(changed) - 4
        at = 4 * dice.randrange(max(1, top // 4))
        value = dice.choice((0, 1, 2, at // _SECTOR, 0xFFFFFFFE, 0xFFFFFFFF, 0x7FFFFFFF))
        changed[at : at + size] = struct.pack("<I", value)[:size]
    return bytes(changed)


# RTF


def rtf_words(data: bytes, dice: random.Random) -> bytes:
    """Control words that are exchanged, or that nobody writes."""
    if dice.random() < 0.3:
        return _swap_matches(data, _CONTROL_WORD, dice)
    piece = dice.choice(
        (
            *(b"\\bin99999999 ", b"\\bin-1 ", b"\\u-1?", b"\\u55357?", b"\\'zz", b"\\uc99999 "),
            *(b"{\\*\\a", b"{" * 5_000, b"}" * 20, b"\\v ", b"\\row" * 500, b"\\cell" * 5_000),
            *(b"\\cellx99999999", b"{\\pict\\bin1000000 ", b"\\ansicpg99999 ", b"\\f999 "),
            *(b"{\\object{\\*\\objdata 00}}", b"{\\field{\\*\\fldinst " * 300, b"\\par" * 9_000),
            b"{\\pict " + b"ff" * 5_000 + b"}",
        )
    )
    return _insert(data, piece, dice)


def rtf_hard_text(data: bytes, dice: random.Random) -> bytes:
    text = "".join(f"\\u{ord(sign) - 65536 * (ord(sign) > 32767)}?" for sign in hard_text(dice))
    return _insert(data, text[:200_000].encode("ascii", "ignore"), dice)


def rtf_braces(data: bytes, dice: random.Random) -> bytes:
    return _at_match(data, re.compile(rb"[{}]"), dice, lambda _: b"")


# Mail, tables, text, pictures


def mail_heads(data: bytes, dice: random.Random) -> bytes:
    """Boundaries, encodings and heads of parts that do not fit."""
    if dice.random() < 0.5:
        pattern = re.compile(rb"(?i)quoted-printable|base64|7bit|text/html|multipart/related")
        words = (b"base64", b"quoted-printable", b"x-uuencode", b"multipart/mixed", b"text/plain")
        return _at_match(data, pattern, dice, lambda _: dice.choice(words))
    if dice.random() < 0.4:
        return _at_match(data, re.compile(rb"--[-=\w.]{5,}"), dice, lambda _: b"--x")
    piece = dice.choice((b"\r\n\r\n", b"Content-Type: text/html\r\n" * 50, b"A: b\r\n" * 9_000))
    return _insert(data, piece, dice)


def table_signs(data: bytes, dice: random.Random) -> bytes:
    """Quotes without an end, thousands of columns, rows of every length."""
    piece = dice.choice(
        (
            *(b'"', b'""', b",", b";", b"\t", b"\r", b"\n\r", b"\0", b"," * 20_000, b'"\n' * 2_000),
            *(b"a;b,c\td|e\n" * 200, b"\n" * 20_000, b"9" * 40_000, "ж".encode() * 9_000),
        )
    )
    return _insert(data, piece, dice)


def text_in_codec(data: bytes, dice: random.Random) -> bytes:
    """The same text in an encoding that nobody declares, or in two."""
    text = data.decode("utf-8", "replace")
    if dice.random() < 0.5:
        at = dice.randrange(len(text) + 1)
        text = text[:at] + hard_text(dice) + text[at:]
    made = text.encode(dice.choice(_CODECS), "replace")
    if dice.random() < 0.3:
        cut = dice.randrange(len(made) + 1)
        made = made[:cut] + text.encode(dice.choice(_CODECS), "replace")[: len(made)]
    return made


def hard_text_in_text(data: bytes, dice: random.Random) -> bytes:
    return _insert(data, hard_text(dice).encode("utf-8", "replace"), dice)


def png_parts(data: bytes, dice: random.Random) -> bytes:
    """A chunk changed, with the checksum that it should have."""
    chunks, at = [], 8
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    if not data.startswith(b"\x89PNG") or not chunks:
        return damaged(data, dice)
    i = dice.randrange(len(chunks))
    name, content = chunks[i]
    if name == b"IHDR" and len(content) == 13 and dice.random() < 0.7:
        sides = [dice.choice((0, 1, 640, 30_000, 0x7FFFFFFF)) for _ in range(2)]
        content = struct.pack(">II", *sides) + content[8:]
    else:
        content = damaged(content, dice)
    chunks[i] = (name, content)
    made = bytearray(data[:8])
    for name, content in chunks:
        made += struct.pack(">I", len(content)) + name + content
        made += struct.pack(">I", zlib.crc32(name + content))
    return bytes(made)


_PACKAGE: tuple[Change, ...] = (in_package, in_package, in_package, package_parts, package_heads)
CHANGES: dict[str, tuple[Change, ...]] = {
    "docx": _PACKAGE,
    "odt": _PACKAGE,
    "xlsx": _PACKAGE,
    "ods": _PACKAGE,
    "flat": MARKUP,
    "pdf": (
        *(pdf_stream, pdf_stream, pdf_references, pdf_names, pdf_brackets, pdf_table_of_objects),
        other_number,
    ),
    "doc": (ole_sectors, ole_numbers),
    "xls": (ole_sectors, ole_numbers),
    "rtf": (rtf_words, rtf_hard_text, rtf_braces, other_number),
    "html": MARKUP,
    "mhtml": (mail_heads, mail_heads, *MARKUP),
    "csv": (table_signs, table_signs, other_number, text_in_codec),
    "text": (text_in_codec, hard_text_in_text),
    "picture": (png_parts,),
}
