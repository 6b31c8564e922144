"""Fingerprints lent to partners: matches by document and share, and nothing for a stranger."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import stat
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

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
    schema,
    with_partners,
)
from likewise.library.encryption import (
    DecryptionError,
    decrypt_format_1,
    read_encrypted,
    write_encrypted,
)
from likewise.library.partners import _MAGIC, _MAGIC_1, key_hashes
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
    assert export_fingerprints(library, path, key, fields=("name", "year"), label="Campus") == 32
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
        export_fingerprints(library, path, key, fields=("text",))


def test_filters_choose_what_is_lent(library, lent, key, tmp_path):
    path = tmp_path / "some.lwf"
    assert export_fingerprints(library, path, key, filters=Filters(year=2020), fields=["name"]) == 1
    (found,) = open_fingerprints(path, key).matches(MARKET, Settings())
    assert found.name == "market again", "a copy stands for a first one that was not chosen"


def test_what_documents_are_about_is_not_lent(library, lent, key, tmp_path):
    before = read_encrypted(io.BytesIO(lent.read_bytes()), key, _MAGIC)
    with library.store.writing() as (connection, _change):
        assert connection.execute(delete(schema.concept_blocks)).rowcount == 33
    path = tmp_path / "without.lwf"
    export_fingerprints(library, path, key, fields=("name", "year"), label="Campus")
    assert read_encrypted(io.BytesIO(path.read_bytes()), key, _MAGIC) == before


def test_a_stranger_learns_nothing_but_the_length(library, lent, key, tmp_path):
    data = lent.read_bytes()
    for plain in (b"river", b"Campus", b"sketch1", b"2021", RIVER.encode()[:20]):
        assert plain not in data
    counts = np.bincount(np.frombuffer(data[16:], np.uint8), minlength=256)
    assert counts.max() < 3 * counts.mean(), "the bytes are like noise"
    again = tmp_path / "again.lwf"
    export_fingerprints(library, again, key, fields=("name", "year"), label="Campus")
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


# Files that somebody with the key has written, or a disk has spoilt before they were encrypted


KEY = b"k" * 32
GOOD: dict[str, Any] = {
    "recipe": "r",
    "label": "Campus",
    "documents": [{"id": 1}, {"id": 2, "name": "river"}],
    "counts": [2, 1],
}
PRINTS = np.arange(3, dtype="<u8").tobytes()


def encrypted(content: bytes, key: bytes = KEY, magic: bytes = _MAGIC) -> bytes:
    file = io.BytesIO()
    write_encrypted(file, content, key, magic)
    return file.getvalue()


def opened(content: bytes) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "partner.lwf")
        path.write_bytes(encrypted(content))
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


# The file itself: whatever is done to it without the key, it opens whole or not at all

MAGIC, SALT, CHUNK, TAG = 16, 32, 1 << 16, 16
LONG = bytes(range(256)) * (3 * CHUNK // 256) + b"the end"


def decrypted(data: bytes, key: bytes = KEY) -> bytes:
    return read_encrypted(io.BytesIO(data), key, _MAGIC)


def chunks_of(data: bytes) -> tuple[bytes, list[bytes]]:
    head, rest, size = data[: MAGIC + SALT], data[MAGIC + SALT :], CHUNK + TAG
    return head, [rest[start : start + size] for start in range(0, len(rest), size)]


@pytest.mark.parametrize("length", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, len(LONG)])
def test_what_was_encrypted_is_read_back(length: int) -> None:
    data = encrypted(LONG[:length])
    chunks = max(1, -(-length // CHUNK))
    assert len(data) == MAGIC + SALT + length + TAG * chunks
    assert decrypted(data) == LONG[:length]


def test_the_construction_is_the_one_that_is_documented() -> None:
    """HKDF-SHA256 by RFC 5869, spelt out, and one chunk opened with the package alone."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    data = encrypted(b"river")
    header, body = data[: MAGIC + SALT], data[MAGIC + SALT :]
    extracted = hmac.digest(header[MAGIC:], KEY, "sha256")
    file_key = hmac.digest(extracted, b"likewise " + _MAGIC + b"\x01", "sha256")
    assert ChaCha20Poly1305(file_key).decrypt(bytes(11) + b"\x01", body, header) == b"river"


def test_two_files_of_the_same_content_have_nothing_in_common() -> None:
    one, other = encrypted(LONG), encrypted(LONG)
    same = np.frombuffer(one[MAGIC:], np.uint8) == np.frombuffer(other[MAGIC:], np.uint8)
    assert same.mean() < 0.01


