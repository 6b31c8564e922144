"""The paper of one document against many, or of two documents."""

from __future__ import annotations

from collections import defaultdict

from likewise.catalogue import Words
from likewise.report.figures import has_figures, same_as
from likewise.report.paper.asked import asked_section
from likewise.report.paper.blocks import (
    Bar,
    Block,
    BothSides,
    Facts,
    Legend,
    Line,
    Paper,
    Paragraph,
    Section,
    Table,
)
from likewise.report.paper.characters import in_one_line, shortened
from likewise.report.paper.common import (
    LONGEST_NAME,
    counting_rows,
    hash_row,
    made_rows,
    notes_section,
    settings_blocks,
    text_rows,
    tricks_of_check,
    unchecked_section,
    without_column,
)
from likewise.report.paper.decided import confirmations_section, decisions_section
from likewise.report.paper.marked import marked_text, side
from likewise.report.paper.measured import measures_section
from likewise.report.paper.sentences import (
    SHARE_NAMES,
    four_shares,
    kinds_of_disguise,
    maker,
    on_pages,
    passage_number,
    ranges,
    taken_out,
    told_of,
    verdict,
    verdict_literal,
    verdict_of_b,
    why,
)
from likewise.report.paper.tabled import tables_sections
from likewise.report.view import CheckView, PassageView, SourceView

MOST_PASSAGES = 200  # printed side by side; all are marked in the text
MOST_LINES = 500  # passages of sources that add nothing
LINES: tuple[Line, ...] = ("verbatim", "edited", "paraphrased", "fragment")


def paper_of_check(view: CheckView, words: Words) -> Paper:
    """Verdict and shares first, evidence after them, the text itself last."""
    sections = [
        _verdict(view, words),
        _sources(view, words),
        _partners(view, words),
        *tables_sections(view, words),
        _listings(view, words),
        measures_section(view, words),
        tricks_of_check(view, words),
        decisions_section(view, words),
        confirmations_section(view, words),
        _exclusions(view, words),
        unchecked_section(
            view.unchecked,
            view.notes,
            words,
            is_check=True,
            taken_out=view.taken_out,
            on_web=bool(view.asked),
        ),
        notes_section(view.notes, words),
        asked_section(view, words),
        _made(view, words),
        _passages(view, words),
        _text(view, words),
    ]
    return Paper(
        title=words(f"title.{view.kind}"),
        name=in_one_line(view.document.name),
        language=words.language,
        date=view.made.date,
        maker=maker(view.made, words),
        sections=tuple(section for section in sections if section),
    )


def _verdict(view: CheckView, words: Words) -> Section:
    blocks: list[Block] = [Paragraph(verdict(view, words), "lead")]
    if of_b := verdict_of_b(view, words):
        blocks.append(Paragraph(of_b))
    if literal := verdict_literal(view, words):
        blocks.append(Paragraph(literal))
    blocks += [shares_bar(view, words), Paragraph(words("shares.explained"), "faint")]
    if taken := taken_out(view, words):
        blocks.append(Paragraph(taken))
    if view.shares.similar:
        blocks.append(Paragraph(words("verdict.caution"), "faint"))
    if view.unchecked.unread or any(note.in_part for note in view.notes):
        blocks.append(Paragraph(words("verdict.in_part")))
    if disguises := kinds_of_disguise(view):
        blocks.append(Paragraph(words("verdict.disguised", n=disguises)))
    return Section(words("verdict.heading"), tuple(blocks))


def shares_bar(view: CheckView, words: Words) -> Bar:
    """What a text is made of, in four parts; no figures where there was nothing to count."""
    if not has_figures(view):
        return Bar(tuple((name, words(f"shares.{name}"), "–", 0) for name in SHARE_NAMES))
    shares = four_shares(view.shares)
    return Bar(
        tuple(
            (name, words(f"shares.{name}"), words.percent(share), share)
            for name, share in zip(SHARE_NAMES, shares, strict=True)
        )
    )


