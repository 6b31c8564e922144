"""English."""

from functools import partial

from likewise.languages.registry import LATIN, Language, listed_words, register, snowball

register(
    Language(
        code="en",
        name="English",
        place=10,
        letters=LATIN,
        stop_words=partial(listed_words, "stopwords/en.txt"),
        stemmer=partial(snowball, "english"),
        ocr_data="eng",
        decimal_sign=".",
        thousands_sign=",",
        percent_sign="%",
    )
)
