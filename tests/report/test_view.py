"""What every renderer draws: figures that are right, places that are true, nothing silent."""

import json
import random
from dataclasses import asdict, replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.align import with_passages, without
from likewise.corpus.view import view_of_dedup
from likewise.model import Document, Message, Note, Partner, Span, Unread
from likewise.report import view_of_check, view_of_matches, view_of_pair
from likewise.report.figures import tenths
from likewise.report.matches import MOST_CLUSTERS
from likewise.report.texts import EDGE_CHARS, TextBudget, text_view
from likewise.results import plain

from .texts import MARKET, OWN, QUOTED, RIVER, document, edited


def check(*sources: Document, of: Document | None = None, **how):
    mine = of or document("mine.txt", OWN, RIVER, QUOTED, MARKET, page_chars=400)
    return lw.check(mine, sources, **how)


def stretch(text, span: Span) -> str:
    """What a view holds of a span."""
    start, end = span.start, span.end
    (found,) = [t[start - s : end - s] for s, t in text.stretches if s <= start < s + len(t)]
    return found


def test_the_shares_are_those_of_the_check_and_add_up():
    found = check(document("a", RIVER), document("b", MARKET, OWN[:90]))
    shares = view_of_check(found).shares
    counts = (shares.original, shares.similar, shares.quoted, shares.excluded)
    assert sum(counts) == shares.whole
    assert [count / shares.whole for count in counts] == list(asdict(found.shares).values())
    assert shares.quoted and shares.similar and shares.original


def test_sources_have_their_shares_their_measures_and_their_order():
    found = check(document("a", RIVER), document("b", RIVER[:240]), document("c", edited(MARKET)))
    view = view_of_check(found)
    assert [source.text.name for source in view.sources][2] == "b"
    for source, told in zip(found.sources, view.sources, strict=True):
        assert told.covered / view.shares.whole == source.share
        assert told.counted / view.shares.whole == source.counted
        match = lw.compare(found.document, found.texts[source.name])
        assert told.measures.agreement == match.scores.agreement
        assert told.measures.containment_b == match.containment_b
    under = view.sources[2]
    assert view.sources[under.under].text.name == "a"
    assert sum(source.counted for source in view.sources) == view.shares.similar


def test_a_passage_shows_both_sides_what_differs_and_on_which_pages():
    source = document("a", OWN[:30], edited(RIVER), page_chars=200)
    view = view_of_check(check(source))
    (passage,) = (p for p in view.passages if p.counts)
    assert stretch(view.document, passage.a) == RIVER
    assert stretch(view.sources[0].text, passage.b) == edited(RIVER)
    assert [stretch(view.document, each) for each in passage.differs_a] == ["narrow", "grey"]
    assert [stretch(view.sources[0].text, each) for each in passage.differs_b] == ["wide", "old"]
    assert (passage.pages_a, passage.pages_b) == ((1, 2), (1, 2)) and passage.kind == "edited"


def test_it_is_told_how_many_documents_hold_a_passage():
    view = view_of_check(check(document("a", RIVER, MARKET), document("b", RIVER)))
    held = {stretch(view.document, p.a): p.holders for p in view.passages if p.counts}
    assert held[RIVER] == 2
    assert [n for text, n in held.items() if text.endswith(MARKET[-40:])] == [1]


