"""Results kept as bytes: what comes back shows and counts the same; what is damaged is told."""

import json
from base64 import b64decode
from collections.abc import Callable
from dataclasses import asdict, astuple, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st

import likewise as lw
from likewise.align import without
from likewise.align.exclude import Exclusions
from likewise.corpus.view import view_of_dedup
from likewise.errors import LikewiseError
from likewise.library import (
    Library,
    batch_view,
    check_batch,
    export_fingerprints,
    make_key,
    open_fingerprints,
    read_key,
    with_partners,
)
from likewise.model import WORDINGS, Check, Message, Note, Partner, Picture, Span, Unread
from likewise.report import ENDINGS, View, view_of_check, view_of_matches, view_of_pair, write_view
from likewise.report.redaction import redact_text
from likewise.report.storage import (
    LARGEST,
    Unreadable,
    holds_any,
    pack_check,
    pack_view,
    unpack_check,
    unpack_view,
)
from likewise.report.view import BatchView, CheckView, NoteView
from likewise.results import SCHEMA
from likewise.settings import Settings
from tests.library.texts import invented

from .batch_views import CLASS, DATE, small_batch
from .collection_views import HOSTILE
from .table_views import DOCTORED, RIVERS, check_of, table, turned, with_tables
from .texts import MARKET, OWN, QUOTED, RIVER, document, edited

STEPPE = (
    "Весной степь пахнет полынью и мокрой глиной. Старики говорят, что в такой день надо выйти к "
    "реке до рассвета и слушать, как трогается лёд. Ребёнок, который услышит его первым, будет "
    "здоров весь год, а лошадь, которая напьётся первой, принесёт двух жеребят к осени."
)
ODD = "\ud800 lone \udfff, \ud83d\ude00 in halves, 😀 whole, \x00\x1b\u2028\u2029\ufeff\u202e"
LETTERS = st.text(st.characters(), max_size=30)  # halves of letters among them


def everything(result: Any) -> str:
    """All that a result holds, tuples told from lists and 1 from 1.0, and its documents too."""
    return repr(asdict(result))


def kept(check: Check) -> Check:
    """The check that comes back; it is the same, and so is every report of it."""
    again = unpack_check(pack_check(check))
    assert everything(again) == everything(check)
    assert view_of_check(again, DATE) == view_of_check(check, DATE)
    return again


def kept_view(view: View) -> View:
    again = unpack_view(pack_view(view))
    assert again == view and everything(again) == everything(view)
    return again


def some_check(**how: Any) -> Check:
    mine = document("mine.txt", OWN, RIVER, QUOTED, MARKET, page_chars=400)
    others = [
        document("a", RIVER, page_chars=99),
        document("b", RIVER[:200]),
        document("c", MARKET),
    ]
    return lw.check(mine, others, **how)


@cache
def some_check_once() -> Check:
    return some_check()


# Checks


def test_a_check_comes_back_with_sources_passages_measures_and_exclusions():
    check = some_check()
    again = kept(check)
    assert again == check and again.document == check.document and again.texts == check.texts
    assert any(source.under for source in again.sources)
    assert any(source.match.scores.interval.inside for source in again.sources)
    assert {"quotation"} <= {exclusion.reason for exclusion in again.exclusions}


def test_it_is_counted_anew_as_the_first_one_would_be():
    check = some_check()
    place = check.sources[0].passages[0].a
    for taken in ({"sources": ["a"]}, {"spans": [place]}, {"sources": ["c"], "spans": [place]}):
        fewer = without(unpack_check(pack_check(check)), **taken)
        assert everything(fewer) == everything(without(check, **taken))
        assert view_of_check(fewer, DATE) == view_of_check(without(check, **taken), DATE)


def test_what_a_reader_took_out_stays_out_and_more_can_be_taken_out():
    check = some_check()
    fewer = without(check, sources=["b"], spans=[check.sources[0].passages[0].a])
    again = kept(fewer)
    assert again.taken_out == ("b",) and again.before == check.shares
    assert [e.reason for e in again.exclusions].count("reader") == 1
    assert without(again, sources=["c"]) == without(fewer, sources=["c"])


