"""One document against many: where each piece of its text comes from, each piece counted once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from likewise.align.align import Alignment, Draft, draft_of
from likewise.align.evidence import Background, SharedFeatures
from likewise.align.exclude import Common, CommonRuns, Exclusions, Templates, exclude
from likewise.align.exclude.exclusions import common_exclusion, merged_exclusions
from likewise.align.genre import find_genre, phrases_of_genre
from likewise.align.meaning import lacks_concepts
from likewise.align.shares import CountedText, Mask, literal_of
from likewise.align.side import Side, side_of
from likewise.errors import BadInput, BadSettings
from likewise.language import Lexicon, Words, borrow_lexicon, concepts, tokens_of
from likewise.measure import measure_pair, profile_of
from likewise.model import (
    WORDINGS,
    Check,
    Document,
    Exclusion,
    Match,
    Message,
    Note,
    Passage,
    Span,
    Unread,
    Wording,
)
from likewise.progress import Progress
from likewise.settings import Settings

FEWEST_WORDS = 1  # canonical words in a passage that counts: the alignment has judged it already
MOST_COMMON = 0.25  # of a document can be common to the collection
LEAST_BESIDE = 5  # words of a passage beside what is excluded of it
FEWEST_HOLDERS = 5  # other documents that hold a text before it can be common; fewer are sources
SHARED_BY_ALL = ("title page", "contents", "template", "common")  # what leads to no source


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What of a text counts, and which sources are shown.

    Text of `templates` everyone may use. A source called in `skip` is not compared. A passage of
    fewer than `min_words` canonical words that are not excluded is shown among the fragments and
    not counted. Of a library, sources with less than `min_share` of the text are not shown. Text
    that is similar by a wording that is not in `count` is shown, and excluded. Passages are looked
    for by their words, and `by_meaning` in what these do not explain.
    """

    exclusions: Exclusions = field(default_factory=Exclusions)
    templates: tuple[Document, ...] = ()
    skip: tuple[str, ...] = ()
    min_words: int = FEWEST_WORDS
    min_share: float = 0.0
    count: tuple[Wording, ...] = WORDINGS
    by_meaning: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", wordings_of(self.count))


def wordings_of(names: Iterable[str]) -> tuple[Wording, ...]:
    """The wordings of such names, in their order; hyphens and capitals as people like.

    >>> wordings_of(["reworded", "Word-for-word"])
    ('word_for_word', 'reworded')
    """
    asked = {name.strip().lower().replace("-", "_").replace(" ", "_") for name in names}
    if unknown := sorted(asked - set(WORDINGS)):
        raise BadSettings("core.unknown_wording", name=unknown[0])
    if not asked:
        raise BadSettings("core.no_wording")
    return tuple(wording for wording in WORDINGS if wording in asked)


USUAL = CheckOptions()


def check_against(
    document: Document,
    others: Sequence[Document],
    settings: Settings,
    options: CheckOptions = USUAL,
    *,
    unread: Sequence[Unread] = (),
    common_runs: CommonRuns | None = None,
    searched: int | None = None,
    progress: Progress | None = None,
) -> Check:
    """The sources of a document among others.

    Common text is looked for among the others, unless it is known which runs are `held` by many:
    then the others are asked for once, one after the other.
    A passage counts if chance does not explain it among the others, or among as many documents as
    were `searched` to find these.
    """
    with borrow_lexicon(settings) as lexicon:
        return _check(
            lexicon,
            document,
            others,
            settings,
            options,
            unread=unread,
            common_runs=common_runs,
            searched=searched,
            progress=progress,
        )


