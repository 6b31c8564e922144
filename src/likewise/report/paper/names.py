"""What the works of others are called in a report for a student, who learns no name of them."""

from __future__ import annotations

import re
from dataclasses import replace

from likewise.catalogue import Words
from likewise.report.redaction import ANOTHER_SUBMISSION
from likewise.report.view import CheckView, SourceView

_ANOTHER = re.compile(rf"{ANOTHER_SUBMISSION}(?: \((\d+)\))?")


def call_closed_sources(view: CheckView, words: Words) -> CheckView:
    """A report for a student with its closed sources called in the words of one language."""
    if not view.is_for_student:
        return view

    def called(source: SourceView) -> SourceView:
        another = _ANOTHER.fullmatch(source.text.name)
        if another is None or source.text.length:
            return source
        n = another[1]
        label = words("sources.another_of_several", n=n) if n else words("sources.another")
        return replace(source, text=replace(source.text, label=label))

    return replace(view, sources=tuple(map(called, view.sources)))