def _sources(view: CheckView, words: Words) -> Section:
    heading = words("sources.heading")
    if not view.sources:
        compared = "sources.none" if view.documents else "verdict.nothing"
        told = "verdict.only_uncounted" if view.taken_out else compared
        return Section(heading, (Paragraph(words(told)),))
    explained = Paragraph(words("sources.explained"), "faint")
    return Section(heading, (sources_table(view, words), explained))


def sources_table(view: CheckView, words: Words, most: int | None = None) -> Table:
    """The sources in their order, or the first of them."""
    passages: dict[int, list[PassageView]] = defaultdict(list)
    for passage in view.passages:
        if passage.counts:
            passages[passage.source].append(passage)
    rows = [
        (
            str(number),
            _named(source, view, words),
            _of(source.counted, view, words),
            _of(source.covered, view, words),
            words.number(source.passages),
            ranges(passage.pages_a for passage in passages[number - 1]),
            ranges(passage.pages_b for passage in passages[number - 1]),
        )
        for number, source in enumerate(view.sources[:most], 1)
    ]
    table = Table(
        heads=(
            *("№", words("sources.source"), words("sources.counted"), words("sources.covered")),
            *(words("sources.passages"), words("paper.pages_here"), words("paper.pages_there")),
        ),
        widths=(0, 5, 0, 0, 0, 2, 2),
        to_the_right=(False, False, True, True, True, False, False),
        rows=tuple(rows),
        numbers=tuple(range(len(rows))),
    )
    if not any(row[5] for row in rows):
        table = without_column(table, 5)
    if not any(row[-1] for row in rows):
        table = without_column(table, len(table.heads) - 1)
    return table


def _named(source: SourceView, view: CheckView, words: Words) -> str:
    """The name of a source, with an aside where it adds nothing."""
    asides = [in_one_line(said) for said in (source.text.author, source.text.title) if said]
    if source.text.fetched:
        asides.append(words("sources.fetched", date=words.moment(source.text.fetched)))
    if same := same_as(view.document, source.text):
        asides.append(words(f"sources.{same}"))
    if source.under is not None:
        above = shortened(view.sources[source.under].text.name, 60)
        asides.append(words("sources.under", name=f"{source.under + 1}. {above}"))
    elif source.fragments and not source.passages:
        asides.append(words("sources.fragments_only"))
    for here, there in source.pictures:
        asides.append(words("paper.picture", here=in_one_line(here), there=in_one_line(there)))
    name = in_one_line(source.text.name)
    return "\n".join([name, " · ".join(asides)]) if asides else name


def _of(count: int, view: CheckView, words: Words) -> str:
    return words.share(count / view.shares.whole if view.shares.whole else 0.0)


def _partners(view: CheckView, words: Words) -> Section | None:
    if not view.partners:
        return None
    rows = tuple(
        (
            shortened(partner.library, LONGEST_NAME),
            shortened(partner.name, LONGEST_NAME),
            in_one_line("; ".join(partner.told.values())),
            words.share(partner.share),
        )
        for partner in view.partners
    )
    heads = (
        words("partners.library"),
        words("sources.source"),
        words("paper.note"),
        words("partners.share"),
    )
    explained = Paragraph(words("partners.explained"), "faint")
    table = Table(heads, (3, 4, 3, 2), (False, False, False, True), rows)
    return Section(words("partners.heading"), (table, explained))


def _exclusions(view: CheckView, words: Words) -> Section | None:
    if not view.exclusions:
        return None
    rows = []
    for exclusion in view.exclusions:
        told = [in_one_line(exclusion.detail)] if exclusion.detail else []
        if exclusion.holders:
            told.append(words("passage.holders", n=exclusion.holders))
        length = words("count.characters", n=len(exclusion.place))
        pages = on_pages(exclusion.pages, words)
        rows.append((words(f"reason.{exclusion.reason}"), "; ".join(told), pages, length))
    heads = (
        words("paper.reason"),
        words("paper.note"),
        words("sources.pages"),
        words("made.length"),
    )
    table = Table(heads, (3, 5, 2, 2), (False, False, False, True), tuple(rows))
    return Section(words("exclusions.heading"), (table,))


