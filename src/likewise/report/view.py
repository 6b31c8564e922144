"""What every renderer draws: a result as plain values, each figure computed once.

Nothing here is a word for people: kinds and reasons are keys of the catalogue, shares are whole
numbers of characters, places are code-point offsets. `report/page.py` hands the very same values to
the page, and `.json` writes them as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from likewise.model import (
    FLAT,
    WORDINGS,
    Correspondence,
    ExclusionReason,
    Kind,
    Message,
    NamedValues,
    Span,
    Wording,
)
from likewise.results import CommentRow, CommissionRow, Confirmation, PageRange

CellState = Literal["equal", "moved", "altered", "empty", "missing", "added"]
State = Literal[0, 1, 2, 3]  # of a segment: counts, quoted, excluded, its wording does not count


@dataclass(frozen=True, slots=True)
class ProvenanceView:
    """What made the report, so that it can be made again."""

    version: str
    date: str  # ISO 8601, UTC, to the second
    recipe: str
    settings: dict[str, Any]
    counting: dict[str, Any] = field(default_factory=dict)  # otherwise than usual
    concepts: str = ""  # the lexicon, if passages were looked for by meaning too
    address: str = ""  # of the report on a server, where its public address is known
    institution: str = ""  # whose server made it
    recipient: str = ""  # to whom it was shown by a link


@dataclass(frozen=True, slots=True)
class NoteView:
    """What a person should know about how a file was read."""

    name: str
    kind: str
    message: str  # in English
    in_part: bool  # something of the file was not read
    is_disguise: bool
    places: tuple[Span, ...] = ()
    pages: tuple[int, ...] = ()  # where pages are known
    said: Message | None = None  # the same, for other languages
    is_mended: bool = False  # what was found was repaired or left out before the comparison


@dataclass(frozen=True, slots=True)
class TextView:
    """A document: who it is, and the stretches of its text that the report holds.

    The checked document is there whole, as one stretch; of a source there is what was found, with
    a little around it.
    """

    name: str
    language: str | None
    sha256: str  # of the file; of the text where there was no file
    is_file: bool
    length: int  # in code points
    words: int
    pages: tuple[tuple[int, int, int], ...]  # number, start, end
    stretches: tuple[tuple[int, str], ...]  # start, text; apart from each other and in order
    author: str = ""
    title: str = ""
    fetched: str = ""  # of a page of the web: when it was as it is here; ISO 8601, UTC
    advisor: str = ""  # these three where a library or a request tells them
    year: int | None = None
    type: str = ""
    label: str = ""  # what people call it, the name of its student; empty where it is its name

    @property
    def called(self) -> str:
        return self.label or self.name

    def at(self, place: Span) -> str:
        """A stretch of the text, if the report holds the whole of it."""
        for start, stretch in self.stretches:
            if start <= place.start and place.end <= start + len(stretch):
                return stretch[place.start - start : place.end - start]
        return ""

    def pages_at(self, place: Span) -> PageRange | None:
        """The first and the last page of a place, where pages are known."""
        numbers = [n for n, start, end in self.pages if start < place.end and place.start < end]
        return (numbers[0], numbers[-1]) if numbers else None


@dataclass(frozen=True, slots=True)
class PassageView:
    """A stretch of the document that stands in a source, with what differs marked."""

    source: int  # number in the list of sources; in a collection 0
    a: Span
    b: Span
    kind: Kind
    score: float
    words: int
    holders: int  # documents compared with that hold it, this source among them
    pages_a: PageRange | None
    pages_b: PageRange | None
    differs_a: tuple[Span, ...]
    differs_b: tuple[Span, ...]
    counts: bool = True  # a fragment is shown and does not count
    number: int | None = None  # of those that count, in the order of the text, from 1
    literal: float = 1.0  # of the words here, those that are unchanged and in order there
    expected: float | None = None  # how many as strong as this one chance would give
    languages: tuple[str, str] | None = None  # of a translated one: here, and in the source
    by_meaning: bool = False  # found by what it means: for a person to read
    unchanged: tuple[Span, ...] = ()  # of an edited one: where words stand as in the source
    # Of one in other words: words with their partners in the source, in order.
    correspondences: tuple[Correspondence, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuresView(NamedValues):
    """Every measure of a pair by its name, and how far some of them agree."""

    values: dict[str, float] = field(metadata=FLAT)
    agreement: float
    low: float
    high: float
    level: int
    inside: tuple[str, ...]  # which measures of the agreement lie inside the interval


@dataclass(frozen=True, slots=True)
class SourceView:
    """A document that holds text of the checked one."""

    text: TextView
    covered: int  # visible characters of the checked text that it covers
    counted: int  # of these, those that no source above it explains
    under: int | None  # the source that explains its text, where it adds nothing
    measures: MeasuresView | None
    passages: int
    fragments: int
    pictures: tuple[tuple[str, str], ...] = ()  # copied figures: where here, where there
    covered_b: int = 0  # visible characters of the source that stand in the checked text
    whole_b: int = 0  # all visible characters of the source
    literal: float = 0.0  # of the checked text: what stands unchanged in it
    listings: int = 0  # programs and figures of the checked document that stand in it too


@dataclass(frozen=True, slots=True)
class ExclusionView:
    """A stretch that is not to count as copied."""

    place: Span
    reason: ExclusionReason
    detail: str  # the citation or the heading
    holders: int  # of common text: how many documents hold it
    pages: PageRange | None


@dataclass(frozen=True, slots=True)
class SegmentsView:
    """The checked text cut where a passage, its unchanged words or an exclusion begin or end.

    Segment i runs from cuts[i] to cuts[i + 1]. With these whole numbers the page counts shares as
    `align.without` does, whatever the reader takes out.
    """

    cuts: tuple[int, ...]
    visible: tuple[int, ...]  # characters that can be seen
    state: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class SharesView:
    """Visible characters by what they are; they add up to `whole`."""

    whole: int
    original: int
    similar: int
    quoted: int
    excluded: int


@dataclass(frozen=True, slots=True)
class WordingsView:
    """Similar characters by their wording; those of which it counts add up to `similar`."""

    word_for_word: int = 0
    reworded: int = 0
    translated: int = 0


@dataclass(frozen=True, slots=True)
class UncheckedView:
    """What was not compared, and why."""

    unread: tuple[tuple[str, str, Message | None], ...]  # name, reason in English, the same as data
    skipped: tuple[str, ...]  # sources that were not to be compared
    left_out: tuple[tuple[str, int], ...]  # of the document: why, and how many characters
    other_languages: int = 0
    called: tuple[str, ...] = ()  # those of `unread`, by people: the names of their students


@dataclass(frozen=True, slots=True)
class TableCellView:
    """What stands in a cell here and there; `missing` is only here, `added` only there."""

    a: str
    b: str
    state: CellState


@dataclass(frozen=True, slots=True)
class TableColumnView:
    """A column of the checked table and the one that it is there, by their places from 0.

    Where the other table is turned, columns here are rows there.
    """

    a: int | None
    b: int | None
    moved: bool


@dataclass(frozen=True, slots=True)
class TableRowView:
    """The same for a row, with a cell for each column that is shown."""

    a: int | None
    b: int | None
    moved: bool
    cells: tuple[TableCellView, ...]


@dataclass(frozen=True, slots=True)
class TableMatchView:
    """A table that stands in another document too, aligned with it cell by cell."""

    name: str  # of the other document
    source: int | None  # its number in the list of sources, if it is there
    caption_a: str
    caption_b: str
    page_a: int | None
    page_b: int | None
    place_a: Span
    score: float
    share_a: float  # of the table that the other explains
    share_b: float
    transposed: bool
    columns: tuple[TableColumnView, ...]
    rows: tuple[TableRowView, ...]
    more_rows: int  # that are not shown
    more_columns: int


@dataclass(frozen=True, slots=True)
class PartnerView:
    """A document of another institution that shares fingerprints; its text is not here."""

    library: str
    name: str
    share: float  # of the fingerprints of the checked text
    told: dict[str, str]  # what the institution tells about it


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What somebody took out of the count, and on which pages it stands."""

    source: str | None
    place: Span | None
    pages: PageRange | None
    by: str
    on: str  # ISO 8601, UTC, to the second
    reason: str


