"""A class: every document against the library, and all against each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete

from likewise.align import CheckOptions
from likewise.align.exclude import Exclusions
from likewise.errors import BadInput
from likewise.library import BatchSoFar, Filters, check_batch, find_own_file, schema
from likewise.library.batch import MOST_BESIDE
from likewise.model import Document

from .texts import MARKET, OWN, RIVER, invented

APART = invented(80, 4711)

FORM = (
    "Assignment of the third week. Describe in your own words a place that you remember from your "
    "childhood, who lived there, what they did for a living and what became of them afterwards. "
    "Write two pages at least, name every book and every neighbour who helped you, and hand the "
    "essay in before the bell rings on Thursday."
)


def document(name: str, *texts: str) -> Document:
    return Document.from_text("\n\n".join(texts), name)


def by_name(batch):
    return {check.name: check for check in batch.checks}


def test_sources_are_found_in_the_library_and_beside(library):
    library.add_texts({"river": RIVER})
    batch = check_batch(
        library,
        [document("a", OWN, RIVER), document("b", MARKET, invented(40, 1)), document("c", MARKET)],
    )
    found = by_name(batch)
    assert [source.name for source in found["a"].sources] == ["river"]
    assert [source.name for source in found["b"].sources] == ["c"]
    assert found["c"].shares.similar == 1
    assert {check.documents for check in batch.checks} == {3}, "one in the library, two beside"
    assert [(match.a, match.b) for match in batch.matches] == [("b", "c")]
    assert batch.matches[0].passages
    assert batch.names == {"a", "b", "c"}


def test_a_piece_that_stands_in_both_is_counted_once(library):
    library.add_texts({"river": RIVER})
    found = by_name(check_batch(library, [document("a", RIVER, OWN), document("b", RIVER)]))
    shares = found["a"].shares
    assert shares.original + shares.similar == pytest.approx(1)
    assert sum(source.counted for source in found["a"].sources) == pytest.approx(shares.similar)


def test_a_form_that_half_of_the_class_holds_counts_for_nobody(library):
    library.add_texts({"river": RIVER})
    of_class = [document(f"d{i}", FORM, invented(200, seed=i)) for i in range(12)]
    thief = document("thief", FORM, RIVER, OWN, MARKET, invented(99, 99))
    found = by_name(check_batch(library, [*of_class, thief]))
    assert {check.shares.similar for name, check in found.items() if name != "thief"} == {0}
    (exclusion,) = (e for e in found["d1"].exclusions if e.reason == "common")
    assert exclusion.holders == 13
    assert [source.name for source in found["thief"].sources] == ["river"]
    kept = by_name(check_batch(library, of_class, options=CheckOptions(Exclusions(common=False))))
    assert all(check.shares.similar > 0.05 for check in kept.values())


def test_a_text_that_the_whole_class_copied_is_no_form(library):
    of_class = [document(f"d{i}", MARKET, invented(5, seed=i)) for i in range(12)]
    found = check_batch(library, of_class).checks
    assert all(check.shares.similar > 0.8 for check in found)


def test_filters_templates_and_smallest_shares_hold_for_all(library):
    library.add_texts({"river": RIVER}, author="Nur")
    documents = [document("a", OWN, RIVER), document("b", invented(100, 1))]
    excused = check_batch(
        library, documents, options=CheckOptions(templates=(document("form", RIVER),))
    )
    assert by_name(excused)["a"].shares.similar == 0
    others = check_batch(library, documents, Filters(not_author="Nur"))
    assert by_name(others)["a"].shares.similar == 0
    large = check_batch(library, documents, options=CheckOptions(min_share=0.9))
    assert by_name(large)["a"].shares.similar == 0


@pytest.mark.parametrize("is_given", [True, False])
def test_neither_the_text_of_the_assignment_nor_a_form_makes_a_pair(library, is_given):
    innocent = [document(f"d{i}", FORM, invented(120, seed=i)) for i in range(10)]
    copied = invented(120, seed=77)
    others = [document("origin", FORM, copied), document("copy", FORM, copied, invented(20, 3))]
    options = CheckOptions(
        Exclusions(common=not is_given), templates=(document("form", FORM),) if is_given else ()
    )
    batch = check_batch(library, [*innocent, *others], options=options)
    assert [(match.a, match.b) for match in batch.matches] == [("copy", "origin")]
    assert [set(cluster.members) for cluster in batch.matches.clusters] == [{"copy", "origin"}]


def test_what_was_added_before_is_not_its_own_source(library, tmp_path: Path):
    from likewise.reading import read

    for name, text in (("a.txt", RIVER), ("b.txt", MARKET)):
        (tmp_path / name).write_text(text, "utf-8")
        library.add(tmp_path / name)
    places = {name: tmp_path / name for name in ("a.txt", "b.txt")}
    documents = [read(path) for path in places.values()]
    found = check_batch(library, documents, places=places).checks
    assert [check.shares.similar for check in found] == [0, 0]
    told = [
        str(note.message) for check in found for _, note in check.notes if note.kind == "itself"
    ]
    assert told[0] == "it is in the library itself, as document 1, and was not compared with that"
    assert len(told) == 2
    again = check_batch(library, documents).checks
    assert [check.shares.similar for check in again] == [1, 1]


def test_a_class_that_is_checked_once_more_is_not_its_own_source(library, tmp_path: Path):
    from likewise.reading import read

    def handed_in(folder: str, text: str) -> Document:
        path = tmp_path / folder / "essay.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return replace(read(path), name=f"{folder}/essay.txt")

    asel = handed_in("Asel Nur_701_assignsubmission_file_", RIVER)
    dana = handed_in("Dana Lee_702_assignsubmission_file_", MARKET)
    library.add([asel, dana], owner="teacher")
    again = check_batch(library, [asel, dana], handed_in_by="teacher").checks
    assert [check.shares.similar for check in again] == [0, 0]
    assert all([note.kind for _, note in check.notes] == ["itself"] for check in again)
    # Another student with the same file, and another teacher's class, are sources.
    thief = handed_in("Timur Ali_703_assignsubmission_file_", RIVER)
    found = by_name(check_batch(library, [thief, dana], handed_in_by="teacher"))
    assert found[thief.name].shares.similar == 1
    assert all(
        check.shares.similar == 1
        for check in check_batch(library, [asel, dana], handed_in_by="colleague").checks
    )
    nameless = replace(asel, name="essay.txt")
    library.add([nameless], owner="teacher")
    assert check_batch(library, [nameless], handed_in_by="teacher").checks[0].shares.similar == 1


def test_a_file_that_somebody_else_handed_in_too_stays_a_source(library, tmp_path: Path):
    from likewise.reading import read

    mine = tmp_path / "mine.txt"
    mine.write_text(RIVER, "utf-8")
    library.add(mine, owner="asel")
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / "other.txt"
    other.write_text(RIVER, "utf-8")
    library.add(other, owner="dana")
    assert find_own_file(library, read(mine), mine) == ()
    (check,) = check_batch(library, [read(mine)], places={"mine.txt": mine}).checks
    assert [source.name for source in check.sources] == ["mine.txt [1]"]
    assert not [note for _, note in check.notes if note.kind == "itself"]


def test_one_that_holds_pieces_of_very_many_others_has_all_as_sources(library):
    pieces = [invented(40, 3000 + n) for n in range(MOST_BESIDE + 20)]
    parts = [document(f"part {n}", piece) for n, piece in enumerate(pieces)]
    found = by_name(check_batch(library, [document("all", *pieces), *parts]))
    assert len(found["all"].sources) == len(parts)
    assert found["all"].shares.similar > 0.99


def test_a_damaged_text_stops_no_batch(library):
    library.add_texts({"river": RIVER, "market": MARKET})
    with library._store.writing() as (connection, _change):
        connection.execute(delete(schema.texts).where(schema.texts.c.document_id == 1))
    found = by_name(check_batch(library, [document("a", RIVER, MARKET), document("b", OWN)]))
    assert [source.name for source in found["a"].sources] == ["market"]
    assert [name for name, note in found["a"].notes if note.kind == "damaged"] == ["river"]


def test_what_has_no_text_is_named_and_names_are_told_apart(library):
    library.add_texts({"river": RIVER})
    batch = check_batch(library, [document("empty", " "), document("a", RIVER)])
    assert [(one.name, str(one.reason)) for one in batch.unread] == [
        ("empty", "there is no text in it to compare")
    ]
    assert [check.name for check in batch.checks] == ["a"]
    with pytest.raises(BadInput, match="two documents are called 'a'"):
        check_batch(library, [document("a", RIVER), document("a", MARKET)])


def test_a_source_of_the_same_name_as_a_neighbour_is_told_apart(library):
    library.add_texts({"b": RIVER})
    batch = check_batch(library, [document("a", RIVER, MARKET), document("b", MARKET)])
    names = {source.name for source in by_name(batch)["a"].sources}
    assert names == {"b", "b [1]"}


def test_a_batch_goes_on_without_checking_again(library):
    first = check_batch(library, [document("a", RIVER, OWN), document("b", invented(90, 2))])
    library.add_texts({"river": RIVER})  # a check that is done does not hear of it
    so_far = BatchSoFar(checks=first.checks)
    batch = check_batch(library, [document("c", RIVER, invented(90, 3))], so_far=so_far)
    found = by_name(batch)
    assert [found[name] for name in ("a", "b")] == list(first.checks)
    assert sorted(source.name for source in found["c"].sources) == ["a", "river"]
    assert [(match.a, match.b) for match in batch.matches] == [("a", "c")]
    assert batch.names == frozenset("abc") and found["c"].documents == 3
    again = check_batch(library, [], so_far=BatchSoFar(checks=batch.checks[:2]))
    assert again.checks == first.checks and len(again.matches) == 0


def test_documents_of_one_owner_are_no_sources_of_each_other_and_no_pair(library):
    owners = {"a": frozenset({"Asel"}), "a2": frozenset({"Asel", "team"}), "b": frozenset({"team"})}
    texts = [document(name, RIVER, invented(60, i)) for i, name in enumerate(("a", "a2", "b", "c"))]
    batch = check_batch(library, texts, so_far=BatchSoFar(owners=owners))
    sources = {check.name: {source.name for source in check.sources} for check in batch.checks}
    assert sources == {"a": {"b", "c"}, "a2": {"c"}, "b": {"a", "c"}, "c": {"a", "a2", "b"}}
    pairs = {(match.a, match.b) for match in batch.matches}
    assert pairs == {("a", "b"), ("a", "c"), ("a2", "c"), ("b", "c")}
    (cluster,) = batch.matches.clusters
    assert cluster.members == ("a", "a2", "b", "c")  # by those that they both are pairs with
    assert sum(batch.matches.histogram) == len(batch.matches) == 4


def test_a_batch_without_owners_has_the_pairs_of_one_whose_owners_all_differ(library):
    texts = [document(f"d{i}", RIVER if i % 2 else MARKET, invented(40, i)) for i in range(7)]
    texts += [document("copy 1", APART), document("copy 2", APART), document("copy 3", APART)]
    owners = {one.name: frozenset({one.name}) for one in texts}
    plain = check_batch(library, texts).matches
    owned = check_batch(library, texts, so_far=BatchSoFar(owners=owners)).matches
    assert list(owned) == list(plain) and owned.clusters == plain.clusters
    assert owned.histogram == plain.histogram


def test_what_is_no_source_is_left_out_of_the_library(library):
    (number,) = library.add_texts({"attempt 1": RIVER}).ids
    texts = [document("attempt 2", RIVER, OWN), document("other", RIVER, MARKET)]
    so_far = BatchSoFar(not_sources={"attempt 2": [number]})
    found = by_name(check_batch(library, texts, so_far=so_far))
    assert [source.name for source in found["attempt 2"].sources] == ["other"]
    assert "attempt 1" in {source.name for source in found["other"].sources}
