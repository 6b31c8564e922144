"""Which office document a ZIP package or an XML file is, by what is inside."""

from __future__ import annotations

import posixpath
import re

from likewise.errors import ReadingError
from likewise.reading.package.xml import as_utf8
from likewise.reading.package.zip import Package
from likewise.reading.request import Limits

_LOOKED_AT = 1 << 20  # bytes of a part
_XML_LOOKED_AT = 1 << 15  # a flat file names its namespaces, and there are many, before its kind

# What the main part of an Office document may be called in [Content_Types].xml. Names of types are
# short; without a bound, a part that begins one again and again would be read as often.
_MAIN_TYPES = (
    ("docx", re.compile(r"(wordprocessingml\.|ms-word\.)[\w.]{0,80}main\+xml")),
    ("xlsb", re.compile(r"ms-excel\.sheet\.binary\.macroenabled\.main")),
    ("xlsx", re.compile(r"(spreadsheetml\.|ms-excel\.)[\w.]{0,80}main\+xml")),
    ("pptx", re.compile(r"(presentationml\.|ms-powerpoint\.)[\w.]{0,80}main\+xml")),
)
_MAIN_PARTS = (
    ("docx", re.compile(r"word/document\d*\.xml")),
    ("xlsx", re.compile(r"xl/workbook\d*\.xml")),
    ("xlsb", re.compile(r"xl/workbook\d*\.bin")),
    ("pptx", re.compile(r"ppt/presentation\d*\.xml")),
)
_MEDIA_TYPES = (
    ("odt", re.compile(r"application/vnd\.oasis\.opendocument\.text")),
    ("ods", re.compile(r"application/vnd\.oasis\.opendocument\.spreadsheet")),
    ("odp", re.compile(r"application/vnd\.oasis\.opendocument\.(presentation|graphics)")),
    ("epub", re.compile(r"application/epub\+zip")),
)
_BODIES = (
    ("odt", re.compile(r"<office:text\b")),
    ("ods", re.compile(r"<office:spreadsheet\b")),
    ("odp", re.compile(r"<office:(presentation|drawing)\b")),
)
# Tags end before the next one begins, so that no character is looked at for two of them.
_RELATION = re.compile(r"<(?:\w+:)?relationship\b[^<>]*+>")
_IS_MAIN = re.compile(r"/relationships/officedocument[\"']")
_TARGET = re.compile(r"\btarget\s*=\s*[\"']([^\"']*)[\"']")
_OVERRIDE = re.compile(r"<(?:\w+:)?override\b[^<>]*+>")


def kind_of_package(data: bytes) -> str | None:
    """What a ZIP is: docx, xlsx, xlsb, pptx, odt, ods, odp, epub; None for an ordinary archive.

    Templates and documents with macros are of the same kind. Never raises.
    """
    try:
        package = Package(data, Limits())
        return _kind(package, {name.lower() for name in package.names})
    except ReadingError:
        return None


def kind_of_xml(data: bytes) -> str | None:
    """What an office document in one XML file is: docx (Word 2003, flat OPC), odt, ods, odp.

    >>> kind_of_xml(b'<?xml version="1.0"?><a/>') is None
    True
    """
    head = as_utf8(data[:_XML_LOOKED_AT]).decode("utf-8", "replace")
    if not head.startswith("<"):
        return None
    if re.search(r"<\w+:wordDocument\b", head) and "office/word/2003/wordml" in head:
        return "docx"
    if re.search(r"<\w+:package\b", head) and "office/2006/xmlPackage" in head:
        match = re.search(r"progid=\"(\w+)\.", head)
        return {"Word": "docx", "PowerPoint": "pptx"}.get(match[1]) if match else None
    if re.search(r"<office:document\b", head):
        match = re.search(r"office:mimetype\s*=\s*[\"']([^\"']*)", head)
        return _first(_MEDIA_TYPES, match[1]) if match else None
    return None


def _kind(package: Package, names: set[str]) -> str | None:
    def text(name: str) -> str:
        return package.beginning(name, _LOOKED_AT).decode("utf-8", "replace")

    if "mimetype" in names and (kind := _first(_MEDIA_TYPES, text("mimetype")[:200].strip())):
        return kind
    if "[content_types].xml" in names:
        types = text("[Content_Types].xml").lower()
        relations = _RELATION.findall(text("_rels/.rels").lower())
        relation = next(filter(_IS_MAIN.search, relations), "")
        target = _TARGET.search(relation)
        if target:
            main = f'"/{posixpath.normpath(target[1].lstrip("/"))}"'
            for override in _OVERRIDE.findall(types):
                if main in override and (kind := _first(_MAIN_TYPES, override)):
                    return kind
        if kind := _first(_MAIN_TYPES, types):
            return kind
    for kind, part in _MAIN_PARTS:
        if any(map(part.fullmatch, names)):
            return kind
    if "content.xml" in names and names & {"meta-inf/manifest.xml", "styles.xml", "meta.xml"}:
        manifest = text("META-INF/manifest.xml")
        return _first(_MEDIA_TYPES, manifest) or _first(_BODIES, text("content.xml"))
    if "meta-inf/container.xml" in names and "application/oebps-package+xml" in text(
        "META-INF/container.xml"
    ):
        return "epub"
    return None


def _first(patterns: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> str | None:
    return next((kind for kind, pattern in patterns if pattern.search(text)), None)
