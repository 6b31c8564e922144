"""Fingerprints lent to partners: matches by document and share, and nothing for a stranger."""

from __future__ import annotations

import json
import stat
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import BadInput
from likewise.library import (
    Filters,
    Library,
    LibraryError,
    WrongRecipe,
    export_fingerprints,
    make_key,
    open_fingerprints,
    read_key,
    with_partners,
)
from likewise.library.encryption import sealed
from likewise.library.partners import _MAGIC, key_hashes
from likewise.model import Document
from likewise.settings import Settings

from .texts import MARKET, OWN, RIVER, invented


@pytest.fixture
def key(tmp_path: Path) -> bytes:
    make_key(tmp_path / "key")
    return read_key(tmp_path / "key")


@pytest.fixture
def lent(library: Library, key: bytes, tmp_path: Path) -> Path:
    """The fingerprints of a library of a river, a market and many others."""
    library.add_texts({"river": RIVER}, author="Ә. Нұр", year=2021, owner="dean")
    library.add_texts({"market": MARKET}, type="essay")
    library.add_texts({"market again": f"\n{MARKET}"}, year=2020)
    library.add_texts((f"t{i}", invented(100, seed=i)) for i in range(30))
    path = tmp_path / "campus.lwf"
    assert export_fingerprints(library, path, key, told=("name", "year"), label="Campus") == 32
    return path


def test_a_partner_sees_which_document_shares_how_much(lent, key):
    partner = open_fingerprints(lent, key)
    assert len(partner) == 32
    (found,) = partner.matches(f"{OWN} {RIVER}", Settings())
    assert (found.library, found.name) == ("Campus", "river")
    assert found.told == {"id": "1", "name": "river", "year": "2021"}
    assert 0.5 < found.share < 0.7
    (whole,) = partner.matches(MARKET, Settings())
    assert (whole.name, whole.share) == ("market", 1.0)
    assert partner.matches(OWN, Settings()) == ()
    assert partner.matches("", Settings()) == ()


def test_only_what_was_chosen_is_told(library, lent, key, tmp_path):
    path = tmp_path / "numbers.lwf"
    export_fingerprints(library, path, key)
    (found,) = open_fingerprints(path, key).matches(RIVER, Settings())
    assert (found.name, found.library, found.told) == ("document 1", "numbers", {"id": "1"})
    with pytest.raises(BadInput, match="no 'text' to tell"):
        export_fingerprints(library, path, key, told=("text",))


def test_filters_choose_what_is_lent(library, lent, key, tmp_path):
    path = tmp_path / "some.lwf"
    assert export_fingerprints(library, path, key, filters=Filters(year=2020), told=["name"]) == 1
    (found,) = open_fingerprints(path, key).matches(MARKET, Settings())
    assert found.name == "market again", "a copy stands for a first one that was not chosen"


def test_a_stranger_learns_nothing_but_the_length(library, lent, key, tmp_path):
    data = lent.read_bytes()
    for plain in (b"river", b"Campus", b"sketch1", b"2021", RIVER.encode()[:20]):
        assert plain not in data
    counts = np.bincount(np.frombuffer(data[16:], np.uint8), minlength=256)
    assert counts.max() < 3 * counts.mean(), "the bytes are like noise"
    again = tmp_path / "again.lwf"
    export_fingerprints(library, again, key, told=("name", "year"), label="Campus")
    same = np.frombuffer(again.read_bytes(), np.uint8) == np.frombuffer(data, np.uint8)
    assert same.mean() < 0.05, "two exports of the same library look different"


