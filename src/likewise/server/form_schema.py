"""The description of a form with files, for whoever reads the description of the API."""

from __future__ import annotations

from typing import Any

from likewise.server.shapes import Given


def form_described(asked: type[Given], files: str) -> dict[str, Any]:
    """For the description of the API: a form with files and a request."""
    properties = {
        "file": {
            "type": "array",
            "items": {"type": "string", "format": "binary"},
            "description": files,
        },
        "request": asked.model_json_schema(ref_template="#/components/schemas/{model}"),
    }
    request = properties["request"]
    definitions = request.pop("$defs", {})
    schema = {"type": "object", "properties": properties}
    inlined = _inlined(schema, definitions)
    content = {"schema": inlined, "encoding": {"request": {"contentType": "application/json"}}}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": content}}}


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema without references: what stands in a route's own words is found by nobody."""
    if isinstance(schema, list):
        return [_inlined(one, definitions) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _inlined({**named, **rest}, definitions)
    return {key: _inlined(value, definitions) for key, value in schema.items()}
