"""Stems of Kazakh words written in Cyrillic.

Kazakh glues endings to a stem in a fixed order: a noun takes plural, possessive, case and
person (бала-лар-ымыз-дан "from our children"), a verb takes negation, tense and person
(бар-ма-ды-м "I did not go"). Two sound laws tie each ending to what it follows:

* harmony: its vowels are back (а ы) or front (е і) as the last vowel of the stem is;
  и, у and ю go with both;
* assimilation: its first consonant follows the last sound of the stem
  (бала-лар, қыз-дар, кітап-тар).

An ending is taken off only where both laws hold and enough of a word remains, the longest
first, until none fits: so the result is its own stem, and a base form meets its inflections
even where a bit of the root was taken for an ending. Known roots (those below and the shipped
lexicon) are never cut, and an ending that uncovers one goes before a longer one. What the
joint had changed is restored: кітабы → кітап, қояды → қой, халқы → халық.

Derivation (-лық, -шы, -сыз, -лы), voice (-ыл, -ын, -тыр) and converbs in -а, -е, -й stay.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache, partial
from importlib.resources import files
from typing import NamedTuple

from likewise.languages.registry import CYRILLIC, Language, listed_words, register

KAZAKH_LETTERS = frozenset("әғқңөұүһі")

_BACK, _FRONT, _NEUTRAL = frozenset("аоұыяё"), frozenset("әөүіеэ"), frozenset("иую")
_VOWELS = _BACK | _FRONT
_CLASS_OF = {  # the last sound of a stem, as the endings see it
    letter: sound
    for sound, letters in {
        "V": "аәеёоөұүыіэя",
        "G": "рйуию",  # glides
        "L": "л",
        "N": "мнң",
        "Z": "зж",
        "T": "пткқсшщцчфхһбвгғд",  # voiceless; a final б, в, г, ғ, д is pronounced so
    }.items()
    for letter in letters
}

# First sound of an ending → the sounds it may follow. Capitals stand for a pair of letters.
_HARMONY = {"back": str.maketrans("АЫҒҚ", "аығқ"), "front": str.maketrans("АЫҒҚ", "еігк")}
_PLURAL = {"л": "VG", "д": "LNZ", "т": "T"}
_GENITIVE = {"н": "VN", "д": "GLZ", "т": "T"}
_ACCUSATIVE = {"н": "V", "д": "GLNZ", "т": "T"}
_ABLATIVE = {"д": "VGLZ", "н": "N", "т": "T"}
_DENTAL = {"д": "VGLNZ", "т": "T"}
_VELAR = {"Ғ": "VGLNZ", "Қ": "T"}
_LABIAL = {"м": "VGLN", "б": "Z", "п": "T"}
_NEGATIVE = {"м": "VGL", "б": "NZ", "п": "T"}
_LINKED = {"Ы": "GLNZT", "": "V"}
_THIRD = {"Ы": "GLNZT", "сЫ": "V"}
_AFTER_THIRD = {"": "3"}  # after the possessive -ы, -і, -сы, -сі
_CONSONANT, _VOWEL, _ANY = {"": "GLNZT"}, {"": "V"}, {"": "VGLNZT"}

# Kinds: "weak" endings also look like word formation and need a known root before them,
# "negation" only stands before a tense, "present" also looks like a past.
_ENDINGS: tuple[tuple[str, dict[str, str], str], ...] = (
    ("noun", _PLURAL, "Ар"),
    ("noun", _GENITIVE, "Ың ікі"),
    ("noun", _ACCUSATIVE, "Ы"),
    ("noun", _VELAR, "А"),
    ("noun", _DENTAL, "А АғЫ Агі"),
    ("noun", _ABLATIVE, "Ан"),
    ("noun", _LABIAL, "ен Ын"),
    ("noun", {"м": "G", "б": "LNZ", "п": "T"}, "Ыз"),
    ("noun", _THIRD, " н нА ндА нАн ндАғЫ ндАгі"),
    ("noun", _AFTER_THIRD, "нА ндА нАн"),
    ("noun", _LINKED, "мЫз ңЫз ңдАр"),
    ("weak", _LINKED, "м ң мА ңА"),
    ("noun", _ANY, "сЫң сЫңдАр"),
    ("tense", _DENTAL, "Ы Ым Ың ЫңЫз ЫңдАр"),
    ("tense", {"д": "VG"}, "ЫҚ"),
    ("tense", _VELAR, "Ан АнЫм АнЫң АлЫ АншА"),
    ("tense", _ANY, "сА сАм сАң сАҚ сАңЫз сАңдАр сЫн"),
    ("tense", _CONSONANT, "АмЫн АсЫң АмЫз АсЫңдАр АтЫн АйЫн АйЫҚ Ып у"),
    ("present", _CONSONANT, "АдЫ"),
    ("tense", _VOWEL, "йдЫ ймЫн йсЫң йсЫз ймЫз йсЫңдАр йтЫн йЫн йЫҚ п у"),
    ("tense", _NEGATIVE, "Ас АҚшЫ"),
    ("negation", _NEGATIVE, "А"),
)

# Roots that look inflected, or that weak endings follow, and are not in the lexicon: they have
# Kazakh letters, or are Russian words too.
_ROOTS = frozenset(
    """
    айлықақы айқында акт алын анықта ара арал арқа аспект ат ауғанстан аяқ аяқта ақ ақша ақы ақын
    аң балық бар бас басқа басқар баға бағын бағытта бақ бел белгі бой білім бір бірге бүгін бұзау
    бұл бұлға бұрын бөлме бөлім бөлін дала дағды дін дүйсенбі дүкен дүние дәл дәптер дәрі дәрігер
    екі елші енді ескі есті есік ет ешкі еңбек жабдықта жалақы жалғыз жан жар жара жақ жақсы жақын
    жаңа жеті жетім жеңіл жылқы жігіт жіп жүз жүйе жүр жүрек жұлдыз жұмыс жұрт жөнде зайып зақымда
    заң зиян кейін келін келісім кемпір кеңес кеңсе киім киін контракт кілем кір кісі кітап кіші
    күз күй күлкі күн күт күш күшік кәсіп көз көзде көйлек көл көлем көлік көмек көп көр көрсет
    көрші көрін көше көңіл лақ май майдан мал мақала мақсат мақта мақтан мін міндет мүмкін мүше
    мұра мұғалім мәдениет мәлім мәселе негіз нұсқа нұсқау нәрсе нәтиже объект ой он осы отар
    пайғамбар проект пункт пікір пәкістан пәтер рақым ресімде сала салын салқын сан сақал сақта
    сезім сезін серік сипатта су субъект сыр сүй сүт сұлу сұра сәби сөз сөйле тай талқы тамақ
    тағайында тағам тағы тақта тақырып таң таңда темір теңіз тиын той тоқта ту туында тышқан тыңда
    тігін тіл тірі тіс түбек түйе түлкі түн түр түркі түрікменстан түс түсін түтін тұз тұлға тұман
    тұрғын тұтын тәжікстан тәртіп тәсіл тәтті тәуелсіз төбе төмен төре төс уақыт факт хан шара
    шағым шағын шешім шыбын шығын шөл шөп эффект із ізде ілім інжу іні ірі ірікте іс істе іш ішкі
    ғалам ғалым ғасыр ғылым ғұрып қабылда қабылдан қабырға қадам қаз қазан қазақ қазақстан қазына
    қазір қай қайт қайық қайғы қала қалам қалпақ қалып қалың қалқан қанат қап қар қара қараңғы
    қарындас қарға қас қасқыр қатты қатын қауіп қағаз қиын қожа қожайын қозға қозғал қой қол қолда
    қолдан қон қонақ қорға қорған қорқыныш қошқар қоғам қуан қуаныш қыз қызмет қырғызстан қырғын
    қыс қысқа құда құдай құдық құл құлақ құрал құрбан құрылым құс құттықта құқық үй үкімет үлгі
    үлес үлкен үміт үн үст үш ұйым ұйықта ұйқы ұл ұлт ұлы ұмыт ұрпақ ұры ұста ұстаз ұсын ұқса әдіс
    әже әке әкім әлем әлі әпке әрі әріп әсер әскер әңгіме өз өзбекстан өзен өкіл өкім өкін өлең
    өлке өлі өмір өнер өнім өсім өте өтін өтірік өңде
    """.split()
)
_RESTORED = {  # roots that lose a vowel or a consonant before an ending
    "ауз": "ауыз", "бөрк": "бөрік", "ерк": "ерік", "ерн": "ерін",
    "ғұрп": "ғұрып", "қарн": "қарын", "қойн": "қойын", "көрк": "көрік", "көңл": "көңіл",
    "қырқ": "қырық", "мойн": "мойын", "мұрн": "мұрын", "мүлк": "мүлік", "оқи": "оқы",
    "оқу": "оқы", "орн": "орын", "халқ": "халық", "штап": "штаб", "тауып": "тап",
    "жауып": "жап", "шауып": "шап",
}  # fmt: skip

# Roots do not end so: what looks like an ending there belongs to them (белгі, жақсы, жазушы).
_NO_ROOT_END = re.compile(r"[^аәеоөұүыіиуюяэ][қғг]$|[^аәеоөұүыіиуюяэн]к$|қс$|[^аәеоөұүыія]ш$")
_BEFORE_PAST = re.compile(  # -ады there is the past of ойла, тыңда, баста or of a negated verb
    r"[^аәеоөұүыія]л$|[лмнңзж]д$|[пткқсш]т$|[рлйу]м$|[мнңзж]б$|[пткқсш]п$|...[аеыі]м$"
)
_PLURAL_END = re.compile(r"[лдт](?:ар|ер)$")
_VOICED = {"б": "п", "г": "к", "ғ": "қ"}
_BEFORE_VOICED = {"б": _VOWELS, "г": _FRONT | _NEUTRAL, "ғ": _BACK | _NEUTRAL}


class _Ending(NamedTuple):
    kind: str
    follows: str  # sound classes
    harmony: str | None


def _spelled(onset: str, body: str) -> Iterator[tuple[str, str | None]]:
    """Every spelling of an ending with its harmony.

    >>> list(_spelled("л", "Ар"))
    [('лар', 'back'), ('лер', 'front')]
    """
    for harmony, letters in _HARMONY.items():
        text = (onset + body).translate(letters)
        yield text, harmony if text != onset + body else None


def _ending_table() -> dict[str, list[_Ending]]:
    table: dict[str, list[_Ending]] = {}
    for kind, onsets, bodies in _ENDINGS:
        for onset, follows in onsets.items():
            for body in bodies.split(" "):
                for text, harmony in _spelled(onset, body):
                    ending = _Ending(kind, follows, harmony)
                    if text and ending not in table.setdefault(text, []):
                        table[text].append(ending)
                    if kind in ("tense", "present") and text[0] in "ау" and follows == "GLNZT":
                        melted = ("я" if text[0] == "а" else "ю") + text[1:]  # қой-ады → қояды
                        table.setdefault(melted, []).append(_Ending(kind, "G", None))
    return table


_TABLE = _ending_table()


def _sizes_by_end() -> dict[str, tuple[int, ...]]:
    """How long the endings are that a word can have, longest first, by its last two letters."""
    lasts = {text[-2:] for text in _TABLE} | {text[-1] for text in _TABLE}
    return {
        last: tuple(
            sorted({len(t) for t in _TABLE if t.endswith(last) or last.endswith(t)}, reverse=True)
        )
        for last in lasts
    }


_SIZES = _sizes_by_end()
_SYLLABIC = frozenset(_VOWELS) | frozenset(_NEUTRAL)
_THIRD_AFTER_VOWEL = frozenset(text for text in _TABLE if re.match("с[ыі](?!ң)", text))


@cache
def lexicon() -> frozenset[str]:
    """Common Kazakh stems whose letters do not tell them from Russian."""
    text = files(__package__).joinpath("lexicon_kk.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("#"))


@cache
def _known_roots() -> frozenset[str]:
    return _ROOTS | lexicon() | frozenset(_RESTORED.values())


def _harmony_of(stem: str) -> str | None:
    for letter in reversed(stem):
        if letter in _BACK:
            return "back"
        if letter in _FRONT:
            return "front"
        if letter in _NEUTRAL or letter == "ь":
            return None
    return None


def _is_long_enough(stem: str) -> bool:
    if len(stem) == 2:  # ат, үй, су, би; but not ба-сы, де-ді
        return stem[1] not in _VOWELS and (stem[0] in _VOWELS) != (stem[1] in _NEUTRAL)
    return len(stem) > 2 and not _SYLLABIC.isdisjoint(stem)


def _base(stem: str, ending: str) -> str:
    """The stem as it is written without the ending: кітаб(ы) → кітап."""
    if ending[0] in "ыіаеу" and stem[-1] in _VOICED and stem[-2] in _BEFORE_VOICED[stem[-1]]:
        stem = stem[:-1] + _VOICED[stem[-1]]
    return _RESTORED.get(stem, stem)


def _ends_in_vowel(stem: str) -> bool:
    """Whether a final ы or і is the root's: оқушы-сы, белгі-сі, but жұмыс-ы, келіс-і."""
    return stem[-2] == "ш" or stem in _known_roots() or bool(_NO_ROOT_END.search(stem[:-1]))


