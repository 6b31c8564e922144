"""Makes the documents of the DOC, RTF and spreadsheet tests.

    python -m tests.files.making.legacy

Needed are soffice (LibreOffice Writer and Calc) on the path, and Pillow. A report with one of
everything is written in three languages as DOC and RTF, a workbook as XLSX, XLS and ODS, open and
locked, and its first sheet as CSV. No program of today writes Word 95: `word95.doc` is put together
here, byte by byte, as far as a reader needs it.
"""

from __future__ import annotations

import base64
import io
import struct
import subprocess
import tempfile
from pathlib import Path
from string import Template
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw

FILES = Path(__file__).parents[1]
SOURCES = Path(__file__).parent / "legacy"
PASSWORD = "sesame"
SECTOR = 512
SEMICOLONS_IN_CP1251 = "csv:Text - txt - csv (StarCalc):59,34,34,1"

REPORTS = {
    "en": {
        "title": "The River Gauge at Willow Bend",
        "author": "Marion Holt",
        "header": "Notes from the river station",
        "footer": "Sheet",
        "first": "The gauge at Willow Bend has been read every morning for sixty-one years, and "
        "the readers have left more than numbers behind.",
        "second": "In the spring of the great flood the reader climbed the ladder in the dark and "
        "wrote the level on the back of an envelope.",
        "gone": " Nobody believed him at first.",
        "added": " The envelope is kept in a frame above the desk.",
        "remark": "Please check the year of the flood before we print this.",
        "item": "a lantern with a spare wick",
        "further_item": "two pencils, one of them red",
        "third": "The ledger shows what the river did, month after month",
        "footnote": "The ledger was bound anew after mice had eaten its first cover.",
        "caption": "Table 1. Levels at the gauge",
        "month": "Month",
        "level": "Level, cm",
        "lowest": "lowest",
        "highest": "highest",
        "april": "April",
        "may": "May",
        "twice": "read twice",
        "box": "Whoever reads the gauge signs the ledger with a full name, never with initials.",
        "last": "After the bridge was rebuilt the gauge moved forty paces upstream.",
        "endnote": "Levels before the war were measured in feet and turned into metres later.",
        "very_last": "The old one still stands among the reeds.",
    },
    "ru": {
        "title": "Водомерный пост у Ивовой излучины",
        "author": "Мария Холтова",
        "header": "Записки речной станции",
        "footer": "Лист",
        "first": "Рейку у Ивовой излучины снимают каждое утро вот уже шестьдесят один год, и "
        "наблюдатели оставили после себя не только числа.",
        "second": "Весной большого половодья наблюдатель в темноте поднялся по лестнице и "
        "записал уровень на обороте конверта.",
        "gone": " Сначала ему никто не поверил.",
        "added": " Конверт хранится в рамке над столом.",
        "remark": "Проверьте, пожалуйста, год половодья до печати.",
        "item": "фонарь с запасным фитилём",
        "further_item": "два карандаша, один из них красный",
        "third": "Журнал показывает, что делала река из месяца в месяц",
        "footnote": "Журнал переплели заново, когда мыши съели его первую обложку.",
        "caption": "Таблица 1. Уровни на рейке",
        "month": "Месяц",
        "level": "Уровень, см",
        "lowest": "низший",
        "highest": "высший",
        "april": "Апрель",
        "may": "Май",
        "twice": "снят дважды",
        "box": "Кто снимает рейку, расписывается в журнале полным именем, а не инициалами.",
        "last": "После перестройки моста рейку перенесли на сорок шагов вверх по течению.",
        "endnote": "До войны уровни измеряли в футах и перевели в метры позднее.",
        "very_last": "Старая до сих пор стоит среди камышей.",
    },
    "kk": {
        "title": "Талды иірімдегі су өлшеу бекеті",
        "author": "Мәриям Қалиева",
        "header": "Өзен бекетінің жазбалары",
        "footer": "Парақ",
        "first": "Талды иірімдегі су деңгейі алпыс бір жыл бойы күн сайын таңертең жазылып "
        "келеді, бақылаушылар өздерінен кейін тек сандарды ғана қалдырған жоқ.",
        "second": "Үлкен тасқын болған көктемде бақылаушы қараңғыда баспалдақпен көтеріліп, "
        "деңгейді хатқалтаның сыртына жазып қойды.",
        "gone": " Алғашында оған ешкім сенбеді.",
        "added": " Хатқалта үстел үстіндегі жақтауда сақтаулы тұр.",
        "remark": "Басып шығармас бұрын тасқын жылын тексеріңізші.",
        "item": "қосалқы білтесі бар шам",
        "further_item": "екі қарындаш, бірі қызыл",
        "third": "Журнал өзеннің ай сайын не істегенін көрсетеді",
        "footnote": "Тышқандар алғашқы мұқабасын жеп қойған соң журнал қайта түптелді.",
        "caption": "1-кесте. Өлшеуіштегі деңгейлер",
        "month": "Ай",
        "level": "Деңгей, см",
        "lowest": "ең төмен",
        "highest": "ең жоғары",
        "april": "Сәуір",
        "may": "Мамыр",
        "twice": "екі рет жазылды",
        "box": "Деңгейді кім жазса, журналға аты-жөнін толық жазып қол қояды.",
        "last": "Көпір қайта салынған соң өлшеуіш ағысқа қарсы қырық қадамға көшірілді.",
        "endnote": "Соғысқа дейін деңгей футпен өлшеніп, кейін метрге айналдырылды.",
        "very_last": "Ескісі әлі күнге дейін қамыс арасында тұр.",
    },
}


