"""What the pages say, in each language: the words of the reports and those of the pages around."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from likewise.catalogue import LANGUAGES, Words, texts
from likewise.catalogue import LanguageCode as Language
from likewise.languages.registry import Text

APP = Path(__file__).parents[2] / "ui" / "src" / "app"

__all__ = ["APP", "LANGUAGES", "Language", "Speech", "own_messages"]


@cache
def own_messages(language: Language) -> dict[str, Text]:
    """Those of the pages alone."""
    found: dict[str, Text] = {}
    for path in sorted((APP / "words").glob(f"*/{language}.json")):
        found |= json.loads(path.read_text("utf-8"))
    return found


class Speech(Words):
    """The words of a language, as the pages say them.

    >>> Speech("en")("app.save"), Speech("ru")("options.documents", n=3)
    ('Save', '3 документа')
    """

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._texts = {**texts(language), **own_messages(language)}
