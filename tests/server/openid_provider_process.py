"""An OpenID Connect provider as a process of its own: Authlib's server side behind Flask.

It does what providers of universities do: discovery, keys that change, the code flow with PKCE,
claims at an address of their own, logging out from either side. `/control/…` is for tests: who
there is, which key signs, and what is wrong with the next token.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import sys
import time
from dataclasses import dataclass
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, OAuth2Error, grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter
from authlib.oidc.core import OpenIDCode
from flask import Flask, jsonify, redirect, request
from joserfc import jwt
from joserfc.jwk import RSAKey
from werkzeug.serving import make_server

CLIENT, SECRET = "likewise", "client secret of the tests: wormwood+rain/%"
LOGOUT = "http://schemas.openid.net/event/backchannel-logout"


class Client(ClientMixin):
    """Likewise, as it is registered here."""

    client_id = CLIENT

    def get_client_id(self) -> str:
        return CLIENT

    def get_default_redirect_uri(self) -> None:
        return None

    def get_allowed_scope(self, scope: str) -> str:
        return scope or ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return "/login/" in redirect_uri

    def check_client_secret(self, client_secret: str) -> bool:
        return secrets.compare_digest(client_secret.encode(), SECRET.encode())

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method in provider.methods

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


@dataclass
class Code:
    """What stands behind a code until it is exchanged."""

    sub: str
    redirect_uri: str
    scope: str
    nonce: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    auth_time: int

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str | None:
        return self.nonce

    def get_auth_time(self) -> int:
        return self.auth_time

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


class Provider:
    """What it knows and does."""

    def __init__(self) -> None:
        self.issuer = ""
        self.people: dict[str, dict[str, Any]] = {}
        self.codes: dict[str, Code] = {}
        self.access_tokens: dict[str, str] = {}
        self.keys: list[RSAKey] = []
        self.wrong: dict[str, Any] = {}  # what is wrong with tokens, until told otherwise
        self.said_otherwise: dict[str, Any] = {}  # in the description of itself
        self.methods = ["client_secret_basic"]
        self.requests: list[str] = []
        self.logged_out: list[dict[str, str]] = []
        self.rotate()

    def rotate(self) -> None:
        """Sign with a new key, and publish no other."""
        parameters: Any = {"use": "sig", "alg": "RS256", "kid": secrets.token_hex(4)}
        self.keys = [RSAKey.generate_key(2048, parameters)]

    def description(self) -> dict[str, Any]:
        at = self.issuer
        return {
            "issuer": at,
            "authorization_endpoint": f"{at}/authorize",
            "token_endpoint": f"{at}/token",
            "userinfo_endpoint": f"{at}/userinfo",
            "jwks_uri": f"{at}/jwks",
            "end_session_endpoint": f"{at}/end-session",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": self.methods,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "backchannel_logout_supported": True,
        } | self.said_otherwise

    def sign(self, claims: dict[str, Any]) -> str:
        """A token, with what is wrong with it for now."""
        wrong = dict(self.wrong)
        how, drop = wrong.pop("how", None), wrong.pop("without", [])
        claims = {name: value for name, value in (claims | wrong).items() if name not in drop}
        key = self.keys[0]
        if how == "none":
            parts = [{"alg": "none", "typ": "JWT"}, claims]
            return ".".join([*map(_segment, parts), ""])
        if how == "public key as secret":
            # By hand: joserfc does not lend itself to it.
            signed = f"{_segment({'alg': 'HS256', 'kid': key.kid})}.{_segment(claims)}"
            mark = hmac.digest(key.as_pem(private=False), signed.encode(), "sha256")
            return f"{signed}.{base64.urlsafe_b64encode(mark).rstrip(b'=').decode()}"
        if how == "another key of the name":
            other = RSAKey.generate_key(2048, {"kid": key.kid})
            return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, other)
        if how == "changed afterwards":
            head, _, signature = jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key).split(
                "."
            )
            return f"{head}.{_segment(claims | {'sub': 'dean'})}.{signature}"
        if how == "unknown key":
            other = RSAKey.generate_key(2048, {"kid": "nobody knows"})
            return jwt.encode({"alg": "RS256", "kid": "nobody knows"}, claims, other)
        return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)


def _segment(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


provider = Provider()
app = Flask("openid_provider")
app.secret_key = secrets.token_bytes(16)


class CodeGrant(grants.AuthorizationCodeGrant):
    """Codes: kept until they are exchanged, and good once."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_basic", "client_secret_post")

    def save_authorization_code(self, code: str, oauth_request: Any) -> None:
        data = oauth_request.payload.data
        provider.codes[code] = Code(
            sub=oauth_request.user,
            redirect_uri=oauth_request.payload.redirect_uri,
            scope=oauth_request.scope,
            nonce=data.get("nonce"),
            code_challenge=data.get("code_challenge"),
            code_challenge_method=data.get("code_challenge_method"),
            auth_time=int(time.time()),
        )

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        return provider.codes.get(code)

    def delete_authorization_code(self, authorization_code: Code) -> None:
        for code in [one for one, own in provider.codes.items() if own is authorization_code]:
            del provider.codes[code]

    def authenticate_user(self, authorization_code: Code) -> str:
        return authorization_code.sub


