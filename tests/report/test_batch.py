"""A batch as data and on paper: every document in its place, nobody's text, nothing silent."""

import csv
import json
from dataclasses import replace
from io import BytesIO, StringIO
from zipfile import ZipFile

import pypdfium2
import pytest

from likewise.catalogue import LANGUAGES, Message, Words
from likewise.model import Unread
from likewise.report import view_of_check
from likewise.report.batch import count_pairs, members_of
from likewise.report.csv import csv_of
from likewise.report.docx import docx_of
from likewise.report.json import json_of
from likewise.report.paper.batch import MOST_SOURCES
from likewise.report.pdf import pdf_of
from likewise.report.view import BatchView, CheckView, DecisionView, NoteView

from .batch_views import CLASS, DATE, LIBRARY, batch_of, checks_of, large_batch, small_batch
from .collection_views import HOSTILE
from .texts import MARKET, OWN, RIVER, document

EN = Words("en")


def text_of_pdf(view: BatchView | CheckView, language: str = "en") -> str:
    with pypdfium2.PdfDocument(pdf_of(view, language)) as pdf:
        pages = [page.get_textpage().get_text_bounded() for page in pdf]
    return " ".join(" ".join(pages).split())


def text_of_docx(view: BatchView, language: str = "en") -> str:
    packed = BytesIO(docx_of(view, language))
    with ZipFile(packed) as parts:
        return parts.read("word/document.xml").decode()


def named(view: BatchView) -> list[str]:
    return [check.document.name for check in view.checks]


def test_the_document_with_the_largest_similar_share_comes_first():
    view = small_batch()
    shares = [check.shares.similar / check.shares.whole for check in view.checks]
    assert shares == sorted(shares, reverse=True)
    assert named(view)[-1] == "farida.txt" and set(named(view)) == {each.name for each in CLASS}


def test_each_document_is_shown_as_its_own_report_would_show_it():
    alone = {check.name: view_of_check(check, DATE) for check in checks_of(CLASS, LIBRARY)}
    for check in batch_of(CLASS).checks:
        assert check == alone[check.document.name]


def test_what_could_not_be_read_and_what_the_documents_share_are_there():
    view = small_batch()
    assert [each[:2] for each in view.unchecked.unread] == [("gulnara.pdf", "the file is empty")]
    texts = view.collection.texts
    pairs = [{texts[pair.a].name, texts[pair.b].name} for pair in view.collection.pairs]
    assert pairs == [{"boris.txt", "erlan.txt"}, {"aigerim.txt", "boris.txt"}]
    assert view.against == "campus" and view.made.date == DATE


def test_a_member_names_its_best_source_and_who_is_closest():
    members = {member.check.document.name: member for member in members_of(small_batch())}
    boris = members["boris.txt"]
    assert boris.closest.text.name == "aigerim.txt" and not boris.closest.is_later
    assert boris.is_best_of_batch and boris.in_part
    dana = members["dana.txt"]
    assert dana.check.sources[dana.best].text.name == "library/market.txt"
    assert not dana.is_best_of_batch and dana.closest is None
    assert members["aigerim.txt"].tricks == ("foreign letters",)
    assert members["farida.txt"].best is None


def test_who_is_closest_is_measured_as_the_best_source_is():
    texts = {"a.txt": (OWN, RIVER), "b.txt": (RIVER, MARKET), "c.txt": (MARKET[:200],)}
    view = batch_of([document(name, *parts) for name, parts in texts.items()], [])
    assert len(view.checks) == 3
    for member in members_of(view):
        best = member.check.sources[member.best]
        assert member.is_best_of_batch and member.closest.text == best.text
        assert member.closest.share == best.covered / member.check.shares.whole


def test_two_documents_have_one_figure_in_the_table_and_among_the_pairs():
    view = small_batch()
    closest = {
        (m.check.document.name, m.closest.text.name): m.closest.share
        for m in members_of(view)
        if m.closest is not None
    }
    among = view.collection
    for pair in among.pairs:
        a, b = among.texts[pair.a].name, among.texts[pair.b].name
        for here, there, share in ((a, b, pair.containment_a), (b, a, pair.containment_b)):
            if (here, there) in closest:
                assert share == closest[here, there]
        assert pair.similarity == max(pair.containment_a, pair.containment_b) > 0


def test_what_does_not_count_makes_neither_pairs_nor_clusters():
    view = small_batch()
    assert len(view.collection.pairs) == 2 and view.collection.all_clusters == 1
    # A teacher took out what Erlan shares with others, on both sides.
    checks = [
        replace(
            check,
            sources=tuple(
                one
                for one in check.sources
                if "erlan.txt" not in (one.text.name, check.document.name)
            ),
        )
        for check in view.checks
    ]
    counted = count_pairs(replace(view, checks=tuple(checks))).collection
    (pair,) = counted.pairs
    names = {counted.texts[pair.a].name, counted.texts[pair.b].name}
    assert names == {"aigerim.txt", "boris.txt"}
    (cluster,) = counted.clusters
    assert {counted.texts[one].name for one in cluster.members} == names
    assert cluster.weakest == pair.similarity
    assert sum(counted.histogram) == counted.all_pairs == 1
    assert count_pairs(view) == view


def test_what_could_not_be_read_is_called_by_its_student_too():
    path = "{}_{}_assignsubmission_file_/{}"
    essay, annex = (path.format("Asel Nur", 701, name) for name in ("essay.txt", "annex.pdf"))
    locked = path.format("Dana Lee", 702, "essay.pdf")
    why = Message("reading.empty_file")
    unread = [Unread(annex, why), Unread(locked, why)]
    view = batch_of([document(essay, OWN)], [], unread=unread)
    assert view.unchecked.called == ("Asel Nur · annex.pdf", "Dana Lee")
    assert view.checks[0].document.label == "Asel Nur"
    said = text_of_pdf(view)
    assert "Dana Lee" in said and locked not in said


