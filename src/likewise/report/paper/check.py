"""The paper of one document against many, or of two documents."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from likewise.catalogue import Words
from likewise.measure import agreeing, values_in_agreement
from likewise.report.characters import in_one_line, shorten
from likewise.report.figures import (
    SHARE_NAMES,
    agreement_explained,
    agreement_heading,
    four_shares,
    has_figures,
    measure_name,
    same_as,
)
from likewise.report.names import called_in
from likewise.report.paper.blocks import (
    Bar,
    Block,
    Facts,
    Paper,
    Paragraph,
    Section,
    Table,
)
from likewise.report.paper.decisions import (
    comments_section,
    commission_section,
    confirmations_section,
    decisions_section,
)
from likewise.report.paper.passages import listings_section, passages_section, text_section
from likewise.report.paper.sections import (
    LONGEST_NAME,
    about_lines,
    appendix,
    counting_rows,
    hash_row,
    notes_section,
    provenance_rows,
    settings_blocks,
    text_rows,
    tricks_of_check,
    unchecked_section,
    who_wrote,
    without_column,
)
from likewise.report.paper.sentences import (
    copied_figures,
    kinds_of_disguise,
    maker,
    on_pages,
    ranges,
    reader_exclusions,
    verdict,
    verdict_of_b,
    verdict_wordings,
)
from likewise.report.paper.tables import tables_sections
from likewise.report.view import CheckView, MeasuresView, PassageView, QueryView, SourceView

MOST_PICTURES = 6  # of a source, told with their places


def paper_of_check(view: CheckView, words: Words) -> Paper:
    """Verdict and shares first, evidence after them, then the text itself; last what made it."""
    notes = [replace(note, name=called_in(view, note.name)) for note in view.notes]
    sections = [
        _verdict(view, words),
        _sources(view, words),
        _partners(view, words),
        *tables_sections(view, words),
        listings_section(view, words),
        tricks_of_check(view, words),
        decisions_section(view, words),
        confirmations_section(view, words),
        commission_section(view, words),
        comments_section(view, words),
        unchecked_section(
            view.unchecked,
            notes,
            words,
            is_check=True,
            taken_out=[called_in(view, name) for name in view.taken_out],
            on_web=bool(view.asked),
        ),
        passages_section(view, words),
        _exclusions(view, words),
        text_section(view, words),
        *appendix(
            words,
            measures_section(view, words),
            notes_section(notes, words),
            queries_section(view, words),
            _provenance(view, words),
        ),
    ]
    return Paper(
        title=words(f"title.{view.kind}"),
        name=in_one_line(view.document.called),
        language=words.language,
        date=view.made.date,
        maker=maker(view.made, words),
        sections=tuple(section for section in sections if section),
        about=about_lines(view, words),
    )


def _verdict(view: CheckView, words: Words) -> Section:
    blocks: list[Block] = [Paragraph(verdict(view, words), "lead")]
    if copied := copied_figures(view, words):
        blocks.append(Paragraph(copied, "lead"))
    if of_b := verdict_of_b(view, words):
        blocks.append(Paragraph(of_b))
    blocks.append(shares_bar(view, words))
    if by_wording := verdict_wordings(view, words):
        blocks.append(Paragraph(by_wording))
    blocks.append(Paragraph(words("shares.explained"), "faint"))
    if taken_out := reader_exclusions(view, words):
        blocks.append(Paragraph(taken_out))
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
        key = "verdict.only_uncounted" if view.taken_out else compared
        return Section(heading, (Paragraph(words(key)),))
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
            _source_name(source, view, words),
            _share_of(source.counted, view, words),
            _share_of(source.covered, view, words),
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


def _source_name(source: SourceView, view: CheckView, words: Words) -> str:
    """The name of a source, with an aside where it adds nothing."""
    asides = who_wrote(source.text, words)
    if source.text.title:
        asides.append(in_one_line(source.text.title))
    if source.text.fetched:
        asides.append(words("sources.fetched", date=words.day_and_time(source.text.fetched)))
    if same := same_as(view.document, source.text):
        asides.append(words(f"sources.{same}"))
    if source.under is not None:
        above = shorten(view.sources[source.under].text.called, 60)
        asides.append(words("sources.under", name=f"{source.under + 1}. {above}"))
    elif source.fragments and not source.passages:
        asides.append(words("sources.fragments_only"))
    for here, there in source.pictures[:MOST_PICTURES]:
        asides.append(words("paper.picture", here=in_one_line(here), there=in_one_line(there)))
    if len(source.pictures) > MOST_PICTURES:
        asides.append(words("collection.more_members", n=len(source.pictures) - MOST_PICTURES))
    name = in_one_line(source.text.called)
    return "\n".join([name, " · ".join(asides)]) if asides else name


def _share_of(count: int, view: CheckView, words: Words) -> str:
    return words.share(count / view.shares.whole if view.shares.whole else 0.0)


def _partners(view: CheckView, words: Words) -> Section | None:
    if not view.partners:
        return None
    rows = tuple(
        (
            shorten(partner.library, LONGEST_NAME),
            shorten(partner.name, LONGEST_NAME),
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
        details = [in_one_line(exclusion.detail)] if exclusion.detail else []
        if exclusion.holders:
            details.append(words("passage.holders", n=exclusion.holders))
        length = words("count.characters", n=len(exclusion.place))
        pages = on_pages(exclusion.pages, words)
        rows.append((words(f"reason.{exclusion.reason}"), "; ".join(details), pages, length))
    heads = (
        words("paper.reason"),
        words("paper.note"),
        words("sources.pages"),
        words("made.length"),
    )
    table = Table(heads, (3, 5, 2, 2), (False, False, False, True), tuple(rows))
    return Section(words("exclusions.heading"), (table,))


def _provenance(view: CheckView, words: Words) -> Section:
    compared = ((words("made.compared"), words("count.documents", n=view.documents)),)
    rows = (
        *text_rows(view.document, words),
        *(() if view.is_for_student else compared),
        *provenance_rows(view.made, words),
        *counting_rows(view.made, words),
    )
    settings = settings_blocks(view.made, words, hash_row(view.document, words))
    return Section(words("made.heading"), (Facts(rows), *settings))


# The agreement of the measures, source by source.


def measures_section(view: CheckView, words: Words) -> Section | None:
    """The measures of each source that are to agree with their interval, below the shares."""
    with_measures = [(i, s.measures) for i, s in enumerate(view.sources) if s.measures]
    if not with_measures:
        return None
    level = with_measures[0][1].level
    names = [each.agrees_as for each in agreeing() if each.agrees_as is not None]
    rows = tuple(
        (
            str(i + 1),
            shorten(view.sources[i].text.called, 60),
            *(_share(name, measures, words) for name in names),
            f"{words.share(measures.low)} – {words.share(measures.high)}",
            words.share(measures.agreement),
        )
        for i, measures in with_measures
    )
    heads = (
        *("№", words("sources.source"), *(measure_name(name, words) for name in names)),
        *(words("paper.interval", level=str(level)), words("measures.agreement")),
    )
    table = Table(
        heads=heads,
        widths=(0, 4, *(3 for _ in names), 0, 0),
        to_the_right=(False, False, *(True for _ in names), True, True),
        rows=rows,
        numbers=tuple(i for i, _ in with_measures),
    )
    explanation = [agreement_explained(words), words("paper.outside")]
    if any(not measures.inside for _, measures in with_measures):
        explanation.append(words("measures.contradict"))
    return Section(agreement_heading(words), (table, Paragraph(" ".join(explanation), "faint")))


def _share(name: str, measures: MeasuresView, words: Words) -> str:
    """One of the measures, in brackets if it lies outside the interval."""
    value = values_in_agreement(measures.values).get(name)
    if value is None:  # kept before there was such a measure
        return "–"
    return words.share(value) if name in measures.inside else f"({words.share(value)})"


# The log of queries: everything that was sent to search engines, word for word.


def queries_section(view: CheckView, words: Words) -> Section | None:
    """Which words went where and when, and how much came back."""
    if not view.asked:
        return None
    rows = tuple(
        (
            in_one_line(one.query),
            provider_and_host(one),
            words.day_and_time(one.on),
            query_outcome(one, words),
        )
        for one in view.asked
    )
    heads = (
        *(words("asked.query"), words("asked.sent_to")),
        *(words("decided.on"), words("asked.results")),
    )
    table = Table(heads, (6, 3, 2, 2), (False, False, False, True), rows)
    return Section(words("asked.heading"), (Paragraph(words("asked.explained"), "faint"), table))


def provider_and_host(one: QueryView) -> str:
    """The provider, with the host that the words went to."""
    return in_one_line(f"{one.provider} ({one.sent_to})")


def query_outcome(one: QueryView, words: Words) -> str:
    """How many results, or why none."""
    if one.problem:
        return in_one_line(words.say(one.said) if one.said else one.problem)
    return words.number(one.results)
