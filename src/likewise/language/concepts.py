"""Which notions a word stands for, whatever language it is in: the lexicon of concepts.

`concepts.tsv` is written by hand: a line a notion, its words in English, Russian and Kazakh. What a
word of a text stands for is asked by its stem, as everything else here: `concept_stems.txt` is made
from it by `write()` and holds the notions of each stem, so that nobody waits for forty thousand
words to be stemmed. A stem that is not there is tried without the endings that stemmers leave
("использова-", "использу-"). What is still unknown is a number, or is taken for a name or a loan
word and written as consonants of one alphabet, in which «Карнеги» is "Carnegie".
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain, filterfalse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import find_words, hash_words, scan_texts
from likewise.kernels.relations import WHOLE
from likewise.kernels.tokens import JOIN_HYPHENS
from likewise.language.alphabet import fold_table
from likewise.language.detect import detect
from likewise.language.homoglyphs import is_ambiguous, spellings
from likewise.language.lexicon import Lexicon
from likewise.languages.kazakh import stem_kazakh
from likewise.settings import Settings

RECIPE = 1  # of concepts from words: another one where the same word may get another concept
LANGUAGES = ("en", "ru", "kk")  # the columns of the file
MOST_CONCEPTS = 4  # of a word; of a stem, which is of several words, half as many more
BEYOND_CONCEPTS = 1 << 32  # where the keys of numbers and names begin

_MOST_OF_A_STEM = 6
# Auxiliaries and particles that no list of stop words holds in all their forms: what shares a stem
# with them (боль with болу, meat with ету) would stand on every page.
_SMALL_WORDS = tuple("ақ болу болуы ету етуге кезде кезінде табылады табылатын қоспағанда".split())
# Of others nothing but the form stands for nothing: its stem, or what endings leave of it, is that
# of a word that does (сайын of сай, сендерге of сену).
_SMALL_FORMS = frozenset(
    "боп бұлай бұларға міне сайын сендерге сендерден сендермен шіркін қалайша қалайынша".split()
)
_ROOT = "~"  # in the file, before what is left of a stem without its last sounds
_LEAST_ROOT, _LEAST_KAZAKH = 4, 3
_BUCKET_BITS = 17
_NUMBERS, _NAMES, _OTHERS = (times * BEYOND_CONCEPTS for times in (1, 2, 3))
_WEIGHT_OF_NUMBER = (400, 700, WHOLE)  # of one digit, of two, of more
_LEAST_NAME, _WEIGHT_OF_SHORT_NAME = 3, 500
_MOST_REMEMBERED = 1 << 17
_WEIGHT_BITS = WHOLE.bit_length()
_WEIGHT_MASK = (1 << _WEIGHT_BITS) - 1
_BITS_OF_A_PLACE = 29  # keys have 34
_A_PLACE = (1 << _BITS_OF_A_PLACE) - 1
_WORD, _SENTENCE_MARKS = re.compile(r"[^\W\d_]+"), ".!?:;…\n"
_SAMPLE_CHARS, _FEWEST_LETTERS = 20_000, 200
_LEAST_COVERED = 0.5  # prose has .94 to .96; Ukrainian .3, Kyrgyz .4, German and French .2
_WORD_FILES = "concepts.tsv", "irregular_forms.txt"

_VERBAL = re.compile("(?:ирова|ова|ева|ыва|ива|ыл|іл|ын|ін)$")
_FLEETING = re.compile("(?<=[^аеиоуыэюяьйәөүұі])[ое](?=[^аеиоуыэюяьйәөүұі]$)")
# Endings of Kazakh verbs and adverbs that its stemmer leaves: it must not touch what looks like
# them, while here a stem that no concept has says that it was one.
_KAZAKH_ENDING = re.compile(
    "(?:[мпб](?:ақ|ек)(?:шы|ші)?|[мпб](?:ай|ей)|[дт](?:ай|ей)|[аей]т[ыі]н|[ае]р|[ае]|й|[ыі]п|п"
    "|ш[ае]|[дт][ыі]р|[ыі][лнс]|л|[ғгқк][ыі]с[ыі]|ш[ыі])$"
)
_LAST_SOUNDS = "аеиоуыэюяйьәөүұі"
_LATIN_ENDING = re.compile("(?:ical|al|ist|ism|iti|ion|er|or|ic|i|e)$")

Keys = NDArray[np.int64]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What words stand for: a row for each word and each of its concepts, by concept."""

    key: Keys
    word: Keys  # which of the words
    weight: Keys  # in thousandths; the concepts of one word share its weight


