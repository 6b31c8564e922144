"""The nouns everyone shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Literal, get_args, overload

from likewise.catalogue import Message as Message
from likewise.errors import BadInput
from likewise.settings import Settings

Kind = Literal["verbatim", "edited", "rewritten", "summarised", "translated"]
IN_ORDER: frozenset[Kind] = frozenset({"verbatim", "edited"})  # its words stand as in the source
# How similar text stands to its source, the strongest first: what is word for word in one source
# and reworded in another is word for word.
Wording = Literal["word_for_word", "reworded", "translated"]
WORDINGS: tuple[Wording, ...] = get_args(Wording)
WORDING_OF: Mapping[Kind, Wording] = {
    "verbatim": "word_for_word",
    "edited": "reworded",  # but for its unchanged words
    "rewritten": "reworded",
    "summarised": "reworded",
    "translated": "translated",
}
SPREAD_LETTERS = "spread letters"  # why the blanks between the letters of a word are left out
_JOINER = "\u2060"  # an invisible mark that the tokeniser skips, so that letters meet

# Of a field that is a mapping: in JSON its names stand among those of the other fields.
FLAT: Mapping[str, bool] = {"flat": True}


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code-point offsets into a document's text, end exclusive.

    >>> Span(2, 5).of("abcdefg"), len(Span(2, 5)), Span(2, 5) & Span(4, 9), Span(0, 1) & Span(3, 4)
    ('cde', 3, Span(start=4, end=5), None)
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span runs forwards from 0: {self.start}, {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def __and__(self, other: Span) -> Span | None:
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Span(start, end) if start < end else None

    def of(self, text: str) -> str:
        """The characters it covers."""
        return text[self.start : self.end]

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: Any) -> Any:
        """As the API sends and describes it: [start, end], like the encoder of results."""
        from pydantic_core import core_schema

        pair = handler.generate_schema(tuple[int, int])
        return core_schema.no_info_after_validator_function(
            lambda ends: cls(*ends),
            pair,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda span: (span.start, span.end), return_schema=pair
            ),
        )


# A word of a passage, the words of its source that it corresponds to, and what they share: the word
# itself, a concept, a number, a name in whichever alphabet; and how closely, in thousandths.
CorrespondenceReason = Literal["word", "concept", "number", "name"]
Correspondence = tuple[Span, tuple[Span, ...], CorrespondenceReason, int]


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page of the file stands in the text."""

    number: int
    span: Span


@dataclass(frozen=True, slots=True)
class Note:
    """What a person should know about how a file was read."""

    READ_IN_PART: ClassVar = frozenset(
        {
            *("damaged", "garbage text layer", "low confidence", "no text layer"),
            *("not read in full", "OCR missing"),
        }
    )

    DISGUISES: ClassVar = frozenset(
        {
            *("foreign letters", "garbage text layer", "hidden sheet", "hidden text"),
            *("invisible characters", "look-alike spaces", "pasted as pictures", "spread letters"),
            *("text in shapes", "text layer differs"),
        }
    )

    kind: str
    message: Message
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table found in a document: its cells by row, and where it stands.

    A cell that spans several rows or columns stands in each of them, so that every row is as long
    as the others and a column's whole heading is read downwards.
    """

    rows: tuple[tuple[str, ...], ...]
    span: Span
    caption: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture found in a document: where it stands, and a hash that survives resizing.

    Pictures look alike where few bits of their hashes differ.

    >>> Picture(Span(0, 0), 0b1011, 640, 480).bits_apart(Picture(Span(9, 9), 0b0001, 320, 240))
    2
    """

    span: Span
    hash: int
    width: int
    height: int
    page: int | None = None

    def bits_apart(self, other: Picture) -> int:
        return (self.hash ^ other.hash).bit_count()


