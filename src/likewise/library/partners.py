"""Fingerprints for partners: a file that says whether and how much, and never what.

Every fingerprint goes through BLAKE2 with a key that both sides hold, and the whole file, with the
fields of documents that are shared, is encrypted with the same key: whoever has no key sees how
long the file is. What a partner with the key can do is in docs/library-partners.md.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.catalogue import Message, Value
from likewise.errors import BadInput, words_of_system
from likewise.library.encryption import (
    DecryptionError,
    decrypt_format_1,
    derive_key,
    read_encrypted,
    write_encrypted,
)
from likewise.library.entries import list_entries
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.library.filters import Filters, split_numbers
from likewise.library.library import Library
from likewise.library.recipes import Recipe, Sketching
from likewise.library.sketch_rows import read_sketches
from likewise.library.sketches import Hashes, hashes_from, sketches_of
from likewise.model import Check, Note, Partner
from likewise.progress import Progress
from likewise.search.postings import MOST_DOCUMENTS, Segment, look_up, segment_of
from likewise.settings import Settings

ENDING = ".lwf"
SHARED_FIELDS = (
    "name",
    "author",
    "organisation",
    "type",
    "language",
    "year",
    "month",
    "advisor",
    "owner",
)
LEAST_SHARED = 2  # fingerprints; one alone may be a phrase that everybody uses

_TEXTS_AT_ONCE = 100  # whose fingerprints are read together
_MAGIC = b"LWFINGERPRINTS2\n"
_MAGIC_1 = b"LWFINGERPRINTS1\n"

SharedDocument = dict[str, object]  # its number as `id`, and the fields that are shared


# Out


def export_fingerprints(
    library: Library,
    path: str | Path,
    key: bytes,
    *,
    fields: Sequence[str] = (),
    label: str = "",
    filters: Filters | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the keyed fingerprints of all documents that fit; how many there are.

    `fields` are what partners learn about each document: without any, its number alone.
    """
    path = Path(path)
    if unknown := sorted(set(fields) - set(SHARED_FIELDS)):
        raise BadInput("library.nothing_of_that_name", name=unknown[0], names=SHARED_FIELDS)
    if not path.absolute().parent.is_dir():
        raise BadInput("library.no_folder", about=path)
    using = library._using()
    documents, fingerprints = _collect(library, key, tuple(fields), filters or Filters(), progress)
    header = {
        "recipe": using.recipe.recipe,
        "label": label,
        "documents": documents,
        "counts": [len(hashes) for hashes in fingerprints],
    }
    flat = np.concatenate([np.zeros(0, np.uint64), *fingerprints])
    encoded = json.dumps(header, ensure_ascii=False).encode()
    data = len(encoded).to_bytes(8, "little") + encoded + flat.astype("<u8").tobytes()
    try:
        with TemporaryDirectory(dir=path.absolute().parent, prefix=".export-") as folder:
            aside = Path(folder, "export")
            with aside.open("wb") as file:
                write_encrypted(file, data, key, _MAGIC)
            aside.replace(path)
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    return len(documents)


def _collect(
    library: Library,
    key: bytes,
    fields: tuple[str, ...],
    filters: Filters,
    progress: Progress | None,
) -> tuple[list[SharedDocument], list[Hashes]]:
    """What is shared of each text, and its keyed fingerprints; copies have none of their own."""
    with library._store.reading() as connection:
        state = library._store.state(connection)
        entries = list_entries(connection, filters, None, "id", None, 0).entries
        # A copy that fits stands for a first one that does not.
        by_root = {entry.copy_of or entry.id: entry for entry in reversed(entries)}
        documents: list[SharedDocument] = []
        fingerprints: list[Hashes] = []
        for part in split_numbers(sorted(by_root), _TEXTS_AT_ONCE):
            for number, packed in read_sketches(connection, state.recipe_id, part).items():
                entry = by_root[number]
                values = {k: v for k in fields if (v := getattr(entry, k)) is not None}
                documents.append({"id": entry.id} | values)
                fingerprints.append(np.sort(key_hashes(hashes_from(packed), key)))
            if progress:
                progress("keying fingerprints", len(documents), len(by_root))
    return documents, fingerprints


