"""The DOCX: passages shaded where they stand, comments around them, readable by other programs."""

import shutil
import subprocess
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from zipfile import ZipFile

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import likewise as lw
from likewise.catalogue import LANGUAGES, Words
from likewise.model import Span
from likewise.report import view_of_check, view_of_matches
from likewise.report.docx import docx_of, write_docx
from likewise.report.docx.markup import colours_of
from likewise.report.view import SegmentsView, State

from .texts import MARKET, OWN, RIVER, document, edited

DATE = "2026-03-01T09:05:59Z"


def view(*sources, of=None):
    mine = of or document("mine.txt", OWN, RIVER, MARKET, page_chars=400)
    return view_of_check(lw.check(mine, sources), DATE)


def opened(made: bytes):
    return docx.Document(BytesIO(made))


def text(made: bytes) -> str:
    body = opened(made).element.body
    return "\n".join("".join(p.itertext(qn("w:t"))) for p in body.iter(qn("w:p")))


def commented(made: bytes) -> dict[int, str]:
    """The text that each comment stands around, without numbers of sources and marks of pages."""
    found: dict[int, str] = {}
    open_ones: set[int] = set()
    for line in opened(made).element.body.iter(qn("w:p")):
        is_of_the_report = line.style == "PageMark"
        for element in line:
            if element.tag == qn("w:commentRangeStart"):
                open_ones.add(int(element.get(qn("w:id"))))
            elif element.tag == qn("w:commentRangeEnd"):
                open_ones.remove(int(element.get(qn("w:id"))))
            elif not is_of_the_report and element.find(f".//{qn('w:vertAlign')}") is None:
                for number in open_ones:
                    said = "".join(element.itertext(qn("w:t")))
                    found[number] = found.get(number, "") + said
    assert not open_ones
    return found


def looks(made: bytes, said: str) -> tuple[str | None, str | None]:
    """The shading and the underline of the run that holds some words."""
    (run,) = (
        run
        for run in opened(made).element.body.iter(qn("w:r"))
        if said in "".join(run.itertext(qn("w:t")))
    )
    shading, line = run.find(f".//{qn('w:shd')}"), run.find(f".//{qn('w:u')}")
    return (
        shading.get(qn("w:fill")) if shading is not None else None,
        line.get(qn("w:val")) if line is not None else None,
    )


def test_each_passage_has_a_comment_that_names_its_source():
    made = docx_of(view(document("first.txt", RIVER, page_chars=150), document("b.txt", MARKET)))
    comments = list(opened(made).comments)
    assert {(comment.author, comment.initials) for comment in comments} == {("Likewise", "Lw")}
    assert all(comment.timestamp.isoformat() == "2026-03-01T09:05:59+00:00" for comment in comments)
    around = commented(made)
    told = {around[comment.comment_id]: comment.text for comment in comments}
    assert set(told) == {RIVER, MARKET}
    assert "first.txt" in told[RIVER] and "word for word" in told[RIVER]
    assert "alike 100.0%" in told[RIVER] and "held by 1 document" in told[RIVER]
    assert "pages 1–2" in told[RIVER] and "pages 1–3" in told[RIVER]


def test_passages_have_the_colour_of_their_source_and_a_line_by_kind():
    found = view(document("a.txt", edited(RIVER)), document("b.txt", MARKET))
    made = docx_of(found)
    ranks = {source.text.name: rank for rank, source in enumerate(found.sources)}
    assert looks(made, "herons stand") == (colours_of(ranks["a.txt"])[0], "dash")
    assert looks(made, "somebody always") == (colours_of(ranks["b.txt"])[0], "thick")
    assert looks(made, "tastes of smoke") == (None, None)