@dataclass(frozen=True, slots=True)
class Document:
    """What reading made of a file.

    >>> Document.from_text("Steppe and sky.", name="a").text
    'Steppe and sky.'
    """

    name: str
    text: str = field(repr=False)
    pages: tuple[Page, ...] = ()
    tables: tuple[Table, ...] = field(default=(), repr=False)
    pictures: tuple[Picture, ...] = field(default=(), repr=False)
    language: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict, repr=False)
    notes: tuple[Note, ...] = field(default=(), repr=False)
    left_out: tuple[tuple[Span, str], ...] = field(default=(), repr=False)
    sha256: str | None = field(default=None, repr=False)  # of the file's bytes

    @classmethod
    def from_text(cls, text: str, name: str = "text", language: str | None = None) -> Document:
        """A document that never was a file."""
        if not isinstance(text, str):
            raise BadInput("core.not_a_text", about=name, kind=type(text).__name__)
        return cls(name=name, text=text, language=language)

    @property
    def has_text(self) -> bool:
        """Whether there is anything in it to compare."""
        return bool(self.compared_text.strip())

    @property
    def compared_text(self) -> str:
        """The text with everything left out blanked, so that offsets stay true.

        Blanks between the letters of one word become marks that no word sees.

        >>> heading = ((Span(0, 6), "running header"),)
        >>> Document("a", "Page 1 Steppe", left_out=heading).compared_text
        '       Steppe'
        """
        if not self.left_out:
            return self.text
        parts: list[str] = []
        position = 0
        for span, reason in sorted(self.left_out):
            if span.end > position:
                start = max(span.start, position)
                blank = _JOINER if reason == SPREAD_LETTERS else " "
                parts += self.text[position:start], blank * (span.end - start)
                position = span.end
        return "".join([*parts, self.text[position:]])


def ensure_text(document: Document) -> None:
    """Refuse a document in which there is nothing to compare."""
    if not document.has_text:
        raise BadInput("core.no_text", about=document.name)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that gave nothing to compare, and why."""

    name: str
    reason: Message


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document that stands in another."""

    a: Span
    b: Span
    kind: Kind
    score: float  # Dice of the words of both sides
    literal: float = 1.0  # of a's words, those that stand unchanged and in order in b
    expected: float | None = None  # how many as strong as this one chance would give
    languages: tuple[str, str] | None = None  # of a translated one: here, and in the source
    by_meaning: bool = False  # found by what it means: for a person to read
    unchanged: tuple[Span, ...] = ()  # where the words of a stand as in b

    @property
    def wordings(self) -> tuple[tuple[Span, Wording], ...]:
        """Stretches of `a` by their wording, a stronger one after what it stands in."""
        unchanged = self.unchanged if self.kind == "edited" else ()
        return (self.a, WORDING_OF[self.kind]), *((span, "word_for_word") for span in unchanged)


@dataclass(frozen=True, slots=True)
class Interval:
    """The confidence interval of several measures, and what lies inside it."""

    low: float
    high: float
    level: int
    inside: tuple[str, ...]


class NamedValues:
    """Something with `values` by name that are its attributes too."""

    __slots__ = ()
    values: Mapping[str, float]

    def __getattr__(self, name: str) -> float:
        if name != "values" and name in self.values:
            return self.values[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}")


@dataclass(frozen=True, slots=True)
class Scores(NamedValues):
    """Every other measure of a pair, by name: `scores.dice` is `scores.values["dice"]`.

    `agreement` is that of some of them, not how sure we are.
    """

    values: Mapping[str, float] = field(hash=False, metadata=FLAT)
    agreement: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Match:
    """Two documents that share text.

    >>> import likewise as lw
    >>> a, b = (Document.from_text("The first snow fell early.", name=name) for name in "ab")
    >>> match = lw.compare(a, b)
    >>> match.a, match.b, match.jaccard
    ('a', 'b', 1.0)
    """

    OVERLAPS: ClassVar = ("jaccard", "containment_a", "containment_b")  # what pairs are found by

    a: str
    b: str
    jaccard: float
    containment_a: float
    containment_b: float
    scores: Scores
    passages: tuple[Passage, ...] = ()
    fragments: tuple[Passage, ...] = ()
    tables: tuple[Any, ...] = ()  # copied ones, as likewise.tables matches them
    pictures: tuple[tuple[Picture, Picture], ...] = ()
    listings: tuple[tuple[Span, Span], ...] = ()  # programs and figures that stand in both
    documents: tuple[Document, Document] | None = field(default=None, repr=False, compare=False)
    settings: Settings | None = field(default=None, repr=False)
    concepts: str = ""  # the lexicon, if its passages were looked for by meaning too
    notes: tuple[tuple[str, Note], ...] = ()  # on the comparison, beside those of the documents
    # Of a pair that was found by meaning alone: how much of one document the other says in other
    # words, whichever of both is more.
    meaning_share: float | None = None

    @property
    def measures(self) -> dict[str, float]:
        """Every measure of the pair by its name."""
        return {name: getattr(self, name) for name in self.OVERLAPS} | dict(self.scores.values)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Documents tied together by pairs; `weakest` is the weakest tie that is needed.

    That is the bottleneck of the maximum spanning tree: no other choice of ties holds the cluster
    together by a stronger weakest one.
    """

    members: tuple[str, ...]
    weakest: float

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection that was searched: how much of it could be compared."""

    place: str  # its folder as it was given, if it was one
    documents: int
    other_languages: int = 0  # documents that were not asked for
    unread: int = 0  # files

    @property
    def is_unreadable(self) -> bool:
        """There were files, and none of them could be read."""
        return bool(self.unread) and not self.documents and not self.other_languages


