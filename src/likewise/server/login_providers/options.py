"""What administrators decide about a provider: whom it lets in, and as what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from likewise.server.caller import Role

_Word = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
_Claim = Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)]
# The highest first: whom claims give several roles gets this one of them.
ROLES: tuple[Role, ...] = ("administrator", "teacher", "student")


def _fold_domain(text: str) -> str:
    domain = text.strip().removeprefix("@").casefold().removesuffix(".")
    if not domain or any(sign in domain for sign in "@/ *"):
        raise ValueError("a domain is what stands behind the @ of an address")
    return domain


Domain = Annotated[_Word, AfterValidator(_fold_domain)]


class ProviderOptions(BaseModel):
    """Whom a provider vouches for, and as what people come in.

    >>> ProviderOptions(domains=["@Example.KZ"]).domains
    ['example.kz']
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    scopes: list[_Word] = Field(default=["openid", "email", "profile"], max_length=20)
    name_claim: _Claim = Field(default="preferred_username", description="of new people's names")
    role_claim: _Claim = Field(
        default="", description="where roles or groups stand, such as realm_access.roles"
    )
    roles: dict[Role, list[_Word]] = Field(
        default={}, description="the values of the claim that give each role"
    )
    default_role: Literal["teacher", "student"] | None = Field(
        default=None, description="of those whose claims give none; without one they are refused"
    )
    adds_people: bool = Field(
        default=False, description="whether whoever has no account gets one at the first log in"
    )
    links_by_address: bool = Field(
        default=False, description="whether accounts are found by their verified address of mail"
    )
    domains: list[Domain] = Field(
        default=[],
        max_length=100,
        description="of addresses that the provider vouches for; none links nobody",
    )
    vouches_for_addresses: bool = Field(
        default=False,
        description="whether its addresses are verified although it does not say email_verified",
    )
    log_in_is_proof: bool = Field(
        default=False,
        description="whether a log in proves who sits there, where no auth_time says when",
    )

    @property
    def maps_administrators(self) -> bool:
        return bool(self.role_claim and self.roles.get("administrator"))

    def role_of(self, claims: Mapping[str, Any]) -> Role | None:
        """The highest role that the claims of somebody give; None for nobody who is let in.

        >>> options = ProviderOptions(role_claim="realm_access.roles", roles={"teacher": ["staff"]})
        >>> options.role_of({"realm_access": {"roles": ["staff", "sports"]}})
        'teacher'
        >>> options.role_of({"realm_access": {"roles": ["sports"]}})
        """
        values = claim_values(claims, self.role_claim) if self.role_claim else frozenset()
        for role in ROLES:
            if values & frozenset(self.roles.get(role, ())):
                return role
        return self.default_role


def claim_at(claims: Mapping[str, Any], name: str) -> Any:
    """A claim by its name, or by its way into others, as `realm_access.roles`."""
    if name in claims:
        return claims[name]
    place: Any = claims
    for part in name.split("."):
        place = place.get(part) if isinstance(place, Mapping) else None
    return place


def claim_values(claims: Mapping[str, Any], name: str) -> frozenset[str]:
    """The words of a claim, whether it is one or a list."""
    value = claim_at(claims, name)
    values = value if isinstance(value, list) else [value]
    return frozenset(one for one in values if isinstance(one, str))
