"""Who handed a file in, by the names that learning platforms give."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Moodle: "Full Name_12345_assignsubmission_file_/essay.docx", or the same without a folder.
_MOODLE = re.compile(r"(?<![^/])(?P<author>[^/]+?)_\d++_assignsubmission_[a-z]+(?:_|/|$)")
# Canvas: "lastnamefirstname_12345_67890_essay.docx", with LATE after the name of who was late.
_CANVAS = re.compile(r"(?P<author>[^\W\d_][^\d_/]*)(?:_LATE)?_\d{3,}_\d{3,}_[^/]+")


def authors(names: Sequence[str]) -> dict[str, str]:
    """The author of each file of an archive or a folder whose name tells.

    Canvas's names are like others', so they count only where every file has one.

    >>> authors(["Asel Nur_70123_assignsubmission_file_/essay.docx", "notes.txt"])
    {'Asel Nur_70123_assignsubmission_file_/essay.docx': 'Asel Nur'}
    >>> authors(["nurasel_LATE_4711_90210_essay.docx", "leedana_4712_90211_final_1.docx"])
    {'nurasel_LATE_4711_90210_essay.docx': 'nurasel', 'leedana_4712_90211_final_1.docx': 'leedana'}
    >>> authors(["report_2023_112_final.docx", "plan.docx"])
    {}
    """
    found = {name: match["author"] for name in names if (match := _MOODLE.search(name))}
    if found:
        return found
    matches = [_CANVAS.fullmatch(name.rpartition("/")[2]) for name in names]
    together = dict(zip(names, matches, strict=True))
    if all(matches):
        return {name: match["author"] for name, match in together.items() if match}
    return {}
