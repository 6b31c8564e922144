"""What the library is made with, as administrators see and change it; a change is a rebuild."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field
from sqlalchemy import Connection, func, select

from likewise.library import RecipeChanges, schema, shortest_run
from likewise.library.rebuild import change_recipe, count_waiting, target_settings
from likewise.library.recipes import LEAST_SHINGLE, USUAL_SHINGLE
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.people.access import Administrator, ContextDep
from likewise.server.people.audit import record_act
from likewise.server.shapes import RequestBody, Shape
from likewise.server.stop_words.rebuild import enqueue_rebuild, running_rebuild
from likewise.settings import Settings, Unit

router = APIRouter(tags=["recipe"])

Length = Annotated[int, Field(ge=1, le=1_000_000_000)]


class RecipeShape(Shape):
    """How fingerprints are made; stop words stand at /stop-words."""

    unit: Unit = Field(description="what shingles are made of")
    shingle: int = Field(description="words or characters in one")
    shortest_run: int = Field(description="a copied run of so many of them is always found")
    stem: bool = Field(description="whether words are compared by their stems")
    drop_digits: bool = Field(description="whether words with a digit in them are left out")
    min_length: int = Field(description="shorter words are left out")
    max_length: int = Field(description="longer words are left out")


class RecipeChange(RequestBody):
    """What is left out stays; another unit brings its usual size of shingles."""

    unit: Unit | None = None
    shingle: Annotated[int, Field(ge=1, le=1000)] | None = None
    stem: bool | None = None
    drop_digits: bool | None = None
    min_length: Length | None = None
    max_length: Length | None = None


class UnitShape(Shape):
    """Something that shingles can be made of."""

    unit: Unit
    least_shingle: int
    usual_shingle: int


class RecipeState(Shape):
    """The recipe that checks use, and the one that a rebuild brings into use."""

    recipe: RecipeShape
    next: RecipeShape | None
    documents: int = Field(description="whose fingerprints a change makes anew")
    stale: int = Field(description="documents that wait for the rebuild")
    job: str | None = Field(description="the rebuild that is asked for or at work")
    units: list[UnitShape]


@router.get("/recipe", summary="What the library is made with")
def show_recipe(context: ContextDep, caller: Administrator) -> RecipeState:
    """The recipe in use, the one asked for, and what a change costs."""
    with context.store.reading() as connection:
        return _state(context, connection)


@router.patch("/recipe", summary="Change what the library is made with")
def change(body: RecipeChange, context: ContextDep, caller: Administrator) -> RecipeState:
    """Starts a rebuild where one is needed. Checks go on with the old recipe until it has ended."""
    changes: Any = body.model_dump(exclude_none=True)
    if not changes:
        return show_recipe(context, caller)
    with context.store.writing() as (connection, _change):
        _change_recipe(context, connection, caller, changes)
        return _state(context, connection)


def _change_recipe(
    context: ServerContext, connection: Connection, caller: Caller, changes: RecipeChanges
) -> None:
    """The change, its line in the audit log and the job, all or nothing."""
    before = _shape(target_settings(context.store, connection)).model_dump()
    needs_rebuild = change_recipe(context.store, connection, changes)
    after = _shape(target_settings(context.store, connection)).model_dump()
    values = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    if values:
        record_act(connection, caller, "recipe changed", None, **values)
    if needs_rebuild:
        enqueue_rebuild(connection, caller)


def _state(context: ServerContext, connection: Connection) -> RecipeState:
    state = context.store.state(connection)
    used = context.store.recipe(connection, state.recipe_id).settings
    next_id = state.next_recipe_id
    count = select(func.count()).select_from(schema.documents)
    first_of_texts = count.where(schema.documents.c.copy_of.is_(None))
    return RecipeState(
        recipe=_shape(used),
        next=_shape(context.store.recipe(connection, next_id).settings) if next_id else None,
        documents=int(connection.execute(first_of_texts).scalar_one()),
        stale=count_waiting(connection, next_id),
        job=running_rebuild(connection),
        units=[
            UnitShape(unit=unit, least_shingle=least, usual_shingle=USUAL_SHINGLE[unit])
            for unit, least in LEAST_SHINGLE.items()
        ],
    )


def _shape(settings: Settings) -> RecipeShape:
    return RecipeShape(
        unit=settings.unit,
        shingle=settings.shingle,
        shortest_run=shortest_run(settings),
        stem=settings.stem,
        drop_digits=settings.drop_digits,
        min_length=settings.min_length,
        max_length=settings.max_length,
    )
