"""Russian."""

from functools import partial

from likewise.languages.registry import CYRILLIC, Language, listed_words, register, snowball


def plural(number: int) -> str:
    """The category of a whole number.

    >>> [plural(n) for n in (1, 3, 5, 11, 21)]
    ['one', 'few', 'many', 'many', 'one']
    """
    if number % 10 == 1 and number % 100 != 11:
        return "one"
    if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14):
        return "few"
    return "many"


register(
    Language(
        code="ru",
        name="Russian",
        place=20,
        letters=CYRILLIC,
        stop_words=partial(listed_words, "stopwords/ru.txt"),
        stemmer=partial(snowball, "russian"),
        ocr_data="rus",
        plural=plural,
    )
)
