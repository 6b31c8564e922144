"""Makes the documents of the encoding, plain text and HTML tests.

    python -m tests.files.making.web

Needed are soffice (LibreOffice Writer) and chromium on the path, and Pillow. A text is saved by
LibreOffice in every encoding that it knows, and as HTML and XHTML; a page with a picture is saved
by the browser as one file (MHTML). kz-1048 LibreOffice does not know: those bytes are Python's.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

FILES = Path(__file__).parents[1]
SOURCES = Path(__file__).parent / "web"
# Our names of encodings, and LibreOffice's.
ENCODINGS = {
    "utf-8": "UTF8",
    "utf-16": "UNICODE",
    "cp1251": "MS_1251",
    "koi8-r": "KOI8_R",
    "koi8-u": "KOI8_U",
    "cp866": "IBM_866",
    "iso-8859-5": "ISO_8859_5",
    "mac-cyrillic": "APPLE_CYRILLIC",
    "cp855": "IBM_855",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        make_texts(Path(place))
        make_pages(Path(place))


def make_texts(place: Path) -> None:
    """`text/mill_ru.*.txt` in every encoding, `text/mill_kk.*.txt` in those with its letters."""
    folder = FILES / "text"
    folder.mkdir(exist_ok=True)
    for name, encoding in ENCODINGS.items():
        saved = saved_by_office(place, "mill_ru.txt", f"txt:Text (encoded):{encoding},CRLF")
        (folder / f"mill_ru.{name}.txt").write_bytes(saved)
    kazakh = saved_by_office(place, "mill_kk.txt", "txt:Text (encoded):UTF8,LF")
    text = kazakh.decode("utf-8-sig")
    for name in ("utf-8", "utf-16-be", "kz-1048", "ptcp154"):
        (folder / f"mill_kk.{name}.txt").write_bytes(text.encode(name))


def make_pages(place: Path) -> None:
    """`html/mill.html` by LibreOffice, `.xhtml` too, `.mhtml` by the browser."""
    folder = FILES / "html"
    folder.mkdir(exist_ok=True)
    (place / "wheel.png").write_bytes(wheel())
    source = place / "mill.html"
    source.write_bytes((SOURCES / "mill.html").read_bytes())
    (folder / "mill.mhtml").write_bytes(saved_by_browser(place, source))
    for suffix, form in (
        ("html", "html:HTML (StarWriter):EmbedImages"),
        ("xhtml", "xhtml:XHTML Writer File:UTF8"),
    ):
        (folder / f"mill.{suffix}").write_bytes(saved_by_office(place, "mill.html", form))


def wheel() -> bytes:
    """A picture of a wheel."""
    image = Image.new("RGB", (64, 64), "#dde8f0")
    draw = ImageDraw.Draw(image)
    draw.ellipse((6, 6, 58, 58), outline="#503010", width=4)
    draw.line((32, 6, 32, 58), fill="#503010", width=3)
    draw.line((6, 32, 58, 32), fill="#503010", width=3)
    draw.rectangle((0, 48, 63, 63), fill="#3070b0")
    packed = io.BytesIO()
    image.quantize(8).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def saved_by_office(place: Path, name: str, form: str) -> bytes:
    """A source as LibreOffice saves it."""
    source, made = place / name, place / "made"
    if not source.exists():
        source.write_bytes((SOURCES / name).read_bytes())
    opened = ["--infilter=Text (encoded):UTF8,LF"] if name.endswith(".txt") else []
    subprocess.run(
        [
            *("soffice", f"-env:UserInstallation={(place / 'profile').as_uri()}", "--headless"),
            *(*opened, "--writer", "--convert-to", form, "--outdir", str(made), str(source)),
        ],
        check=True,
        capture_output=True,
    )
    return (made / name).with_suffix("." + form.partition(":")[0]).read_bytes()


def saved_by_browser(place: Path, page: Path) -> bytes:
    """A page and its pictures in one file, as the browser saves them when asked over a pipe."""
    to_browser, from_us = os.pipe()
    to_us, from_browser = os.pipe()

    def as_expected() -> None:  # the browser listens on 3 and speaks on 4
        taken = os.dup(to_browser), os.dup(from_browser)
        os.dup2(taken[0], 3)
        os.dup2(taken[1], 4)

    browser = subprocess.Popen(
        [
            *("chromium", "--headless", "--no-sandbox", "--remote-debugging-pipe"),
            f"--user-data-dir={place / 'browser'}",
        ],
        preexec_fn=as_expected,  # noqa: PLW1509 (there are no threads)
        close_fds=False,
        stderr=subprocess.DEVNULL,
    )
    asking, hearing = os.fdopen(from_us, "wb", 0), os.fdopen(to_us, "rb", 0)
    number = 0
    rest = b""

    def ask(method: str, session: str | None = None, **parameters: Any) -> Any:
        nonlocal number, rest
        number += 1
        order = {"id": number, "method": method, "params": parameters}
        asking.write(json.dumps(order | ({"sessionId": session} if session else {})).encode())
        asking.write(b"\0")
        while True:
            while b"\0" not in rest:
                rest += hearing.read(1 << 16)
            message, _, rest = rest.partition(b"\0")
            answer = json.loads(message)
            if answer.get("id") == number:
                return answer["result"]

    target = ask("Target.createTarget", url=page.as_uri())["targetId"]
    session = ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    wait = "new Promise(done => document.readyState == 'complete' ? done() : onload = done)"
    ask("Runtime.evaluate", session, expression=wait, awaitPromise=True)
    saved = ask("Page.captureSnapshot", session, format="mhtml")["data"]
    ask("Browser.close")
    browser.wait()
    # The place on this machine is no part of the document.
    return str(saved).replace(place.as_uri(), "file:///rivers").encode()


if __name__ == "__main__":
    main()