def _check(  # noqa: C901 - the stages of a check in their order
    lexicon: Lexicon,
    document: Document,
    others: Sequence[Document],
    settings: Settings,
    options: CheckOptions,
    *,
    unread: Sequence[Unread],
    common_runs: CommonRuns | None,
    searched: int | None,
    progress: Progress | None,
) -> Check:
    which, templates, skipped = options.exclusions, options.templates, set(options.skip)
    common: Common | CommonRuns | None = common_runs
    if which.common and common_runs is None:
        compared = [o for o in others if o is not document and o.name not in skipped]
        common = Common.of(compared, lexicon=lexicon, fewest=FEWEST_HOLDERS)
    prepared = Templates.of(templates, lexicon=lexicon) if templates else ()
    exclusions = exclude(document, which, common=common, templates=prepared)
    text = document.compared_text
    counted = CountedText(text, exclusions, options.count)
    if counted.share(_of(exclusions, "common")) > MOST_COMMON:
        # A form is a small part of what is handed in; this is a text that many have copied.
        exclusions = exclude(document, replace(which, common=False), templates=prepared)
        counted = CountedText(text, exclusions, options.count)
    blank = (e.span for e in exclusions if e.reason in SHARED_BY_ALL)
    tokens = tokens_of(text, lexicon)
    side = side_of(document, lexicon, listings=which.listings, tokens=tokens).without(blank)
    background = Background(side)
    looked_at = searched or len(others)
    drafts: dict[str, Draft] = {}
    doubtful: dict[str, SharedFeatures] = {}  # what sources hold that may be more than a genre
    texts: dict[str, Document] = {}
    names: set[str] = set()
    compared_with = 0
    is_foreign, foreign_others = options.by_meaning and lacks_concepts(document), 0
    notes = list(_notes([document]))
    # Once through: they may be rebuilt one after the other, and only sources are kept.
    for i, other in enumerate(others):
        if other.name in names:
            raise BadInput("core.same_name", name=other.name)
        names.add(other.name)
        if other is document or other.name in skipped:
            continue
        compared_with += 1
        notes += _notes([other])
        foreign_others += options.by_meaning and lacks_concepts(other)
        other_side = side_of(other, lexicon, listings=which.listings)
        draft = draft_of(side, other_side, runs_alone=True, by_meaning=options.by_meaning)
        holds = background.see(other_side)
        if draft.is_beyond_genre(looked_at):
            doubtful[other.name] = holds
        else:
            background.add(holds)
        if draft:
            drafts[other.name], texts[other.name] = draft, other
        if progress:
            progress("comparing", i + 1, len(others))
    if which.common:
        known_phrases = common_runs.phrases if common_runs is not None else ()
        exclusions = _with_genre(exclusions, side, background, known_phrases, looked_at)
        counted = CountedText(text, exclusions, options.count)
    common_words = counted.excluded[side.start]
    if which.common:
        common_words = common_words | phrases_of_genre(side, background.phrases[0], known_phrases)
    apart = CountedText(text, [e for e in exclusions if e.reason != "listing"])
    words = _Words(tokens.words, counted.excluded)
    words_with_listings = _Words(tokens.words, apart.excluded)
    for name, holds in doubtful.items():
        if not drafts[name].is_beyond_genre(looked_at, common_words):
            background.add(holds)
    alignments: dict[str, Alignment] = {}
    for name, draft in drafts.items():
        rivals = [
            each for other in drafts.values() if other is not draft for each in other.renderings
        ]
        alignment = draft.judge(
            background if which.common else None, looked_at, common_words, rivals
        )
        aligned = _split_by_words(alignment, words, words_with_listings, options.min_words)
        if aligned.passages or aligned.fragments or aligned.listings:
            alignments[name] = aligned
        else:
            del texts[name]
    found_by_meaning = any(p.by_meaning for each in alignments.values() for p in each.passages)
    if compared_with and is_foreign and not found_by_meaning:
        notes.append((document.name, Note("no concepts", Message("core.no_concepts"))))
    elif foreign_others and not is_foreign:
        message = Message("core.others_without_concepts", {"n": foreign_others})
        notes.append((document.name, Note("no concepts", message)))
    own = profile_of(text, settings, lexicon, tokens.hash)

    def match(name: str) -> Match:
        other = texts[name]
        there = drafts[name].b.whole.hash
        profile = profile_of(other.compared_text, settings, lexicon, there)
        return measure_pair(document, other, own, profile, settings)

    sources = tuple(
        replace(source, match=match(source.name)) for source in counted.sources(alignments)
    )
    return Check(
        name=document.name,
        shares=counted.shares(sources),
        sources=sources,
        exclusions=exclusions,
        skipped=tuple(sorted(skipped & names)),
        documents=compared_with,
        unread=tuple(unread),
        notes=tuple(notes),
        settings=settings,
        document=document,
        texts=texts,
        counting=_counting(options),
        literal=literal_of(sources),
        wordings=counted.wordings(sources),
        words=words.all_that_count,
        concepts=concepts.recipe() if options.by_meaning else "",
    )


