"""The description of the API, with every way in which a request can be refused."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from likewise.server.problems import STATUS, ProblemBody
from likewise.server.shapes import RequestBody

_REFUSED = {"$ref": "#/components/schemas/ProblemBody"}
_LEFT_BY_FASTAPI = ("HTTPValidationError", "ValidationError")
LINK_HEADER = "Link-Token"
_ALWAYS = (422, 429, 500, 503)
_OF_WRITING = (409, 413, 415, 507)


def describe_api(app: FastAPI, open_to_all: Collection[str]) -> dict[str, Any]:
    """The OpenAPI description; `open_to_all` are the addresses that need no token."""
    description = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    components = description.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in _LEFT_BY_FASTAPI:
        schemas.pop(name, None)
    schemas["ProblemBody"] = ProblemBody.model_json_schema()
    components["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "an access token of /api/v1/token, or an API key",
        },
        "link": {
            "type": "apiKey",
            "in": "header",
            "name": LINK_HEADER,
            "description": "what the address of a link to a report ends in",
        },
    }
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            is_open = path in open_to_all
            if not is_open:
                operation["security"] = [{"token": []}]
            for answer in operation["responses"].values():
                # A schema here is taken for that of one event; its words say what comes.
                answer.get("content", {}).get("text/event-stream", {}).pop("schema", None)
            if any(one["name"] == LINK_HEADER for one in operation.get("parameters", ())):
                operation["security"], is_open = [{"link": []}], False
            for status in _statuses(path, method, is_open):
                operation["responses"][str(status)] = _response(status)
    return description


def _statuses(path: str, method: str, is_open: bool) -> list[int]:
    """With which a route may refuse."""
    if is_open and method == "get":
        return list(_ALWAYS)
    statuses = [*_ALWAYS, 401, 403, 404]  # also a question may name what is not there
    if ("{" in path or path.endswith(("/shared/view", "/shared/report"))) and method == "get":
        statuses.append(409)  # not ready
    if method != "get":
        statuses += _OF_WRITING
    return sorted(statuses)


def _response(status: int) -> dict[str, Any]:
    kinds = [kind for kind, own in STATUS.items() if own == status]
    return {
        "description": ", or ".join(kinds),
        "content": {"application/json": {"schema": _REFUSED}},
    }


def describe_form(body: type[RequestBody], files: str) -> dict[str, Any]:
    """For the description of the API: a form with files and a request."""
    properties = {
        "file": {
            "type": "array",
            "items": {"type": "string", "format": "binary"},
            "description": files,
        },
        "request": body.model_json_schema(ref_template="#/components/schemas/{model}"),
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
        definition = definitions[schema["$ref"].rpartition("/")[2]]
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _inlined({**definition, **rest}, definitions)
    return {key: _inlined(value, definitions) for key, value in schema.items()}