def test_texts_are_kept_once_and_the_measures_share_them_again():
    noise = "".join(chr(0x4E00 + (i * i * 7919 + i) % 20_000) for i in range(20_000))
    check = lw.check(document("mine", noise, RIVER), [document("a", noise), document("b", RIVER)])
    again = kept(check)
    for source in again.sources:
        assert source.match.documents[0] is again.document
        assert source.match.documents[1] is again.texts[source.name]
    # Two documents hold the noise, three bytes a letter; every further one would show.
    assert len(pack_check(check)) < 2.5 * 3 * len(noise)


def test_documents_that_are_equal_are_kept_once_and_namesakes_apart():
    check = some_check()
    first, *others = check.sources
    namesake = replace(check.texts[first.name], text="another text")
    twin = replace(check.document)
    match = replace(first.match, documents=(twin, namesake))
    again = kept(replace(check, sources=(replace(first, match=match), *others)))
    assert again.sources[0].match.documents[0] is again.document
    assert again.sources[0].match.documents[1].text == "another text"
    assert again.texts[first.name].text == RIVER


def test_what_reading_found_comes_back(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(f"{OWN}\n\n{RIVER}", "utf-8")
    mine = replace(
        lw.read(path),
        meta={"title": "Bees", "author": "Ә. Нұр"},
        notes=(
            Note(
                "no text layer", Message.verbatim("page 2 has no text"), (Span(3, 9), Span(20, 30))
            ),
        ),
        left_out=((Span(0, 10), "running header"),),
        pictures=(Picture(Span(5, 5), (1 << 64) - 1, 640, 480, 2),),
    )
    source = replace(document("a", edited(RIVER), page_chars=90), language="en")
    check = lw.check(mine, [source], templates=[document("form.txt", OWN[:80])], min_words=9)
    check = replace(check, unread=(Unread("x.pdf", Message("reading.empty_file")),))
    again = kept(check)
    assert again.document.sha256 and again.document == mine
    assert again.counting == {"min_words": 9, "templates": ["form.txt"]}
    assert kept(lw.check(mine, [source], skip=["a"])).skipped == ("a",)


@pytest.mark.parametrize("theirs", [DOCTORED, turned(DOCTORED)], ids=["straight", "turned"])
def test_copied_tables_come_back_cell_by_cell(theirs):
    mine = with_tables("mine.txt", table(RIVERS, "Longest rivers", 3))
    check = check_of(mine, with_tables("b.docx", table(theirs, "Rivers", 7), text=RIVER))
    again = kept(check)
    ((name, match),) = again.tables
    assert name == "b.docx" and match == check.tables[0][1] and match.cells
    assert view_of_check(without(again, sources=["b.docx"])).tables == ()


def test_the_match_of_a_source_comes_back_with_its_tables_and_pictures():
    mine, other = (with_tables(n, table(rows)) for n, rows in (("a", RIVERS), ("b", DOCTORED)))
    pictures = ((Picture(Span(0, 0), 3, 10, 10), Picture(Span(9, 9), 2, 20, 20, 4)),)
    match = replace(lw.compare(mine, other), pictures=pictures)
    assert match.tables
    check = check_of(mine, other)
    (source,) = check.sources
    again = kept(replace(check, sources=(replace(source, match=match),)))
    assert again.sources[0].match == match and again.sources[0].match.tables == match.tables


def test_a_check_of_a_library_comes_back_with_its_partners(tmp_path):
    make_key(tmp_path / "key")
    key = read_key(tmp_path / "key")
    with Library(str(tmp_path / "library.db")) as library:
        library.add_texts({"river": RIVER}, author="Ә. Нұр", year=2021)
        export_fingerprints(library, tmp_path / "lent.lwf", key, fields=("name",), label="Campus")
        check = library.check(document("mine", OWN, RIVER))
        check = with_partners(check, [open_fingerprints(tmp_path / "lent.lwf", key)])
    (partner,) = kept(check).partners
    assert (partner.library, partner.name) == ("Campus", "river") and partner.told[
        "name"
    ] == "river"


def test_russian_and_odd_letters_come_back_as_they_were():
    mine = document(HOSTILE[2], STEPPE, ODD, RIVER.replace("ice", ODD))
    theirs = document(ODD, STEPPE.replace("Старики", "Дети"), ODD, RIVER.replace("ice", ODD))
    check = lw.check(mine, [theirs, document(HOSTILE[0], MARKET)])
    check = replace(check, partners=(Partner(ODD, HOSTILE[1], 0.5, 3, {ODD: ODD}),))
    again = kept(check)
    assert again.document.text == mine.text and again.texts[ODD].text == theirs.text
    assert again.shares.similar > 0.5


@given(LETTERS, LETTERS, LETTERS)
@trying(max_examples=30)
def test_a_check_of_any_text_comes_back(one, other, name):
    mine = document(f"mine {name}", one, RIVER, other)
    check = kept(lw.check(mine, [document(f"a{name}", other, RIVER, one)]))
    kept(without(check, sources=[f"a{name}"]))
    kept_view(view_of_check(check, DATE))


@given(
    st.builds(
        Settings,
        languages=st.lists(st.sampled_from(["en", "ru", "kk"]), unique=True).map(tuple),
        stop_words=st.booleans() | st.frozensets(LETTERS, max_size=3),
        drop_common=st.none() | st.floats(0.01, 1),
        bands=st.none() | st.just((20, 5)),
        threshold=st.floats(0.01, 1),
        seed=st.integers(),
        unit=st.sampled_from(["words", "chars"]),
    )
)
def test_any_settings_come_back(settings):
    check = replace(lw.check(document("a", OWN), []), settings=settings)
    assert unpack_check(pack_check(check)).settings == settings


def test_the_same_check_gives_the_same_bytes_and_a_copy_too():
    check = some_check(stop_words=frozenset(["river", "гора", "тау"]))
    assert pack_check(check) == pack_check(check)
    assert pack_check(unpack_check(pack_check(check))) == pack_check(check)


def test_a_database_may_give_a_view_of_its_memory():
    check = some_check()
    assert unpack_check(memoryview(pack_check(check))) == check  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_of_what_comes_back_is_the_same_file(ending, tmp_path):
    check = some_check()
    first, second = tmp_path / f"first{ending}", tmp_path / f"second{ending}"
    write_view(view_of_check(check, DATE), first, "ru")
    write_view(view_of_check(unpack_check(pack_check(check)), DATE), second, "ru")
    assert first.read_bytes() == second.read_bytes()


# Views


def test_views_of_checks_pairs_collections_and_classes_come_back():
    check = some_check(exclusions=Exclusions(quotations=False), stop_words=frozenset(["гора"]))
    kept_view(view_of_check(without(check, sources=["b"]), DATE))
    kept_view(view_of_pair(lw.compare(document("a", OWN, RIVER), document("b", edited(RIVER)))))
    kept_view(view_of_matches(lw.find(CLASS, measure="containment", threshold=0.2)))
    kept_view(view_of_matches(lw.cross(CLASS, [document("old", RIVER)], threshold=0.2)))
    again = kept_view(small_batch())
    assert again.kind == "batch" and again.collection.pairs and len(again.checks) == len(CLASS)


def test_the_view_of_a_deduplication_comes_back(tmp_path):
    corpus = tmp_path / "crawl.jsonl"
    lines = [
        json.dumps({"id": str(i), "text": text})
        for i, text in enumerate((RIVER, edited(RIVER), MARKET, MARKET))
    ]
    corpus.write_text("\n".join([*lines, "not json"]))
    view = view_of_dedup(lw.dedup(corpus, threshold=[0.4, 0.99], skip_bad=True))
    assert kept_view(view).thresholds  # type: ignore[union-attr]
    assert view.unchecked.unread


def test_a_class_against_a_library_comes_back_whole_and_check_by_check(tmp_path):
    with Library(str(tmp_path / "library.db")) as library:
        library.add_texts({"market": MARKET})
        batch = check_batch(library, CLASS, unread=[Unread("x.pdf", Message("reading.empty_file"))])
    view = kept_view(batch_view(batch))
    assert view.unchecked.unread[0][2].key
    for check in batch.checks:
        kept(check)


def test_text_that_a_library_and_a_class_hold_in_common_comes_back(tmp_path):
    of_class = [document(f"d{i}", OWN, QUOTED, invented(300, seed=i)) for i in range(12)]
    with Library(str(tmp_path / "library.db")) as library:
        library.add_texts((f"t{i}", f"{MARKET} {invented(9, seed=99 + i)}") for i in range(300))
        checks = [library.check(document("mine", MARKET, invented(300, seed=50)))]
        checks += check_batch(library, of_class).checks
    for check in checks:
        assert "common" in {exclusion.reason for exclusion in kept(check).exclusions}


VALUES = st.recursive(
    LETTERS | st.integers(),
    lambda values: (
        st.lists(values, max_size=3).map(tuple)
        | st.builds(Message, key=LETTERS, values=st.dictionaries(LETTERS, values, max_size=3))
    ),
    max_leaves=12,
)


@given(
    st.builds(Message, key=LETTERS, values=st.dictionaries(LETTERS, VALUES, max_size=4)), LETTERS
)
def test_messages_within_messages_come_back(message, name):
    view = small_batch().checks[-1]
    note = NoteView(name, "kind", "message", True, False, (Span(0, 1),), (1, 2), message)
    kept_view(replace(view, notes=(note,)))


# What cannot be read

CHECK, REPORT = f"likewise check {SCHEMA}\n".encode(), f"likewise report {SCHEMA}\n".encode()


def compressed(text: str) -> bytes:
    return zstandard.ZstdCompressor().compress(text.encode())


def lines_of(data: bytes) -> list[Any]:
    """What stands behind the head."""
    plain = zstandard.ZstdDecompressor().decompress(data.partition(b"\n")[2])
    return [json.loads(line) for line in plain.decode().split("\n")]


def with_lines(lines: list[Any]) -> bytes:
    return CHECK + compressed("\n".join(map(json.dumps, lines)))


def test_a_newer_format_asks_for_a_newer_likewise():
    data = pack_check(some_check())
    newer = data.replace(CHECK, f"likewise check {SCHEMA + 1}\n".encode())
    with pytest.raises(Unreadable, match=r"newer Likewise.* bring it up to date") as problem:
        unpack_check(newer)
    assert isinstance(problem.value, LikewiseError)


def test_a_report_is_no_check_and_the_other_way_round():
    check = some_check()
    with pytest.raises(Unreadable, match="hold a report, and a check was asked for"):
        unpack_check(pack_view(view_of_check(check)))
    with pytest.raises(Unreadable, match="hold a check, and a report was asked for"):
        unpack_view(pack_check(check))


@given(st.data())
def test_a_changed_byte_is_noticed_or_harmless(data):
    check = some_check_once()
    packed = bytearray(pack_check(check))
    place = data.draw(st.integers(0, len(packed) - 1) | st.integers(0, 40))
    packed[place] ^= 1 << data.draw(st.integers(0, 7))
    try:
        assert everything(unpack_check(bytes(packed))) == everything(check)
    except Unreadable as problem:
        assert "kept" in str(problem) or "asked for" in str(problem)


def test_bytes_that_were_cut_short_or_go_on_are_damaged():
    packed = pack_check(some_check())
    for end in (0, 5, len(CHECK), len(CHECK) + 3, len(packed) // 2, len(packed) - 1):
        with pytest.raises(Unreadable, match="kept"):
            unpack_check(packed[:end])
    with pytest.raises(Unreadable, match="damaged"):
        unpack_check(packed + b"more")


@given(st.binary(max_size=200))
def test_any_other_bytes_are_refused(data):
    for unpack in (unpack_check, unpack_view):
        with pytest.raises(Unreadable):
            unpack(data)
    for head, unpack in ((CHECK, unpack_check), (REPORT, unpack_view)):
        with pytest.raises(Unreadable):
            unpack(head + data)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "null", "7", "not json", '{"kind": "poem"}', '{"kind": []}', "{}\n[]"),
        *("[" * 100_000, '{"name": ' * 100_000, "9" * 5000, '{"kind": "check"}\n{}'),
    ],
    ids=lambda text: text[:20],
)
def test_json_that_is_no_result_is_refused(text):
    for head, unpack in ((CHECK, unpack_check), (REPORT, unpack_view)):
        with pytest.raises(Unreadable, match="damaged"):
            unpack(head + compressed(text))