def test_a_document_that_holds_half_of_a_passage_does_not_hold_it():
    half = RIVER[: len(RIVER) * 6 // 10]
    view = view_of_check(check(document("whole", RIVER), document("half", half)))
    held = {view.sources[p.source].text.name: p.holders for p in view.passages if p.counts}
    assert held == {"whole": 1, "half": 2}


def test_passages_that_count_are_numbered_in_the_order_of_the_text():
    short = " ".join(QUOTED.split()[3:9])
    view = view_of_check(check(document("b", MARKET, short), document("a", edited(RIVER))))
    assert [p.a for p in view.passages] == sorted(p.a for p in view.passages)
    counting = [p.number for p in view.passages if p.counts]
    assert counting == list(range(1, len(counting) + 1)) and len(counting) == 2
    pair = view_of_matches(lw.find(essays(), threshold=0.3)).pairs[0]
    assert [p.number for p in pair.passages if p.counts][:1] == [1]
    assert all(p.number is None for p in (*view.passages, *pair.passages) if not p.counts)


def test_what_a_file_says_about_itself_is_harmless_and_short():
    meta = {"title": "T" * 500, "author": "evil\u202e\x00\n\n name"}
    source = replace(document("a", RIVER), meta=meta)
    (told,) = view_of_check(check(source)).sources
    assert (len(told.text.title), told.text.author) == (200, "evil\ufffd\ufffd name")
    assert told.text.title.endswith("…")


def test_a_check_names_the_settings_it_used_and_no_others():
    settings = view_of_check(check(document("a", RIVER))).made.settings
    assert not {"threshold", "method", "recall", "bands", "filter", "measure"} & set(settings)
    assert {"shingle", "slots", "bits", "seed", "scheme", "stem"} <= set(settings)
    assert "threshold" in view_of_matches(lw.find(essays())).made.settings


def test_what_was_not_checked_is_told():
    mine = document("mine.txt", OWN, RIVER)
    mine = lw.Document(
        mine.name,
        mine.text,
        notes=(Note("no text layer", Message.verbatim("page 2 has no text"), (Span(3, 9),)),),
        left_out=((Span(0, 10), "running header"),),
    )
    found = lw.check(mine, [document("a", RIVER), document("b", MARKET)], skip=["b"])
    view = view_of_check(found)
    assert view.unchecked.skipped == ("b",)
    assert view.unchecked.left_out == (("running header", 10),)
    (note,) = view.notes
    assert note.in_part and note.places == (Span(3, 9),)


def test_a_file_is_known_by_the_hash_of_its_bytes_and_a_text_by_its_own(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbf" + RIVER.encode())
    view = view_of_check(lw.check(path, [document("b", RIVER)]))
    assert (view.document.is_file, view.document.sha256) == (
        True,
        sha256(path.read_bytes()).hexdigest(),
    )
    assert view.sources[0].text.sha256 == sha256(RIVER.encode()).hexdigest()
    assert not view.sources[0].text.is_file


def test_two_documents_are_shown_as_one_with_its_source():
    match = lw.compare(document("a", OWN, RIVER), document("b", edited(RIVER)))
    view = view_of_pair(match)
    assert (view.kind, view.documents, len(view.sources)) == ("pair", 1, 1)
    (source,) = view.sources
    assert source.measures.containment_b == match.containment_b
    assert source.covered_b == source.whole_b == len("".join(edited(RIVER).split()))
    assert 0 < view.shares.similar < view.shares.whole == len("".join((OWN + RIVER).split()))


def test_two_documents_without_anything_in_common_have_a_view_too():
    view = view_of_pair(lw.compare(document("a", OWN), document("b", MARKET)))
    assert view.shares.original == view.shares.whole and not view.passages
    assert len(view.sources) == 1


@pytest.mark.parametrize("text", ["", " \n ", "word"])
def test_a_document_of_nothing_or_one_word_has_a_view(text):
    view = view_of_check(lw.check(document("a", text), [document("b", RIVER)]))
    assert sum(tenths([view.shares.original, 0, 0, 0], view.shares.whole)) == 1000
    assert len(view.segments.visible) == len(view.segments.state) == len(view.segments.cuts) - 1


def test_astral_characters_keep_every_place():
    copied = "😀😀 " + RIVER.replace("ice", "𐐷𐐷")
    mine = document("a", "𝔘𝔫𝔦 😀 " + OWN, copied)
    view = view_of_check(lw.check(mine, [document("b", "😀 x", copied)]))
    (passage,) = (p for p in view.passages if p.counts)
    assert RIVER[:60] in stretch(view.document, passage.a)
    assert stretch(view.document, passage.a) == stretch(view.sources[0].text, passage.b)


def test_long_sources_keep_their_ends_where_there_is_no_room():
    text = "".join(str(i % 10) for i in range(10_000))
    held = text_view(document("a", text), [Span(1000, 9000)], budget=TextBudget(5000))
    assert [(start, len(part)) for start, part in held.stretches] == [
        (840, EDGE_CHARS),
        (9160 - EDGE_CHARS, EDGE_CHARS),
    ]
    assert all(text[start:].startswith(part) for start, part in held.stretches)


def test_a_view_is_plain_json():
    view = view_of_check(check(document("a", RIVER)), "2026-01-02T03:04:05Z")
    told = json.loads(json.dumps(plain(view)))
    assert told["made"]["date"] == "2026-01-02T03:04:05Z"
    assert told["sources"][0]["text"]["name"] == "a"
    assert told["made"]["settings"]["shingle"] == 5


def test_the_date_can_be_told_by_the_environment(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert view_of_check(check()).made.date == "1970-01-01T00:00:00Z"


# Collections


def essays() -> list[Document]:
    return [
        document("one", OWN, RIVER),
        document("two", OWN, edited(RIVER)),
        document("three", MARKET),
        document("four", MARKET + " And the clock struck."),
        document("five", "Nothing of this is anywhere else at all, not a word of it."),
    ]


def test_a_collection_shows_its_pairs_with_their_passages_and_its_clusters():
    view = view_of_matches(lw.find(essays(), threshold=0.3))
    names = [text.name for text in view.texts]
    assert {frozenset((names[p.a], names[p.b])) for p in view.pairs} == {
        frozenset(("one", "two")),
        frozenset(("three", "four")),
    }
    assert {frozenset(names[i] for i in c.members) for c in view.clusters} == {
        frozenset(("one", "two")),
        frozenset(("three", "four")),
    }
    for pair in view.pairs:
        assert pair.passages and pair.similarity == pair.jaccard >= 0.3
        for passage in pair.passages:
            assert stretch(view.texts[pair.a], passage.a)
            assert stretch(view.texts[pair.b], passage.b)
    assert sum(view.histogram) == view.all_pairs == 2
    assert view.documents == 5


def test_copies_are_counted_in_the_last_place_of_the_histogram():
    copies = [document(f"copy {i}", RIVER) for i in range(4)]
    view = view_of_matches(lw.find(copies, threshold=0.5))
    assert view.histogram[100] == view.all_pairs == 6 and sum(view.histogram) == 6


def test_documents_of_one_name_on_both_sides_are_two():
    found = lw.cross([document("a", OWN, RIVER)], [document("a", RIVER), document("b", RIVER)])
    view = view_of_matches(found)
    assert sorted(zip([t.name for t in view.texts], view.sides, strict=True)) == [
        ("a", 0),
        ("a", 1),
        ("b", 1),
    ]
    (cluster,) = view.clusters
    assert len(set(cluster.members)) == 3 and len(view.texts) == 3


def test_more_clusters_than_are_shown_are_counted():
    words = random.Random(1)
    texts = [" ".join(words.choices([f"w{i}" for i in range(5000)], k=30)) for _ in range(520)]
    found = lw.find([document(f"{i}{side}", t) for i, t in enumerate(texts) for side in "ab"])
    view = view_of_matches(found)
    assert (len(view.clusters), view.all_clusters) == (MOST_CLUSTERS, 520)


def test_unread_files_and_documents_of_other_languages_are_told(tmp_path):
    (tmp_path / "a.txt").write_text(RIVER)
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    view = view_of_matches(lw.find(tmp_path), other_languages=3)
    ((name, reason, _),) = view.unchecked.unread
    assert (name, view.unchecked.other_languages) == ("b.pdf", 3) and reason


def test_a_deduplication_is_shown_with_every_threshold(tmp_path):
    corpus = tmp_path / "crawl.jsonl"
    texts = [RIVER, edited(RIVER), MARKET, MARKET, OWN]
    lines = [json.dumps({"id": f"r{i}", "text": text}) for i, text in enumerate(texts)]
    corpus.write_text("\n".join([*lines, "not json"]))
    result = lw.dedup(corpus, threshold=[0.4, 0.99], skip_bad=True)
    view = view_of_dedup(result)
    assert [(t.threshold, t.pairs, t.removed) for t in view.thresholds] == [
        (0.4, 2, 2),
        (0.99, 1, 1),
    ]
    clusters = [{view.texts[i].name for i in each.members} for each in view.clusters]
    assert sorted(map(sorted, clusters)) == [["r0", "r1"], ["r2", "r3"]]
    assert view.all_pairs == sum(view.histogram) == 2
    assert [where for where, _, _ in view.unchecked.unread] == ["crawl.jsonl, line 6"]


def test_a_corpus_held_against_another_shows_both_sides(tmp_path):
    for name, texts in (("new", [RIVER, OWN]), ("old", [RIVER])):
        lines = (json.dumps({"id": str(i), "text": text}) for i, text in enumerate(texts))
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    view = view_of_dedup(lw.dedup(tmp_path / "new.jsonl", against=tmp_path / "old.jsonl"))
    assert view.names == ("new.jsonl", "old.jsonl")
    (pair,) = view.pairs
    assert (view.sides[pair.a], view.sides[pair.b]) == (0, 1)


def test_clusters_stand_in_the_order_in_which_the_page_numbers_them():
    names = ("z", "a", "y", "b", "m")
    copies = [document(n, RIVER if i % 2 else MARKET) for i, n in enumerate(names)]
    clusters = view_of_matches(lw.find(copies, threshold=0.5)).clusters
    assert [len(each.members) for each in clusters] == [3, 2]
    assert all(each.members == tuple(sorted(each.members)) for each in clusters)


# Taking something out


def test_without_a_source_the_others_explain_its_text():
    found = check(document("a", RIVER, MARKET), document("b", RIVER))
    fewer = without(found, sources=["a"])
    assert [source.name for source in fewer.sources] == ["b"]
    assert fewer.sources[0].counted > 0 == found.sources[1].counted
    assert (fewer.taken_out, fewer.skipped, fewer.documents) == (("a",), (), 1)
    assert fewer.before == found.shares
    skipped = check(document("a", RIVER, MARKET), document("b", RIVER), skip=["a"])
    assert (fewer.shares, fewer.sources[0].spans) == (skipped.shares, skipped.sources[0].spans)


def test_a_passage_taken_out_is_excluded_whoever_holds_it():
    found = check(document("a", RIVER), document("b", RIVER))
    place = found.sources[0].passages[0].a
    fewer = without(found, spans=[place])
    assert fewer.shares.similar == 0
    assert fewer.shares.excluded == pytest.approx(found.shares.similar)
    assert fewer.shares.original == found.shares.original
    assert [e.reason for e in fewer.exclusions if e.span == place] == ["reader"]
    assert view_of_check(fewer).shares.similar == 0


def test_without_nothing_nothing_changes():
    found = check(document("a", RIVER), document("b", edited(MARKET)))
    assert without(found) == found


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=6))
def test_tenths_of_a_percent_add_up_to_a_hundred_and_are_near(counts):
    shares = tenths(counts, sum(counts))
    assert sum(shares) == 1000
    if sum(counts):
        exact = [count * 1000 / sum(counts) for count in counts]
        assert all(abs(share - wanted) < 1 for share, wanted in zip(shares, exact, strict=True))


def test_unread_files_are_told_in_a_check():
    found = lw.check(document("a", RIVER), [document("b", RIVER)])
    told = view_of_check(replace(found, unread=(Unread("x.pdf", Message.verbatim("damaged")),)))
    assert [each[:2] for each in told.unchecked.unread] == [("x.pdf", "damaged")]


def test_pairs_at_a_hundredth_exactly_are_counted_there():
    shared = [f"shared{i}" for i in range(29)]
    one = shared + [f"one{i}" for i in range(35)]
    other = shared + [f"other{i}" for i in range(36)]
    texts = [document(name, " ".join(words)) for name, words in (("a", one), ("b", other))]
    found = lw.find(texts, settings=lw.Settings.plain(shingle=1), threshold=0.2)
    assert (found[0].jaccard, found.histogram[29]) == (0.29, 1)


def test_what_was_aligned_for_one_report_is_known_to_the_next():
    found = lw.find(essays(), threshold=0.3)
    view_of_matches(found)
    assert with_passages(found)[0] is with_passages(found)[0]


def test_documents_of_partners_are_shown_with_their_share(open_page):
    partner = Partner("Karaganda", "thesis <b>17</b>", 0.25, 12, {"year": "2021"})
    view = view_of_check(replace(check(document("a", RIVER)), partners=(partner,)))
    page = open_page(view)
    told = page.locator("section[aria-labelledby=partners]").inner_text()
    assert "thesis <b>17</b>" in told and "25.0%" in told and "2021" in told
