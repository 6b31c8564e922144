"""Results to files: a page, PDF, DOCX, JSON and CSV, all drawn from one view."""

from likewise.report.batch import view_of_batch
from likewise.report.check import view_of_check, view_of_pair
from likewise.report.matches import view_of_matches
from likewise.report.passages import Differences
from likewise.report.view import View
from likewise.report.write import ENDINGS, ensure_writable, write_view

__all__ = [
    "ENDINGS",
    "Differences",
    "View",
    "ensure_writable",
    "view_of_batch",
    "view_of_check",
    "view_of_matches",
    "view_of_pair",
    "write_view",
]
