"""What a library holds beside the sources that are looked for, and honest text that is not in it.

A library is of real texts in three languages: each stands in it at most once, and none shares text
with a source. Where a size asks for more than there are in a language, documents are composed:
sentences of three texts of one genre, some of their words exchanged for words of a fourth. So they
speak of the genre's subjects, and none is a copy. The honest text for checking (`host_blocks`)
comes from other documents, and shares no run of eight words with the library.

Left out on purpose: the Russian laws and the declarations of `kazakh`, which are translations of
what stands there in Kazakh: they would be true sources.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from bench.corpus import say
from bench.making.cutting import SHORTEST_WORDS, cut, document_words, visible_text
from bench.making.english import Source, texts_of_package
from bench.making.honest import LAWS, Shared, blocks_of, genres, law_files
from likewise.language import detect

LANGUAGE_SHARES = {"en": 0.7, "ru": 0.2, "kk": 0.1}  # of a library's documents
RECIPE = 1  # of the files that are kept: another one where other texts are chosen
FOLDER = "sources"
MOST_SHARED_RUNS = 8  # of eight words, that a document may share with sources: the genre's phrases
TEXTS_OF_A_DOCUMENT = 3  # that a composed one has sentences of
EXCHANGED_WORDS = 0.33  # of its long words
LONG_WORD = 5  # letters
_SEED = 24
_RUSSIAN = "russian"  # the folder of Debian's packages in Russian
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+")
_AUTHOR = re.compile(r"^\s+--.*$", re.MULTILINE)  # of an aphorism: the same name in many
_LONG_WORDS = re.compile(rf"[^\W\d_]{{{LONG_WORD},}}")

# Manuals of which no English original stands in the corpus `english` are for checking.
_MANUALS = (
    Source("libreoffice-help-ru", "**/*.html"),
    Source("aptitude-doc-ru", "**/*.html"),
)
_OTHER_MANUALS = (Source("gimp-help-ru", "**/ru/*.html"), Source("kicad-doc-ru", "**/ru/*.html"))
_APHORISMS = Source("fortunes-ru", "**/games/fortunes/ru/*", r"\.dat$")


@dataclass(frozen=True, slots=True)
class Writing:
    """A genre in one language: the documents of a library, and other texts for checking."""

    name: str
    language: str
    documents: tuple[str, ...] = field(repr=False)
    held_out: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Block:
    """Some sixty words in whole sentences that stand in no library."""

    genre: str
    language: str
    text_number: int  # blocks of one text follow each other
    text: str


class Background:
    """The real texts beside sources, chosen once and kept in a folder that git ignores."""

    def __init__(self, folder: Path, sources: Mapping[str, str]) -> None:
        self._sources = dict(sources)
        self.folder = folder / FOLDER
        self._documents = self.folder / f"documents-{RECIPE}.jsonl"
        self._blocks = self.folder / f"blocks-{RECIPE}.jsonl"
        self._genres = self.folder / f"genres-{RECIPE}.json"
        if not self._genres.is_file():
            self._choose(folder)

    def library_documents(self, size: int) -> Iterator[tuple[str, str]]:
        """Names and texts of a library of so many documents, the sources evenly among them."""
        other_count = max(size - len(self._sources), 0)
        others = self._other_documents(other_count)
        passed = 0
        for number, document in enumerate(islice(self._sources.items(), size), 1):
            due = other_count * number // len(self._sources)
            yield from islice(others, due - passed)
            passed = due
            yield document

    def host_blocks(self) -> list[Block]:
        """The honest text for checking."""
        return [Block(**json.loads(line)) for line in _lines(self._blocks)]

    def genre_of_sources(self) -> dict[str, str]:
        """Which genre's texts a source was taken from; sources of no genre are left out."""
        genres: dict[str, str] = json.loads(self._genres.read_text("utf-8"))
        return genres

    def real_documents(self) -> Counter[str]:
        """How many real documents there are in each language."""
        return Counter(json.loads(line)["language"] for line in _lines(self._documents))

    def _other_documents(self, count: int) -> Iterator[tuple[str, str]]:
        """Languages in turn by their shares; real texts first."""
        by_language: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for line in _lines(self._documents):
            document = json.loads(line)
            by_language[document["language"]].append((document["genre"], document["text"]))
        streams = {
            language: chain(
                _in_turn(by_language[language], language),
                composed_documents(by_language[language], language),
            )
            for language in LANGUAGE_SHARES
        }
        dice = random.Random(_SEED)
        languages, weights = zip(*LANGUAGE_SHARES.items(), strict=True)
        for _ in range(count):
            yield next(streams[dice.choices(languages, weights)[0]])

    def _choose(self, folder: Path) -> None:
        """Real texts that share nothing with sources, and blocks that share nothing with these."""
        self.folder.mkdir(parents=True, exist_ok=True)
        say(f"sources: choosing the texts of libraries, kept in {self.folder}")
        writings = list(_writings(folder))
        of_sources = Shared(self._sources.values())
        documents = [
            {"language": writing.language, "genre": writing.name, "text": text}
            for writing in writings
            for text in dict.fromkeys(writing.documents)
            if of_sources.count_in(text) <= MOST_SHARED_RUNS
        ]
        random.Random(_SEED).shuffle(documents)
        _write_lines(self._documents, documents)
        of_library = Shared(
            chain(self._sources.values(), (document["text"] for document in documents))
        )
        blocks = (
            {
                "genre": writing.name,
                "language": writing.language,
                "text_number": number,
                "text": block,
            }
            for writing in writings
            for number, text in enumerate(writing.held_out)
            for block in blocks_of(text)
            if not of_library.with_any(block) and detect(block) == writing.language
        )
        _write_lines(self._blocks, blocks)
        self._genres.write_text(json.dumps(self._count_genres(writings), indent=1), "utf-8")

    def _count_genres(self, writings: Sequence[Writing]) -> dict[str, str]:
        """By the runs that a source shares with the texts of each genre that hosts are from."""
        runs = {
            writing.name: Shared(chain(writing.documents, writing.held_out))
            for writing in writings
            if writing.held_out
        }
        genres = {}
        for name, text in self._sources.items():
            counts = {genre: shared.count_in(text) for genre, shared in runs.items()}
            likest = max(counts, key=lambda genre: counts[genre])
            if counts[likest] > MOST_SHARED_RUNS:
                genres[name] = likest
        return genres