def _with_genre(
    exclusions: tuple[Exclusion, ...],
    side: Side,
    background: Background,
    known_phrases: Iterable[tuple[Span, int]],
    documents: int,
) -> tuple[Exclusion, ...]:
    """The exclusions with what several of the compared documents say in the same words."""
    more = [
        Exclusion(genre.span, "title page")
        if genre.is_title_page
        else common_exclusion(genre.span, genre.holders, documents)
        for genre in find_genre(side, *background.phrases, known_phrases)
    ]
    return merged_exclusions(exclusions, more)


def _counting(options: CheckOptions) -> dict[str, int | bool | list[str]]:
    """What was counted otherwise than usual, for who must make the check again."""
    changes: dict[str, int | bool | list[str]] = {
        f"keep_{kind}": True
        for kind, is_excluded in asdict(options.exclusions).items()
        if not is_excluded
    }
    if options.min_words != FEWEST_WORDS:
        changes["min_words"] = options.min_words
    if options.templates:
        changes["templates"] = [template.name for template in options.templates]
    if options.count != WORDINGS:
        changes["count"] = list(options.count)
    if not options.by_meaning:
        changes["by_meaning"] = False
    return changes


class _Words:
    """How many words of a stretch of the checked text count."""

    def __init__(self, words: Words, excluded: Mask) -> None:
        self._starts = words.start.astype(np.int64)
        self._before = np.concatenate(([0], np.cumsum(~excluded[self._starts])))

    @property
    def all_that_count(self) -> int:
        return int(self._before[-1])

    def all_within(self, span: Span) -> int:
        first, last = np.searchsorted(self._starts, (span.start, span.end))
        return int(last - first)

    def within(self, span: Span) -> int:
        """Those that are not excluded."""
        first, last = np.searchsorted(self._starts, (span.start, span.end))
        return int(self._before[last] - self._before[first])


def _split_by_words(
    aligned: Alignment, words: _Words, words_with_listings: _Words, min_words: int
) -> Alignment:
    """The passages with enough words that count; the others are shown as fragments.

    Runs of words in listings do not count, and are `shown`.
    """
    enough: list[Passage] = []
    short: list[Passage] = []
    for passage in aligned.passages:
        within, all_words = words.within(passage.a), words.all_within(passage.a)
        # What a passage has besides an exclusion may be no more than an unsharp edge.
        if within >= min(max(min_words, LEAST_BESIDE), max(min_words, all_words)):
            enough.append(passage)
        elif within:
            short.append(passage)
    fragments = [
        fragment
        for fragment in aligned.fragments
        if words_with_listings.within(fragment.a)
        and not any(p.a & fragment.a == fragment.a for p in enough)
    ]
    fragments = sorted([*fragments, *short], key=lambda p: (p.a, p.b))
    return Alignment(tuple(enough), tuple(fragments), aligned.listings)


def _of(exclusions: Iterable[Exclusion], reason: str) -> list[Span]:
    return [exclusion.span for exclusion in exclusions if exclusion.reason == reason]


def _notes(documents: Iterable[Document]) -> tuple[tuple[str, Note], ...]:
    return tuple((document.name, note) for document in documents for note in document.notes)
