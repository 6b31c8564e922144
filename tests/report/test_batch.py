"""A batch as data and on paper: every document in its place, nobody's text, nothing silent."""

import csv
import json
from dataclasses import replace
from io import BytesIO, StringIO
from zipfile import ZipFile

import pypdfium2
import pytest

from likewise.catalogue import LANGUAGES, Words
from likewise.report import view_of_check
from likewise.report.batch import members_of
from likewise.report.csv import csv_of
from likewise.report.docx import docx_of
from likewise.report.json import json_of
from likewise.report.paper.batch import MOST_SOURCES
from likewise.report.pdf import pdf_of
from likewise.report.view import BatchView

from .batch_views import CLASS, DATE, LIBRARY, batch_of, checks_of, large_batch, small_batch
from .collection_views import HOSTILE
from .texts import MARKET, OWN, RIVER, document

EN = Words("en")


def text_of_pdf(view: BatchView, language: str = "en") -> str:
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
    assert boris.closest == "erlan.txt" and boris.is_best_of_batch and boris.in_part
    dana = members["dana.txt"]
    assert dana.check.sources[dana.best].text.name == "library/market.txt"
    assert not dana.is_best_of_batch and dana.pair is None and dana.closest == ""
    assert members["aigerim.txt"].tricks == ("foreign letters",)
    assert members["farida.txt"].best is None


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
    assert boris[EN("batch.closest")] == "erlan.txt" and boris[EN("batch.read_in_part")] == "yes"
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
