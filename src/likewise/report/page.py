"""The report as one page: a file that opens anywhere, asks the network for nothing and runs nothing
but its own script.

The script and the style sheet are built from ui/ into static/. What they show, the view, stands
beside them as compressed JSON. The page's Content-Security-Policy names both by their hashes, so
that nothing in a document's name or text can ever run.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path

from likewise.catalogue import LanguageCode, Words
from likewise.errors import LikewiseError
from likewise.languages import codes
from likewise.report.view import BatchView, CheckView, View
from likewise.results import encode, utf8

_PAGE = """<!doctype html>
<html lang="{language}"{given}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Likewise">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="report">
<div class="without-script">{too_old}</div>
<noscript>{no_script}</noscript>
</div>
<script type="application/octet-stream" id="view">{view}</script>
<script>{script}</script>
</body>
</html>
"""
_MARKUP = re.compile("<(/script|/style|!--)", re.I)  # would end the script or the style sheet
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def write_page(view: View, path: Path, language: LanguageCode | None) -> None:
    """Write the page; without a language it speaks that of its reader's browser."""
    path.write_bytes(page(view, language))


def page(view: View, language: LanguageCode | None = None) -> bytes:
    """The page as it stands in its file."""
    style, script = _bundle("report.css"), _bundle("report.js")
    html = _PAGE.format(
        language=language or "en",
        given=f' data-language="{language}"' if language else "",
        policy=policy(),
        title=escape(_title(view, language or "en")),
        style=style,
        script=script,
        too_old=_in_all_languages("look.too_old"),
        no_script=_in_all_languages("look.no_script"),
        view=packed(view),
    )
    return html.encode("utf-8")


def packed(view: View) -> str:
    """A view as letters: JSON, compressed, in base 64."""
    data = gzip.compress(utf8(encode(view)), compresslevel=6, mtime=0)
    return b64encode(data).decode("ascii")


@cache
def _bundle(name: str) -> str:
    file = files("likewise.report").joinpath("static", name)
    if not file.is_file():
        raise LikewiseError("core.page_not_built")
    text = file.read_text("utf-8").strip()
    return _MARKUP.sub(r"<\\\1", text)


@cache
def policy() -> str:
    """What a browser may do with a page, for the page itself and for who serves it."""
    style, script = _bundle("report.css"), _bundle("report.js")

    def hash_of(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; script-src {hash_of(script)}; style-src {hash_of(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _title(view: View, language: LanguageCode) -> str:
    title = Words(language)(f"title.{view.kind}")
    name = _CONTROLS.sub("\ufffd", _name(view))
    return f"{name} – {title}" if name else title


def _name(view: View) -> str:
    """Of what was looked at."""
    if isinstance(view, CheckView):
        return view.document.name
    return view.against if isinstance(view, BatchView) else " · ".join(view.names)


def _in_all_languages(key: str) -> str:
    return "".join(f'<p lang="{each}">{escape(Words(each)(key))}</p>' for each in codes())
