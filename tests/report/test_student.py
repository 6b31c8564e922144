"""A report for a student: no word of a closed source that does not stand in the own text."""

from __future__ import annotations

import re
from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import HealthCheck, example, given, settings

import likewise as lw
from likewise.model import Check, Document, Message, Note, Partner, Span
from likewise.report.json import json_of
from likewise.report.redaction import ANOTHER_SUBMISSION
from likewise.report.student import (
    FEWEST_WORDS,
    check_for_student,
    student_view,
    web_pages,
)
from likewise.report.view import CheckView
from likewise.results import Decision, check_summary
from tests.library.texts import invented

SENTENCES = [invented(14, seed=seed) for seed in range(12)]
# Each name and secret word is told from all others by its number.
SECRETS = [f"qwx{n}zzy" for n in range(40)]


def document(name: str, sentences: list[int], secrets: list[int]) -> Document:
    parts = [SENTENCES[n] for n in sentences]
    for place, n in enumerate(secrets):
        parts.insert(
            (3 * place + n) % (len(parts) + 1), f"Here {SECRETS[n]} walks alone, {n} times."
        )
    return Document(
        name=f"{name}_{len(secrets)}_assignsubmission_file_/{name} secret.txt",
        text=" ".join(parts),
        meta={"author": f"author-{name}", "title": f"title-{name}"},
        language="en",
    )


def words_of(data: bytes | str) -> set[str]:
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    return set(re.findall(r"\w{4,}", text.casefold()))


def shown(view: CheckView) -> set[str]:
    return words_of(json_of(view))


sentences = st.lists(st.integers(0, len(SENTENCES) - 1), min_size=1, max_size=8)
secrets = st.lists(st.integers(0, len(SECRETS) - 1), min_size=1, max_size=4)
others = st.lists(st.tuples(sentences, secrets), min_size=1, max_size=4)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sentences, others, st.sets(st.integers(0, 3)), st.sampled_from((0, FEWEST_WORDS)))
@example([0, 1, 2], [([0, 1, 2], [1]), ([2, 0, 1], [2])], {1}, 0)
def test_no_word_of_a_closed_source_is_told_that_is_not_an_own_one(
    own: list[int],
    texts: list[tuple[list[int], list[int]]],
    opened: set[int],
    fewest_words: int,
) -> None:
    mine = document("mine", own, [])
    theirs = [document(f"person{n}", *text) for n, text in enumerate(texts)]
    check = lw.check(mine, theirs)
    open_names = {one.name for n, one in enumerate(theirs) if n in opened}
    decided = student_view(check, open_names, name="essay.txt", fewest_words=fewest_words)
    told = shown(decided)
    for n, one in enumerate(theirs):
        if one.name in open_names:
            continue
        own_words = words_of(mine.text)
        own_words |= set[str]().union(
            *(words_of(each.text) for each in theirs if each.name in open_names)
        )
        assert not told & (words_of(one.text) - own_words)
        assert not {word for word in told if f"person{n}" in word}
    # Figures are those of the passages that are shown.
    student_check = check_for_student(
        check, open_names, name="essay.txt", fewest_words=fewest_words
    )
    whole = decided.shares.whole
    assert round(student_check.shares.similar * whole) == decided.shares.similar
    assert check_summary(student_check, "")
    if not fewest_words:
        assert student_check.shares == check.shares
    closed = [
        source for source in decided.sources if source.text.name.startswith(ANOTHER_SUBMISSION)
    ]
    for source in closed:
        assert (source.text.length, source.text.stretches, source.text.sha256) == (0, (), "")
        assert (source.measures, source.whole_b, source.covered_b) == (None, 0, 0)
    for passage in (*decided.passages, *decided.listings):
        if decided.sources[passage.source] in closed:
            assert (passage.b, passage.pages_b, passage.expected) == (Span(0, 0), None, None)
            assert not (passage.differs_a or passage.differs_b or passage.correspondences)
            assert fewest_words <= passage.words


def test_what_others_write_beside_the_same_passages_changes_nothing() -> None:
    """Two classes that hold the same of the own text look the same, byte by byte."""
    mine = document("mine", [0, 1, 2, 3], [])

    def told(names: str, seed: int, length: int) -> bytes:
        theirs = [
            Document.from_text(
                "\n\n".join((invented(length, seed=seed + n), SENTENCES[n], SENTENCES[n + 1])), name
            )
            for n, name in enumerate(names)
        ]
        view = student_view(lw.check(mine, theirs), set(), date="2026-11-19", name="essay.txt")
        return json_of(view)

    assert told("abc", 100, 40) == told("zyx", 300, 40) and b"another submission" in told("a", 1, 9)


def whole_check() -> Check:
    mine = document("mine", [0, 1, 2], [])
    theirs = document("person", [0, 1], [3])
    check = lw.check(mine, [theirs, document("skipped", [5], [4])])
    return replace(
        check,
        skipped=("secret skipped.txt",),
        notes=((theirs.name, Note("hidden text", Message.verbatim("a secret note"))), *check.notes),
        partners=(Partner("Secret University", "secret thesis", 0.5, 9, {"mail": "secret@x"}),),
        ids={theirs.name: 4711},
    )


def test_nothing_else_of_a_check_names_others() -> None:
    check = whole_check()
    told = json_of(student_view(check, set(), name="essay.txt"))
    assert b"secret" not in told.lower() and b"4711" not in told


def test_numbers_do_not_tell_what_is_left_out() -> None:
    long = " ".join(SENTENCES[:3])
    short = " ".join(invented(24, seed=77).split()[:24])
    mine = Document.from_text(f"{short} {SENTENCES[5]} {long}", "mine")
    theirs = [
        Document.from_text(f"{SENTENCES[6]} {short}", "one"),
        Document.from_text(f"{long} {SENTENCES[7]}", "two"),
    ]
    view = student_view(lw.check(mine, theirs), set(), fewest_words=FEWEST_WORDS)
    assert [source.text.name for source in view.sources] == [ANOTHER_SUBMISSION]
    alone = student_view(lw.check(mine, theirs[1:]), set(), fewest_words=FEWEST_WORDS)
    assert replace(view, made=alone.made) == alone


def test_what_a_reader_took_out_is_not_named() -> None:
    check = whole_check()
    (source,) = check.sources
    decision = Decision(source=source.name, span=None, by="Aigul", on="2026", reason="agreed")
    view = student_view(check, set(), [decision])
    assert (view.sources, view.taken_out, view.decisions) == ((), (), ())
    assert view.shares.similar == 0 and view.shares_before is None


def test_a_page_of_the_internet_is_open_and_who_claims_to_be_one_is_not() -> None:
    address = "https://example.org/steppe"
    page = replace(
        document("page", [0, 1], []), name=address, meta={"url": address, "fetched": "2026-11-19"}
    )
    false = replace(
        document("false", [2, 3], []),
        name="https://x_3_assignsubmission_file_/a.html",
        meta={"url": "https://x_3_assignsubmission_file_/a.html", "fetched": "2026-11-19"},
    )
    check = lw.check(document("mine", [0, 1, 2, 3], []), [page, false])
    assert web_pages(check) == {address}
    view = student_view(check, web_pages(check))
    names = {source.text.name: bool(source.text.stretches) for source in view.sources}
    assert names == {address: True, ANOTHER_SUBMISSION: False}
