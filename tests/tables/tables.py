"""Tables for the tests, written as people see them."""

from likewise.model import Span, Table

ORIGINAL = """\
Company name | Income | Number of employees
Corporation TechBud | 225 750 | 560
New Company | 785 960 | 1220
Alpha-Bud | 895 975 | 1150"""
MODIFIED = """\
Company | Number of employees | In.
Alpha-Bud | 1150 | 895 975
Corp. TechBud | 560 | 225 750
N.Company | 1220 | 785 960"""
UNRELATED = """\
River | Length, km | Basin
Irtysh | 4248 | 1 643 000
Ishim | 2450 | 177 000
Ural | 2428 | 231 000
Syr Darya | 2212 | 219 000"""


def table(drawn: str, caption: str = "") -> Table:
    """A table from its drawing: a line a row, cells parted by bars."""
    rows = [[cell.strip() for cell in line.split("|")] for line in drawn.splitlines()]
    return Table(tuple(map(tuple, rows)), Span(0, len(drawn)), caption)


def turned(given: Table) -> Table:
    """Its rows as columns."""
    return Table(tuple(zip(*given.rows, strict=True)), given.span, given.caption)