def test_overlapping_passages_each_keep_their_comment():
    mine = document("mine.txt", OWN, f"{RIVER} {MARKET}")
    found = view(document("both.txt", f"{RIVER} {MARKET}"), document("one.txt", RIVER), of=mine)
    made = docx_of(found)
    around = commented(made)
    told = {c.text.split("\n")[0]: around[c.comment_id] for c in opened(made).comments}
    assert told == {
        "Passage 1 · Source 2: one.txt": RIVER,
        "Passage 2 · Source 1: both.txt": f"{RIVER} {MARKET}",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_asked_for(language):
    words = Words(language)
    said = text(docx_of(view(document("a", RIVER)), language))
    for key in ("title.check", "sources.heading", "shares.original", "text.heading"):
        assert words(key) in said


def test_the_whole_text_stands_in_it():
    said = text(docx_of(view(document("a", RIVER), of=document("mine.txt", OWN, RIVER, MARKET))))
    assert OWN in said and RIVER in said and MARKET in said


def test_headings_make_an_outline():
    styles = [p.style.name for p in opened(docx_of(view(document("a", RIVER)))).paragraphs]
    assert styles[0] == "Title" and styles.count("Heading 1") >= 5


def test_nothing_in_common_is_a_report_too():
    made = docx_of(view(document("a", RIVER), of=document("one line", "Just one line.")))
    assert "Just one line." in text(made) and not list(opened(made).comments)


def test_without_anything_to_compare_with_there_are_no_figures():
    said = text(docx_of(view(of=document("mine.txt", RIVER))))
    assert "There was nothing to compare with." in said
    assert "100.0%" not in said and said.count("■ –") == 4


def test_comments_have_the_numbers_of_the_passages():
    found = view(document("a.txt", RIVER), document("b.txt", MARKET))
    comments = [comment.text for comment in opened(docx_of(found)).comments]
    assert [told.split(" · ")[0] for told in comments] == ["Passage 1", "Passage 2"]


def test_a_source_that_is_the_document_itself_is_called_so():
    mine, copy = document("mine.txt", OWN, RIVER), document("copy.txt", OWN, RIVER)
    assert "the same text as the checked one" in text(docx_of(view(copy, of=mine)))


def test_markup_controls_and_long_names_are_only_text():
    name = '<w:p/>&"' + "x" * 292
    mine = document(name, "a\x00b ]]> <!-- &amp; \u202e\x1b", RIVER)
    found = view(document(name, RIVER), of=mine)
    made = docx_of(replace(found, document=replace(found.document, author="\ud800\ufffe")))
    said = text(made)
    assert (
        name in said and "a\ufffdb ]]> <!-- &amp; \ufffd\ufffd" in said and "\ufffd\ufffd" in said
    )


def test_astral_characters_keep_every_place():
    mine = document("mine.txt", "😀𐐷 first. " + OWN, RIVER, "😀 last")
    made = docx_of(view(document("a", "𐐷𐐷𐐷", RIVER), of=mine))
    assert list(commented(made).values()) == [RIVER]


def test_text_from_right_to_left_is_marked_so():
    mine = document("m", "ذهب الولد إلى السوق", RIVER)
    body = opened(docx_of(view(document("a", RIVER), of=mine))).element.body
    (line,) = (p for p in body.iter(qn("w:p")) if "السوق" in "".join(p.itertext()))
    assert line.find(f".//{qn('w:bidi')}") is not None
    assert line.find(f".//{qn('w:rtl')}") is not None


@settings(max_examples=60)
@given(st.text(max_size=120), st.lists(st.tuples(st.integers(0, 120), st.integers(0, 120))))
def test_any_text_with_any_passages_is_well_formed(said, places):
    found = view(document("a", RIVER))
    (passage,) = (p for p in found.passages if p.counts)
    length = len(said)
    spans = [Span(*sorted((min(a, length), min(b, length)))) for a, b in places]
    passages = tuple(replace(passage, a=span) for span in sorted(spans) if span)
    cuts = tuple(sorted({0, length, *(place for s in spans for place in (s.start, s.end))}))
    states: tuple[State, ...] = tuple(0 for _ in cuts[1:])
    made = docx_of(
        replace(
            found,
            document=replace(found.document, stretches=((0, said),), length=length, pages=()),
            passages=passages,
            segments=SegmentsView(cuts, (1,) * (len(cuts) - 1), states),
        )
    )
    with ZipFile(BytesIO(made)) as parts:
        for name in parts.namelist():
            etree.fromstring(parts.read(name))
    assert len(list(opened(made).comments)) == len(passages)
    commented(made)


def test_the_same_view_gives_the_same_bytes(tmp_path):
    found = view(document("a", RIVER))
    write_docx(found, tmp_path / "a.docx", "ru")
    assert (tmp_path / "a.docx").read_bytes() == docx_of(found, "ru")


def test_a_collection_with_both_sides_of_its_passages():
    essays = [document("a.txt", RIVER, OWN), document("b.txt", edited(RIVER), OWN)]
    found = view_of_matches(lw.find(essays, threshold=0.2), DATE)
    said = text(docx_of(found))
    assert "1 pair, 1 cluster" in said and "a.txt, b.txt" in said
    assert said.count("herons stand in the pools") == 2
    assert said.count("Passage 1") == 1


def test_a_collection_counts_pairs_by_meaning_apart_from_those_at_the_threshold():
    essays = [document("a.txt", RIVER, OWN), document("b.txt", edited(RIVER), OWN)]
    found = view_of_matches(lw.find(essays, threshold=0.2), DATE)
    (pair,) = found.pairs
    pairs = (pair, replace(pair, by_meaning=True))
    said = text(docx_of(replace(found, pairs=pairs, all_pairs=2, by_meaning=True)))
    assert "1 pair, 1 cluster" in said and "1 more pair was found by meaning." in said
    none = replace(found, pairs=(), all_pairs=0, clusters=(), by_meaning=True)
    assert "and no pair was found by meaning" in text(docx_of(none))


def test_ten_thousand_passages_have_ten_thousand_comments():
    found = view(document("a", RIVER))
    (passage,) = (p for p in found.passages if p.counts)
    said = "word " * 20_000
    places = list(pairwise(range(0, len(said) + 10, 10)))[:10_000]
    many = replace(
        found,
        document=replace(found.document, stretches=((0, said),), length=len(said), pages=()),
        passages=tuple(replace(passage, a=Span(*place)) for place in places),
        segments=SegmentsView((0, len(said)), (len(said),), (0,)),
    )
    around = commented(docx_of(many))
    assert len(around) == 10_000 and set(around.values()) == {"word word "}


def annotated(element, office: str, found: dict[str, str], told: dict[str, str]) -> None:
    """The text around which LibreOffice sees each comment, and what the comment tells."""
    name = element.get(f"{{{office}}}name")
    if element.tag == f"{{{office}}}annotation":
        told[name], found[name] = "".join(element.itertext()), ""
        return
    if element.tag == f"{{{office}}}annotation-end":
        found[name] += "|"  # from here on nothing is added
        return
    for said, child in ((element.text, None), *((c.tail, c) for c in element)):
        if child is not None:
            annotated(child, office, found, told)
        for open_one in [name for name, so_far in found.items() if not so_far.endswith("|")]:
            found[open_one] += said or ""


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
@pytest.mark.libreoffice
def test_libreoffice_opens_it_with_the_comments_in_place(tmp_path):
    mine = document("mine.txt", OWN, RIVER, MARKET)
    found = view(document("river.txt", RIVER), document("market.txt", MARKET), of=mine)
    write_docx(found, tmp_path / "report.docx", "kk")
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    convert = ["soffice", profile, "--headless", "--convert-to", "fodt", "--outdir", tmp_path]
    subprocess.run([*convert, tmp_path / "report.docx"], check=True, capture_output=True)
    tree = etree.parse(tmp_path / "report.fodt").getroot()
    around: dict[str, str] = {}
    told: dict[str, str] = {}
    annotated(tree, tree.nsmap["office"], around, told)
    seen = {around[name].strip("12|"): told[name] for name in told}
    assert set(seen) == {RIVER, MARKET}
    assert "river.txt" in seen[RIVER] and "Likewise" in seen[RIVER]
    assert "market.txt" in seen[MARKET] and "сөзбе-сөз" in seen[MARKET]
