"""What a library tells about some collections depends on their documents alone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.library import Library, back_up, copy_library, restore
from likewise.model import Document
from tests.library.places import empty_place
from tests.library.texts import invented
from tests.security.worlds import (
    ASKING,
    AUTHORS,
    MINE,
    MINE_TOO,
    SENTENCES,
    THEIRS,
    Added,
    add_all,
    figures,
    histories,
    make_collections,
)

SEEN = ("", MINE, MINE_TOO)
CUTS = st.fixed_dictionaries(
    {
        "likewise.library.candidates.FEW_HOLDERS": st.sampled_from((1, 2, 4, 256)),
        "likewise.library.candidates.MOST_FOLLOWED": st.sampled_from((5, 20, 100_000)),
        "likewise.library.filter_matcher._FEW_TEXTS": st.sampled_from((0, 500)),
        "likewise.library.filter_matcher._POSTINGS_AT_ONCE": st.sampled_from((3, 1 << 19)),
        "likewise.library.tables.MOST_COMPARED": st.sampled_from((1, 100)),
        "likewise.library.tables._MOST_CANDIDATES": st.sampled_from((1, 2_000)),
        "likewise.library.tables.MOST_REBUILT": st.sampled_from((1, 200)),
        "likewise.library.index.TAIL": st.sampled_from((8, 1 << 17)),
    }
)


@contextmanager
def two_worlds(history: list[Added]) -> Iterator[tuple[Library, Library]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="likewise-")))
        worlds = []
        for with_hidden in (False, True):
            library = stack.enter_context(Library(folder / f"{with_hidden}.db"))
            make_collections(library, dict.fromkeys((MINE, MINE_TOO), None))
            if with_hidden:
                make_collections(library, {THEIRS: None})
            add_all(library, history, with_hidden=with_hidden)
            worlds.append(library)
        yield worlds[0], worlds[1]


def candidates_of(library: Library, text: str, limit: int | None, **filters: Any) -> Any:
    found = library.candidates(text, limit=limit, collection=SEEN, **filters)
    ranked = [(one.entry.id, one.shared, one.share, one.copies) for one in found.ranked]
    return ranked, found.common, found.common_share, found.beyond, found.phrases


def check_of(library: Library, document: Document, **how: Any) -> Any:
    found = library.check(document, collection=SEEN, **how)
    return (
        found.shares,
        found.sources,
        found.exclusions,
        found.notes,
        found.documents,
        dict(found.ids),
        [(name, match.score, match.b) for name, match in found.tables],
        sorted(found.texts),
    )


def duplicates_of(library: Library, measure: Any) -> Any:
    found = library.duplicates(collection=SEEN, threshold=0.1, measure=measure)
    return list(found), found.clusters, found.documents, found.without_fingerprints


@given(
    history=histories(),
    asked=st.lists(st.integers(0, 5), min_size=1, max_size=6),
    limit=st.sampled_from((1, 2, None)),
    author=st.sampled_from([name for name in AUTHORS if name]),
    table=st.integers(0, 2),
    cuts=CUTS,
)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_candidates_checks_and_tables_are_the_same_with_and_without_what_others_hide(
    history, asked, limit, author, table, cuts
):
    text = "\n".join(SENTENCES[n] for n in asked)
    document = Document("question.txt", text, tables=(figures(table),))
    with pytest.MonkeyPatch.context() as patch, two_worlds(history) as (without, with_them):
        for name, value in cuts.items():
            patch.setattr(name, value)
        for filters in ({}, {"not_author": author}, {"not_owner": ASKING}, {"type": "essay"}):
            assert candidates_of(without, text, limit, **filters) == candidates_of(
                with_them, text, limit, **filters
            )
            assert check_of(without, document, **filters) == check_of(
                with_them, document, **filters
            )
        for measure in ("jaccard", "containment"):
            assert duplicates_of(without, measure) == duplicates_of(with_them, measure)
        listed = [library.list(collection=SEEN).entries for library in (without, with_them)]
        plain = [[(one.id, one.name, one.author, one.words) for one in some] for some in listed]
        assert plain[0] == plain[1]
        assert with_them.verify() == ()


# The holes that were found, each by itself.


def filled(library: Library, **hidden: str) -> Library:
    make_collections(library, {MINE: None, THEIRS: None})
    library.add_texts({"river": f"{SENTENCES[0]} {SENTENCES[1]}", "hill": SENTENCES[2]})
    if hidden:
        library.add_texts(hidden, collection=THEIRS, author="Secret Name")
    return library


@pytest.fixture
def library(place: str, own_cache: Path) -> Iterator[Library]:
    with Library(place) as opened:
        yield opened


def test_what_is_beyond_a_limit_is_counted_among_what_may_be_read(library):
    filled(library, a=SENTENCES[0], b=SENTENCES[0] + SENTENCES[3])
    found = library.candidates(SENTENCES[0], limit=1, collection=("", MINE))
    assert ([one.name for one in found.ranked], found.beyond) == (["river"], 0)
    assert library.candidates(SENTENCES[3], limit=1, collection=("", MINE)).beyond == 0


def test_a_name_that_only_others_know_is_nobodys(library):
    filled(library, a=SENTENCES[0])
    for name in ("Secret Name", "Somebody Else"):
        check = library.check(
            Document.from_text(SENTENCES[0], "q"), collection=("", MINE), not_author=name
        )
        assert [note.kind for _, note in check.notes] == ["no such person"]
    theirs = library.check(
        Document.from_text(SENTENCES[0], "q"), collection=THEIRS, not_author="secret name"
    )
    assert theirs.notes == () and theirs.sources == ()


def test_numbers_tell_nothing_of_other_collections(library):
    filled(library, a=SENTENCES[0], b=SENTENCES[1], c=SENTENCES[3])
    of_all = library.add_texts({"next": SENTENCES[4]}).ids
    assert of_all == (3,)
    first = library.add_texts({"one": SENTENCES[4]}, collection=MINE).ids
    library.add_texts({"d": SENTENCES[5]}, collection=THEIRS)
    second = library.add_texts({"two": SENTENCES[5]}, collection=MINE).ids
    assert second[0] == first[0] + 1 and first[0] > 1 << 40
    library.remove(*second)
    (third,) = library.add_texts({"three": SENTENCES[5]}, collection=MINE).ids
    assert third == second[0] + 1, "numbers are never given again"
    assert library.verify() == ()


def test_the_first_of_a_text_may_have_the_higher_number_and_goes_along_everywhere(
    library, tmp_path, engine_name, request
):
    filled(library, a=SENTENCES[4])
    library.add_texts({"b": SENTENCES[4]}, collection=MINE)
    (number,) = library.add_texts({"c": SENTENCES[4]}).ids
    assert library.entry(number).copy_of > number
    first_of = [one.copy_of for one in library.list().entries]
    with empty_place(engine_name, tmp_path, request) as target:
        copy_library(library, target)
        with Library(target) as copied:
            assert copied.verify() == ()
            assert [one.copy_of for one in copied.list().entries] == first_of
        back_up(library, tmp_path / "backup.db")
        restore(tmp_path / "backup.db", target)
        with Library(target) as restored:
            assert restored.verify() == ()
            found = restored.candidates(SENTENCES[4], collection=("", MINE))
            assert [(one.id, len(one.copies)) for one in found.ranked] == [(number, 1)]


def test_a_text_broken_at_a_line_end_keeps_its_own_fingerprints(library):
    words = invented(40, seed=99).split()
    broken = " ".join(words[:20]) + "-\n" + " ".join(words[20:])
    spaced = " ".join(words[:20]) + "- " + " ".join(words[20:])
    library.add_texts({"hidden": broken})
    added = library.add_texts({"seen": spaced})
    assert added.copies == 0
    assert library.verify() == ()
    assert library.add_texts({"again": spaced + "\n"}).copies == 1


def test_queries_to_the_web_are_chosen_without_what_others_hide(library):
    from likewise.internet import plan_of
    from likewise.library import Filters

    question = Document.from_text(" ".join(SENTENCES), "q")

    def queries() -> Any:
        plan = plan_of(question, (), library=library, filters=Filters(collection=("", MINE)))
        return plan.words, plan.parts

    filled(library)
    before = queries()
    library.add_texts({f"{n}": f"{SENTENCES[5]} {n}" for n in range(30)}, collection=THEIRS)
    assert queries() == before