def wrong(change: Callable[[dict[str, Any]], object]) -> bytes:
    first, *documents = lines_of(pack_check(some_check_once()))
    change(first)
    return with_lines([first, *documents])


@pytest.mark.parametrize(
    "change",
    [
        lambda check: check.pop("name"),
        lambda check: check.update(name=7),
        lambda check: check.update(document=99),
        lambda check: check.update(document=-1),
        lambda check: check.update(sources={}),
        lambda check: check.update(skipped=["a", None]),
        lambda check: check["shares"].update(similar="much"),
        lambda check: check["settings"].update(shingle=-5),
        lambda check: check["exclusions"][0].update(reason="whim"),
        lambda check: check["exclusions"][0].update(span={"start": 9, "end": 3}),
        lambda check: check.update(notes=[["name without a note"]]),
    ],
)
def test_values_that_do_not_fit_are_refused(change):
    with pytest.raises(Unreadable, match="damaged"):
        unpack_check(wrong(change))


def test_few_bytes_cannot_ask_for_much_memory():
    for told in ({"size": LARGEST + (1 << 20)}, {}):  # the size said beforehand, or not at all
        packer = zstandard.ZstdCompressor().compressobj(**told)
        block = b" " * (1 << 20)
        parts = [packer.compress(block) for _ in range((LARGEST >> 20) + 1)]
        bomb = CHECK + b"".join([*parts, packer.flush()])
        assert len(bomb) < 1 << 20
        with pytest.raises(Unreadable, match="damaged"):
            unpack_check(bomb)


