"""Every sentence for people, in English, Russian and Kazakh: messages, and the words of reports."""

from likewise.catalogue.words import (
    GROUPS,
    LANGUAGES,
    Language,
    Message,
    Value,
    Words,
    language_of_the_system,
    places,
    plural,
    texts,
)

__all__ = [
    "GROUPS",
    "LANGUAGES",
    "Language",
    "Message",
    "Value",
    "Words",
    "language_of_the_system",
    "places",
    "plural",
    "texts",
]
