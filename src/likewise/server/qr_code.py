"""A QR code as a drawing (ISO/IEC 18004)."""

from __future__ import annotations

from io import BytesIO


def qr_code_svg(text: str) -> bytes:
    """An SVG of a text, with the quiet zone that readers need.

    A quarter of it may be stained or folded.
    """
    import segno  # of the [server] extra; only who draws one needs it

    drawing = BytesIO()
    segno.make(text, error="q", micro=False).save(
        drawing, kind="svg", border=4, xmldecl=False, svgns=True, nl=False
    )
    return drawing.getvalue()