# Months later


def test_a_field_that_came_later_has_its_default_and_one_from_the_future_is_passed_over():
    data = wrong(lambda told: [told.pop("partners"), told.update(colour="green")])
    assert unpack_check(data) == some_check_once()


# A check as the first format kept it: it must be shown for as long as Likewise lives.
OF_FORMAT_1 = """
bGlrZXdpc2UgY2hlY2sgMQootS/9ZLMPhSwAmk18DTFwSZsDSHUaCBJQVU9a9JMlMqJ3JpKGRPZOIqdv04HoqvBfsUsQ9P+/2T
LbZ6r63WUBzADMAMUATu9z2sXIC6WIlrPlIGbjND30+Tnt2qtjUWbu26kKEGDRxxF+zXFN8qeTCOTYjhk6+wy61DDXRBjFbWc5
xixEu43tSxWDu9ZCYLatuI+q96JeFDLrSNWjF/qOfD1i8+MsbFQ9JkVisShDX4+Ly0COqIMwqqYHhcOirBeNcOOvThzO/i+kSi
OWswTjWDDyVzUxGix6K4JVKRhHjyKoanBYLBoBFAaG8vDAoHAIAPe5x70qRUKx6Nt2joOuk0Wf4bZXpTEiJrjdo4vys62TDNk4
OTyubSAe6qH0bRSB1eF4/ETv8WAohkM9FKU4Fg71UCiFQ3L4Dn0vjAzDVSiUY5os2tG0WCYRHKP3AoIc5Bd9yOypLvrcRmaqFD
Jbhvo7KZReyN1PE+N5e4YtqvqFcNr1Mm8XQ9cwhDQ+16yNYF2UeYvMr6phwahqYFD8/Tbc1qtqsHaSKoZF1aLRddT+PL4aDRHR
aX4Q7Z7mBkkaRDuHAKPnzCP5f9s4xzEIyCF7GALy+Ko4gnHRb5DkOf54U/VQCESVRlCVNmsUbqX8CKWEoZPtIO7lP3eoXfz8ds
iNG5JSxshbdNK/w5W9K9lzbeVm/MiJBqSEQCYgvUw+DpuUrLT5zQyuk9BxxJ98z0USsuTvQc6QgphbSw5Zbj4/LvLjn6w3eblU
z231QiafHYS7Mrp02kHosw9kgtvjJ2OYjSfHdVJyCLdzszmRw8if5BbzObL8EnLEweTGQBcFMD2mSReKQlGW6CSqUhaLMgalgo
UJFihYkHAhgp4toItK4ELGPZ04OsKFVE0NMzFyiA4OCxoYlG0fG35T5GdiLMrOQvHZaUegi0K7dMFQlIYCG6hShoODgqGhtFcY
jYaFKn1oKA1V2l4S4QFVumj3S0CVPpBUCFTpAk+gEychWZYSyIpebjITXbZ7K8mbi58tPzoYefN81gwxg5AASZPyIe8JMsEYit
tiQpa/Jb1NCXNGxeY4llLC5EsMV7LnL0ZnsiHPPZnv8Wfz4w4y8Y07XH4rf1t2lB//Pddku4sb3zW4UYRPlixz0EC2gn7QDxIc
SY/5kCPsHjMvoTcBgO+o4SBzDCkzJCIKkhQk6SBCohCqMg8SwHYhps7MiEiQFKQkhfrPdM+hBCypYgbc4FcQB6hEpRQVrhb72/
MJCQZJvkYyoDl6/ICL8Rr962w/o8FYzm9lsJM8FxWTA2sAwceC4iSktBtAAjVC0ZvLYrViX7pG0D6ZUP1DcmfMTDkIBqDZlo/H
Yg0YUCelfCZpziSGLCAVDisu9OWBTPhgPd5MAnqnFCnFVSSiRNNAoXMniDRJqDpYsQdQUQwkrOsh7ny8vFyntwhGEHjAoZKzMp
TeCH5IozwFZ3uDegbDicb+nMC3VliRs4F+m+DHVWQfUpBCDdkKgjpUdX8OYJchLhUS+iy6wHfEr6jfJ+v40VPsUt0ZkrR2cpYm
umqXw7GzDeojAM7Gs2N5HaR9/NInlsrAUUZxlfqW0nR+vA/fi2UbKLAxTOFnVkQSSKfUiOyx4vJXPGVIJ4VmGw6NvIT9MJAkfR
lRHHLJaBT6BHqsG0UsTwa2D9JZ5sBb2cHgUKUl+QmWlomJofeK9ip5eUBtcAr3EsNc96ayUW6/2p2IZYGuzp7WnQXQrUKESsAk
hFzelqDJAHS1nrUjdhCUl5HAZfFtbN5Lc59vez7KQn2ZF+QeGyFk8LJos/ibTL5D+gc5bF/qx5nmLgj/JbO/djtNNNsFUw9cf4
0tubAkZF+jwr2xJvkJgcYb1yeWHWLs1vPdlj3WvClkrityR4sFxFdBFv2sxWciJFXy7VN0ixoO5snX
"""


