"""Build the page of components into build/gallery, which no package holds.

    python ui/gallery.py            says where the page is

It opens without a server: in the language and the colours of its address (?language=kk&theme=dark).
The report's parts show what the package itself finds in a document of two sources.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # where it is loaded by a test

import build as pages

GALLERY = Path(__file__).resolve().parents[1] / "build" / "gallery"
PAGE = GALLERY / "index.html"

LAKE = """\
The lake was once the fourth largest in the world, and its fishermen sent their catch as far as the
capital. When the two rivers that fed it were led into the cotton fields, the shore withdrew by more
than a hundred kilometres within a single generation. """
SALT = """\
What remained was a desert of salt, from which the wind carries dust over pastures and villages that
had never seen the sea. """
OWN = """\
This essay asks what the people of one harbour remember, and what they have kept: the logbooks of
the cannery, the letters of two captains, and a song about the last boat that came home. """
QUOTED = """\
“We did not leave the sea,” says the daughter of a captain in her memoirs, “the sea left us, and it
took the weather, the trees and the names of the streets with it” (Ivanova, 2019, p. 12). """
TOWN = """\
In the market of the old town people still weigh their bread on scales that were made for fish. """
FRAGMENT = "The dam of the northern part has brought fish back to three villages. "


def build() -> Path:
    """Make the page anew; its view is the package's own, so that its shape is always true."""
    GALLERY.mkdir(parents=True, exist_ok=True)
    (GALLERY / "view.json").write_text(view(), "utf-8")
    pages.provide_modules()
    pages.npm("run", "gallery")
    return PAGE


def view() -> str:
    """What a check of a small document against two others finds, as the report's pages read it."""
    import likewise as lw
    from likewise.report import view_of_check
    from likewise.results import encode, utf8

    checked = lw.Document.from_text(OWN + LAKE + QUOTED + SALT + TOWN, name="Aral Sea.docx")
    retold = LAKE.replace("once", "formerly").replace("a single generation", "thirty years")
    sources = [
        lw.Document.from_text(TOWN + LAKE + SALT, name="The sea that left, 2019.pdf"),
        lw.Document.from_text(retold + QUOTED + FRAGMENT, name="Атырау мен Арал.docx"),
    ]
    return utf8(encode(view_of_check(lw.check(checked, sources), "2026-11-15T12:00:00Z"))).decode()


def main() -> int:
    try:
        page = build()
    except pages.CannotBuild as problem:
        print(f"the gallery cannot be built: {problem}", file=sys.stderr)
        return 1
    print(f"{page.as_uri()}?language=en&theme=light")
    return 0


if __name__ == "__main__":
    sys.exit(main())
