"""JSON Lines: one object a line, packed or not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from json import JSONDecodeError
from typing import Any

from likewise.corpus.packing import (
    Damaged,
    Packer,
    Packing,
    UnpackedFile,
    open_unpacked,
)
from likewise.corpus.shard import NewFile, Numbered, Shard, Survey, Verdict, missing
from likewise.model import Message
from likewise.progress import Count

BOM = b"\xef\xbb\xbf"
ABSENT = object()

# Not strict: raw tabs, zeros and the like inside strings harm nobody.
_decode = json.JSONDecoder(strict=False).decode


@dataclass(frozen=True, slots=True)
class JsonLines(Shard):
    """A file with one JSON object a line."""

    packing: Packing = "plain"

    def open(self, progress: Count | None) -> BufferedReader[UnpackedFile]:
        file = open_unpacked(self.path, self.packing, progress)
        try:
            self.make_sure_unchanged(os.fstat(file.fileno()))
        except BaseException:
            file.close()
            raise
        return file

    def documents(self, survey: Survey, progress: Count | None) -> Iterator[Numbered]:
        left_out = survey.rows_left_out(self)
        text_field, id_field = self.text, self.id
        row = 0
        with self.open(progress) as file:
            try:
                for row, raw in enumerate(file, 1):
                    if row in left_out:
                        continue
                    if row == 1:
                        raw = raw.removeprefix(BOM)
                    unnamed = f"{self.name}:{row}" if id_field is None else ""
                    document = document_in(raw, text_field, id_field, unnamed)
                    if isinstance(document, tuple):
                        name, text, _ = document
                        yield row, name, text
                    elif document is not None:
                        survey.complain(self, row, document)
            except Damaged as error:
                survey.complain(self, row + 1, error.message)

    def write(
        self, new_file: NewFile, verdict: Verdict, survey: Survey, progress: Count | None
    ) -> None:
        left_out = survey.rows_left_out(self)
        row = 0
        with self.open(progress) as file, new_file() as target:
            packer = Packer(target, self.packing)
            try:
                for row, raw in enumerate(file, 1):
                    line = raw.removeprefix(BOM) if row == 1 else raw
                    if row in left_out or not line.strip():
                        continue
                    decision = verdict(partial(self._text_in, line))
                    if decision is True:
                        packer.write(raw)
                    elif decision is not False:
                        packer.write(_with_text(line, self.text, decision))
            except Damaged as error:
                survey.complain(self, row + 1, error.message)
            packer.finish()

    def _text_in(self, line: bytes) -> str:
        return str(field_in(_decode(line.decode()), self.text))


def document_in(
    raw: bytes, text_field: str, id_field: str | None, unnamed: str = ""
) -> tuple[str, str, dict[str, Any]] | Message | None:
    """Id, text and all fields of a line; or why it cannot be used; or None if it is blank.

    >>> document_in(b'{"id": 7, "text": "A stitch"}', "text", "id")
    ('7', 'A stitch', {'id': 7, 'text': 'A stitch'})
    >>> print(document_in(b'{"id": 7, "text": null}', "text", "id"))
    the field "text" holds null, not a string
    """
    try:
        record = _decode(raw.decode())
    except (ValueError, RecursionError) as error:
        return _why_not_json(error) if raw.strip() else None
    if type(record) is not dict:
        return Message("corpus.not_an_object", {"kind": _kind(record)})
    text = record.get(text_field, ABSENT)
    if text.__class__ is not str:
        text = field_in(record, text_field)
    name = unnamed if id_field is None else field_in(record, id_field)
    if name.__class__ is int:
        name = str(name)
    if text.__class__ is str and name.__class__ is str:
        return name, text, record
    return _what_is_wrong(record, (text_field, text), (id_field, name))


def _what_is_wrong(
    record: dict[str, Any], text: tuple[str, object], id: tuple[str | None, object]
) -> Message:
    for (field, value), option in ((text, "--text"), (id, "--id")):
        if value is ABSENT:
            return missing(str(field), option, _names(record))
        if not isinstance(value, str):
            expected = "corpus.a_string" if option == "--text" else "corpus.string_or_number"
            return Message(
                "corpus.field_holds_not",
                {"name": str(field), "kind": _kind(value), "wanted": Message(expected)},
            )
    raise AssertionError("nothing is wrong")


def field_in(record: dict[str, Any], name: str) -> Any:
    """A field, or one inside another: a name with dots is tried as it stands first.

    >>> field_in({"meta": {"url": "a"}}, "meta.url"), field_in({"meta.url": "b"}, "meta.url")
    ('a', 'b')
    """
    value = record.get(name, ABSENT)
    if value is not ABSENT:
        return value
    holder: Any = record
    for part in name.split("."):
        if not isinstance(holder, dict) or part not in holder:
            return ABSENT
        holder = holder[part]
    return holder


def _with_text(line: bytes, field: str, text: str) -> bytes:
    """The line with another text in its field; all other values stay, in their order.

    >>> _with_text(b'{"a": {"t": "x", "n": 1.5}}\\n', "a.t", "y")
    b'{"a": {"t": "y", "n": 1.5}}\\n'
    """
    record = _decode(line.decode())
    holder, last = record, field
    if field not in record:
        *parents, last = field.split(".")
        for part in parents:
            holder = holder[part]
    holder[last] = text
    end = "\n" if line.endswith(b"\n") else ""
    # Half a surrogate pair has no UTF-8; its backslash form is what JSON calls it too.
    return (json.dumps(record, ensure_ascii=False) + end).encode("utf-8", "backslashreplace")


def _why_not_json(error: Exception) -> Message:
    if isinstance(error, UnicodeDecodeError):
        return Message("corpus.line_not_utf8", {"n": error.start + 1})
    if isinstance(error, JSONDecodeError):
        words = Message.verbatim(error.msg)
        return Message("corpus.line_not_json", {"error": words, "n": error.pos + 1})
    if isinstance(error, RecursionError):
        return Message("corpus.json_deep")
    return Message("corpus.json_unusable", {"error": Message.verbatim(str(error))})


def _kind(value: object) -> Message:
    """What JSON calls a value.

    >>> [str(_kind(value)) for value in (None, True, [1], 2.5)]
    ['null', 'a boolean', 'a list', 'a number']
    """
    if value is None:
        return Message("corpus.null")
    kinds = {
        bool: "corpus.a_boolean",
        list: "corpus.a_list",
        dict: "corpus.an_object",
        str: "corpus.a_string",
    }
    return Message(kinds.get(type(value), "corpus.a_number"))


def _names(record: dict[str, Any]) -> list[str]:
    """The names of all fields that hold values, with dots for those inside others."""
    names = []
    for key, value in record.items():
        if isinstance(value, dict) and value:
            names += [f"{key}.{name}" for name in _names(value)]
        else:
            names.append(key)
    return names
