"""Parquet files, read by batches and written row group by row group."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.corpus.packing import Damaged, unreadable
from likewise.corpus.shard import (
    WHOLE_FILE,
    NewFile,
    Numbered,
    Shard,
    Survey,
    Verdict,
    missing,
)
from likewise.model import Message
from likewise.progress import Count

NOT_UTF8 = object()
BATCH_ROWS = 1024
GROUP_BYTES = 1 << 27  # a row group waits in memory until it is written


class Parquet(Shard):
    """A Parquet file."""

    __slots__ = ()
    row_is: ClassVar[str] = "corpus.row_of"
    bad_row: ClassVar[str] = "corpus.bad_row"

    def documents(self, survey: Survey, progress: Count | None) -> Iterator[Numbered]:
        left_out = survey.rows_left_out(self)
        if WHOLE_FILE in left_out:
            return
        row = 0
        try:
            with self._open() as file:
                if problem := self._what_is_wrong(file.schema_arrow):
                    survey.complain(self, WHOLE_FILE, problem, max(1, file.metadata.num_rows))
                    return
                text = path_of(file.schema_arrow, self.text) or ()
                id = () if self.id is None else path_of(file.schema_arrow, self.id) or ()
                columns = [".".join(path) for path in (text, id) if path]
                for batch in _batches(file, columns):
                    texts = values_at(batch, text)
                    names = values_at(batch, id) if id else _numbered(self.name, row, len(batch))
                    for value, name in zip(texts, names, strict=True):
                        row += 1
                        if row in left_out:
                            continue
                        if name.__class__ is int:
                            name = str(name)
                        if value.__class__ is str and name.__class__ is str:
                            yield row, name, value
                        else:
                            wrong = self.text if value.__class__ is not str else self.id
                            bad_value = value if value.__class__ is not str else name
                            kind = "corpus.null" if bad_value is None else "corpus.invalid_utf8"
                            why = Message(
                                "corpus.field_holds", {"name": str(wrong), "kind": Message(kind)}
                            )
                            survey.complain(self, row, why)
                    if progress:
                        progress(self.size_bytes * row // max(1, file.metadata.num_rows))
        except Damaged as error:
            survey.complain(self, row + 1 if row else WHOLE_FILE, error.message)

    def write(
        self, new_file: NewFile, verdict: Verdict, survey: Survey, progress: Count | None
    ) -> None:
        left_out = survey.rows_left_out(self)
        if WHOLE_FILE in left_out:
            return
        row = 0
        with self._open() as file, new_file() as target, _writer_like(file, target) as writer:
            path = path_of(file.schema_arrow, self.text) or ()
            group = _RowGroup(writer, _largest_group(file.metadata))
            try:
                for batch in _batches(file, None):
                    decisions = _decisions(batch, path, verdict, row, left_out)
                    group.add(_remaining(batch, path, decisions))
                    row += len(batch)
                    if progress:
                        progress(self.size_bytes * row // max(1, file.metadata.num_rows))
            except Damaged as error:
                survey.complain(self, row + 1, error.message)
            group.flush()

    def _open(self) -> Any:
        try:
            self.make_sure_unchanged(self.path.stat())
            return pq.ParquetFile(self.path, page_checksum_verification=True)
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise unreadable(self.path, error) from error
            raise Damaged("corpus.parquet_not_whole", error=_first_line(error)) from error

    def _what_is_wrong(self, schema: Any) -> Message | None:
        for name, option in ((self.text, "--text"), (self.id, "--id")):
            if name is None:
                continue
            path = path_of(schema, name)
            if path is None:
                return missing(name, option, leaf_names(schema))
            type = type_at(schema, path)
            if pa.types.is_dictionary(type):
                type = type.value_type
            whole = option == "--id" and pa.types.is_integer(type)
            if not (whole or is_text(type)):
                expected = "corpus.strings" if option == "--text" else "corpus.strings_or_numbers"
                return Message(
                    "corpus.field_holds_not",
                    {"name": name, "kind": str(type), "wanted": Message(expected)},
                )
        return None


class _RowGroup:
    """Rows on their way out, in groups about as large as those of the input.

    Each input group alone would leave very small ones where most rows are dropped.
    """

    def __init__(self, writer: Any, rows: int) -> None:
        self._writer, self._rows = writer, rows
        self._batches: list[Any] = []
        self._waiting_rows = self._waiting_bytes = 0

    def add(self, batches: list[Any]) -> None:
        for batch in batches:
            if self._waiting_rows + len(batch) > self._rows or self._waiting_bytes > GROUP_BYTES:
                self.flush()
            self._batches.append(batch)
            self._waiting_rows += len(batch)
            self._waiting_bytes += batch.nbytes

    def flush(self) -> None:
        if self._waiting_rows:
            table = pa.Table.from_batches(self._batches)
            self._writer.write_table(table, row_group_size=self._waiting_rows)
        self._batches.clear()
        self._waiting_rows = self._waiting_bytes = 0


def _writer_like(file: Any, target: Any) -> Any:
    """A writer with the schema, column order and codecs of another file."""
    columns = []
    if file.metadata.num_row_groups:
        first = file.metadata.row_group(0)
        columns = [first.column(number) for number in range(first.num_columns)]
    codecs = {column.path_in_schema: column.compression for column in columns}
    codecs = {name: "NONE" if codec == "UNCOMPRESSED" else codec for name, codec in codecs.items()}
    version = file.metadata.format_version
    writer = pq.ParquetWriter(
        target,
        file.schema_arrow,
        compression=codecs or "snappy",
        version=version if version in ("1.0", "2.4", "2.6") else "2.6",
        use_deprecated_int96_timestamps=any(c.physical_type == "INT96" for c in columns),
        write_page_checksum=True,
    )
    return closing(writer)


def _largest_group(metadata: Any) -> int:
    groups = range(metadata.num_row_groups)
    return max((metadata.row_group(number).num_rows for number in groups), default=BATCH_ROWS)


def _batches(file: Any, columns: list[str] | None) -> Iterator[Any]:
    batches = file.iter_batches(BATCH_ROWS, columns=columns)
    while True:
        try:
            batch = next(batches, None)
        except (pa.ArrowException, OSError) as error:
            raise Damaged("corpus.parquet_damaged", error=_first_line(error)) from error
        if batch is None:
            return
        yield batch


def _decisions(
    batch: Any, path: tuple[str, ...], verdict: Verdict, row: int, left_out: set[int]
) -> list[bool | str]:
    """What becomes of each row; the texts are only looked at when the verdict asks for one."""
    texts = column_at(batch, path)
    decisions: list[bool | str] = []
    for number in range(len(batch)):
        if left_out and row + number + 1 in left_out:
            decisions.append(False)
        else:
            decisions.append(verdict(partial(_text_at, texts, number)))
    return decisions


def _text_at(texts: Any, number: int) -> str:
    return str(texts[number].as_py())


def _remaining(batch: Any, path: tuple[str, ...], decisions: list[bool | str]) -> list[Any]:
    if any(decision.__class__ is str for decision in decisions):
        texts = values_at(batch, path)
        texts = [
            decision if decision.__class__ is str else None if text is NOT_UTF8 else text
            for decision, text in zip(decisions, texts, strict=True)
        ]
        index = batch.schema.get_field_index(path[0])
        column = with_texts(batch.column(index), path[1:], texts)
        batch = batch.set_column(index, batch.schema.field(index), column)
    mask = [decision is not False for decision in decisions]
    if all(mask):
        return [batch] if mask else []
    if not any(mask):
        return []
    try:
        return [batch.filter(pa.array(mask))]
    except pa.ArrowNotImplementedError:  # some types cannot be filtered yet, but all be sliced
        return [batch.slice(row, 1) for row, is_kept in enumerate(mask) if is_kept]


def _numbered(name: str, row: int, count: int) -> list[str]:
    return [f"{name}:{number}" for number in range(row + 1, row + count + 1)]


def _first_line(error: Exception) -> Message:
    return Message.verbatim(str(error).partition("\n")[0] or type(error).__name__)


# Fields of Arrow tables, also inside structs.


def with_texts(column: Any, path: tuple[str, ...], texts: list[Any]) -> Any:
    """The column with other texts, put where the path leads inside its structs."""
    if not path:
        return pa.array(texts, type=column.type)
    fields = list(column.type)
    parts = column.flatten()
    index = column.type.get_field_index(path[0])
    parts[index] = with_texts(parts[index], path[1:], texts)
    return pa.StructArray.from_arrays(parts, fields=fields, mask=column.is_null())


def path_of(schema: Any, name: str) -> tuple[str, ...] | None:
    """Where a field is: a name with dots is tried as it stands first, then as a way inside.

    >>> path_of(pa.schema({"meta": pa.struct({"url": pa.string()})}), "meta.url")
    ('meta', 'url')
    """
    for path in ((name,), tuple(name.split("."))):
        if type_at(schema, path) is not None:
            return path
    return None


def type_at(schema: Any, path: tuple[str, ...]) -> Any:
    place = schema
    for part in path:
        if not isinstance(place, pa.Schema) and not pa.types.is_struct(place):
            return None
        index = place.get_field_index(part)
        if index < 0:
            return None
        place = place.field(index).type
    return place


def column_at(batch: Any, path: tuple[str, ...]) -> Any:
    column = batch.column(path[0])
    for part in path[1:]:
        # Flattened, and not just the field: what is inside a null must be null.
        column = column.flatten()[column.type.get_field_index(part)]
    return column


def values_at(batch: Any, path: tuple[str, ...]) -> list[Any]:
    column = column_at(batch, path)
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except UnicodeDecodeError:
        return [_value(scalar) for scalar in column]


def _value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return NOT_UTF8


def leaf_names(schema: Any, prefix: str = "") -> list[str]:
    names = []
    for field in schema:
        if pa.types.is_struct(field.type):
            names += leaf_names(field.type, f"{prefix}{field.name}.")
        else:
            names.append(prefix + field.name)
    return names


def is_text(type: Any) -> bool:
    return bool(
        pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type)
    )
