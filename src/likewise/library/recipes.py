"""How a library's fingerprints are made, remembered beside them: its settings and its stop words.

Stop words are a list a language, and editable: each change of a list is a new recipe.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypedDict

from sqlalchemy import Connection, delete, func, insert, select

from likewise.errors import BadInput, BadSettings
from likewise.language import Lexicon, stopwords
from likewise.languages import codes
from likewise.library import schema
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.library.metadata import clean_text
from likewise.model import Message
from likewise.settings import FIELDS, Settings, Unit


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
        self.forms: dict[int, str] = {}  # canonical words by hash, where characters are compared
        self.lock = threading.Lock()


class RecipeChanges(TypedDict, total=False):
    """What can be changed of a recipe once a library is made; the rest stays as it was chosen.

    The rest decides which words there are (hyphens, addresses, signs), and with it which documents
    are copies of each other. Stop words are changed as lists.
    """

    unit: Unit  # what shingles are made of
    shingle: int  # words or characters in one
    window: int  # of winnowing, in shingles
    stem: bool  # words by their stems
    drop_digits: bool  # words with a digit in them
    min_length: int  # of a word, in letters
    max_length: int


RECIPE_FIELDS: tuple[str, ...] = tuple(RecipeChanges.__annotations__)
# Shorter ones stand in so many documents that copied text would pass for common text.
LEAST_SHINGLE: dict[Unit, int] = {"words": 3, "chars": 20}
USUAL_SHINGLE: dict[Unit, int] = {"words": Settings().shingle, "chars": 30}


def check_settings(settings: Settings) -> None:
    """What a library cannot be made with."""
    if settings.drop_common is not None:
        raise BadSettings("library.no_drop_common")
    least = LEAST_SHINGLE[settings.unit]
    if settings.shingle < least and settings.unit == "words":
        raise BadSettings("library.short_shingle_words", n=settings.shingle, least=least)
    if settings.shingle < least:
        raise BadSettings("library.short_shingle_chars", n=settings.shingle, least=least)


def change_settings(settings: Settings, changes: RecipeChanges) -> Settings:
    """Settings with some changed, if a library can be made with them.

    Another unit has sizes of its own, where none is given.

    >>> changed = change_settings(Settings(), {"unit": "chars"})
    >>> changed.shingle, changed.window
    (30, 24)
    """
    values: dict[str, Any] = {**changes}
    if unknown := sorted(set(values) - set(RECIPE_FIELDS)):
        raise BadSettings("library.not_in_recipe", name=unknown[0], names=RECIPE_FIELDS)
    changed = settings.but(**values)
    if changed.unit != settings.unit:
        changed = changed.but(shingle=values.get("shingle", USUAL_SHINGLE[changed.unit]))
    if "window" not in values and (changed.unit != settings.unit or changed.unit == "chars"):
        changed = changed.but(window=usual_window(changed))
    check_settings(changed)
    return changed


def usual_window(settings: Settings) -> int:
    """How many shingles are winnowed together where nobody says it.

    As many characters as leave no gap between fingerprints and about as many of these as words do.
    """
    if settings.unit == "words":
        return Settings().window
    return max(1, settings.shingle * 4 // 5)


def shortest_run(settings: Settings) -> int:
    """A copied run of so many words or characters is always found (winnowing's guarantee).

    >>> shortest_run(Settings())
    8
    """
    return settings.shingle + settings.window - 1


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
