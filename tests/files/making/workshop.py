"""The real producers: LibreOffice, a browser, qpdf."""

from __future__ import annotations

import subprocess
from pathlib import Path
from string import Template

from tests.files.making.essay_figures import figure
from tests.files.making.essay_pages import SOURCES, Essay, flat_odt, web_page

# How LibreOffice calls what it writes.
FILTERS = {
    "pdf": "pdf:writer_pdf_Export",
    "doc": "doc:MS Word 97",
    "docx": "docx:MS Word 2007 XML",
    "odt": "odt:writer8",
    "rtf": "rtf:Rich Text Format",
    "html": "html:HTML (StarWriter):EmbedImages",
    "koi8-r": "txt:Text (encoded):KOI8_R,CRLF",
    "utf-8": "txt:Text (encoded):UTF8,CRLF",
    "utf-16": "txt:Text (encoded):UNICODE,CRLF",
}


class Workshop:
    """A folder to work in, where producers leave what they make."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def saved(self, name: str, form: str) -> bytes:
        """What LibreOffice saves a source as."""
        page = self._page(name)
        self._office("--convert-to", FILTERS[form], "--outdir", str(self.place), str(page))
        return page.with_suffix("." + FILTERS[form].partition(":")[0]).read_bytes()

    def saved_in(self, encoding: str, name: str) -> bytes:
        """LibreOffice's HTML in a code page, with entities for the letters that this one lacks.

        Older ones could be set to write it so; 7.4 writes UTF-8 alone, and the last step is ours.
        """
        page = self.saved(name, "html").decode("utf-8")
        declared = page.replace("charset=utf-8", f"charset={encoding}", 1)
        return declared.encode(encoding, "xmlcharrefreplace")

    def printed(self, name: str) -> bytes:
        """What the browser prints of a source."""
        page, printed = self.place / f"{name}.html", self.place / f"{name}-printed.pdf"
        page.write_text(web_page(Essay.named(name), figure(name)), "utf-8")
        run(
            *("chromium", "--headless", "--no-sandbox", "--no-pdf-header-footer"),
            *("--disable-pdf-tagging", f"--user-data-dir={self.place / 'browser'}"),
            *(f"--print-to-pdf={printed}", page.as_uri()),
        )
        return printed.read_bytes()

    def locked(self, name: str, password: str) -> dict[str, bytes]:
        """A source as DOC, DOCX, ODT and PDF that open with a password only, by suffix."""
        (self.place / "open.pdf").write_bytes(self.saved(name, "pdf"))
        lock = ("--encrypt", password, password, "256", "--")
        run("qpdf", *lock, str(self.place / "open.pdf"), str(self.place / "locked.pdf"))
        macro = Template((SOURCES / "Lock.xba").read_text("utf-8")).substitute(
            folder=self.place.as_uri(), name=name, password=password
        )
        # LibreOffice made its profile when it saved the PDF, with an empty macro to fill.
        basic = self.place / "profile" / "user" / "basic" / "Standard" / "Module1.xba"
        basic.write_text(macro, "utf-8")
        self._office("macro:///Standard.Module1.Main")
        suffixes = ("doc", "docx", "odt", "pdf")
        return {suffix: (self.place / f"locked.{suffix}").read_bytes() for suffix in suffixes}

    def _page(self, name: str) -> Path:
        page = self.place / f"{name}.fodt"
        page.write_text(flat_odt(Essay.named(name), figure(name)), "utf-8")
        return page

    def _office(self, *arguments: str) -> None:
        profile = (self.place / "profile").as_uri()
        run("soffice", f"-env:UserInstallation={profile}", "--headless", *arguments)


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
