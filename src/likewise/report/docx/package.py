"""A view as the bytes of a DOCX: parts in a ZIP file, the same ones for the same view."""

from __future__ import annotations

from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from likewise.catalogue import LanguageCode, Words
from likewise.report.characters import shorten
from likewise.report.docx.blocks import draw_block
from likewise.report.docx.markup import escaped, paragraph, text_run
from likewise.report.paper import Paper, paper_of
from likewise.report.paper.blocks import BothSides, MarkedText, Section
from likewise.report.view import View

AUTHOR, INITIALS = "Likewise", "Lw"
LONGEST_HEAD = 60  # characters of the name in the running head
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_VML = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
# Behind the text of every page, as Word makes watermarks itself; without words for screen readers,
# which the footer has.
_WATERMARK = (
    "<w:r><w:rPr><w:noProof/></w:rPr><w:pict>"
    '<v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800" '
    'path="m@7,l@8,m@5,21600l@6,21600e"><v:formulas><v:f eqn="sum #0 0 10800"/>'
    '<v:f eqn="prod #0 2 1"/><v:f eqn="sum 21600 0 @1"/><v:f eqn="sum 0 0 @2"/>'
    '<v:f eqn="sum 21600 0 @3"/><v:f eqn="if @0 @3 0"/><v:f eqn="if @0 21600 @1"/>'
    '<v:f eqn="if @0 0 @2"/><v:f eqn="if @0 @4 21600"/></v:formulas>'
    '<v:path textpathok="t" o:connecttype="rect"/><v:textpath on="t" fitshape="t"/></v:shapetype>'
    '<v:shape id="Watermark" o:spid="_x0000_s2049" type="#_x0000_t136" alt="" '
    'style="position:absolute;margin-left:0;margin-top:0;width:470pt;height:52pt;rotation:325;'
    "z-index:-251658752;mso-position-horizontal:center;mso-position-horizontal-relative:margin;"
    'mso-position-vertical:center;mso-position-vertical-relative:margin" '
    'fillcolor="#d5d9dd" stroked="f"><v:fill opacity=".5"/>'
    '<v:textpath style="font-family:&quot;Calibri&quot;;font-size:1pt" string="{text}"/></v:shape>'
    "</w:pict></w:r>"
)
_PAGE = (
    '<w:sectPr><w:headerReference w:type="default" r:id="header"/>'
    '<w:footerReference w:type="default" r:id="footer"/><w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1300" w:right="1134" w:bottom="1134" w:left="1134" w:header="620" '
    'w:footer="560" w:gutter="0"/></w:sectPr>'
)


def write_docx(
    view: View, path: Path, language: LanguageCode = "en", time_zone: str = "UTC"
) -> None:
    """Write the report of a view as a DOCX."""
    path.write_bytes(docx_of(view, language, time_zone))


def docx_of(view: View, language: LanguageCode = "en", time_zone: str = "UTC") -> bytes:
    """The DOCX itself: the same view gives the same bytes."""
    paper = paper_of(view, Words(language, time_zone=time_zone))
    parts = {
        "[Content_Types].xml": _part("content-types.xml"),
        "_rels/.rels": _part("package.rels"),
        "docProps/core.xml": _core(paper),
        "word/document.xml": _document(paper),
        "word/comments.xml": _comments(paper),
        "word/styles.xml": _part("styles.xml"),
        "word/settings.xml": _part("settings.xml"),
        "word/header.xml": _header(paper),
        "word/footer.xml": _footer(paper),
        "word/_rels/document.xml.rels": _part("document.rels"),
    }
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, content.encode("utf-8"))
    return buffer.getvalue()


def _part(name: str) -> str:
    return files(__package__).joinpath("parts", name).read_text("utf-8")


def _document(paper: Paper) -> str:
    body = [paragraph(text_run(paper.institution), "Normal")] if paper.institution else []
    body += [paragraph(text_run(paper.title), "Title"), paragraph(text_run(paper.name), "Subtitle")]
    body += [paragraph(text_run(line), "Faint") for line in (paper.mark, *paper.about) if line]
    for section in _sections(paper):
        new_page = "<w:pageBreakBefore/>" if section.on_a_new_page else ""
        body.append(paragraph(text_run(section.heading), f"Heading{section.level}", new_page))
        body += [draw_block(block) for block in section.blocks]
    return f"{_XML}<w:document {_W}><w:body>{''.join(body)}{_PAGE}</w:body></w:document>"


def _sections(paper: Paper) -> list[Section]:
    """Where the text is there whole, its comments tell what both sides would tell again."""

    def holds(section: Section, kind: type) -> bool:
        return any(isinstance(block, kind) for block in section.blocks)

    if not any(holds(section, MarkedText) for section in paper.sections):
        return list(paper.sections)
    return [section for section in paper.sections if not holds(section, BothSides)]


def _comments(paper: Paper) -> str:
    comments = [
        comment
        for section in paper.sections
        for block in section.blocks
        if isinstance(block, MarkedText)
        for comment in block.comments
    ]
    elements = []
    for number, comment in enumerate(comments):
        lines = "".join(
            paragraph(text_run(line), "CommentText") for line in comment.text.split("\n")
        )
        author, initials = (comment.by, comment.by[:1]) if comment.by else (AUTHOR, INITIALS)
        date = comment.on or paper.date
        elements.append(
            f'<w:comment w:id="{number}" w:author="{_attribute(author)}" '
            f'w:initials="{_attribute(initials)}" w:date="{escaped(date)}">{lines}</w:comment>'
        )
    return f"{_XML}<w:comments {_W}>{''.join(elements)}</w:comments>"


def _attribute(text: str) -> str:
    return escaped(text).replace('"', "&quot;")


def _header(paper: Paper) -> str:
    runs = text_run(f"{shorten(paper.name, LONGEST_HEAD)}\t{paper.title}")
    mark = _WATERMARK.format(text=_attribute(paper.mark)) if paper.mark else ""
    return f"{_XML}<w:hdr {_W} {_VML}>{paragraph(mark + runs, 'Header')}</w:hdr>"


def _footer(paper: Paper) -> str:
    maker = f"{paper.maker}  {paper.mark}" if paper.mark else paper.maker
    runs = text_run(f"{maker}\t") + _field("PAGE") + text_run(" / ") + _field("NUMPAGES")
    return f"{_XML}<w:ftr {_W}>{paragraph(runs, 'Header')}</w:ftr>"


def _field(name: str) -> str:
    return f'<w:fldSimple w:instr=" {name} "><w:r><w:t>1</w:t></w:r></w:fldSimple>'


def _core(paper: Paper) -> str:
    title = escaped(f"{paper.title}: {paper.name}")
    date = escaped(paper.date)
    return (
        f'{_XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/'
        'metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{title}</dc:title><dc:creator>{AUTHOR}</dc:creator>"
        f"<dc:language>{paper.language}</dc:language>"
        f'<dcterms:created xsi:type="dcterms:W3CDTF">{date}</dcterms:created>'
        f'<dcterms:modified xsi:type="dcterms:W3CDTF">{date}</dcterms:modified>'
        "</cp:coreProperties>"
    )
