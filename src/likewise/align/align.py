"""Where exactly two documents share text."""

from __future__ import annotations

from dataclasses import dataclass

from likewise.align.clusters import boxes_of
from likewise.align.fragments import fragments_of
from likewise.align.pair import pair_of
from likewise.align.repeated import without_repetitions
from likewise.align.scattered import scattered_rows, with_scattered
from likewise.align.seeds import runs_of, seeds_of
from likewise.align.sentences import equal_sentences
from likewise.align.side import Side, side_of
from likewise.align.summaries import summary_of
from likewise.align.validate import examine, strong, without_overlaps
from likewise.language import Lexicon
from likewise.model import Document, Passage
from likewise.settings import Settings


@dataclass(frozen=True, slots=True)
class Alignment:
    """What two documents share: passages, and runs of words too short to be passages."""

    passages: tuple[Passage, ...]
    fragments: tuple[Passage, ...]


def align(a: Document, b: Document, settings: Settings | None = None) -> Alignment:
    """The passages that two documents share, in the order of the first.

    >>> text = "Rivers of the steppe rise in spring, flood the meadows and sink into sand."
    >>> one = Document.from_text(f"{text} Nobody counts them.")
    >>> other = Document.from_text(f"A traveller wrote: {text}")
    >>> [passage.a.of(one.text) == text for passage in align(one, other).passages]
    [True]
    """
    lexicon = Lexicon(settings or Settings())
    return align_sides(side_of(a, lexicon), side_of(b, lexicon))


def align_sides(a: Side, b: Side) -> Alignment:
    """The same for documents that were prepared before, with the same lexicon."""
    pair = pair_of(a, b)
    if not pair.a.size or not pair.b.size:
        return Alignment((), ())
    runs = runs_of(pair)
    extents = without_overlaps(pair, boxes_of(seeds_of(pair, runs)))
    examined = [examine(pair, extent) for extent in extents]
    found = strong(pair, examined)
    rows = scattered_rows(pair, equal_sentences(pair), found)
    summary = summary_of(pair, found, rows)
    if summary is not None:
        found = [f for f in found if not f.box.meets(summary.box)]
        found.append(examine(pair, summary))
        rows = [row for row in rows if not row.meets(summary.box)]
    if rows:
        found = with_scattered(pair, rows, found, examined)
    shown = without_repetitions(pair, found)
    passages = sorted((Passage(f.a, f.b, f.kind, f.score) for f in shown), key=_place)
    return Alignment(tuple(passages), fragments_of(pair, runs, found))


def _place(passage: Passage) -> tuple[int, int, int, int]:
    return passage.a.start, passage.a.end, passage.b.start, passage.b.end