@dataclass(frozen=True, slots=True)
class QueryView:
    """A query that left the machine: these very words went to this host at this time."""

    provider: str
    query: str
    sent_to: str
    on: str  # ISO 8601, UTC, to the second
    results: int
    problem: str  # in English; empty where there was none
    said: Message | None = None  # the problem, for other languages


@dataclass(frozen=True, slots=True)
class CheckView:
    """One document against many, or two documents against each other."""

    kind: Literal["check", "pair"]
    made: ProvenanceView
    document: TextView
    shares: SharesView
    sources: tuple[SourceView, ...]
    passages: tuple[PassageView, ...]  # in the order of the document, fragments among them
    exclusions: tuple[ExclusionView, ...]
    segments: SegmentsView
    documents: int  # compared with
    unchecked: UncheckedView
    notes: tuple[NoteView, ...]
    taken_out: tuple[str, ...] = ()  # sources that a reader excluded
    shares_before: SharesView | None = None  # the shares, before a reader excluded anything
    tables: tuple[TableMatchView, ...] = ()  # copied ones, the likest first
    partners: tuple[PartnerView, ...] = ()
    decisions: tuple[DecisionView, ...] = ()  # of those who took something out, where it is known
    confirmations: tuple[Confirmation, ...] = ()
    asked: tuple[QueryView, ...] = ()  # the log of queries: all that was sent to search engines
    literal: float = 0.0  # of the text: what stands unchanged and in order in a source
    too_short: bool = False  # too few words to be called original
    listings: tuple[PassageView, ...] = ()  # programs and figures that stand in a source too
    wordings: WordingsView = WordingsView()
    count: tuple[Wording, ...] = WORDINGS  # which of them count
    comments: tuple[CommentRow, ...] = ()  # beside places of the text, in its order
    copied_tables: int = 0  # tables of the document that stand in a source
    copied_pictures: int = 0  # the same of pictures, those of excluded text apart
    commission: tuple[CommissionRow, ...] = ()  # what it decided, the first first
    is_for_student: bool = False  # sources that are not open have neither name nor text


