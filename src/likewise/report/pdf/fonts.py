"""The fonts that typst brings along, and which characters they cannot draw."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

# A serif with all Kazakh letters, one with more signs, and one with Arabic.
FONTS = ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono")
_MISSED = re.compile(r"the text `\"([^`\n]*?)\"` could not be displayed")
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
_PROBE = """
#set document(date: datetime(year: 2000, month: 1, day: 1))
#set text(font: json(bytes(sys.inputs.fonts)))
#for character in json(bytes(sys.inputs.characters)) [#character ]
"""


def not_drawn(characters: Iterable[str]) -> list[str]:
    """Those of some characters that would stand as boxes.

    The compiler itself is asked: it refuses to make an archivable PDF with such characters, and
    names them. A few milliseconds, whatever the length of the report.

    >>> not_drawn("Қазақ әліпбиі, русский, English, 中文")
    ['中', '文']
    """
    import typst

    asked = sorted(each for each in set(characters) if ord(each) > 0x7F)
    if not asked:
        return []
    inputs = {"fonts": json.dumps(FONTS), "characters": json.dumps(asked)}
    try:
        typst.compile(
            _PROBE.encode(), ignore_system_fonts=True, sys_inputs=inputs, pdf_standards=["a-2u"]
        )
    except typst.TypstError as refused:
        named = _MISSED.findall(refused.diagnostic)
        missed = {_ESCAPED.sub(lambda code: chr(int(code[1], 16)), name) for name in named}
        return sorted(missed.intersection(asked)) or asked
    return []