def key_hashes(hashes: Hashes, key: bytes) -> Hashes:
    """Fingerprints that nobody can make or read without the key."""
    secret = derive_key(key, b"fingerprints")
    data = hashes.astype("<u8", copy=False).tobytes()
    digests = b"".join(
        blake2b(data[i : i + 8], digest_size=8, key=secret).digest() for i in range(0, len(data), 8)
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


# In


@dataclass(frozen=True, slots=True, eq=False)
class PartnerLibrary:
    """The fingerprints of another institution."""

    name: str
    recipe: str
    documents: tuple[SharedDocument, ...] = field(repr=False)
    index: Segment = field(repr=False)
    _key: bytes = field(repr=False)
    warning: Message | None = None  # about the file, for every check with it

    def __len__(self) -> int:
        return len(self.documents)

    def matches(self, text: str, settings: Settings) -> tuple[Partner, ...]:
        """The documents there that share fingerprints with a text, most first."""
        if settings.recipe() != self.recipe:
            raise WrongRecipe("library.other_recipe", name=self.name)
        using = Sketching(Recipe(0, self.recipe, settings))
        (sketch,) = sketches_of([text], using)
        if not len(sketch.hashes):
            return ()
        hashes = np.sort(key_hashes(sketch.hashes, self._key))
        holders = look_up([self.index], hashes)
        order = np.lexsort((holders.documents, -holders.shared))
        return tuple(
            Partner(
                self.name,
                _display_name(self.documents[number]),
                shared / len(hashes),
                shared,
                {k: str(v) for k, v in self.documents[number].items()},
            )
            for number, shared in zip(
                holders.documents[order].tolist(), holders.shared[order].tolist(), strict=True
            )
            if shared >= min(LEAST_SHARED, len(hashes))
        )


def with_partners(check: Check, libraries: Sequence[PartnerLibrary]) -> Check:
    """The check, and the documents elsewhere that share fingerprints with the text.

    Of a library whose fingerprints were made by another recipe no more is told than that.
    """
    matches: list[Partner] = []
    notes: list[tuple[str, Note]] = []
    for library in libraries:
        if library.warning is not None:
            notes.append((check.name, Note("partner", library.warning)))
        try:
            matches += library.matches(check.document.compared_text, check.settings)
        except WrongRecipe as error:
            notes.append((check.name, Note("partner", error.message)))
    partners = tuple(sorted(matches, key=lambda match: -match.share))
    return replace(check, partners=partners, notes=(*notes, *check.notes))


def open_fingerprints(path: str | Path, key: bytes) -> PartnerLibrary:
    """The fingerprints in a file, if the key is the one they were made with."""
    path = Path(path)
    data, is_old = _decrypt_file(path, key)
    try:
        header, fingerprints = _parse(data)
        index = segment_of(range(len(header.documents)), fingerprints)
    except (ValueError, RecursionError) as error:
        unknown = Message("library.not_as_written")
        why = error.message if isinstance(error, _HeaderError) else unknown
        raise LibraryError("library.fingerprints_unusable", about=path, why=why) from error
    name = header.label or path.stem
    warning = Message("library.fingerprints_format_1", {"name": name}) if is_old else None
    return PartnerLibrary(name, header.recipe, header.documents, index, key, warning)


def _decrypt_file(path: Path, key: bytes) -> tuple[bytes, bool]:
    """What is in a file, and whether it is of format 1."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
            file.seek(0)
            if magic == _MAGIC:
                return read_encrypted(file, key, _MAGIC), False
            if magic == _MAGIC_1:
                return decrypt_format_1(file.read(), key, _MAGIC_1), True
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    except DecryptionError as error:
        if error.is_key_right:
            raise LibraryError("library.fingerprints_changed", about=path) from error
        raise LibraryError("library.key_does_not_fit", about=path) from error
    raise BadInput("library.no_fingerprints", about=path, ending=ENDING)


class _HeaderError(ValueError):
    """What is wrong with the header of a file; whoever has the key could have written anything."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.message = Message(key, values)


@dataclass(frozen=True, slots=True)
class _Header:
    recipe: str
    label: str
    documents: tuple[SharedDocument, ...]


def _parse(data: bytes) -> tuple[_Header, list[NDArray[np.uint64]]]:
    """The header of a file, and the fingerprints of each document in it."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise _HeaderError("library.breaks_off")
    try:
        header = json.loads(data[8 : 8 + length])
    except (ValueError, RecursionError):
        raise _HeaderError("library.head_not_json") from None
    if not isinstance(header, dict):
        raise _HeaderError("library.head_no_object")
    recipe, label = (_text_of(header, name) for name in ("recipe", "label"))
    documents = _list_of(header, "documents")
    if not all(
        isinstance(document, dict) and _is_number(document.get("id")) for document in documents
    ):
        raise _HeaderError("library.document_unnumbered")
    if len(documents) > MOST_DOCUMENTS:
        raise _HeaderError("library.many_documents", n=MOST_DOCUMENTS)
    flat = data[8 + length :]
    counts = _list_of(header, "counts")
    # Compared as Python's numbers, which do not run over.
    if not all(_is_number(count) and count >= 0 for count in counts):
        raise _HeaderError("library.counts_no_numbers")
    if len(counts) != len(documents) or 8 * sum(counts) != len(flat):
        raise _HeaderError("library.counts_do_not_fit")
    fingerprints = np.frombuffer(flat, dtype="<u8").astype(np.uint64)
    ends = np.cumsum(np.array(counts, dtype=np.int64))
    return (
        _Header(recipe, label, tuple(documents)),
        np.split(fingerprints, ends[:-1]) if documents else [],
    )


def _text_of(header: dict[str, object], name: str) -> str:
    if not isinstance(value := header.get(name), str):
        raise _HeaderError("library.head_without", name=name)
    return value


def _list_of(header: dict[str, object], name: str) -> list[Any]:
    if not isinstance(value := header.get(name), list):
        raise _HeaderError("library.head_without", name=name)
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _display_name(document: SharedDocument) -> str:
    return str(document.get("name") or f"document {document['id']}")
