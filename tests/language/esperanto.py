"""A toy language: Esperanto, as far as a test needs it."""

from likewise.languages import LATIN, Language

# Of Esperanto: nouns end in -o, adjectives in -a, with -j for several and -n for an object.
STOP_WORDS = frozenset({"la", "kaj", "en", "estas", "de", "al", "sur"})
ENDINGS = ("ojn", "ajn", "oj", "aj", "on", "an", "o", "a")


def stems(words: list[str]) -> list[str | None]:
    """Words that end as no English one does; the others are left to English."""
    found = ((word, next((end for end in ENDINGS if word.endswith(end)), None)) for word in words)
    return [word.removesuffix(end) + "o" if end else None for word, end in found]


ESPERANTO = Language(
    code="eo",
    name="Esperanto",
    place=40,
    letters=LATIN,
    stop_words=lambda: STOP_WORDS,
    stemmer=lambda: stems,
    is_spoken_in=lambda sample: sum(word in STOP_WORDS for word in sample.split()) > 3,
    ocr_data="epo",
    texts={"measures.agreement": "konsento", "sources.source": "fonto"},
)
