"""What is sent and received about providers, and about logging in by them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from likewise.server.login_providers.options import ProviderOptions
from likewise.server.login_providers.service import LoginProvider
from likewise.server.people.login_routes import Tokens
from likewise.server.shapes import RequestBody, Shape, SingleLine

Issuer = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]
ClientId = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]
Secret = Annotated[str, StringConstraints(max_length=2_000)]
Position = Annotated[int, Field(ge=0, le=1_000)]


class LogInButton(Shape):
    """Somebody to log in by."""

    id: str
    name: str


class LogInWays(Shape):
    """How people log in here."""

    passwords: bool
    providers: list[LogInButton]


class LogInBegun(RequestBody):
    """Where to go on afterwards."""

    go_to: str = Field(default="/", max_length=1_000, description="a path of the pages")


class DepartureShape(Shape):
    """Where to send the browser."""

    address: str


class LogInReturned(RequestBody):
    """What stands in the address that the provider sent the browser back to."""

    state: str = Field(min_length=1, max_length=500)
    code: str | None = Field(default=None, max_length=4_000)
    iss: str | None = Field(default=None, max_length=500, description="who sent it (RFC 9207)")
    error: str | None = Field(default=None, max_length=500, description="why there is no code")


class LogInDone(Shape):
    """What came of it; the refresh token is in its cookie."""

    purpose: Literal["log in", "authenticate", "link"]
    go_to: str
    tokens: Tokens | None = Field(description="of a log in")


class LoggedOut(Shape):
    """Where to send the browser to log out there too."""

    address: str | None


class LogOutHeard(Shape):
    """What a provider is answered: 200, whatever it ended."""

    is_heard: bool = True


class LoginProviderShape(Shape):
    """A provider, as administrators see it. Its secret is never sent back."""

    id: str
    name: str
    issuer: str
    client_id: str
    has_secret: bool
    options: ProviderOptions
    is_active: bool
    position: int
    people: int = Field(description="whom it has vouched for")
    return_address: str | None = Field(
        description="to be entered there; none until it is known where browsers reach us"
    )
    log_out_address: str | None = Field(description="where it sends people who have logged out")
    back_channel_address: str | None = Field(description="where it says that sessions are over")

    @classmethod
    def of_provider(cls, provider: LoginProvider, site: str | None) -> LoginProviderShape:
        back = None if site is None else f"{site}/login/{provider.id}"
        channel = None if site is None else f"{site}/api/v1/login/{provider.id}/logout"
        return cls(
            id=provider.id,
            name=provider.name,
            issuer=provider.issuer,
            client_id=provider.client_id,
            has_secret=provider.has_secret,
            options=provider.options,
            is_active=provider.is_active,
            position=provider.position,
            people=provider.people,
            return_address=back,
            log_out_address=None if site is None else f"{site}/login",
            back_channel_address=channel,
        )


class LoginProviders(Shape):
    """All of them, in the order of their buttons."""

    items: list[LoginProviderShape]


class NewLoginProvider(RequestBody):
    """Somebody to vouch for people."""

    name: SingleLine = Field(min_length=1, description="on the button")
    issuer: Issuer = Field(description="exactly as it calls itself, https://…")
    client_id: ClientId
    client_secret: Secret | None = Field(default=None, description="none of a public client")
    options: ProviderOptions = ProviderOptions()
    is_active: bool = True
    position: Position = 0


class LoginProviderChanges(RequestBody):
    """What is left out stays as it is."""

    name: SingleLine | None = Field(default=None, min_length=1)
    issuer: Issuer | None = None
    client_id: ClientId | None = None
    client_secret: Secret | None = Field(default=None, description="no letters erase it")
    options: ProviderOptions | None = None
    is_active: bool | None = None
    position: Position | None = None


class ProviderProbe(Shape):
    """What a provider says of itself."""

    works: bool
    problem: str | None = Field(description="why it cannot be used, in English")
    code: str | None
    values: dict[str, object]
    algorithms: list[str]
    keys: int
    has_log_out: bool
    has_user_info: bool
