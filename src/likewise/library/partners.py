"""Fingerprints for partners: a file that says whether and how much, and never what.

Every fingerprint goes through BLAKE2 with a key that both sides hold, and the whole file, with what
was chosen to be told about the documents, is sealed with the same key: whoever has no key sees how
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
from sqlalchemy import select

from likewise.catalogue import Message, Value
from likewise.errors import BadInput, words_of_system
from likewise.library import schema
from likewise.library.encryption import key_for, sealed, unsealed
from likewise.library.entries import list_entries
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.library.filters import Filters
from likewise.library.library import Library
from likewise.library.recipes import Recipe, Sketching
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

_MAGIC = b"LWFINGERPRINTS1\n"


# Out


def export_fingerprints(
    library: Library,
    path: str | Path,
    key: bytes,
    *,
    told: Sequence[str] = (),
    label: str = "",
    filters: Filters | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the keyed fingerprints of all documents that fit; how many there are.

    `told` names what partners hear about each document: without any, its number alone.
    """
    path = Path(path)
    if unknown := sorted(set(told) - set(SHARED_FIELDS)):
        raise BadInput("library.nothing_of_that_name", name=unknown[0], names=SHARED_FIELDS)
    if not path.absolute().parent.is_dir():
        raise BadInput("library.no_folder", about=path)
    using = library._using()
    documents, prints = _collected(library, key, tuple(told), filters or Filters(), progress)
    head = {
        "recipe": using.recipe.recipe,
        "label": label,
        "documents": documents,
        "counts": [len(one) for one in prints],
    }
    flat = np.concatenate([np.zeros(0, np.uint64), *prints])
    content = json.dumps(head, ensure_ascii=False).encode()
    data = len(content).to_bytes(8, "little") + content + flat.astype("<u8").tobytes()
    try:
        with TemporaryDirectory(dir=path.absolute().parent, prefix=".export-") as folder:
            aside = Path(folder, "export")
            aside.write_bytes(sealed(data, key, _MAGIC))
            aside.replace(path)
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    return len(documents)


def _collected(
    library: Library,
    key: bytes,
    told: tuple[str, ...],
    filters: Filters,
    progress: Progress | None,
) -> tuple[list[dict[str, Any]], list[Hashes]]:
    """What is told about each text, and its keyed fingerprints; copies have none of their own."""
    sketch = schema.sketches.c
    with library._store.reading() as connection:
        state = library._store.state(connection)
        entries = list_entries(connection, filters, None, "id", None, 0).entries
        # A copy that fits stands for a first one that does not.
        chosen = {entry.copy_of or entry.id: entry for entry in reversed(entries)}
        query = (
            select(sketch.document_id, sketch.hashes)
            .where(sketch.recipe_id == state.recipe_id)
            .order_by(sketch.document_id)
        )
        documents: list[dict[str, Any]] = []
        prints: list[Hashes] = []
        for number, packed in connection.execute(query.execution_options(yield_per=500)):
            entry = chosen.get(number)
            if entry is None:
                continue
            values = {name: getattr(entry, name) for name in told}
            documents.append({"id": entry.id} | {k: v for k, v in values.items() if v is not None})
            prints.append(np.sort(key_hashes(hashes_from(packed), key)))
            if progress and len(documents) % 100 == 0:
                progress("keying fingerprints", len(documents), len(chosen))
    return documents, prints


def key_hashes(hashes: Hashes, key: bytes) -> Hashes:
    """Fingerprints that nobody can make or read without the key."""
    secret = key_for(key, b"fingerprints")
    data = hashes.astype("<u8", copy=False).tobytes()
    made = b"".join(
        blake2b(data[i : i + 8], digest_size=8, key=secret).digest() for i in range(0, len(data), 8)
    )
    return np.frombuffer(made, dtype="<u8").astype(np.uint64)


# In