def test_a_check_of_the_first_format_is_still_shown():
    check = unpack_check(b64decode(OF_FORMAT_1))
    view = view_of_check(check)
    assert (view.document.name, view.sources[0].text.name) == ("mine.txt", "b.docx")
    assert view.document.stretches[0][1] == f"{RIVER}\n\n{MARKET}"
    assert [exclusion.reason for exclusion in check.exclusions] == ["reader"]
    assert (view.partners[0].name, view.partners[0].told) == ("өзен", {"year": "2021"})
    assert view.tables[0].caption_b == "Rivers" and view.shares_before.similar == view.shares.whole
    assert 0.9 < check.shares.similar < 1 and check.sources[0].match.documents[0] is check.document


STORED = Path(__file__).parent.parent / "files" / "results"  # by the Likewise before schema 3


def test_a_check_of_the_second_format_is_still_shown():
    check = unpack_check((STORED / "check-2.bin").read_bytes())
    view = view_of_check(check)
    assert view.document.author == "Ә. Нұр" and view.document.stretches[0][1].startswith(OWN)
    names = {source.text.name for source in view.sources}
    assert names == {"a", "half \ud800", "b", "b.docx"}
    assert {exclusion.reason for exclusion in view.exclusions} == {"common", "quotation", "reader"}
    assert view.shares_before.similar > view.shares.similar
    assert check.document.notes[0].spans == (Span(3, 9),)
    assert [one.provider for one in view.asked] == ["Crossref", "OpenAlex"]
    assert (view.partners[0].name, view.unchecked.unread[0][0]) == ("өзен", "x.pdf")
    assert view.tables[0].caption_b == "Rivers" and check.asked[0].on.year == 2026