def picture(moon: float) -> str:
    """A hill under a moon, as PNG in base64."""
    size = 64
    image = Image.new("L", (size, size), 210)
    draw = ImageDraw.Draw(image)
    left = size * moon
    draw.ellipse((left, size * 0.1, left + size * 0.25, size * 0.35), fill=255)
    draw.polygon([(0, size), (size * (1 - moon), size * 0.35), (size, size)], fill=60)
    packed = io.BytesIO()
    image.save(packed, "PNG", optimize=True)
    return base64.b64encode(packed.getvalue()).decode()


def report(language: str) -> str:
    """The report in a language, as LibreOffice's flat XML."""
    words = {key: escape(value) for key, value in REPORTS[language].items()}
    words |= {"picture": picture(0.6), "other_picture": picture(0.1)}
    return Template((SOURCES / "report.fodt").read_text("utf-8")).substitute(words)


def compound(streams: dict[str, bytes]) -> bytes:
    """An OLE2 file: a header, the table of sectors, the directory, the streams. None is small."""
    starts: dict[str, int] = {}
    follows = [0xFFFFFFFD, 0xFFFFFFFE]  # the table itself, and the directory in one sector
    body = b""
    for name, content in streams.items():
        content = content.ljust(4096, b"\0")
        sectors = -(-len(content) // SECTOR)
        starts[name] = len(follows)
        follows += [*range(len(follows) + 1, len(follows) + sectors), 0xFFFFFFFE]
        body += content.ljust(sectors * SECTOR, b"\0")
    follows += [0xFFFFFFFF] * (SECTOR // 4 - len(follows))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<8I", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE)
    header += struct.pack("<2I", 0, 0) + b"\xff" * (4 * 108)
    entries = [("Root Entry", 5, 0xFFFFFFFF, 1, 0xFFFFFFFE, 0)]
    names = list(streams)
    for place, name in enumerate(names, 1):
        right = place + 1 if place < len(names) else 0xFFFFFFFF
        size = max(len(streams[name]), 4096)
        entries.append((name, 2, right, 0xFFFFFFFF, starts[name], size))
    directory = b""
    for name, kind, right, child, start, size in entries:
        spelled = name.encode("utf-16-le")
        directory += spelled.ljust(64, b"\0")
        directory += struct.pack("<HBBIII", len(spelled) + 2, kind, 1, 0xFFFFFFFF, right, child)
        directory += bytes(36) + struct.pack("<IQ", start, size)
    directory = directory.ljust(SECTOR, b"\0")
    return header + struct.pack(f"<{len(follows)}I", *follows) + directory + body


def word95() -> bytes:
    """A file as Russian Word 95 wrote it: one byte a letter, everything in one stream.

    Two paragraphs, of which one was changed while changes were tracked, a field, a table of two
    rows, a paragraph behind it.
    """
    words = REPORTS["ru"]
    field = "\x13 DATE \x1402.03.1996\x15"
    paragraphs = [
        (f"{words['first']}\r", b""),
        (f"{words['second']}{words['gone']}{words['added']} {field}\r", b""),
        (f"{words['april']}\x07", b"\x18\x01"),
        ("188\x07", b"\x18\x01"),
        ("\x07", b"\x18\x01\x19\x01"),
        (f"{words['may']}\x07", b"\x18\x01"),
        ("171\x07", b"\x18\x01"),
        ("\x07", b"\x18\x01\x19\x01"),
        (f"{words['last']}\r", b""),
    ]
    text = "".join(paragraph for paragraph, _ in paragraphs).encode("cp1251")
    start = 0x300
    ends = [start]
    for paragraph, _ in paragraphs:
        ends.append(ends[-1] + len(paragraph))
    gone = start + text.index(words["gone"].encode("cp1251"))
    changes = [start, gone, gone + len(words["gone"]), start + len(text)]
    body = (bytes(start) + text).ljust(-(-(start + len(text)) // SECTOR) * SECTOR, b"\0")
    page = len(body) // SECTOR
    body += _page(ends, [struct.pack("<H", 0) + program for _, program in paragraphs], 6, 2)
    body += _page(changes, [b"", b"\x41\x01", b""], 0, 1)
    tables = {12: struct.pack("<IIH", changes[0], changes[-1], page + 1)}
    tables[13] = struct.pack("<IIH", ends[0], ends[-1], page)
    header = bytearray(start)
    struct.pack_into("<4H", header, 0, 0xA5DC, 104, 0, 0x0419)
    struct.pack_into("<2I", header, 0x18, start, start + len(text))
    struct.pack_into("<I", header, 0x34, len(text))
    for number, table in tables.items():
        struct.pack_into("<2I", header, 0x58 + 8 * number, len(body), len(table))
        body += table
    return compound({"WordDocument": bytes(header) + body[start:]})


def _page(places: list[int], programs: list[bytes], about: int, unit: int) -> bytes:
    """Where runs begin, where their programs stand, and the programs from the end on."""
    page = bytearray(SECTOR)
    page[-1] = len(programs)
    struct.pack_into(f"<{len(places)}I", page, 0, *places)
    end = SECTOR - 2
    for number, program in enumerate(programs):
        if not any(program) and unit == 1:
            continue
        stored = bytes([-(-len(program) // unit)]) + program
        end -= len(stored) + len(stored) % 2
        page[end : end + len(stored)] = stored
        page[4 * len(places) + number * (1 + about)] = end // 2
    return bytes(page)


def main() -> None:
    (FILES / "doc" / "word95.doc").write_bytes(word95())
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for language in REPORTS:
            source = place / f"report_{language}.fodt"
            source.write_text(report(language), "utf-8")
            for form in ("doc", "rtf"):
                _save(place, source, form, FILES / form)
        levels = place / "levels.fods"
        levels.write_bytes((SOURCES / "levels.fods").read_bytes())
        for form in ("ods", "xlsx", "xls", SEMICOLONS_IN_CP1251):
            _save(place, levels, form, FILES / "sheet")
        _lock(place)


def _save(place: Path, source: Path, form: str, folder: Path) -> None:
    _office(place, "--convert-to", form, "--outdir", str(folder), str(source))


def _lock(place: Path) -> None:
    macro = Template((SOURCES / "Lock.xba").read_text("utf-8"))
    # The profile has an empty macro, which is filled.
    module = place / "profile" / "user" / "basic" / "Standard" / "Module1.xba"
    module.write_text(macro.substitute(folder=place.as_uri(), password=PASSWORD), "utf-8")
    _office(place, "macro:///Standard.Module1.Main")
    for form in ("ods", "xlsx", "xls"):
        (FILES / "sheet" / f"locked.{form}").write_bytes((place / f"locked.{form}").read_bytes())


def _office(place: Path, *arguments: str) -> None:
    profile = (place / "profile").as_uri()
    command = ("soffice", f"-env:UserInstallation={profile}", "--headless", *arguments)
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