@dataclass(frozen=True, slots=True, eq=False)
class PartnerLibrary:
    """The fingerprints of another institution."""

    name: str
    recipe: str
    documents: tuple[dict[str, Any], ...] = field(repr=False)
    index: Segment = field(repr=False)
    _key: bytes = field(repr=False)

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
        asked = np.sort(key_hashes(sketch.hashes, self._key))
        found = look_up([self.index], asked)
        order = np.lexsort((found.documents, -found.shared))
        return tuple(
            Partner(
                self.name,
                _called(self.documents[number]),
                shared / len(asked),
                shared,
                {k: str(v) for k, v in self.documents[number].items()},
            )
            for number, shared in zip(
                found.documents[order].tolist(), found.shared[order].tolist(), strict=True
            )
            if shared >= min(LEAST_SHARED, len(asked))
        )


def with_partners(check: Check, libraries: Sequence[PartnerLibrary]) -> Check:
    """The check, and the documents elsewhere that share fingerprints with the text.

    Of a library whose fingerprints were made by another recipe no more is told than that.
    """
    shared: list[Partner] = []
    notes: list[tuple[str, Note]] = []
    for library in libraries:
        try:
            shared += library.matches(check.document.compared_text, check.settings)
        except WrongRecipe as error:
            notes.append((check.name, Note("partner", error.message)))
    partners = tuple(sorted(shared, key=lambda one: -one.share))
    return replace(check, partners=partners, notes=(*notes, *check.notes))


def open_fingerprints(path: str | Path, key: bytes) -> PartnerLibrary:
    """The fingerprints in a file, if the key is the one they were made with."""
    path = Path(path)
    try:
        whole = path.read_bytes()
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error
    if not whole.startswith(_MAGIC):
        raise BadInput("library.no_fingerprints", about=path, ending=ENDING)
    data = unsealed(whole, key, _MAGIC)
    if data is None:
        raise LibraryError("library.key_does_not_fit", about=path)
    try:
        head, prints = _parsed(data)
        index = segment_of(range(len(head.documents)), prints)
    except (ValueError, RecursionError) as error:
        unknown = Message("library.not_as_written")
        why = error.message if isinstance(error, _BadHead) else unknown
        raise LibraryError("library.fingerprints_unusable", about=path, why=why) from error
    return PartnerLibrary(head.label or path.stem, head.recipe, head.documents, index, key)


class _BadHead(ValueError):
    """What is wrong with the head of a file; whoever has the key could have written anything."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.message = Message(key, values)


@dataclass(frozen=True, slots=True)
class _Head:
    recipe: str
    label: str
    documents: tuple[dict[str, Any], ...]


def _parsed(data: bytes) -> tuple[_Head, list[NDArray[np.uint64]]]:
    """The head of a file, and the fingerprints of each document in it."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise _BadHead("library.breaks_off")
    try:
        head = json.loads(data[8 : 8 + length])
    except (ValueError, RecursionError):
        raise _BadHead("library.head_not_json") from None
    if not isinstance(head, dict):
        raise _BadHead("library.head_no_object")
    recipe, label = (_text_of(head, name) for name in ("recipe", "label"))
    documents = _list_of(head, "documents")
    if not all(isinstance(one, dict) and _is_number(one.get("id")) for one in documents):
        raise _BadHead("library.document_unnumbered")
    if len(documents) > MOST_DOCUMENTS:
        raise _BadHead("library.many_documents", n=MOST_DOCUMENTS)
    flat = data[8 + length :]
    counts = _list_of(head, "counts")
    # Compared as Python's numbers, which do not run over.
    if not all(_is_number(one) and one >= 0 for one in counts):
        raise _BadHead("library.counts_no_numbers")
    if len(counts) != len(documents) or 8 * sum(counts) != len(flat):
        raise _BadHead("library.counts_do_not_fit")
    prints = np.frombuffer(flat, dtype="<u8").astype(np.uint64)
    ends = np.cumsum(np.array(counts, dtype=np.int64))
    return (
        _Head(recipe, label, tuple(documents)),
        np.split(prints, ends[:-1]) if documents else [],
    )


def _text_of(head: dict[str, Any], name: str) -> str:
    if not isinstance(value := head.get(name), str):
        raise _BadHead("library.head_without", name=name)
    return value


def _list_of(head: dict[str, Any], name: str) -> list[Any]:
    if not isinstance(value := head.get(name), list):
        raise _BadHead("library.head_without", name=name)
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _called(told: dict[str, Any]) -> str:
    return str(told.get("name") or f"document {told['id']}")