def test_students_are_called_by_name_and_their_paths_are_kept():
    path = "{}_{}_assignsubmission_file_/essay.docx"
    asel, dana = path.format("Asel Nur", 701), path.format("Dana Lee", 702)
    old = path.format("Asel Nur", 3)
    mine = [document(asel, RIVER, OWN), document(dana, RIVER, MARKET)]
    view = batch_of(mine, [document(old, MARKET), document("market.txt", MARKET)])
    assert {check.document.name: check.document.label for check in view.checks} == {
        asel: "Asel Nur",
        dana: "Dana Lee",
    }
    (check,) = (check for check in view.checks if check.document.name == dana)
    labels = {source.text.name: source.text.label for source in check.sources}
    assert labels == {asel: "Asel Nur", old: "Asel Nur · essay.docx", "market.txt": ""}
    assert {text.called for text in view.collection.texts} == {"Asel Nur", "Dana Lee"}
    said = text_of_pdf(view)
    assert ". Dana Lee" in said and "Asel Nur – " not in said and f"{dana}" in said
    heads, *rows = csv.reader(StringIO(csv_of(view)))
    assert heads[1] == "document"
    assert {(row[1], row[heads.index("file")]) for row in rows} == {
        ("Asel Nur", asel),
        ("Dana Lee", dana),
    }
    # The report about one of them calls all by name, too; what files are called is told once.
    heads, *rows = csv.reader(StringIO(csv_of(check)))
    for row in rows:
        cells = dict(zip(heads, row, strict=True))
        told = (cells["document"], cells["source"], cells["file here"], cells["file there"])
        assert told in {
            ("Dana Lee", "Asel Nur", dana, asel),
            ("Dana Lee", "Asel Nur · essay.docx", dana, old),
            ("Dana Lee", "market.txt", dana, "market.txt"),
        }
    note = NoteView(asel, "mixed alphabets", "", in_part=False, is_disguise=True)
    excluded = DecisionView(old, None, None, "A teacher", "2026-11-19T12:00:00Z", "her own")
    said = text_of_pdf(replace(check, notes=(note,), decisions=(excluded,)))
    assert asel not in said and old not in said
    document_of_first = json.loads(json_of(view))["checks"][0]["document"]
    assert {"name", "label"} <= document_of_first.keys()


def test_a_document_of_the_library_with_the_name_of_one_handed_in_is_not_taken_for_it():
    mine, namesake = document("a.txt", RIVER, OWN), document("b.txt", RIVER)
    view = batch_of([mine, document("b.txt", MARKET)], [])
    (check,) = checks_of([mine], [namesake])
    view = replace(view, checks=(view_of_check(check), view.checks[0], view.checks[1]))
    assert not members_of(view)[0].is_best_of_batch


def test_a_batch_of_none_is_reported_too():
    view = batch_of([])
    assert EN("count.documents", n=0) in text_of_pdf(view)
    assert len(csv_of(view).splitlines()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text_of", [text_of_pdf, text_of_docx])
def test_paper_lists_all_documents_then_tells_of_each(text_of, language):
    words, view = Words(language), small_batch()
    said = text_of(view, language)
    for heading in ("batch.documents", "collection.pairs", "collection.clusters", "batch.each"):
        assert words(heading) in said
    for number, name in enumerate(named(view), 1):
        assert f"{number}. {name}" in said
    assert words("verdict.none") in said and "library/market.txt" in said
    assert words("note.foreign letters") in said and "gulnara.pdf" in said
    assert MARKET[:60] not in said and OWN[:60] not in said  # the texts are in the page alone


def test_paper_of_a_document_with_many_sources_names_the_first_and_counts_the_rest():
    view = small_batch()
    first = view.checks[0]
    view = replace(view, checks=(replace(first, sources=first.sources[:1] * 20),))
    assert EN("collection.more_members", n=20 - MOST_SOURCES) in text_of_pdf(view)


def test_a_spreadsheet_has_a_row_for_each_document():
    view = small_batch()
    heads, *rows = csv.reader(StringIO(csv_of(view)))
    assert heads[:3] == ["№", "document", "original"] and len(rows) == len(view.checks)
    by_name = {row[1]: dict(zip(heads, row, strict=True)) for row in rows}
    boris = by_name["boris.txt"]
    assert boris[EN("batch.closest")] == "aigerim.txt" and boris[EN("batch.read_in_part")] == "yes"
    assert by_name["aigerim.txt"][EN("batch.tricks")] == EN("note.foreign letters")
    assert by_name["farida.txt"][EN("shares.similar")] == "0.0"


def test_programs_get_the_whole_view():
    said = json.loads(json_of(small_batch()))
    assert said["type"] == "batch" and said["against"] == "campus"
    assert [check["document"]["name"] for check in said["checks"]] == named(small_batch())


def test_hostile_names_stay_text_on_paper_and_in_spreadsheets():
    view = batch_of([document(name, RIVER, OWN) for name in (*HOSTILE, "=1+1")])
    assert "'=1+1" in csv_of(view)
    assert "&lt;script&gt;" in text_of_docx(view)
    assert "<script>" in text_of_pdf(view)


def test_a_large_batch_is_written_on_paper():
    view = large_batch(60)
    assert "60. " in text_of_pdf(view)