ExclusionReason = Literal[
    "title page", "contents", "bibliography", "quotation", "template", "common", "listing", "reader"
]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A stretch of a document that is not to count as copied."""

    span: Span
    reason: ExclusionReason
    detail: Message | None = None  # the citation, the heading, how many hold it
    holders: int = 0  # of common text: how many documents hold it


@dataclass(frozen=True, slots=True)
class Source:
    """A document that holds text of the checked one.

    `share` is how much of the checked text it covers, `counted` the part that no source above it
    explains; a source that adds nothing is listed `under` the one that explains most of its text.
    """

    name: str
    passages: tuple[Passage, ...]
    fragments: tuple[Passage, ...]
    share: float
    counted: float
    spans: tuple[Span, ...]  # what is counted for it
    under: str | None = None
    match: Match | None = field(default=None, repr=False)  # every measure of the two documents
    literal: float = 0.0  # of the checked text: what is counted for it and stands unchanged in it
    listings: tuple[tuple[Span, Span], ...] = ()  # programs and figures, which do not count


@dataclass(frozen=True, slots=True)
class Partner:
    """A document of another institution that shares fingerprints; its text is not known here."""

    library: str
    name: str
    share: float  # of the checked text's fingerprints
    shared: int
    told: Mapping[str, str] = field(default_factory=dict)  # what the institution tells about it


@dataclass(frozen=True, slots=True)
class SentQuery:
    """One line of the log of queries: these very words went to this host at this time."""

    provider: str
    query: str
    sent_to: str
    on: datetime  # in UTC
    results: int
    problem: Message | None = None

    @property
    def failure(self) -> Message | None:
        """The problem, with whom it was had with."""
        if self.problem is None:
            return None
        where = {"provider": self.provider, "host": self.sent_to}
        return Message("internet.provider_failed", {**where, "why": self.problem})


@dataclass(frozen=True, slots=True)
class Shares:
    """What the checked text is made of, by its visible characters; they add up to 1."""

    original: float
    similar: float
    quoted: float
    excluded: float


@dataclass(frozen=True, slots=True)
class Wordings:
    """What is similar by its wording; those that count add up to `Shares.similar`."""

    word_for_word: float
    reworded: float
    translated: float


@dataclass(frozen=True, slots=True)
class Check:
    """One document against many: ranked sources, shares, and what was not compared and why.

    >>> import likewise as lw
    >>> essay, other = (Document.from_text(text, name=text) for text in ("snow fell", "rain"))
    >>> check = lw.check(essay, [other])
    >>> check.name, check.documents, check.sources
    ('snow fell', 1, ())
    """

    name: str
    shares: Shares
    sources: tuple[Source, ...]
    exclusions: tuple[Exclusion, ...]
    skipped: tuple[str, ...]  # sources that were not to be compared
    documents: int
    unread: tuple[Unread, ...]
    notes: tuple[tuple[str, Note], ...]
    settings: Settings
    document: Document = field(repr=False, compare=False)
    texts: Mapping[str, Document] = field(repr=False, compare=False)  # of the sources, by name
    counting: Mapping[str, Any] = field(
        default_factory=dict
    )  # what was counted otherwise than usual
    tables: tuple[tuple[str, Any], ...] = ()  # copied ones: the other document, and the match
    taken_out: tuple[str, ...] = ()  # sources that a reader of the report excluded
    before: Shares | None = None  # the shares, before a reader excluded anything
    partners: tuple[Partner, ...] = ()  # documents of institutions that lend fingerprints
    ids: Mapping[str, int] = field(default_factory=dict)  # of sources in a library, by name
    asked: tuple[SentQuery, ...] = ()  # everything that was sent to search engines
    literal: float = 0.0  # of the text: what stands unchanged and in order in a source
    words: int | None = None  # that count and could be compared
    wordings: Wordings = Wordings(0.0, 0.0, 0.0)
    concepts: str = ""  # the lexicon, if passages were looked for by meaning too

    FEWEST_WORDS: ClassVar = 20  # fewer say nothing about where a text comes from

    @property
    def count(self) -> tuple[Wording, ...]:
        """Which wordings count as similar."""
        names = self.counting.get("count", WORDINGS)
        return tuple(wording for wording in WORDINGS if wording in names)

    @property
    def is_too_short(self) -> bool:
        """Whether there is too little text to be called original."""
        is_similar = any(source.passages for source in self.sources)
        return self.words is not None and self.words < self.FEWEST_WORDS and not is_similar


class Matches(Sequence[Match]):
    """What `find` and `cross` return: matches, strongest first, and everything around them.

    Those that were found by meaning alone come last: no measure of words tells how strong they are.

    A match is made when it is looked at: a collection of copies has more pairs than fit in memory.

    >>> import likewise as lw
    >>> texts = {"a": "The first snow fell early.", "b": "The first snow fell early."}
    >>> matches = lw.find([Document.from_text(text, name=name) for name, text in texts.items()])
    >>> len(matches), matches[0].b, matches.documents, len(matches.clusters)
    (1, 'b', 2, 1)
    """

    def __init__(
        self,
        length: int,
        match_at: Callable[[int], Match],
        *,
        clusters: tuple[Cluster, ...],
        unread: tuple[Unread, ...],
        settings: Settings,
        method: str,
        documents: int,
        compared: int,
        notes: tuple[tuple[str, Note], ...] = (),
        histogram: Callable[[], tuple[int, ...]] = tuple,
        names: tuple[str, ...] = (),
        collections: tuple[Collection, ...] = (),
        has_passages: bool = False,
        tokens: Callable[[Document], Any] | None = None,
        pairs_by_meaning: int | None = None,
    ) -> None:
        self._length = length
        self._match_at = match_at
        self.clusters = clusters
        self.unread = unread
        self.settings = settings
        self.method = method
        self.documents = documents
        self.compared = compared
        self.notes = notes
        self._histogram = histogram
        self.names = names  # of the collections, where they have some
        self.collections = collections
        self.has_passages = has_passages
        self.tokens = tokens  # of a document of a match, as the alignment needs them, if known
        self.aligned: Matches | None = None  # the same with passages, once somebody asked
        self.by_meaning = True  # how passages are looked for, once somebody asks
        self.concepts = ""  # the lexicon by which they were
        self.pairs_by_meaning = pairs_by_meaning  # the last ones; None where nobody asked for them

    @property
    def is_crossed(self) -> bool:
        """Between two collections."""
        return len(self.names) == 2

    @property
    def histogram(self) -> tuple[int, ...]:
        """How many pairs there are in each hundredth of similarity; the last holds 1."""
        return self._histogram()

    def made_by(self, match_at: Callable[[int], Match], *, has_passages: bool) -> Matches:
        """The same pairs, looked at in another way."""
        other = copy(self)
        other._match_at, other.has_passages = match_at, has_passages
        return other

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Match: ...
    @overload
    def __getitem__(self, index: slice) -> list[Match]: ...
    def __getitem__(self, index: int | slice) -> Match | list[Match]:
        if isinstance(index, slice):
            return [self._match_at(i) for i in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._match_at(index % self._length)

    def __repr__(self) -> str:
        return f"<{self._length:,} matches among {self.documents:,} documents, {self.method}>"