def test_another_key_and_a_changed_file_are_refused(lent, key, tmp_path):
    make_key(tmp_path / "other")
    with pytest.raises(LibraryError, match="the key does not fit"):
        open_fingerprints(lent, read_key(tmp_path / "other"))
    data = bytearray(lent.read_bytes())
    data[len(data) // 2] ^= 1
    lent.write_bytes(data)
    with pytest.raises(LibraryError, match="the file was changed"):
        open_fingerprints(lent, key)
    lent.write_bytes(data[:40])
    with pytest.raises(LibraryError, match="the file was changed"):
        open_fingerprints(lent, key)
    lent.write_bytes(b"something else")
    with pytest.raises(BadInput, match="no file of fingerprints"):
        open_fingerprints(lent, key)


def test_another_recipe_is_refused(lent, key):
    with pytest.raises(WrongRecipe, match="another recipe than ours"):
        open_fingerprints(lent, key).matches(RIVER, Settings(shingle=4))


def test_a_check_goes_on_where_a_partner_has_other_stop_words(library, lent, key):
    partner = open_fingerprints(lent, key)
    check = library.check(Document.from_text(RIVER, name="mine"))
    assert with_partners(check, [partner]).partners
    library.set_stop_words("en", ["the", "river"])
    library.rebuild()
    check = with_partners(library.check(Document.from_text(RIVER, name="mine")), [partner])
    assert check.sources and not check.partners
    (note,) = [note for _, note in check.notes if note.kind == "partner"]
    assert str(note.message).startswith("Campus: ") and "stop words" in str(note.message)


def test_keyed_fingerprints_depend_on_the_key_and_meet_with_the_same(key):
    hashes = np.arange(100, dtype=np.uint64)
    assert (key_hashes(hashes, key) == key_hashes(hashes, key)).all()
    assert not np.isin(key_hashes(hashes, key), key_hashes(hashes, bytes(32))).any()
    assert not np.isin(key_hashes(hashes, key), hashes).any()


def test_a_key_is_for_its_owner_and_long_enough(tmp_path):
    path = tmp_path / "key"
    make_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(BadInput, match="never overwritten"):
        make_key(path)
    path.chmod(0o600)
    path.write_text("secret\n", "utf-8")
    with pytest.raises(BadInput, match="a key of 6 bytes can be guessed"):
        read_key(path)
    with pytest.raises(BadInput, match="No such file"):
        read_key(tmp_path / "nowhere")


def test_a_library_without_documents_lends_nothing(library, key, tmp_path):
    path = tmp_path / "empty.lwf"
    assert export_fingerprints(library, path, key) == 0
    assert open_fingerprints(path, key).matches(RIVER, Settings()) == ()


# Files that somebody with the key has written, or a disk has spoilt before they were sealed


KEY = b"k" * 32
GOOD: dict[str, Any] = {
    "recipe": "r",
    "label": "Campus",
    "documents": [{"id": 1}, {"id": 2, "name": "river"}],
    "counts": [2, 1],
}
PRINTS = np.arange(3, dtype="<u8").tobytes()


def opened(content: bytes) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "partner.lwf")
        path.write_bytes(sealed(content, KEY, _MAGIC))
        return open_fingerprints(path, KEY)


def written(head: object, prints: bytes = PRINTS) -> bytes:
    content = json.dumps(head).encode()
    return len(content).to_bytes(8, "little") + content + prints


def test_a_good_head_is_read() -> None:
    assert len(opened(written(GOOD))) == 2


ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 1 << 62, 1 << 64, 10**400, "", "x", [], {}, [None], [-1, 4]),
    *([1 << 63, 3], [True, 2], [2, 1, 0], [1.0, 2], ["2", "1"], {"0": 2}, [{}], [{"id": None}]),
    *([[{"id": 1}], {"id": 2}], [{"id": "1"}, {"id": 2}], [{"id": True}, {"id": 2}]),
)


@pytest.mark.parametrize("name", ["recipe", "label", "documents", "counts"])
def test_a_head_with_a_key_that_is_missing_or_odd_is_refused_in_words(name: str) -> None:
    left = {key: value for key, value in GOOD.items() if key != name}
    heads = [left, *(left | {name: odd} for odd in ODD)]
    for head in heads:
        if isinstance(head.get(name), str) and name in ("recipe", "label"):
            continue  # any text is a label
        with pytest.raises(LibraryError, match="the file cannot be used"):
            opened(written(head))


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\0", b"\xff" * 8, b"\xff" * 100, bytes(8), (2).to_bytes(8, "little") + b"[]"),
        *((n).to_bytes(8, "little") + b"[" * n for n in (10, 100_000)),
        (9).to_bytes(8, "little") + b"\xff\xfe{}notjs",
        written(GOOD)[:-1],
        written(GOOD) + b"\0",
        written(GOOD, b""),
        written([GOOD]),
        written("head"),
    ],
)
def test_content_that_is_no_file_of_ours_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(LibraryError, match="the file cannot be used"):
        opened(content)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(
    head=st.fixed_dictionaries({}, optional={name: values | st.just(GOOD[name]) for name in GOOD}),
    prints=st.binary(max_size=40) | st.just(PRINTS),
    cut=st.integers(0, 400),
)
def test_whatever_a_file_holds_it_is_read_or_refused_in_words(
    head: dict[str, Any], prints: bytes, cut: int
) -> None:
    content = written(head, prints)
    for some in (content, content[:cut]):
        try:
            partner = opened(some)
        except LibraryError as error:
            assert "the file cannot be used" in str(error)
        else:
            for text in (RIVER, ""):
                with pytest.raises(WrongRecipe):
                    partner.matches(text, Settings())