def test_every_changed_byte_is_noticed() -> None:
    data = encrypted(b"a short content")
    for place in range(MAGIC, len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(DecryptionError):
            decrypted(bytes(changed))


def test_a_file_that_breaks_off_anywhere_is_refused() -> None:
    data = encrypted(LONG)
    ends = {MAGIC + SALT + n * (CHUNK + TAG) for n in range(4)}
    for end in sorted({0, MAGIC, MAGIC + SALT - 1, len(data) - 1, *ends, *(e + 5 for e in ends)}):
        if end < len(data):
            with pytest.raises(DecryptionError):
                decrypted(data[:end])
    with pytest.raises(DecryptionError):
        decrypted(data + b"\0")


def test_chunks_in_another_order_or_of_another_file_are_refused() -> None:
    header, chunks = chunks_of(encrypted(LONG))
    other_header, other_chunks = chunks_of(encrypted(LONG))
    for order in (
        [1, 0, 2, 3],
        [0, 2, 1, 3],
        [0, 1, 3],
        [0, 1, 2, 2, 3],
        [0, 1, 2],
        [3],
        [1, 2, 3],
    ):
        with pytest.raises(DecryptionError):
            decrypted(header + b"".join(chunks[k] for k in order))
    with pytest.raises(DecryptionError):
        decrypted(header + b"".join([*chunks[:2], other_chunks[2], chunks[3]]))
    with pytest.raises(DecryptionError):
        decrypted(other_header + b"".join(chunks))
    assert decrypted(header + b"".join(chunks)) == LONG


def test_who_has_the_key_hears_that_the_file_was_changed_and_others_that_theirs_may_be_wrong(
    tmp_path: Path,
) -> None:
    path = tmp_path / "long.lwf"
    data = encrypted(LONG)
    path.write_bytes(data[:-1])
    with pytest.raises(LibraryError, match="the key fits, but the file was changed or breaks off"):
        open_fingerprints(path, KEY)
    for whole in (data, data[:-1]):
        path.write_bytes(whole)
        with pytest.raises(LibraryError, match="the key does not fit, or the file was changed"):
            open_fingerprints(path, bytes(32))


# Format 1, in a file that was written before there was another

FORMAT_1 = Path(__file__).parent / "fingerprints-format-1.lwf"


@pytest.fixture
def old_key(tmp_path: Path) -> bytes:
    path = tmp_path / "old.key"
    path.write_text("a secret of two institutions\n", "ascii")
    return read_key(path)


def test_a_file_of_format_1_is_read(old_key: bytes) -> None:
    partner = open_fingerprints(FORMAT_1, old_key)
    assert partner.name == "Campus"
    assert partner.documents == (
        {"id": 1, "name": "river", "year": 2021},
        {"id": 2, "name": "market"},
    )
    content = decrypt_format_1(FORMAT_1.read_bytes(), old_key, _MAGIC_1)
    assert (
        hashlib.sha256(content).hexdigest()
        == "0f4ec3bfb4ac598b3fa118e3250bb3486ed807d3d2dc681358dc899b06f0be29"
    )


def test_a_check_with_a_file_of_format_1_says_that_a_new_one_is_needed(
    library: Library, old_key: bytes
) -> None:
    # By whatever recipe this machine makes fingerprints.
    partner = replace(open_fingerprints(FORMAT_1, old_key), recipe=library.settings.recipe())
    check = with_partners(library.check(Document.from_text(OWN, name="mine")), [partner])
    (note,) = [note for _, note in check.notes if note.kind == "partner"]
    assert str(note.message).startswith("Campus: ") and "format 1" in str(note.message)


def test_a_file_of_format_2_is_used_without_a_word(
    library: Library, lent: Path, key: bytes
) -> None:
    partner = open_fingerprints(lent, key)
    check = with_partners(library.check(Document.from_text(RIVER, name="mine")), [partner])
    assert [note for _, note in check.notes if note.kind == "partner"] == []


def test_a_file_of_format_1_that_was_changed_or_called_format_2_is_refused(
    old_key: bytes, tmp_path: Path
) -> None:
    data, path = FORMAT_1.read_bytes(), tmp_path / "old.lwf"
    changed = bytearray(data)
    changed[60] ^= 1
    for other in (bytes(changed), data[:-1], data[:40], data + b"\0", _MAGIC + data[16:]):
        path.write_bytes(other)
        with pytest.raises(LibraryError, match="the key does not fit, or the file was changed"):
            open_fingerprints(path, old_key)
    with pytest.raises(LibraryError, match="the key does not fit"):
        open_fingerprints(FORMAT_1, KEY)
