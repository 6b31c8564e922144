"""The language of a document: English, Russian, Kazakh, or none of them.

A letter-and-frequency rule. First the script: Cyrillic letters against the Latin letters of
prose, since code and foreign terms inside a text say nothing about its language. Then:

* English is a Latin text rich in function words that its neighbours do not share;
* Kazakh is a Cyrillic text with қ, ғ, ң, ұ and their like, or, typed on a Russian keyboard,
  with Kazakh function words and endings instead of Russian ones;
* Russian is any other Cyrillic text with Russian function words and endings, without the
  letters of Ukrainian, Belarusian, Serbian or Tatar and without the ъ of Bulgarian.
"""

import re
from functools import cache

from likewise.language.stopwords import shipped
from likewise.languages import registered

_SLICES, _SLICE_CHARS = 10, 900  # what is looked at of a long text
_CYRILLIC_WORD = re.compile(r"[\u0400-\u052f]+")
_LATIN_WORD = re.compile(r"[a-z\u00df-\u024f]+")
_ACCENTED = re.compile(r"[\u00df-\u024f]")
_KAZAKH_ONLY = re.compile(r"[қғңұүөәһ]")
_STRONG_KAZAKH = re.compile(r"[қғұі]")  # what Tatar, Kyrgyz and Mongolian lack
_OTHER_CYRILLIC = re.compile(r"[^а-яёәғқңөұүһі]")  # ї є ґ ў ј љ њ ҡ җ ҳ ӣ …

_RUSSIAN_ENDING = re.compile(
    r"\b\w{2,}(?:ый|ий|ая|ое|ые|ого|его|ому|ых|их|ть|ся|сь|ние|ния|нии|ции|ция|ость|ости|ами|ями"
    r"|ет|ют|ит|ат|ят|ли|ла|ло|ов|ей|ем)\b"
)
_KAZAKH_ENDING = re.compile(
    r"\b\w{2,}(?:лар|лер|дар|дер|тар|тер|ды|ди|ты|ти|нын|нин|дын|дин|тын|тин|ган|ген|кан|кен|га|ге"
    r"|да|де|дан|ден|тан|тен|ып|ип|ап|еп|мен|пен|сы|си|ында|инде|лык|лик|тык|тик)\b"
)
# The Kazakh letters as they are typed on a Russian keyboard.
_AS_RUSSIAN = str.maketrans("әғқңөұүһі", "агкноуухи")

# English function words that neither its neighbours use nor programs (this, if, from).
_ENGLISH = frozenset(
    "the and of to that with which are been you your it its by not be can will have has"
    " would should they their these those we our when where there than then but or".split()
)
_LEAST_WORDS = 4
_ENGLISH_SHARE = 0.3  # of prose, roughly; a lower share means that part of the text is code
_LEAST_ENGLISH = 0.08
_MOST_ACCENTED = 0.02
_LEAST_KAZAKH_LETTERS = 0.06  # prose has .20 to .25
_MOST_OTHER_LETTERS = 0.004
_LEAST_EVIDENCE = 0.15  # function words count twice, endings once, for each word
_MOST_UKRAINIAN_I = 0.012  # Ukrainian has .05
_TELLING_LETTERS = 60
_MOST_LATIN = 8  # Latin letters for each Cyrillic one


@cache
def _cyrillic_stop_words() -> tuple[frozenset[str], frozenset[str]]:
    """Russian ones, and Kazakh ones in Russian letters, without the words of both."""
    russian = shipped("ru")
    kazakh = frozenset(word.translate(_AS_RUSSIAN) for word in shipped("kk")) | shipped("kk")
    return russian - kazakh, kazakh - russian


def _sample(text: str) -> str:
    if len(text) <= _SLICES * _SLICE_CHARS:
        return text.lower()
    step = (len(text) - _SLICE_CHARS) // (_SLICES - 1)
    return " ".join(text[i * step : i * step + _SLICE_CHARS] for i in range(_SLICES)).lower()


def _cyrillic_language(words: list[str]) -> str | None:
    text = " ".join(words)
    letters = len(text) - len(words) + 1
    if len(_OTHER_CYRILLIC.findall(text)) - len(words) + 1 > _MOST_OTHER_LETTERS * letters:
        return None
    kazakh_letters = len(_KAZAKH_ONLY.findall(text))
    if kazakh_letters > _LEAST_KAZAKH_LETTERS * letters:
        strong = len(_STRONG_KAZAKH.findall(text))
        return "kk" if strong > kazakh_letters / 4 else None
    russian_words, kazakh_words = _cyrillic_stop_words()
    russian = sum(word in russian_words for word in words) * 2
    kazakh = sum(word in kazakh_words for word in words) * 2 + kazakh_letters
    russian += len(_RUSSIAN_ENDING.findall(text))
    kazakh += len(_KAZAKH_ENDING.findall(text.translate(_AS_RUSSIAN)))
    if max(russian, kazakh) < _LEAST_EVIDENCE * len(words):
        return None
    if kazakh > russian:
        is_ukrainian = text.count("і") > 3 * kazakh_letters and kazakh < 2 * russian
        return None if is_ukrainian else "kk"
    return "ru" if _spells_russian(text, letters) else None


def _spells_russian(text: str, letters: int) -> bool:
    """Few і (Ukrainian), more ы than ъ (Bulgarian), and some letter Macedonian lacks."""
    names_something_kazakh = _KAZAKH_ONLY.search(text) is not None
    if not names_something_kazakh and text.count("і") > _MOST_UKRAINIAN_I * letters:
        return False
    if text.count("ъ") > 1 and text.count("ъ") >= text.count("ы"):
        return False
    return letters < _TELLING_LETTERS or any(letter in text for letter in "йыьяюэщ")


def detect(text: str) -> str | None:
    """Its code, such as "en"; None for too little evidence or a language that is not known.

    The three that are shipped are told from each other by the rules above; another one says for
    itself whether a text is in it.

    >>> detect("The cat sat on the mat and looked at the birds that were in the garden.")
    'en'
    >>> detect("Мама мыла раму, а папа читал газету и пил чай на кухне.")
    'ru'
    >>> detect("Балалар мектепке барды, ал үлкендер жұмысқа кетті."), detect("42")
    ('kk', None)
    """
    sample = _sample(text)
    for language in registered():
        if language.is_spoken_in is not None and language.is_spoken_in(sample):
            return language.code
    latin, cyrillic = _LATIN_WORD.findall(sample), _CYRILLIC_WORD.findall(sample)
    if len(latin) + len(cyrillic) < _LEAST_WORDS:
        return None
    english = sum(word in _ENGLISH for word in latin) / len(latin) if latin else 0.0
    latin_letters = sum(map(len, latin))
    prose = latin_letters * min(1.0, english / _ENGLISH_SHARE)
    if sum(map(len, cyrillic)) >= prose:
        is_foreign = latin_letters > _MOST_LATIN * sum(map(len, cyrillic))
        return None if is_foreign or len(cyrillic) < _LEAST_WORDS else _cyrillic_language(cyrillic)
    accented = len(_ACCENTED.findall(sample))
    if english < _LEAST_ENGLISH or accented > _MOST_ACCENTED * latin_letters:
        return None
    return "en"
