"""How a library's fingerprints are made, remembered beside them."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, insert, select

from likewise.errors import BadSettings
from likewise.language import Lexicon
from likewise.library import schema
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.model import Message
from likewise.settings import FIELDS, Settings


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings, and the recipe string they had on the machine that used them first."""

    id: int
    recipe: str
    settings: Settings = field(repr=False)

    def check(self, name: str) -> None:
        """Refuse to mix fingerprints of two recipes: they would never meet."""
        if self.settings.recipe() != self.recipe:
            ours, theirs = self.settings.recipe().split(), self.recipe.split()
            changed = " ".join(part for part in theirs if part not in ours)
            made_with = changed or Message("library.another_recipe")
            raise WrongRecipe("library.made_otherwise", about=name, recipe=made_with)


class Sketching:
    """A recipe in use: its lexicon learns, so only one thread at a time may read with it."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.settings = recipe.settings
        self.lexicon = Lexicon(recipe.settings)
        self.lock = threading.Lock()


def check_settings(settings: Settings) -> None:
    """What a library cannot be made with."""
    if settings.unit != "words":
        raise BadSettings("library.words_only")
    if settings.drop_common is not None:
        raise BadSettings("library.no_drop_common")


def add_recipe(connection: Connection, settings: Settings) -> Recipe:
    """The recipe of some settings, written down if it is new."""
    recipes = schema.recipes.c
    recipe = settings.recipe()
    number = connection.execute(select(recipes.id).where(recipes.recipe == recipe)).scalar()
    if number is None:
        highest = connection.execute(select(func.max(recipes.id))).scalar() or 0
        number = int(highest) + 1
        connection.execute(
            insert(schema.recipes).values(
                id=number,
                recipe=recipe,
                settings=json.dumps(settings.as_dict(), ensure_ascii=False, sort_keys=True),
            )
        )
    return Recipe(int(number), recipe, settings)


def read_recipe(connection: Connection, number: int) -> Recipe:
    """A recipe that was written down."""
    recipes = schema.recipes.c
    row = connection.execute(
        select(recipes.recipe, recipes.settings).where(recipes.id == number)
    ).first()
    if row is None:
        raise LibraryError("library.recipe_missing", n=number)
    try:
        return Recipe(number, row.recipe, settings_from(json.loads(row.settings)))
    except (AttributeError, BadSettings, TypeError, ValueError) as error:
        raise LibraryError("library.recipe_damaged", n=number) from error


def settings_from(values: dict[str, object]) -> Settings:
    """Settings from what `Settings.as_dict` gave; what this version does not know is left out."""
    settings = {name: value for name, value in values.items() if name in FIELDS}
    for name in ("languages", "bands"):
        value = settings.get(name)
        if isinstance(value, list):
            settings[name] = tuple(value)
    return Settings(**settings)  # type: ignore[arg-type]