def _allows(stem: str, text: str, base: str, ending: _Ending) -> bool:
    sound = _CLASS_OF.get(stem[-2] if stem[-1] == "ь" else stem[-1], "")
    if ending.follows == "3":
        if stem[-1] not in "ыі":
            return False
    elif not sound or sound not in ending.follows:
        return False
    if ending.harmony and _harmony_of(stem) not in (None, ending.harmony):
        return False
    if text[0] in "ыі" and base == stem and _NO_ROOT_END.search(stem):
        return False
    if text in _THIRD_AFTER_VOWEL and stem[-1] in "ыі" and not _ends_in_vowel(stem):
        return False
    match ending.kind:
        case "present":
            return not _BEFORE_PAST.search(stem)
        case "weak":
            return base in _known_roots() or base[-1] != stem[-1] or bool(_PLURAL_END.search(stem))
    return True


def _affirmative(verb: str) -> str:
    """A verb without negation: барма → бар. Nouns in -ма never stand before a tense."""
    stem, text = verb[:-2], verb[-2:]
    for ending in _TABLE.get(text, ()):
        if (
            ending.kind == "negation"
            and _is_long_enough(stem)
            and _allows(stem, text, stem, ending)
        ):
            return _RESTORED.get(stem, stem)
    return verb


def _strip_once(word: str) -> str | None:
    """The word without its last ending: the longest, or one that uncovers a known root."""
    longest, roots = None, _known_roots()
    for size in _SIZES.get(word[-2:]) or _SIZES.get(word[-1:], ()):
        text = word[-size:]
        endings = _TABLE.get(text)
        if endings is None or size >= len(word):
            continue
        stem = word[:-size] + ("й" if text[0] in "яю" else "")
        if not _is_long_enough(stem) or (text == "п" and len(stem) < 3):
            continue
        base = _base(stem, text)
        for ending in endings:
            if ending.kind != "negation" and _allows(stem, text, base, ending):
                candidate = _affirmative(base) if ending.kind in ("tense", "present") else base
                if candidate in roots:
                    return candidate
                longest = longest or candidate
    return longest


