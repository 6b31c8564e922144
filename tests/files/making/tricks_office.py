"""Makes the office documents with hidden text, and those that only look like it.

    python -m tests.files.making.tricks_office

Needed is soffice (LibreOffice Writer) on the path. `hidden` hides a sentence in each way that
LibreOffice knows; `honest` has what looks like hiding and is not; in `boxes` most of the text
stands in text boxes.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

TRICKS = Path(__file__).parents[1] / "tricks"
FILTERS = {
    "docx": "docx:MS Word 2007 XML",
    "odt": "odt:writer8",
    "doc": "doc:MS Word 97",
    "rtf": "rtf:Rich Text Format",
}
_NAMESPACES = {
    "office": "office",
    "style": "style",
    "text": "text",
    "table": "table",
    "draw": "drawing",
    "fo": "xsl-fo-compatible",
    "svg": "svg-compatible",
}

_SEEN = "The ferry leaves the quay at six and nobody waves."

_HIDDEN_STYLES = """
<style:style style:name="Standard" style:family="paragraph" style:class="text"/>
<style:style style:name="Ghost" style:family="text">
 <style:text-properties fo:color="#fdfdfd"/></style:style>
<style:style style:name="Pale" style:family="paragraph" style:parent-style-name="Standard">
 <style:text-properties fo:color="#ffffff"/></style:style>
"""
_HIDDEN_AUTOMATIC = """
<style:style style:name="T1" style:family="text">
 <style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="T2" style:family="text">
 <style:text-properties text:display="none"/></style:style>
<style:style style:name="T3" style:family="text">
 <style:text-properties fo:font-size="1pt"/></style:style>
<style:style style:name="T4" style:family="text">
 <style:text-properties style:text-scale="1%"/></style:style>
<style:style style:name="T5" style:family="text">
 <style:text-properties fo:color="#000000" loext:opacity="0%"/></style:style>
<style:style style:name="T6" style:family="text">
 <style:text-properties fo:color="#fff2cc" fo:background-color="#fff2cc"/></style:style>
"""
_HIDDEN_BODY = f"""
<text:p>{_SEEN} <text:span text:style-name="T1">White gulls were counted twice.</text:span>
 The quay is <text:span text:style-name="Ghost">pale words of a style</text:span> wet.</text:p>
<text:p text:style-name="Pale">A whole paragraph in the colour of paper.</text:p>
<text:p>{_SEEN} <text:span text:style-name="T2">Vanished lines about the harbour.</text:span>
</text:p>
<text:p>{_SEEN} <text:span text:style-name="T3">Tiny print below the lamp.</text:span>
 <text:span text:style-name="T4">Narrow print beside the door.</text:span></text:p>
<text:p>{_SEEN} <text:span text:style-name="T5">Glass letters over the water.</text:span></text:p>
<text:p>{_SEEN} <text:span text:style-name="T6">Sand written upon yellow sand.</text:span></text:p>
<table:table table:name="boats"><table:table-column table:number-columns-repeated="2"/>
<table:table-row><table:table-cell><text:p>Boat</text:p></table:table-cell>
<table:table-cell><text:p>Crew</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>Heron</text:p></table:table-cell>
<table:table-cell><text:p>eleven   men</text:p><text:p>and <text:span text:style-name="T1">a white
  cell   of secrets</text:span> seen</text:p></table:table-cell></table:table-row></table:table>
<text:p>{_SEEN}</text:p>
"""
_SECTION = """
<text:section text:name="Dark" text:display="none">
<text:p>A section that is never shown.</text:p></text:section>
"""

_HONEST_AUTOMATIC = """
<style:style style:name="T1" style:family="text">
 <style:text-properties fo:color="#ffffff" fo:background-color="#1f3864"/></style:style>
<style:style style:name="T2" style:family="text">
 <style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="T3" style:family="text">
 <style:text-properties fo:font-size="4pt"/></style:style>
<style:style style:name="T4" style:family="text">
 <style:text-properties fo:color="#bfbfbf"/></style:style>
<style:style style:name="T5" style:family="text">
 <style:text-properties fo:color="#ffffff" style:text-outline="true"/></style:style>
