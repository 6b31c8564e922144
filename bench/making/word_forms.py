"""Words put into other forms: number, case, person and tense, by small rules for each language.

A rule lays out the forms that a word would have if it were inflected in one way: as a Russian noun
like «стол», as an English verb. The way with most forms in the corpus is believed, and the word is
changed only into a form that stands in the corpus: so every word of a changed text is a real one,
though the grammar of its sentence is not minded. The stemmers that Likewise
uses take no part in this.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

SHORTEST_LETTERS = 4
_WORD = re.compile(r"[^\W\d_]+")

Forms = tuple[str, ...]


class WordForms:
    """The forms of the words of one language, as far as a corpus shows them."""

    def __init__(self, language: str, texts: Iterable[str]) -> None:
        words = Counter(word.lower() for text in texts for word in _WORD.findall(text))
        # A word seen once may be a slip of the pen.
        self._known = {word for word, times in words.items() if times > 1}
        self._ways, self._fewest = _LANGUAGES[language]

    def others(self, word: str) -> list[str]:
        """The other forms of a word, or none where no rule is sure."""
        best: set[str] = set()
        for forms in self._ways(word):
            known = self._known.intersection(forms)
            if len(known | {word}) > len(best):
                best = known | {word}
        return sorted(best - {word}) if len(best) >= self._fewest else []

    def changed(self, sentence: str, dice: random.Random, share: float) -> tuple[str, int]:
        """A sentence with this share of the words that have other forms in one of those.

        Also how many words were changed.
        """
        count = 0

        def other(match: re.Match[str]) -> str:
            nonlocal count
            word = match[0]
            if word.isupper() or dice.random() >= share:
                return word
            fixed = _FIXED.get(word.lower())
            if fixed is None and len(word) < SHORTEST_LETTERS:
                return word
            choice = [fixed] if fixed else self.others(word.lower())
            if not choice:
                return word
            count += 1
            form = dice.choice(choice)
            return form.capitalize() if word[0].isupper() else form

        return _WORD.sub(other, sentence), count


# English

_FIXED = {
    "is": "was", "are": "were", "was": "is", "were": "are", "has": "had", "have": "had",
    "had": "has", "does": "did", "did": "does", "will": "would", "would": "will",
    "can": "could", "could": "can", "may": "might", "might": "may", "shall": "should",
    "this": "these", "these": "this", "that": "those", "those": "that",
}  # fmt: skip
_IRREGULAR = [
    tuple(row.split())
    for row in """
    become becomes became becoming|begin begins began begun beginning|bring brings brought bringing
    build builds built building|choose chooses chose chosen choosing|come comes came coming
    draw draws drew drawn drawing|drive drives drove driven driving|fall falls fell fallen falling
    find finds found finding|get gets got getting|give gives gave given giving
    go goes went gone going|grow grows grew grown growing|hold holds held holding
    keep keeps kept keeping|know knows knew known knowing|lead leads led leading
    leave leaves left leaving|lose loses lost losing|make makes made making
    mean means meant|meet meets met meeting|pay pays paid paying|run runs ran running
    say says said saying|see sees saw seen seeing|seek seeks sought seeking
    send sends sent sending|show shows showed shown showing|speak speaks spoke spoken speaking
    spend spends spent spending|stand stands stood standing|take takes took taken taking
    teach teaches taught teaching|tell tells told telling|think thinks thought thinking
    understand understands understood understanding|write writes wrote written writing
    man men|woman women|child children|life lives|analysis analyses|phenomenon phenomena
    criterion criteria|hypothesis hypotheses|foot feet|person people
    """.replace("\n", "|").split("|")
    if row.strip()
]
_NO_FORMS = frozenset("news series species during thus always perhaps united".split())


def _english(word: str) -> Iterator[Forms]:
    if word in _NO_FORMS:
        return
    rows = [row for row in _IRREGULAR if word in row]
    if rows:
        yield from rows
        return
    for base in _english_bases(word):
        if len(base) >= 3 and re.search("[aeiouy]", base):
            yield _english_verb(base)


def _english_bases(word: str) -> Iterator[str]:
    yield word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        yield word[:-1]
        if word.endswith("es"):
            yield word[:-3] + "y" if word.endswith("ies") else word[:-2]
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            cut = word.removesuffix(ending)
            yield from (cut, cut + "e")
            if cut.endswith("i"):
                yield cut[:-1] + "y"
            if len(cut) > 3 and cut[-1] == cut[-2]:
                yield cut[:-1]


def _english_verb(base: str) -> Forms:
    """Of a noun, only the form in -s will be known."""
    if base.endswith(("s", "x", "z", "ch", "sh")):
        plural = base + "es"
    elif re.search("[^aeiou]y$", base):
        plural = base[:-1] + "ies"
    else:
        plural = base + "s"
    past = {"e": base + "d", "y": base[:-1] + "ied"}.get(base[-1], base + "ed")
    if re.search("[aeiou]y$", base):
        past = base + "ed"
    going = base[:-1] + "ing" if re.search("[^e]e$", base) else base + "ing"
    doubled: Forms = ()
    if re.fullmatch(r"\w*[^aeiou][aeiou][bdgklmnprt]", base):
        doubled = (base + base[-1] + "ed", base + base[-1] + "ing")
    return (base, plural, past, going, *doubled)


# Russian: the endings of each way to inflect, with - for none

_RUSSIAN = [
    tuple("" if ending == "-" else ending for ending in row.split())
    for row in """
    - а у ом е ы ов ам ами ах
    - а у ом е и ов ам ами ах
    ь я ю ем е и ей ям ями ях
    й я ю ем е и ев ям ями ях
    а ы е у ой - ам ами ах
    а и е у ой - ам ами ах
    а и е у ей - ам ами ах
    я и е ю ей ь ям ями ях
    ия ии ию ией ий иям иями иях
    ие ия ию ием ии ий иям иями иях
    о а у ом е - ам ами ах
    е я ю ем и й ям ями ях
    ь и ью ей ям ями ях
    ок ка ку ком ке ки ков кам ками ках
    ка ки ке ку кой ок кам ками ках
    ка ки ке ку кой ек кам ками ках
    ец ца цу цем це цы цев цам цами цах
    ый ого ому ым ом ая ой ую ое ые ых ыми
    ий ого ому им ом ая ой ую ое ие их ими
    ой ого ому им ом ая ую ое ие их ими
    ий его ему им ем яя ей юю ее ие их ими
    ий его ему им ем ая ей ую ее ие их ими
    ть ю ешь ет ем ете ют л ла ло ли вший ющий
    ить ю ишь ит им ите ят ил ила ило или
    ить лю ишь ит им ите ят ил ила ило или
    ить жу ишь ит им ите ят ил ила ило или
    ить у ишь ит им ите ат ил ила ило или
    овать ую уешь ует уем уете уют овал овала овало овали ующий
    нуть ну нешь нет нем нете нут нул нула нуло нули
    ться юсь ется ются лся лась лось лись ющийся
    иться ится ятся ился илась илось ились
    оваться уется уются овался овалась овалось овались
    чь гу жет жем гут г гла гло гли
    """.strip().splitlines()
]


def _russian(word: str) -> Iterator[Forms]:
    for endings in _RUSSIAN:
        for ending in endings:
            stem = word[: len(word) - len(ending)]
            if word.endswith(ending) and len(stem) >= 3:
                yield tuple(stem + other for other in endings)


# Kazakh: harmony decides between back and front vowels, the last sound between consonants

_BACK, _FRONT = "аоұыяёу", "әөүіеэию"
_VOWELS = "аәеёоөұүыіэяию"
_VOICELESS = "пткқсшщцчфхһбвгғд"


def _kazakh(word: str) -> Iterator[Forms]:
    for length in range(2, len(word) + 1):
        stem = word[:length]
        for forms in (_kazakh_noun(stem), _kazakh_verb(stem)):
            if word in forms:
                yield forms


def _is_back(stem: str) -> bool:
    vowels = [letter for letter in stem if letter in _BACK + _FRONT]
    return not vowels or vowels[-1] in _BACK


def _harmonised(stem: str, endings: Iterable[str]) -> list[str]:
    """Endings are written with back vowels and consonants: а, ы, ғ, қ."""
    if _is_back(stem):
        return [stem + ending for ending in endings]
    front = str.maketrans("аығқ", "еігк")
    return [stem + ending.translate(front) for ending in endings]


def _kazakh_noun(stem: str) -> Forms:
    forms = [stem, *_harmonised(stem, _cases(stem))]
    last = stem[-1]
    plural = "лар" if last in _VOWELS + "рйу" else "тар" if last in _VOICELESS else "дар"
    many = _harmonised(stem, [plural])[0]
    forms += [many, *_harmonised(many, [*_cases(many), "ы", "ын", "ына", "ында", "ының"])]
    his = "сы" if last in _VOWELS else "ы"
    owned = (stem[:-1] + {"п": "б", "к": "г", "қ": "ғ"}.get(last, last)) if his == "ы" else stem
    forms += _harmonised(owned, [his + case for case in ("", "н", "на", "нда", "нан", "ның")])
    return tuple(forms)


def _cases(stem: str) -> list[str]:
    """Genitive, accusative, dative, locative, ablative, instrumental."""
    last = stem[-1]
    if last in _VOICELESS:
        return ["тың", "ты", "қа", "та", "тан", "пен"]
    with_whom = "бен" if last in "зж" else "мен"
    if last in _VOWELS:
        return ["ның", "ны", "ға", "да", "дан", with_whom]
    if last in "мнң":
        return ["ның", "ды", "ға", "да", "нан", with_whom]
    return ["дың", "ды", "ға", "да", "дан", with_whom]


def _kazakh_verb(stem: str) -> Forms:
    """Tenses and persons: went, has gone, goes, used to go, going, if he goes, to go."""
    past = (
        ["ты", "тым", "қан", "қанда"] if stem[-1] in _VOICELESS else ["ды", "дым", "ған", "ғанда"]
    )
    if stem[-1] in _VOWELS:
        rest = ["йды", "ймын", "йсың", "йтын", "п", "пты", "са", "у"]
    else:
        rest = ["ады", "амын", "асың", "атын", "ып", "ыпты", "са", "у"]
    return tuple(_harmonised(stem, past + rest))


_LANGUAGES: dict[str, tuple[Callable[[str], Iterator[Forms]], int]] = {
    # How a word may be inflected, and how many forms must be known for it to be believed.
    "English": (_english, 2),
    "Russian": (_russian, 3),
    "Kazakh": (_kazakh, 3),
}