def test_a_report_of_the_second_format_is_still_shown():
    view = unpack_view((STORED / "batch-2.bin").read_bytes())
    assert view.kind == "batch" and len(view.checks) == len(CLASS) and view.collection.pairs
    assert view.checks[0].passages[0].words > 5 and view.checks[0].sources[0].text.stretches


def test_paraphrased_passages_of_the_third_format_open_as_rewritten():
    check = unpack_check((STORED / "check-3.bin").read_bytes())
    kinds = [passage.kind for source in check.sources for passage in source.passages]
    assert sorted(kinds) == ["edited", "rewritten", "verbatim"]
    assert {passage.kind for passage in view_of_check(check).passages} == set(kinds)
    view = unpack_view((STORED / "batch-3.bin").read_bytes())
    assert isinstance(view, BatchView)
    assert [passage.kind for passage in view.checks[2].passages] == [
        *("verbatim", "rewritten", "edited")
    ]
    assert not holds_any(pack_view(kept_view(view)), [b"paraphrased"])


def sum_of_wordings(view: CheckView) -> int:
    return sum(getattr(view.wordings, each) for each in WORDINGS)


@pytest.mark.parametrize("stored", ["check-2.bin", "check-3.bin"])
def test_older_checks_get_their_wordings_from_the_texts(stored):
    check = unpack_check((STORED / stored).read_bytes())
    shares, wordings = check.shares, check.wordings
    assert sum(astuple(wordings)) == pytest.approx(shares.similar) and shares.similar
    view = view_of_check(check)
    assert sum_of_wordings(view) == view.shares.similar
    again = without(check, spans=[Span(0, 0)])  # counted anew
    assert again.wordings == wordings and again.literal == pytest.approx(check.literal, abs=0.05)