<style:style style:name="T6" style:family="text">
 <style:text-properties fo:color="#ffffff" fo:font-size="1pt"/></style:style>
<style:style style:name="T7" style:family="text">
 <style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="P1" style:family="paragraph">
 <style:paragraph-properties fo:background-color="#202020"/>
 <style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="C1" style:family="table-cell">
 <style:table-cell-properties fo:background-color="#2f5496"/></style:style>
<style:style style:name="F1" style:family="graphic">
 <style:graphic-properties draw:fill="solid" draw:fill-color="#2f5496"
  fo:background-color="#2f5496" style:wrap="none"/></style:style>
"""
_HEAD = """<table:table-cell table:style-name="C1"><text:p><text:span text:style-name="T7">{}
</text:span></text:p></table:table-cell>"""
_HONEST_BODY = f"""
<text:p>{_SEEN} <text:span text:style-name="T1">White words on a blue ribbon.</text:span></text:p>
<text:p text:style-name="P1">A warning in white on a black band.</text:p>
<text:p>{_SEEN}<text:span text:style-name="T2">seven eight nine ten</text:span></text:p>
<text:p><text:span text:style-name="T3">for boat in harbour: count the boats again</text:span>
</text:p>
<text:p><text:span text:style-name="T4">Grey words that were meant to be modest.</text:span>
</text:p>
<text:p><text:span text:style-name="T5">Outlined letters are white inside only.</text:span>
</text:p>
<text:p>one<text:span text:style-name="T6">.0 12 / 4 ... 7</text:span></text:p>
<table:table table:name="boats"><table:table-column table:number-columns-repeated="2"/>
<table:table-row>{_HEAD.format("Name of the boat")}{_HEAD.format("Men in the crew")}
</table:table-row>
<table:table-row><table:table-cell><text:p>Heron</text:p></table:table-cell>
<table:table-cell><text:p>eleven</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:frame draw:style-name="F1" draw:name="sign" text:anchor-type="paragraph"
 svg:width="8cm" svg:height="2cm"><draw:text-box><text:p><text:span text:style-name="T7">White
 letters on a blue sign.</text:span></text:p></draw:text-box></draw:frame>{_SEEN}</text:p>
"""

_BOX = """<text:p><draw:frame draw:style-name="F1" draw:name="box {0}" text:anchor-type="paragraph"
 svg:width="14cm" svg:height="3cm"><draw:text-box>{1}</draw:text-box></draw:frame>{0}</text:p>"""
_BOXES_BODY = "".join(
    _BOX.format(number, f"<text:p>{_SEEN} {_SEEN}</text:p>") for number in ("One", "Two", "Three")
) + _BOX.format("Four", f"<text:p>{_SEEN} Nobody sees the box end.</text:p>")


def flat(styles: str, automatic: str, body: str) -> str:
    """A flat OpenDocument."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
        for name, space in _NAMESPACES.items()
    )
    spaces += ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {spaces} office:version="1.3" '
        'office:mimetype="application/vnd.oasis.opendocument.text">'
        f"<office:styles>{styles}</office:styles>"
        f"<office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


SOURCES = {
    "hidden": flat(_HIDDEN_STYLES, _HIDDEN_AUTOMATIC, _HIDDEN_BODY),
    "honest": flat("", _HONEST_AUTOMATIC, _HONEST_BODY),
    "boxes": flat("", "", _BOXES_BODY),
}
ODT_ALONE = {"sections": flat("", "", f"<text:p>{_SEEN}</text:p>{_SECTION}")}


def main() -> None:
    TRICKS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for name, source in (SOURCES | ODT_ALONE).items():
            page = Path(place, f"{name}.fodt")
            page.write_text(source, "utf-8")
            for form, asked in FILTERS.items():
                if form != "odt" and name in ODT_ALONE:
                    continue
                subprocess.run(
                    [
                        *("soffice", f"-env:UserInstallation={Path(place, 'profile').as_uri()}"),
                        *("--headless", "--convert-to", asked, "--outdir", place, str(page)),
                    ],
                    check=True,
                    capture_output=True,
                )
                made = page.with_suffix("." + form)
                (TRICKS / f"{name}.{form}").write_bytes(made.read_bytes())


if __name__ == "__main__":
    main()
