"""Providers of the Internet check: which there are, what they need, and whether they answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as InPath
from pydantic import Field

from likewise.model import Message
from likewise.server.people.access import Administrator, ContextDep, RecentAdministrator
from likewise.server.people.login import locked_out
from likewise.server.people.login_throttle import try_request
from likewise.server.providers import service
from likewise.server.providers.service import TEST_QUERY, Outcome, ProviderState
from likewise.server.shapes import RequestBody, Shape, SingleLine

router = APIRouter(prefix="/providers", tags=["settings"])

Name = Annotated[str, InPath(pattern="^[a-z]{1,32}$")]
TESTS, IN = 30, timedelta(minutes=10)  # of one administrator


class Sentence(Shape):
    """Something that is told: in English, and as data for other languages."""

    sentence: str
    code: str
    values: dict[str, Any]

    @classmethod
    def of(cls, message: Message | None) -> Sentence | None:
        return None if message is None else cls(sentence=str(message), **message.for_programs())


class ProviderFieldShape(Shape):
    """A key, or where a provider is."""

    name: str
    is_secret: bool
    is_set: bool
    value: str | None = Field(description="none of a secret: no key is ever sent back")


class ProviderShape(Shape):
    """Somebody who can be asked for pages."""

    name: str
    title: str
    host: str | None = Field(description="whom the queries go to; none until it is set")
    is_on: bool
    is_set: bool = Field(description="whether it has all that it needs")
    by_environment: bool = Field(description="set where the server is started; not to be changed")
    fields: list[ProviderFieldShape]
    what: Sentence | None = Field(description="what is sent")
    problem: Sentence | None = Field(description="why it cannot be asked")

    @classmethod
    def of_state(cls, state: ProviderState) -> ProviderShape:
        return cls(
            name=state.name,
            title=state.title,
            host=state.host,
            is_on=state.is_on,
            is_set=state.is_set,
            by_environment=state.by_environment,
            fields=[ProviderFieldShape.model_validate(one) for one in state.fields],
            what=Sentence.of(state.what),
            problem=Sentence.of(state.problem),
        )


class Providers(Shape):
    """All that there are, and the words that a test sends."""

    items: list[ProviderShape]
    test_query: str


class ProviderChanges(RequestBody):
    """What is left out stays as it is."""

    is_on: bool | None = None
    values: dict[str, SingleLine | None] = Field(
        default={}, max_length=5, description="by the names of fields; none erases one"
    )


class TestShape(Shape):
    """What one query brought."""

    outcome: Outcome
    results: int
    message: Sentence | None


@router.get("", summary="Who can be asked on the Internet")
def list_providers(context: ContextDep, caller: Administrator) -> Providers:
    """Set by the environment of the server, else on the pages. Keys are never sent."""
    items = [ProviderShape.of_state(one) for one in service.list_providers(context)]
    return Providers(items=items, test_query=TEST_QUERY)


@router.patch("/{name}", summary="Set up a provider")
def change_provider(
    name: Name, body: ProviderChanges, context: ContextDep, caller: RecentAdministrator
) -> ProviderShape:
    """A key goes in and never comes out; with another address it must be given anew."""
    state = service.change_provider(context, caller, name, is_on=body.is_on, values=body.values)
    return ProviderShape.of_state(state)


@router.post("/{name}/test", summary="Ask a provider once")
def test_provider(name: Name, context: ContextDep, caller: Administrator) -> TestShape:
    """Always the same words, none of any document."""
    with context.store.beside() as connection:
        wait = try_request(connection, f"provider test {caller.id}", TESTS, IN)
    if wait:
        raise locked_out(wait)
    result = service.test_provider(context, name)
    return TestShape(
        outcome=result.outcome, results=result.results, message=Sentence.of(result.message)
    )
