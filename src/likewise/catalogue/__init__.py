"""Every sentence for people, in each language that is registered: messages, words of reports."""

from typing import TYPE_CHECKING, Any, Literal

from likewise.catalogue.words import (
    GROUPS,
    Message,
    Value,
    Words,
    language_of_the_system,
    places,
    texts,
    time_zone_of,
)
from likewise.languages import codes

__all__ = [
    "GROUPS",
    "LANGUAGES",
    "LanguageCode",
    "Message",
    "Value",
    "Words",
    "language_of_the_system",
    "places",
    "texts",
    "time_zone_of",
]

if TYPE_CHECKING:
    from likewise.catalogue.words import LanguageCode

    LANGUAGES: tuple[str, ...]
else:

    def __getattr__(name: str) -> Any:
        """The languages that there are when somebody asks, as the API when it is loaded."""
        if name == "LANGUAGES":
            return codes()
        if name == "LanguageCode":
            return Literal[codes()]
        raise AttributeError(name)