class Tokens(OpenIDCode):
    """ID tokens with the claims of a person."""

    def exists_nonce(self, nonce: str, oauth_request: Any) -> bool:
        return any(code.nonce == nonce for code in provider.codes.values())

    def get_client_claims(self, client: Client) -> dict[str, Any]:
        return {"iss": provider.issuer, "aud": [client.get_client_id()]}

    def generate_user_info(self, user: str, scope: str) -> dict[str, Any]:
        return told_in_token(user)

    def encode_id_token(self, token: dict[str, Any], oauth_request: Any) -> str:
        claims = self.get_compatible_claims(oauth_request)
        claims |= self.get_authorization_code_claims(oauth_request.authorization_code)
        claims |= self.generate_user_info(oauth_request.user, token["scope"])
        return provider.sign(claims | {"sid": f"session of {oauth_request.user}"})


class Named(IssuerParameter):
    def get_issuer(self) -> str:
        return provider.issuer


def told_in_token(sub: str) -> dict[str, Any]:
    claims = provider.people[sub]
    hidden = claims.get("only at userinfo", [])
    shown = {name: value for name, value in claims.items() if name not in hidden}
    shown.pop("only at userinfo", None)
    return shown | {"sub": sub}


def save_token(token: dict[str, Any], oauth_request: Any) -> None:
    provider.access_tokens[token["access_token"]] = oauth_request.user


server = AuthorizationServer(
    app, query_client=lambda id: Client() if id == CLIENT else None, save_token=save_token
)
server.register_grant(CodeGrant, [CodeChallenge(required=True), Tokens(require_nonce=True)])
server.register_extension(Named())

FORM = """<!doctype html><title>Campus log in</title><h1>Campus log in</h1>
<form method="post"><label>Person <input name="sub"></label><button>Log in</button></form>"""


@app.before_request
def count() -> None:
    if not request.path.startswith("/control"):
        provider.requests.append(request.path)


@app.get("/.well-known/openid-configuration")
def description() -> Any:
    if provider.said_otherwise.get("redirected"):
        return redirect("/elsewhere")
    return jsonify(provider.description())


@app.get("/elsewhere")
def elsewhere() -> Any:
    return jsonify(provider.description())


@app.get("/jwks")
def jwks() -> Any:
    return jsonify({"keys": [key.as_dict(private=False) for key in provider.keys]})


@app.route("/authorize", methods=["GET", "POST"])
def authorize() -> Any:
    try:
        grant = server.get_consent_grant(end_user=None)
    except OAuth2Error as error:
        return server.handle_error_response(server.create_oauth2_request(None), error)
    if request.method == "GET":
        return FORM
    sub = request.form.get("sub", "")
    user = sub if sub in provider.people else None  # None: the person is refused
    return server.create_authorization_response(grant_user=user, grant=grant)


@app.post("/token")
def token() -> Any:
    return server.create_token_response()


@app.get("/userinfo")
def userinfo() -> Any:
    sub = provider.access_tokens.get(request.headers["Authorization"].removeprefix("Bearer "))
    if sub is None:
        return "", 401
    claims = dict(provider.people[sub])
    claims.pop("only at userinfo", None)
    return jsonify({"sub": provider.wrong.get("sub of userinfo", sub)} | claims)


@app.get("/end-session")
def end_session() -> Any:
    provider.logged_out.append(dict(request.args))
    return redirect(request.args["post_logout_redirect_uri"])


@app.put("/control/people/<sub>")
def set_person(sub: str) -> Any:
    provider.people[sub] = request.get_json()
    return "", 204


@app.post("/control/rotate")
def rotate() -> Any:
    provider.rotate()
    return "", 204


@app.put("/control/wrong")
def set_wrong() -> Any:
    provider.wrong = request.get_json()
    return "", 204


@app.put("/control/description")
def set_description() -> Any:
    provider.said_otherwise = request.get_json()
    provider.methods = provider.said_otherwise.pop("methods", ["client_secret_basic"])
    return "", 204


@app.get("/control/requests")
def show_requests() -> Any:
    return jsonify({"requests": provider.requests, "logged_out": provider.logged_out})


@app.post("/control/logout")
def log_out() -> Any:
    """A token that says so; the test sends it."""
    asked = request.get_json()
    now = int(time.time())
    claims = {"iss": provider.issuer, "aud": CLIENT, "iat": now, "exp": now + 120}
    claims |= {"jti": secrets.token_hex(8), "events": {LOGOUT: {}}} | asked["claims"]
    return jsonify({"logout_token": provider.sign(claims)})


def main() -> None:
    http = make_server("127.0.0.1", 0, app, threaded=True)
    provider.issuer = f"http://127.0.0.1:{http.server_port}"
    print(provider.issuer, flush=True)
    http.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