def _in_turn(documents: Sequence[tuple[str, str]], language: str) -> Iterator[tuple[str, str]]:
    """One of each genre after the other, so that a small library has all of them."""
    by_genre: dict[str, list[str]] = defaultdict(list)
    for genre, text in documents:
        by_genre[genre].append(text)
    for number in range(max(map(len, by_genre.values()), default=0)):
        for genre, texts in sorted(by_genre.items()):
            if number < len(texts):
                yield f"{genre} {language} {number}", texts[number]


def composed_documents(
    documents: Sequence[tuple[str, str]], language: str
) -> Iterator[tuple[str, str]]:
    """Without end; each from its number alone."""
    by_genre: dict[str, list[str]] = defaultdict(list)
    for genre, text in documents:
        by_genre[genre].append(text)
    genres = sorted(genre for genre, texts in by_genre.items() if len(texts) > TEXTS_OF_A_DOCUMENT)
    if not genres:
        raise SystemExit(f"there are too few texts in {language} to compose others")
    weights = [sum(map(len, by_genre[genre])) for genre in genres]
    number = 0
    while True:
        dice = random.Random(f"{_SEED} {language} {number}")
        genre = dice.choices(genres, weights)[0]
        yield f"composed {language} {number}", _compose(by_genre[genre], dice)
        number += 1


def _compose(texts: Sequence[str], dice: random.Random) -> str:
    *several, other = dice.sample(texts, TEXTS_OF_A_DOCUMENT + 1)
    sentences = [
        sentence for text in several for sentence in _SENTENCE_END.split(text) if sentence.strip()
    ]
    dice.shuffle(sentences)
    length, words, first_sentences = document_words(dice), 0, list[str]()
    for sentence in sentences:
        if words < length:
            first_sentences.append(sentence)
            words += sentence.count(" ") + 1
    new_words = _LONG_WORDS.findall(other) or [""]

    def exchange(match: re.Match[str]) -> str:
        if dice.random() >= EXCHANGED_WORDS:
            return match[0]
        word: str = dice.choice(new_words)
        return word.capitalize() if match[0][0].isupper() else word

    return _LONG_WORDS.sub(exchange, " ".join(first_sentences))


def _writings(folder: Path) -> Iterator[Writing]:
    """The genres of honest texts, each in its language, and documentation."""
    dice = random.Random(_SEED)
    for genre in genres(folder):
        if genre.name == LAWS:
            continue
        by_language: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        for place, texts in enumerate((genre.shelved, genre.checked)):
            for text in texts:
                if (language := detect(text)) in LANGUAGE_SHARES:
                    by_language[str(language)][place].append(text)
        for language, (library, held_out) in sorted(by_language.items()):
            yield Writing(genre.name, language, tuple(_cut_all(library, dice)), tuple(held_out))
    # Parts of one law are too much alike: the longest of them is for checking.
    *laws, longest = sorted(
        (visible_text(path.read_text("utf-8", "replace")) for path in law_files(folder)), key=len
    ) or [""]
    yield Writing(LAWS, "kk", tuple(_cut_all(laws, dice)), tuple(_cut_all([longest], dice)))
    english = folder / "english" / "docs.jsonl"
    if english.is_file():
        records = map(json.loads, _lines(english))
        texts = tuple(record["text"] for record in records if record["of"] is None)
        yield Writing("manuals (en)", "en", texts, ())
    packages = folder / _RUSSIAN / "packages"
    manuals = [text for source in _MANUALS for text in texts_of_package(source, packages)]
    others = [text for source in _OTHER_MANUALS for text in texts_of_package(source, packages)]
    yield Writing("manuals (ru)", "ru", tuple(_cut_all(manuals, dice)), tuple(others))
    aphorisms = [
        _AUTHOR.sub("", text).replace("\n%\n", "\n\n")
        for text in texts_of_package(_APHORISMS, packages)
    ]
    cuts = list(_cut_all(aphorisms, dice))
    yield Writing("aphorisms (ru)", "ru", tuple(cuts[::2]), tuple(cuts[1::2]))


def _cut_all(texts: Iterable[str], dice: random.Random) -> Iterator[str]:
    for text in texts:
        yield from (each for each in cut(text, dice) if each.count(" ") >= SHORTEST_WORDS)


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from lines


def _write_lines(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as lines:
        for record in records:
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
    unfinished.replace(path)
