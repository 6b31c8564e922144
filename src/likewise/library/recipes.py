"""How a library's fingerprints are made, remembered beside them: its settings and its stop words.

Stop words are a list a language, and editable: each change of a list is a new recipe.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, func, insert, select

from likewise.errors import BadInput, BadSettings
from likewise.language import Lexicon, stopwords
from likewise.languages import codes
from likewise.library import schema
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.library.metadata import clean_text
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


def fill_stop_words(connection: Connection, settings: Settings) -> Settings:
    """The lists that a new library begins with; words given by hand are of no language."""
    if isinstance(settings.stop_words, frozenset):
        write_stop_words(connection, "", settings.stop_words)
    elif settings.stop_words:
        for language in settings.languages:
            write_stop_words(connection, language, stopwords.shipped(language))
    return settings


def clean_stop_words(language: str, words: Iterable[str]) -> frozenset[str]:
    """Words as they are kept, of a language that there is; "" is for words of none."""
    if language not in ("", *codes()):
        raise BadInput("library.no_stop_words", language=language, languages=codes())
    if isinstance(words, str):
        raise BadInput("library.stop_words_several")
    cleaned = frozenset(clean_text(word).strip().lower() for word in words)
    for word in sorted(cleaned):
        if word.split() not in ([], [word]):
            raise BadInput("library.not_one_word", word=word)
    return cleaned - {""}


def write_stop_words(connection: Connection, language: str, words: Iterable[str]) -> None:
    """One language's list instead of the one that was there."""
    table = schema.stop_words
    connection.execute(delete(table).where(table.c.language == language))
    rows = [{"language": language, "word": word} for word in sorted(set(words))]
    if rows:
        connection.execute(insert(table), rows)


def read_stop_words(connection: Connection, language: str | None = None) -> frozenset[str]:
    """One language's list, or all together."""
    table = schema.stop_words
    query = select(table.c.word)
    if language is not None:
        query = query.where(table.c.language == language)
    return frozenset(connection.execute(query).scalars())


def change_of_stop_words(
    language: str, more: frozenset[str], less: frozenset[str]
) -> Callable[[frozenset[str]], frozenset[str]]:
    """A change of a list, whatever is in it by then."""

    def changed(there: frozenset[str]) -> frozenset[str]:
        if missing := sorted(less - there):
            raise BadInput("library.no_stop_word", word=missing[0], language=language)
        return (there | more) - less

    return changed


def settings_with_stop_words(settings: Settings, words: frozenset[str]) -> Settings:
    """The settings under which exactly these words are dropped."""
    shipped = frozenset().union(*map(stopwords.shipped, settings.languages))
    if words == shipped:
        return settings.but(stop_words=True)
    return settings.but(stop_words=words if words else False)
