"""Fields of Arrow tables, also inside structs."""

from __future__ import annotations

from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

NOT_UTF8 = object()


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
