"""One document against many: every character counted once, and nothing lost from sight."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.align.check import CheckOptions, check_against
from likewise.align.exclude import CommonRuns, Exclusions
from likewise.align.resolve import resolve, union
from likewise.model import Document, Span
from likewise.reading.pictures import SAME_BITS
from likewise.settings import Settings
from tests.texts import MARKET, OWN, RIVER


def document(name: str, *texts: str) -> Document:
    return Document.from_text("\n\n".join(texts), name=name)


def check(checked: Document, *others: Document, **how):
    about = {name: how.pop(name) for name in ("common_runs", "searched", "unread") if name in how}
    return check_against(checked, others, Settings(), CheckOptions(**how), **about)


def total(shares) -> float:
    return shares.original + shares.similar + shares.quoted + shares.excluded


def test_two_sources_are_told_apart_and_the_rest_is_original():
    checked = document("mine", OWN, RIVER, MARKET)
    found = check(checked, document("river", RIVER), document("market", MARKET), document("own"))
    assert {source.name for source in found.sources} == {"river", "market"}
    text = checked.text
    for source, copied in zip(found.sources, sorted((RIVER, MARKET), key=len)[::-1], strict=True):
        (passage,) = source.passages
        assert passage.kind == "verbatim"
        assert passage.a.of(text) == copied
    assert found.shares.similar == pytest.approx(
        len((RIVER + MARKET).replace(" ", "")) / len("".join(text.split()))
    )
    assert total(found.shares) == pytest.approx(1, abs=1e-12)


def test_a_source_that_adds_nothing_is_listed_under_the_one_that_explains_most():
    checked = document("mine", RIVER, MARKET)
    both, one = document("both", MARKET, RIVER), document("one", RIVER)
    found = check(checked, both, one)
    first, second = found.sources
    assert (first.name, second.name, second.under) == ("both", "one", "both")
    assert first.counted == found.shares.similar
    assert second.counted == 0
    assert second.share > 0.4


def test_a_document_without_sources_is_original():
    found = check(document("mine", OWN), document("river", RIVER))
    assert found.shares.original == 1
    assert found.sources == ()


def test_an_empty_document_and_an_empty_collection():
    assert check(Document.from_text("", name="mine"), document("river", RIVER)).sources == ()
    assert check(document("mine", OWN)).shares.original == 1


def test_a_cited_quotation_is_quoted_and_not_similar():
    sentences = RIVER.partition(". ")[2]
    checked = document("mine", OWN, f"As the old guide says, “{sentences}” [4].", OWN[::-1])
    found = check(checked, document("river", RIVER))
    assert found.shares.quoted > 0.1
    assert found.shares.similar == 0
    counted = check(checked, document("river", RIVER), exclusions=Exclusions(quotations=False))
    assert counted.shares.quoted == 0
    assert counted.shares.similar > 0.1


def test_text_of_a_template_does_not_count():
    checked = document("mine", MARKET, OWN)
    source = document("other", MARKET, RIVER)
    assert check(checked, source).shares.similar > 0.4
    excused = check(checked, source, templates=[document("form", MARKET)])
    assert excused.shares.similar == 0
    assert {exclusion.reason for exclusion in excused.exclusions} == {"template"}


def test_text_that_most_documents_share_is_shown_as_common():
    others = [document(f"{i}", MARKET, " ".join(OWN.split()[i::7])) for i in range(5)]
    own = [" ".join(text.split()[::-1]) for text in (RIVER, OWN)] + [
        " ".join(sorted(RIVER.split()))
    ]
    found = check(document("mine", MARKET, RIVER, *own), *others)
    assert found.shares.similar == 0
    common = [exclusion for exclusion in found.exclusions if exclusion.reason == "common"]
    assert common
    assert "5" in str(common[0].detail)


def test_a_text_that_many_have_copied_is_no_form():
    others = [document(f"{i}", MARKET, RIVER) for i in range(6)]
    found = check(document("mine", MARKET, RIVER, OWN), *others)
    assert found.shares.similar > 0.6
    assert not found.exclusions


def test_a_source_can_be_skipped_by_name():
    found = check(document("mine", RIVER), document("river", RIVER), skip=["river", "nobody"])
    assert found.shares.original == 1
    assert found.skipped == ("river",)
    assert found.documents == 0


def test_a_passage_below_the_minimum_is_shown_and_not_counted():
    checked, other = document("mine", OWN, RIVER), document("river", RIVER)
    found = check(checked, other, min_words=500)
    assert found.shares.similar == 0
    (source,) = found.sources
    assert source.passages == ()
    assert len(source.fragments) >= 1


def test_offsets_stay_true_beyond_the_basic_plane():
    checked = document("mine", "𝒜𝒷𝒸 😀 " * 20 + OWN, RIVER + " 😀")
    found = check(checked, document("river", "😀" + RIVER))
    assert found.sources[0].passages[0].a.of(checked.text).startswith("The river leaves")


def test_the_front_door_takes_files_and_folders(tmp_path):
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "river.txt").write_text(RIVER)
    (tmp_path / "mine.txt").write_text(OWN + "\n\n" + RIVER)
    found = lw.check(tmp_path / "mine.txt", tmp_path / "others")
    assert [source.name for source in found.sources] == ["river.txt"]
    (match,) = lw.find(tmp_path, passages=True, threshold=0.2)
    assert match.passages[0].a.of((tmp_path / "mine.txt").read_text()) == RIVER


spans = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda e: Span(min(e), max(e))),
    max_size=4,
)


@given(st.dictionaries(st.sampled_from("abcdef"), spans))
def test_every_character_is_counted_for_exactly_one_source(sources):
    found = resolve(60, weighed(sources))
    counted = [i for source in found for span in source.counted for i in range(*_ends(span))]
    covered = {i for list_ in sources.values() for span in list_ for i in range(*_ends(span))}
    assert len(counted) == len(set(counted))
    assert set(counted) == covered
    for source in found:
        assert source.covered == union(sources[source.name])
        assert (source.under is None) == bool(source.counted)


@given(st.dictionaries(st.sampled_from("abcdef"), spans))
def test_the_source_that_explains_most_comes_first(sources):
    found = resolve(60, weighed(sources))
    sizes = [sum(map(len, source.counted)) for source in found]
    assert sizes == sorted(sizes, reverse=True)
    if found:
        assert sizes[0] == max(sum(map(len, source.covered)) for source in found)


def weighed(sources: dict[str, list[Span]], weight: int = 1000) -> dict[str, list]:
    return {name: [(span, weight) for span in found] for name, found in sources.items()}


def test_a_word_for_word_copy_stands_before_a_rewritten_form_of_the_same_text():
    found = resolve(60, {"a": [(Span(0, 60), 540)], "b": [(Span(0, 58), 910)]})
    assert [(source.name, source.counted) for source in found] == [
        ("b", (Span(0, 58),)),
        ("a", (Span(58, 60),)),
    ]


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def test_a_copied_figure_is_seen():
    files = Path(__file__).parent.parent / "files" / "essays" / "en"
    match = lw.compare(files / "steppe.pdf", files / "steppe.docx")
    ((ours, theirs),) = match.pictures
    assert ours.page == 2
    assert ours.bits_apart(theirs) <= SAME_BITS


def test_text_that_a_collection_knows_to_be_common_is_excluded_with_its_holders():
    own = " ".join([OWN, MARKET, OWN[::-1], MARKET[::-1]])
    checked = document("mine", RIVER, own)
    held = CommonRuns(((Span(0, len(RIVER)), 412),), documents=9_000)
    found = check(checked, document("river", RIVER), common_runs=held)
    (exclusion,) = found.exclusions
    assert (exclusion.reason, exclusion.holders) == ("common", 412)
    assert str(exclusion.detail) == "in 412 of 9000 documents"
    assert found.shares.similar == 0 and found.shares.excluded > 0


def test_a_source_of_the_same_name_is_a_source(tmp_path):
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / "essay.txt").write_text(RIVER)
    (tmp_path / "essay.txt").write_text(RIVER)
    found = lw.check(tmp_path / "essay.txt", archive)
    assert [source.name for source in found.sources] == ["essay.txt"]
    assert found.shares.similar == 1 and found.skipped == ()
    assert lw.check(document("essay", RIVER), [document("essay", RIVER)]).shares.similar == 1


def test_a_file_is_not_its_own_source(tmp_path):
    (tmp_path / "mine.txt").write_text(RIVER)
    (tmp_path / "other.txt").write_text(MARKET)
    assert lw.check(tmp_path / "mine.txt", tmp_path).sources == ()
    mine = document("mine", RIVER)
    assert lw.check(mine, [mine, document("other", MARKET)]).documents == 1


def test_two_sources_of_one_name_are_refused():
    with pytest.raises(lw.LikewiseError, match="two documents are called 'x'"):
        check(document("mine", RIVER), document("x", RIVER), document("x", MARKET))


def test_a_fragment_is_what_no_passage_shows():
    checked = document("mine", OWN, RIVER)
    found = check(checked, document("river", "Some guide says so. " + RIVER + " The end."))
    (source,) = found.sources
    assert len(source.passages) == 1 and source.fragments == ()


def test_what_was_counted_otherwise_is_told():
    form = document("form.docx", MARKET)
    found = check(
        document("mine", RIVER, MARKET),
        document("river", RIVER),
        exclusions=Exclusions(quotations=False),
        templates=[form],
        min_words=20,
    )
    assert found.counting == {
        "keep_quotations": True,
        "min_words": 20,
        "templates": ["form.docx"],
    }
    assert check(document("mine", RIVER)).counting == {}