def test_where_the_text_of_a_source_was_erased_the_share_of_unchanged_words_tells_it():
    data = (STORED / "check-3.bin").read_bytes()
    first, *documents = lines_of(data)
    for line in documents[1:]:
        line["text"] = redact_text(line["text"])
    old = b"likewise check 3\n" + compressed("\n".join(map(json.dumps, [first, *documents])))
    check = unpack_check(old)
    (edited_one,) = (p for s in check.sources for p in s.passages if p.kind == "edited")
    (unchanged,) = edited_one.unchanged
    assert len(unchanged) == round(edited_one.literal * len(edited_one.a))
    assert sum(astuple(check.wordings)) == pytest.approx(check.shares.similar)


def test_older_reports_get_their_wordings_too():
    for stored in ("batch-2.bin", "batch-3.bin"):
        view = unpack_view((STORED / stored).read_bytes())
        assert isinstance(view, BatchView)
        for check in view.checks:
            assert sum_of_wordings(check) == check.shares.similar
            assert sum(check.segments.visible) == check.shares.whole
        assert any(check.wordings.reworded for check in view.checks)
        kept_view(view)


def test_a_kind_that_nobody_knows_is_refused():
    def change(told: dict[str, Any]) -> None:
        told["sources"][0]["passages"][0]["kind"] = "dreamt"

    with pytest.raises(Unreadable, match="damaged"):
        unpack_check(wrong(change))