@lru_cache(maxsize=1 << 15)  # a word is asked for when it is learnt, and again for its concepts
def stem_kazakh(word: str) -> str:
    """The stem of a lower-case Kazakh word; its own stem when nothing comes off.

    >>> [stem_kazakh(word) for word in ("балаларымыздан", "кітабында", "келмеген", "қала")]
    ['бала', 'кітап', 'кел', 'қала']
    """
    word, roots = _RESTORED.get(word, word), _known_roots()
    while word not in roots and (shorter := _strip_once(word)) is not None:
        word = shorter
    return word


def is_kazakh(word: str) -> bool:
    """Whether a lower-case Cyrillic word is Kazakh by its letters or by its stem.

    >>> is_kazakh("қала"), is_kazakh("балаларға"), is_kazakh("мектеп"), is_kazakh("школа")
    (True, True, True, False)
    """
    return stem_if_kazakh(word) is not None


def stem_if_kazakh(word: str) -> str | None:
    """The stem of a Kazakh word, None for a word of another language."""
    if not KAZAKH_LETTERS.isdisjoint(word):
        return stem_kazakh(word)
    # a stem begins as its word does; nearly every Russian word can go without being stemmed
    if _openings().isdisjoint((word[:2], word[:3])):
        return None
    stem = stem_kazakh(word)
    return stem if stem in lexicon() else None


@cache
def _openings() -> frozenset[str]:
    """How words of the lexicon begin: with the letters that no ending changes."""
    return frozenset(stem[:3] if len(stem) > 3 else stem[:2] for stem in lexicon())


register(
    Language(
        code="kk",
        name="Kazakh",
        place=30,
        letters=CYRILLIC,
        stop_words=partial(listed_words, "stopwords/kk.txt"),
        stemmer=lambda: lambda words: [stem_if_kazakh(word) for word in words],
        ocr_data="kaz",
    )
)
