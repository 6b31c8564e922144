"""A view as a report on paper: the same blocks for the PDF and the DOCX."""

from __future__ import annotations

from dataclasses import replace

from likewise.catalogue import Words
from likewise.report.characters import in_one_line, shorten
from likewise.report.paper.batch import paper_of_batch
from likewise.report.paper.blocks import Paper
from likewise.report.paper.check import paper_of_check
from likewise.report.paper.collection import paper_of_collection
from likewise.report.paper.names import call_closed_sources
from likewise.report.view import BatchView, CheckView, View

__all__ = ["Paper", "paper_of"]

LONGEST_MARK = 60  # characters of a name that stands across every page


def paper_of(view: View, words: Words) -> Paper:
    """The whole report in the words of one language."""
    institution, recipient = in_one_line(view.made.institution), in_one_line(view.made.recipient)
    mark = words("watermark.mark", name=shorten(recipient, LONGEST_MARK)) if recipient else ""
    return replace(_paper_of(view, words), institution=institution, mark=mark)


def _paper_of(view: View, words: Words) -> Paper:
    if isinstance(view, CheckView):
        return paper_of_check(call_closed_sources(view, words), words)
    if isinstance(view, BatchView):
        return paper_of_batch(view, words)
    return paper_of_collection(view, words)