class Concepts:
    """The lexicon of concepts as arrays.

    >>> concepts = Concepts.shipped()
    >>> wolf, волк, қасқыр, lobo = map(concepts.of_word, ("wolves", "волками", "қасқырдың", "lobo"))
    >>> bool(set(wolf) & set(волк) & set(қасқыр)), lobo
    (True, ())
    """

    def __init__(self, size: int, stems: list[str], ids: list[str]) -> None:
        self.size = size
        self.stems = sum(not stem.startswith(_ROOT) for stem in stems)
        self._ids_of = dict(zip(stems, ids, strict=True))
        hashes = hash_words(stems)  # a root is no word: nobody asks for its hash
        order = np.argsort(hashes)
        self._hash = hashes[order]
        begins = np.arange(1 << _BUCKET_BITS, dtype=np.uint64) << np.uint64(64 - _BUCKET_BITS)
        self._bucket = np.append(np.searchsorted(self._hash, begins), len(self._hash))
        in_order = [ids[k] for k in order.tolist()]
        self._first = np.cumsum([0, *(of_stem.count(" ") + 1 for of_stem in in_order)])
        self._ids = np.fromstring(" ".join(in_order), dtype=np.int64, sep=" ")
        # By words as they are written: keys and weights in turn; a number with its weight behind.
        self._others: dict[str, tuple[int, ...]] = {}
        self._numbers: dict[str, int] = {}

    @classmethod
    def shipped(cls) -> Concepts:
        """Those that come with Likewise."""
        return _shipped()

    def of_word(self, word: str) -> tuple[int, ...]:
        """The concepts of a word as it is written; none of a number or a name."""
        spelled, stem = _stems([word])[0]
        return self._of_stem(spelled, stem) if stem else ()

    def _of_stem(self, word: str, stem: str) -> tuple[int, ...]:
        """Those of the stem, or of its root; a root that is a stem may have no line of its own.

        A Kazakh word without a letter of its own may have been stemmed as a Russian one.
        """
        entry = self._entry_of(word, stem)
        return tuple(map(int, self._ids_of[entry].split(" "))) if entry else ()

    def _entry_of(self, word: str, stem: str) -> str:
        """Under what the lexicon has a word; empty if it has none."""
        if word in _SMALL_FORMS:
            return ""
        stems = [stem] if word.isascii() else [stem, kazakh := stem_kazakh(word)]
        keys = [
            key for each in stems for bare in (root(each),) for key in (each, _ROOT + bare, bare)
        ]
        if not word.isascii():
            keys += _without_endings(kazakh)
        return next(filter(self._ids_of.__contains__, keys), "")

    def features(self, hashes: Hashes, spelled: Callable[[Keys], list[str]]) -> Features:
        """What distinct canonical words stand for; how some are written is asked where need be."""
        is_known, known_word, key, weight = self.of_hashes(hashes)
        unknown = np.flatnonzero(~is_known)
        more, first = self.of_spelled(spelled(unknown))
        key = np.concatenate((key, more[:, 0]))
        word = np.concatenate((known_word, np.repeat(unknown, np.diff(first))))
        weight = np.concatenate((weight, more[:, 1]))
        # Keys with their places in the lower bits: a plain sort is several times as fast.
        order = np.sort(key << _BITS_OF_A_PLACE | np.arange(len(key))) & _A_PLACE
        return Features(key[order], word[order], weight[order])

    def of_hashes(self, hashes: Hashes) -> tuple[NDArray[np.bool_], Keys, Keys, Keys]:
        """Which canonical words are in the lexicon; of these, row by row: word, key and weight."""
        place, _ = self.find_entries(hashes, np.array([0, len(hashes)]))
        is_known = place >= 0
        known = np.flatnonzero(is_known)
        first = self._first[place[known]]
        count = self._first[place[known] + 1] - first
        row = np.repeat(np.arange(len(known)), count)
        step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        return is_known, known[row], self._ids[first[row] + step], WHOLE // count[row]

    def of_spelled(self, words: list[str]) -> tuple[Keys, Keys]:
        """What words stand for, from how they are written: keys with weights, and where the rows
        of each word begin, with the end of all.
        """
        meanings = self._learn(words)
        rows = np.fromiter(chain.from_iterable(meanings), dtype=np.int64).reshape(-1, 2)
        return rows, np.cumsum([0, *(len(meaning) // 2 for meaning in meanings)])

    @property
    def entries(self) -> tuple[Hashes, Keys, Keys]:
        """What the lexicon is made of: hashes of stems and roots, ascending; the concepts of all,
        end to end; and where those of each begin, with the end of all.
        """
        return self._hash, self._ids, self._first

    def find_entries(self, hashes: Hashes, offsets: Keys) -> tuple[Keys, Keys]:
        """Which entries of the lexicon canonical words of texts are as they are, and where others
        stand first in their text: as `kernels.find_words` tells it.
        """
        return find_words(hashes, offsets, self._hash, self._bucket)

    def number_spelled(self, words: list[str]) -> tuple[Keys, Keys]:
        """A number for each word as it is written, and its weight: that of an entry of the lexicon,
        or a key beyond concepts.

        >>> words = ["goats", "goat", "Carnegie", "Карнеги"]
        >>> numbers, _ = Concepts.shipped().number_spelled(words)
        >>> bool(numbers[0] == numbers[1] < BEYOND_CONCEPTS < numbers[2] == numbers[3])
        True
        """
        known = self._numbers  # another thread may begin anew at any time
        if len(known) > _MOST_REMEMBERED:
            known = self._numbers = {}
        new = list(dict.fromkeys(filterfalse(known.__contains__, words)))
        stems = _stems(new)
        entries = [
            "" if not stem or any(map(str.isdigit, stem)) else self._entry_of(spelled, stem)
            for spelled, stem in stems
        ]
        places = np.searchsorted(self._hash, hash_words(entries)).tolist() if new else []
        for word, (spelled, stem), entry, place in zip(new, stems, entries, places, strict=True):
            number, weight = (place, WHOLE) if entry else self._meaning(spelled, stem)[:2]
            known[word] = number << _WEIGHT_BITS | weight
        packed = np.fromiter(map(known.__getitem__, words), dtype=np.int64, count=len(words))
        return packed >> _WEIGHT_BITS, packed & _WEIGHT_MASK

    def _learn(self, words: list[str]) -> list[tuple[int, ...]]:
        """What words stand for whose stems are not in the lexicon: it is remembered."""
        known = self._others  # another thread may begin anew at any time
        if len(known) > _MOST_REMEMBERED:
            # A word becomes what it becomes by itself: nothing is lost.
            known = self._others = {}
        meanings = list(map(known.get, words))
        new = [word for word, meaning in zip(words, meanings, strict=True) if meaning is None]
        for word, (spelled, stem) in zip(new, _stems(new), strict=True):
            known[word] = self._meaning(spelled, stem)
        learned = iter([known[word] for word in new])
        return [next(learned) if meaning is None else meaning for meaning in meanings]

    def _meaning(self, word: str, stem: str) -> tuple[int, ...]:
        """Keys and weights in turn."""
        if digits := "".join(filter(str.isdigit, stem)):
            size = min(len(digits), len(_WEIGHT_OF_NUMBER)) - 1
            return _NUMBERS + zlib.crc32(digits.encode()), _WEIGHT_OF_NUMBER[size]
        if ids := self._of_stem(word, stem) if stem else ():  # dropped: a stop word, or no word
            weight = WHOLE // len(ids)
            return tuple(cell for each in ids for cell in (each, weight))
        is_name = word not in _SMALL_FORMS
        if is_name and len(name := name_key(_spelling(word, stem))) >= _LEAST_NAME:
            weight = WHOLE if len(name) > _LEAST_NAME else _WEIGHT_OF_SHORT_NAME
            return _NAMES + zlib.crc32(name.encode()), weight
        return _OTHERS + zlib.crc32((stem or word).encode("utf-8", "surrogatepass")), WHOLE


def _spelling(word: str, stem: str) -> str:
    """A stem in the letters of its word: one whose letters all have twins is written in Latin.

    >>> _spelling("кантом", "kaht"), _spelling("mexico", "mexico")
    ('кант', 'mexico')
    """
    return spellings(stem)[1] if not word.isascii() and is_ambiguous(stem) else stem


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many words have a concept, of those that are no stop words, numbers or names."""

    words: int
    covered: int

    @property
    def share(self) -> float:
        """Of the words, those that are covered; 0 where there are none."""
        return self.covered / self.words if self.words else 0.0


def coverage(text: str) -> Coverage:
    """What the lexicon knows of a running text.

    A capital inside of a sentence is taken for a name.

    >>> coverage("The dog of Anna slept. On its qwrtz there were 3 fleas.")
    Coverage(words=4, covered=3)
    """
    counts = Counter(_running_words(text))
    concepts, words, covered = Concepts.shipped(), 0, 0
    for count, (spelled, stem) in zip(counts.values(), _stems(list(counts)), strict=True):
        if stem:
            words += count
            covered += count * bool(concepts._of_stem(spelled, stem))
    return Coverage(words, covered)


def has_concepts(text: str, language: str | None = None) -> bool:
    """Whether a text is in a language of the lexicon, or most of its words are there.

    A text in another one has none and can be compared by its words alone.
    """
    spoken = language or detect(text)
    if spoken:
        return spoken in LANGUAGES
    sample = text[:_SAMPLE_CHARS]
    is_long = sum(map(str.isalpha, sample)) >= _FEWEST_LETTERS  # a shorter one says nothing
    return not is_long or coverage(sample).share >= _LEAST_COVERED


def _running_words(text: str) -> Iterator[str]:
    """Words in small letters that are neither numbers nor names."""
    end = 0
    for match in _WORD.finditer(text):
        word, gap = match[0], text[end : match.start()]
        is_first = not end or any(mark in gap for mark in _SENTENCE_MARKS)
        end = match.end()
        if len(word) > 1 and (is_first or not word[0].isupper()):
            yield word.lower()


def root(stem: str) -> str:
    """A stem without the last sounds that inflection changes; the stem itself if little is left.

    >>> root("использова"), root("использу"), root("атмосфера"), root("список"), root("дом")
    ('использ', 'использ', 'атмосфр', 'списк', 'дом')
    """
    bare = stem
    if bare.isascii():
        bare = _LATIN_ENDING.sub("", bare)
        return bare if len(bare) > _LEAST_ROOT else stem
    bare = bare.rstrip(_LAST_SOUNDS) if not _VERBAL.search(bare) else _VERBAL.sub("", bare)
    if len(bare) > _LEAST_ROOT:
        bare = _FLEETING.sub("", bare)
    return bare if len(bare) >= _LEAST_ROOT else stem


def _without_endings(stem: str) -> Iterator[str]:
    """What may be left of a Kazakh word: one ending less each time."""
    while len(shorter := _KAZAKH_ENDING.sub("", stem)) >= _LEAST_KAZAKH and shorter != stem:
        yield shorter
        stem = shorter


_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяәғқңөұүһі",
        "a b v g d e e j z i i k l m n o p r s t u f h s c s s  i  e u a a g k n o u u h i".split(
            " "
        ),
        strict=True,
    )
)
_TO_LATIN = str.maketrans(_CYRILLIC)
_APART = "\0"  # the first sound of "church", until every other c is k
_SOUNDS = {  # by a letter that a word must have; in this order
    "h": (
        *(("tsch", _APART), ("tch", _APART), ("sch", "s"), ("sh", "s"), ("ch", _APART)),
        *(("zh", "j"), ("kh", "h"), ("ph", "f"), ("th", "t")),
    ),
    "t": (("ts", "s"),),
    "c": (("ck", "k"), ("ce", "se"), ("ci", "si"), ("cy", "si")),
    "q": (("qu", "kv"),),
}
_LETTERS = str.maketrans({"q": "k", "w": "v", "x": "ks", "y": "i", "c": "k", _APART: "c"})
_VOWELS = frozenset("aeiou")
_WITHOUT_VOWELS = dict.fromkeys(map(ord, _VOWELS))
_TWICE = re.compile(r"(.)\1+")


def name_key(word: str) -> str:
    """The consonants of a name or loan word in one alphabet.

    >>> [name_key(word) for word in ("Carnegie", "карнеги", "Шекспир", "Shakespeare", "реакт")]
    ['krng', 'krng', 'skspr', 'skspr', 'rkt']
    """
    latin = word.casefold()
    latin = _sounds(latin) if latin.isascii() else latin.replace("дж", "ж").translate(_TO_LATIN)
    latin = _once(latin.replace("h", ""))
    first = "a" if latin[:1] in _VOWELS else latin[:1]
    return _once(first + latin[1:].translate(_WITHOUT_VOWELS))


def _once(word: str) -> str:
    return _TWICE.sub(r"\1", word) if _TWICE.search(word) else word


def _sounds(word: str) -> str:
    """The sounds of a Latin word, in which c may be k or the first sound of "church"."""
    for letter, sounds in _SOUNDS.items():
        if letter in word:
            for letters, sound in sounds:
                word = word.replace(letters, sound)
    return word.translate(_LETTERS)


def translate(word: str, language: str, to: str) -> str:
    """The most usual word of another language for what a word stands for; empty if unknown.

    Of several concepts it is the one among whose words it stands first, the most usual word
    standing before the others; of equals the one that was written first: the file goes from
    frequent notions to rare ones.

    >>> translate("волками", "ru", "en"), translate("wolves", "en", "kk")
    ('wolf', 'қасқыр')
    """
    concepts = Concepts.shipped().of_word(word)
    if not concepts:
        return ""
    return _words_of(_main_concept(word, concepts, language))[LANGUAGES.index(to)][0]


def _main_concept(word: str, concepts: Sequence[int], language: str) -> int:
    if len(concepts) == 1:
        return concepts[0]
    column = LANGUAGES.index(language)
    of_concepts = [_words_of(concept)[column] for concept in concepts]
    (_, stem), *others = _stems([word, *chain.from_iterable(of_concepts)])
    stems = iter([each for _, each in others])

    def place_in(words: Sequence[str]) -> int:
        is_same = [next(stems) == stem for _ in words]
        return is_same.index(True) if any(is_same) else len(words)

    return min(zip(map(place_in, of_concepts), concepts, strict=True))[1]


def _words_of(concept: int) -> tuple[tuple[str, ...], ...]:
    return next(lines(_rows()[concept]))


@cache
def _rows() -> tuple[str, ...]:
    """A line a concept, as it is written."""
    text = _read("concepts.tsv")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


# The files: words by hand, stems made from them.


def lines(text: str) -> Iterator[tuple[tuple[str, ...], ...]]:
    """The words of each concept, language by language."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield tuple(tuple(column.split(", ")) for column in line.split("\t"))


def as_text() -> str:
    """The contents of `concept_stems.txt`."""
    concepts = list(lines(_read("concepts.tsv")))
    forms = dict(_irregular_forms())
    words = {
        (language, word)
        for columns in concepts
        for language, column in enumerate(columns)
        for word in column
    }
    spelled = sorted({w for _, word in words for w in (word, *forms.get(word, ()))})
    stem_of = {word: stem for word, (_, stem) in zip(spelled, _stems(spelled), strict=True)}
    ids: dict[str, dict[int, float]] = {}
    for number, columns in enumerate(concepts):
        for language, column in enumerate(columns):
            for place, word in enumerate(column):
                # Loan words are Russian words to the stemmer until a Kazakh ending follows.
                bare = [stem_kazakh(word)] if LANGUAGES[language] == "kk" else []
                stems = {stem_of[w] for w in (word, *forms.get(word, ()))} | set(bare)
                for stem in stems - {""}:
                    of_stem = ids.setdefault(stem, {})
                    of_stem[number] = min(place / len(column), of_stem.get(number, 1.0))
    small_words = list(_SMALL_WORDS)
    small_stems = {stem for _, stem in _stems([*small_words, *sorted(_SMALL_FORMS)])}
    for small in small_stems | set(map(stem_kazakh, small_words)):
        ids.pop(small, None)
    roots: dict[str, dict[int, float]] = {}
    for stem, of_stem in ids.items():
        of_root = roots.setdefault(_ROOT + root(stem), {})
        for number, rank in of_stem.items():
            of_root[number] = min(rank, of_root.get(number, 1.0))
    roots = {key: ids_ for key, ids_ in roots.items() if ids.get(key[1:]) != ids_}
    head = (
        f"# {len(concepts)} concepts {words_digest()};"
        " made from concepts.tsv by likewise.language.concepts\n"
    )
    rows = (
        f"{stem}\t{' '.join(map(str, _first_ones(of_stem)))}\n"
        for stem, of_stem in sorted((ids | roots).items())
    )
    return head + "".join(rows)


def words_digest() -> str:
    """Of the words from which stems are made, and of their irregular forms."""
    text = "".join("\n".join(_read(name).splitlines()) for name in _WORD_FILES)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def stems_head() -> tuple[int, str]:
    """Of how many concepts the shipped stems are, and of which words."""
    with (files(__package__) / "concept_stems.txt").open(encoding="utf-8") as stems:
        _, size, _, digest, *_ = stems.readline().split()
    return int(size), digest.rstrip(";")


def recipe() -> str:
    """By which lexicon words get their concepts; told in every result that was made with it.

    >>> recipe().split()[0]
    'concepts1'
    """
    size, digest = stems_head()
    return f"concepts{RECIPE} n={size} words={digest}"


def _first_ones(places: dict[int, float]) -> list[int]:
    """The concepts in which a word is among the first; not too many."""
    return sorted(sorted(places, key=lambda number: (places[number], number))[:_MOST_OF_A_STEM])


def write() -> None:
    """Write `concept_stems.txt` anew."""
    Path(__file__).with_name("concept_stems.txt").write_text(as_text(), "utf-8")


def _irregular_forms() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Base forms with the forms that no stemmer leads back to them."""
    for line in _read("irregular_forms.txt").splitlines():
        if line and not line.startswith("#"):
            base, _, forms = line.partition(": ")
            yield base, tuple(forms.split(", "))


def _read(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


@cache
def _shipped() -> Concepts:
    head, _, rows = _read("concept_stems.txt").partition("\n")
    cells = rows.rstrip("\n").replace("\n", "\t").split("\t")
    return Concepts(int(head.split()[1]), cells[0::2], cells[1::2])


@cache
def _lexicon() -> Lexicon:
    """For its rules alone: whatever the settings of a comparison are, concepts are the same."""
    return Lexicon(Settings())


def _stems(words: Sequence[str]) -> list[tuple[str, str]]:
    """Words as they are written, folded, and their canonical forms, empty if they are dropped."""
    if not words:
        return []
    nothing = np.zeros((2, 2), dtype=np.uint64)
    _, offsets, _, _, unknown = scan_texts(list(words), fold_table(), JOIN_HYPHENS, nothing, False)
    assert unknown is not None
    _, which, _, spelled = unknown
    canonical = _lexicon().canonical(spelled)
    first = np.minimum(offsets[:-1], max(len(which) - 1, 0)).tolist()
    return [
        (spelled[int(which[at])], canonical[int(which[at])]) if at < end else ("", "")
        for at, end in zip(first, offsets[1:].tolist(), strict=True)
    ]