@dataclass(frozen=True, slots=True)
class PairView:
    """Two documents of a collection that share text."""

    a: int  # numbers in the list of documents
    b: int
    similarity: float  # by the measure asked for
    measures: MeasuresView | None  # of records of a corpus only the overlaps are known: None
    jaccard: float
    containment_a: float
    containment_b: float
    passages: tuple[PassageView, ...]
    by_meaning: bool = False  # found by meaning alone, whatever the threshold; these come last
    later: Literal["", "a", "b"] = ""  # the one that came when the other had been checked


@dataclass(frozen=True, slots=True)
class ClusterView:
    """Documents tied together; `more` of them are not listed."""

    members: tuple[int, ...]
    weakest: float
    more: int = 0


@dataclass(frozen=True, slots=True)
class ThresholdView:
    """What a threshold of a deduplication comes to."""

    threshold: float
    pairs: int
    clusters: int
    kept: int
    removed: int


@dataclass(frozen=True, slots=True)
class CollectionView:
    """Pairs and clusters of a collection, of two, or of a corpus."""

    kind: Literal["find", "cross", "dedup"]
    made: ProvenanceView
    names: tuple[str, ...]  # of the collections
    measure: str
    threshold: float
    method: str
    documents: int  # that were compared
    texts: tuple[TextView, ...]  # those that the pairs and clusters name
    sides: tuple[int, ...]  # of each text: the number of its collection
    pairs: tuple[PairView, ...]  # the strongest, then those by meaning
    all_pairs: int
    histogram: tuple[int, ...]  # of all pairs by words: hundredths of similarity, the last holds 1
    clusters: tuple[ClusterView, ...]
    all_clusters: int
    thresholds: tuple[ThresholdView, ...]
    unchecked: UncheckedView
    notes: tuple[NoteView, ...]
    by_meaning: bool = False  # pairs were looked for by meaning too, whatever the threshold


@dataclass(frozen=True, slots=True)
class BatchView:
    """Documents handed in together: each against a library, and all against each other."""

    kind: Literal["batch"]
    made: ProvenanceView
    against: str  # the name of the library, empty where there is none
    checks: tuple[CheckView, ...]  # the one with the largest similar share first
    collection: CollectionView  # among each other
    unchecked: UncheckedView


View = CheckView | CollectionView | BatchView
