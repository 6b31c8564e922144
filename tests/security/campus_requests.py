"""Requests that are right but for who sends them, and what they are about."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.server.accounts import PASSWORD
from tests.server.world import BODIES, NOTHING, SECRET

# Names in addresses that name nothing of anybody's. Of a certificate that is not there everybody
# may learn that it is not.
WORDS = {"language": "en", "code": NOTHING}

_FILE = ("file", ("essay.txt", f"An essay about it: {SECRET}.".encode(), "text/plain"))
_NOW = {"request": (None, json.dumps({"wait_seconds": 0}), "application/json")}
FORMS: dict[str, list[Any]] = {
    "/documents": [_FILE],
    "/checks": [_FILE],
    "/batches": [_FILE],
    "/assignments/{id}/files": [_FILE],
    "/assignments/{id}/submissions": [_FILE],
    "/assignments/{id}/self-checks": [_FILE],
    "/similar": [_FILE, *_NOW.items()],
}
QUERIES: dict[tuple[str, str], dict[str, Any]] = {
    ("GET", "/checks/{id}/report"): {"format": "csv"},
    ("GET", "/batches/{id}/report"): {"format": "csv"},
    ("GET", "/submissions/{id}/report"): {"format": "html"},
    ("DELETE", "/courses/{id}"): {"with_submissions": True},
    ("DELETE", "/assignments/{id}"): {"with_submissions": True},
}
REQUESTS: dict[tuple[str, str], dict[str, Any] | Callable[[Any], dict[str, Any]]] = {
    ("POST", "/token"): {"name": "aigul", "password": PASSWORD},
    ("POST", "/login/{id}/callback"): {"state": "unknown"},
    ("POST", "/me/authenticate"): {"password": PASSWORD},
    ("POST", "/me/password"): {"old": PASSWORD, "new": "seven camels at the ford"},
    ("POST", "/me/second-factor/confirm"): {"code": "000000"},
    ("POST", "/me/second-factor/remove"): {"code": "000000"},
    ("POST", "/password-resets"): {"name": "aigul"},
    ("POST", "/password-resets/use"): {"token": "wrong", "password": "seven camels at the ford"},
    ("POST", "/users"): {"name": "newcomer", "password": "seven camels at the ford"},
    ("POST", "/keys"): {"name": "mine", "scopes": ["submissions:read"]},
    ("POST", "/consent-texts"): {"texts": {"en": "I agree.", "ru": "Да.", "kk": "Иә."}},
    ("POST", "/documents/delete"): lambda id: {"ids": [id]},
    ("PATCH", "/documents"): lambda id: {"ids": [id], "metadata": {"year": 2025}},
    ("POST", "/documents/check"): lambda id: {"documents": {"ids": [id]}},
    ("POST", "/erasures/preview"): {"person": "Nobody at All"},
    ("POST", "/erasures"): {"person": "Nobody at All"},
    ("POST", "/collections"): {"name": "another"},
    ("POST", "/document-types"): {"name": "poem"},
    ("PUT", "/document-types"): {"names": ["essay"]},
    ("PATCH", "/document-types/{name}"): {"name": "long essay"},
    ("PUT", "/stop-words/{language}"): {"words": ["the"]},
    ("PUT", "/settings"): {"institution": "University"},
    ("PUT", "/thresholds"): {"notice": 0.2, "high": 0.5},
    ("POST", "/login-providers"): {
        "name": "Another",
        "issuer": "https://127.0.0.1:2",
        "client_id": "likewise",
    },
    ("POST", "/checks/delete"): lambda id: {"ids": [id]},
    ("POST", "/checks/share"): lambda id: {"ids": [id], "shared": True},
    ("POST", "/checks/again"): lambda id: {"ids": [id]},
    ("POST", "/checks/figures"): lambda id: {"ids": [id]},
    ("POST", "/checks/{id}/exclusions"): {"span": [6, 9], "reason": "it is a quotation"},
    ("POST", "/duplicates"): lambda id: {"collection": [id]},
    ("POST", "/courses"): {"name": "mine"},
    ("POST", "/courses/{id}/members"): {"members": [{"user_name": "timur"}]},
}


def request_of(method: str, path: str, ids: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The address, and what is sent to it."""
    how: dict[str, Any] = {"params": QUERIES.get((method, path))}
    body = REQUESTS.get((method, path), BODIES.get((method, path), {}))
    if path in FORMS and method == "POST":
        how["files"] = FORMS[path]
    elif path == "/login/{id}/logout":
        how["data"] = {"logout_token": "x"}
    elif method not in ("GET", "DELETE"):
        how["json"] = body(ids.get("id")) if callable(body) else body
    return path.format(**WORDS | dict(ids)), how


def not_there(ids: Mapping[str, Any]) -> dict[str, Any]:
    """Names of the same form that name nothing."""
    nothing = {"id": NOTHING, "name": "nothing"}
    return {
        name: 999_999 if isinstance(value, int) else nothing.get(name, NOTHING)
        for name, value in ids.items()
    }