def _made(view: CheckView, words: Words) -> Section:
    compared = words("count.documents", n=view.documents)
    rows = (
        *text_rows(view.document, words),
        (words("made.compared"), compared),
        *made_rows(view.made, words),
        *counting_rows(view.made, words),
    )
    settings = settings_blocks(view.made, words, hash_row(view.document, words))
    return Section(words("made.heading"), (Facts(rows), *settings))


def _passages(view: CheckView, words: Words) -> Section | None:
    counting = [(i, passage) for i, passage in enumerate(view.passages) if passage.counts]
    if not counting:
        return None
    telling = [each for each in counting if view.sources[each[1].source].under is None]
    longest = sorted(telling, key=lambda each: (-each[1].words, each[0]))[:MOST_PASSAGES]
    adding_nothing = [each for each in counting if view.sources[each[1].source].under is not None]
    blocks: list[Block] = []
    if len(telling) > len(longest):
        told = words("paper.longest", n=len(longest), all=len(counting))
        blocks.append(Paragraph(told))
    blocks.append(Paragraph(_sentence(words("passage.differs")), "faint"))
    blocks.append(Paragraph(words("passage.holders_explained"), "faint"))
    if adding_nothing:
        blocks.append(Paragraph(words("paper.under_in_a_line"), "faint"))
    here = shortened(view.document.name, 50)
    for _, passage in sorted((*longest, *adding_nothing[:MOST_LINES])):
        source = view.sources[passage.source]
        there = f"{passage.source + 1}. {shortened(source.text.name, 60)}"
        if source.under is not None:
            pages = (on_pages(each, words) for each in (passage.pages_a, passage.pages_b))
            where = " – ".join(page for page in pages if page)
            line = _joined(f"{passage_number(passage, words)} · {there}", where)
            blocks.append(Paragraph(f"{line} · {told_of(passage, words)}", "faint"))
            continue
        blocks.append(
            BothSides(
                number=passage_number(passage, words),
                source=passage.source,
                told=told_of(passage, words),
                heads=(
                    _joined(here, on_pages(passage.pages_a, words)),
                    _joined(there, on_pages(passage.pages_b, words)),
                ),
                here=side(view.document, passage.a, passage.differs_a, words),
                there=side(source.text, passage.b, passage.differs_b, words),
            )
        )
        if reason := why(passage, words):
            blocks.append(Paragraph(reason, "faint"))
    return Section(words("passage.heading"), tuple(blocks))


def _listings(view: CheckView, words: Words) -> Section | None:
    """Programs, tables of numbers and the like that stand in sources: shown apart."""
    if not view.listings:
        return None
    blocks: list[Block] = [Paragraph(words("listings.explained"), "faint")]
    for listing in view.listings[:MOST_PASSAGES]:
        source = view.sources[listing.source]
        there = f"{listing.source + 1}. {shortened(source.text.name, 60)}"
        blocks.append(
            BothSides(
                number=words("count.words", n=listing.words),
                source=listing.source,
                told=words("reason.listing"),
                heads=(
                    _joined(shortened(view.document.name, 50), on_pages(listing.pages_a, words)),
                    _joined(there, on_pages(listing.pages_b, words)),
                ),
                here=side(view.document, listing.a, (), words),
                there=side(source.text, listing.b, (), words),
            )
        )
    return Section(words("listings.heading"), tuple(blocks))


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _text(view: CheckView, words: Words) -> Section:
    disguised = [
        place
        for note in view.notes
        if note.is_disguise and note.name == view.document.name
        for place in note.places
    ]
    blocks: tuple[Block, ...] = (marked_text(view, words, disguised),)
    seen = {passage.kind if passage.counts else "fragment" for passage in view.passages}
    legend = Legend(
        words("kind.legend"),
        tuple((kind, words(f"kind.{kind}")) for kind in LINES if kind in seen),
        faint=words("exclusions.heading") if view.exclusions else "",
        trick=words("tricks.heading") if disguised else "",
    )
    if legend.kinds or legend.faint or legend.trick:
        blocks = (legend, *blocks)
    return Section(words("text.heading"), blocks, on_a_new_page=True)
