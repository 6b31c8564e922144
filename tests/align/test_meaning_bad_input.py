"""What is no prose, or prose of no known language: no passage by meaning, and no more work."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import permutations, product

import pytest
from hypothesis import given

from likewise.align import align, meaning
from likewise.align.pair import Box
from likewise.model import Document, Passage
from tests.align.rendered_texts import COPIED, SEA, checked, source
from tests.kernels.strategies import repeatable, texts

LANGUAGES = ("en", "ru", "kk")
BOTH_LANGUAGES = list(product(LANGUAGES, repeat=2))


def passages(a: str, b: str) -> tuple[Passage, ...]:
    return align(Document.from_text(a), Document.from_text(b)).passages


def by_meaning(a: str, b: str) -> list[Passage]:
    """What is found by meaning, from either side."""
    return [p for pair in permutations((a, b)) for p in passages(*pair) if p.by_meaning]


@dataclass
class Work:
    """What the look by meaning had to do."""

    rows: int = 0  # of words related to words
    trials: int = 0  # blocks around which a passage was looked for


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    work = Work()
    relate, best_around = meaning.relate, meaning._best_around

    def counting_rows(a: meaning.Meaning, b: meaning.Meaning) -> meaning.Relation:
        relation = relate(a, b)
        work.rows += len(relation.a)
        return relation

    def counting_trials(pair: meaning._Pair, block: Box) -> meaning.Rendering | None:
        work.trials += 1
        return best_around(pair, block)

    monkeypatch.setattr(meaning, "relate", counting_rows)
    monkeypatch.setattr(meaning, "_best_around", counting_trials)
    return work


# Languages: several at once, and others than the three.

MIXED = (
    "Вчера мы deploy the new server, потому что old version жұмыс істемей қалды, and the users "
    "начали жаловаться. Біз logs тексердік and found ошибку in the configuration файле. После "
    "restart бәрі қалпына келді, but the database осталась slow. Ертең we plan обновить драйвер "
    "and қайта тестілейміз the whole pipeline.",
    "Мой friend купил жаңа телефон and very доволен, өйткені the camera is amazing и батарея ұзақ "
    "жұмыс істейді. We took many фотографий in the mountains, потом көлге бардық, and ate fish у "
    "костра. Кешке the rain бастап жіберді, так что пришлось sleep in the машине.",
)


@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
def test_paragraphs_of_mixed_languages_are_no_translations(here: str, there: str) -> None:
    assert by_meaning(checked(here, MIXED[0]), source(there, MIXED[1])) == []


@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
@pytest.mark.parametrize("quoted", LANGUAGES)
def test_a_quotation_in_another_language_is_no_translation(
    here: str, there: str, quoted: str
) -> None:
    quotation = f"«{COPIED[quoted]}»"
    assert by_meaning(checked(here, quotation), source(there, quotation)) == []


OTHERS = {
    "German": (
        "Im Jahr 1960 war der Aralsee der viertgrößte See der Welt, und die Fischer von Aralsk "
        "fingen vierzigtausend Tonnen Fisch im Jahr. Dann leitete man die Flüsse ab, um "
        "Baumwollfelder zu bewässern, und das Ufer wich um mehr als hundert Kilometer zurück. "
        "Schiffe blieben im Sand liegen, und der Wind trug Salz und Pestizide in Dörfer, die das "
        "Wasser nie gesehen hatten. Im Jahr 2005 vollendeten Ingenieure bei Kokaral einen dreizehn "
        "Kilometer langen Damm, der das Wasser des Syrdarja im nördlichen Teil hält."
    ),
    "Turkish": (
        "1960 yılında Aral Gölü dünyanın dördüncü büyük gölüydü ve Aralsk balıkçıları yılda kırk "
        "bin ton balık tutuyordu. Sonra nehirler pamuk tarlalarını sulamak için çevrildi ve kıyı "
        "yüz kilometreden fazla çekildi. Gemiler kumda kaldı, rüzgâr tuzu ve tarım ilaçlarını "
        "köylere taşıdı. 2005 yılında mühendisler Kokaral'da on üç kilometre uzunluğunda bir baraj "
        "bitirdi."
    ),
    "Chinese": (
        "咸海位于中亚，1960年是世界第四大湖。后来人们引水灌溉棉田，湖岸后退了一百多公里。"
        "2005年科卡拉尔大坝建成，北部水位上升，盐分减半，鱼又回来了。"
    ),
    "Arabic": (
        "كان بحر آرال سنة 1960 رابع أكبر بحيرة في العالم. ثم حولت الأنهار لري حقول القطن وتراجع "
        "الشاطئ أكثر من مئة كيلومتر. وفي سنة 2005 اكتمل سد كوكارال وارتفع منسوب المياه وعاد السمك."
    ),
    "Georgian": (
        "არალის ზღვა 1960 წელს მსოფლიოში სიდიდით მეოთხე ტბა იყო. შემდეგ მდინარეები ბამბის "
        "მინდვრების მოსარწყავად გადააგდეს და ნაპირმა ას კილომეტრზე მეტით დაიხია. 2005 წელს "
        "დასრულდა კაშხალი და თევზი დაბრუნდა."
    ),
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fourth_language_has_no_concepts_to_be_found_by(other: str, language: str) -> None:
    assert by_meaning(OTHERS[other], source(language, SEA[language])) == []
    assert by_meaning(checked(language, OTHERS[other]), source(language)) == []


@pytest.mark.parametrize(("one", "other"), list(permutations(OTHERS, 2)))
def test_two_other_languages_are_not_related(one: str, other: str) -> None:
    assert by_meaning(OTHERS[one], OTHERS[other]) == []


# No prose.

PEOPLE = [
    *("Aigerim Seitkali/Айгерим Сейткали", "Nurlan Abishev/Нурлан Абишев"),
    *("Dmitry Sokolov/Дмитрий Соколов", "Elena Petrova/Елена Петрова"),
    *("Yerlan Omarov/Ерлан Омаров", "Olga Ivanova/Ольга Иванова"),
    *("Timur Karimov/Тимур Каримов", "Saule Akhmetova/Сауле Ахметова"),
    *("Viktor Kim/Виктор Ким", "Anna Schmidt/Анна Шмидт"),
    *("Bolat Zhumabayev/Болат Жумабаев", "Marat Sadykov/Марат Садыков"),
    *("Irina Volkova/Ирина Волкова", "Asel Tulegenova/Асель Тулегенова"),
    *("Sergey Kuznetsov/Сергей Кузнецов", "Daniyar Bekov/Данияр Беков"),
    *("Maria Lebedeva/Мария Лебедева", "Kanat Ospanov/Канат Оспанов"),
    *("Zhanna Nurpeisova/Жанна Нурпеисова", "Alexey Morozov/Алексей Морозов"),
]


def test_a_list_of_participants_in_both_is_no_translation() -> None:
    latin = [person.partition("/")[0] for person in PEOPLE]
    cyrillic = [person.partition("/")[2] for person in PEOPLE]
    by_surname = sorted(latin, key=lambda name: name.split()[1])
    for between in ("\n", ", "):
        for names in (latin, by_surname):
            a, b = checked("en", between.join(names)), source("ru", between.join(cyrillic))
            assert by_meaning(a, b) == []
            assert by_meaning(between.join(names), between.join(cyrillic)) == []


def table(seed: int, most: int, rows: int = 60) -> str:
    numbers = random.Random(seed)
    return "\n".join(
        "\t".join(str(numbers.randint(1, most)) for _ in range(8)) for _ in range(rows)
    )


@pytest.mark.parametrize("most", [9, 99, 9999, 10**9])
@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
def test_tables_of_numbers_are_no_translations(most: int, here: str, there: str) -> None:
    rows = table(1, most)
    turned = "\n".join(reversed(rows.splitlines()))
    for other in (table(2, most), turned):
        assert by_meaning(checked(here, rows), source(there, other)) == []
    assert by_meaning(rows, table(2, most)) == []


PYTHON = """
def read_rows(path):
    rows = []
    with open(path) as file:
        for line in file:
            cells = line.strip().split(",")
            if len(cells) > 2:
                rows.append([float(cell) for cell in cells])
    return rows

def mean(values):
    total = 0
    for value in values:
        total += value
    return total / len(values)
"""
JAVA = """
public class Reader {
    public List<double[]> read(String path) throws IOException {
        List<double[]> table = new ArrayList<>();
        BufferedReader reader = new BufferedReader(new FileReader(path));
        String line;
        while ((line = reader.readLine()) != null) {
            String[] parts = line.split(";");
            double[] numbers = new double[parts.length];
            for (int i = 0; i < parts.length; i++) numbers[i] = Double.parseDouble(parts[i]);
            table.add(numbers);
        }
        return table;
    }
    public double average(double[] array) {
        double sum = 0;
        for (double number : array) sum += number;
        return sum / array.length;
    }
}
"""


@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
def test_programs_are_no_translations(here: str, there: str) -> None:
    assert by_meaning(checked(here, PYTHON), source(there, JAVA)) == []
    assert by_meaning(PYTHON, JAVA) == []


EMPTY = ["", " \n\t", "…", "\ud800", "\ud83d" * 500, "7", "а", "the of and to in is that " * 1500]


@pytest.mark.parametrize("nothing", EMPTY, ids=range(len(EMPTY)))
def test_what_says_nothing_shares_nothing(nothing: str) -> None:
    for other in (*EMPTY, SEA["en"], SEA["kk"]):
        assert by_meaning(nothing, other) == []


def test_lone_surrogates_around_a_translation_do_no_harm() -> None:
    a, b = "\ud800\udc00 \udfff " * 200 + SEA["en"], SEA["ru"] + "\ud83d" * 100
    [passage] = passages(a, b)
    assert passage.kind == "translated"
    assert passage.a.of(a) == SEA["en"]


@repeatable(150)
@given(texts, texts)
def test_whatever_is_written_is_compared(a: str, b: str) -> None:
    for passage in (*passages(a, b), *passages(f"{a}\n\n{SEA['en']}", f"{SEA['ru']}\n\n{b}")):
        assert passage.a.end <= len(f"{a}\n\n{SEA['en']}")
        assert passage.b.end <= len(f"{SEA['ru']}\n\n{b}")


# Long, repeated, different: what is done grows with the words, not with their pairs.


def words_of(seed: int, size: int) -> str:
    """Different words of no language, in sentences."""
    letters = random.Random(seed)
    words: dict[str, None] = {}
    while len(words) < size:
        syllables = range(letters.randint(2, 4))
        words[
            "".join(letters.choice("bdfgklmnprstvz") + letters.choice("aeiou") for _ in syllables)
        ] = None
    return " ".join(word + "." * (k % 15 == 14) for k, word in enumerate(words))


def same_name(consonants: str, seed: int, size: int) -> str:
    """Different words that are one name to whoever hears consonants alone."""
    vowels = ["a", "e", "i", "o", "u", "ae", "ea", "ia", "oa", "ua", "ai", "ei", "oi", "ui"]
    words = [
        "".join(map(str.__add__, consonants, chosen))
        for chosen in product(vowels, repeat=len(consonants))
    ]
    random.Random(seed).shuffle(words)
    return " ".join(word + "." * (k % 12 == 11) for k, word in enumerate(words[:size]))


def repeated(language: str, words: int = 30_000) -> str:
    return "\n\n".join([SEA[language]] * (words // len(SEA[language].split()) + 1))


def test_one_word_ten_thousand_times_is_no_work(work: Work) -> None:
    assert by_meaning("steppe " * 10_000, "степь " * 10_000) == []
    assert by_meaning("Steppe. " * 10_000, SEA["en"]) == []
    assert work.rows < 100 and work.trials < 10


@pytest.mark.parametrize(("here", "there"), [("en", "ru"), ("kk", "kk"), ("ru", "kk")])
def test_a_paragraph_repeated_through_thirty_thousand_words_is_no_work(
    work: Work, here: str, there: str
) -> None:
    passages(repeated(here), repeated(there))
    assert work.rows < 5_000
    assert work.trials <= 30_000 // 150 + 24


def test_thirty_thousand_different_words_are_work_by_words_and_not_by_pairs(work: Work) -> None:
    assert by_meaning(words_of(1, 30_000), words_of(2, 30_000)) == []
    assert work.rows < 2 * 30 * 60_000
    assert work.trials <= 2 * 30_000 // 150


@pytest.mark.parametrize("consonants", ["krng", "bdlt"])
def test_thousands_of_spellings_of_one_name_are_not_compared_pair_by_pair(
    work: Work, consonants: str
) -> None:
    size = 4_000
    a, b = same_name(consonants, 1, size), same_name(consonants, 2, size)
    assert by_meaning(a, b) == []
    assert work.rows < 30 * size
    assert work.trials <= 100


def test_thousands_of_labels_with_one_number_are_not_compared_pair_by_pair(work: Work) -> None:
    labels = ["".join(letters) + "9" for letters in product("abcdefghiklmnopr", repeat=3)]
    others = [label.replace("9", "x9") for label in labels]
    random.Random(1).shuffle(others)
    assert by_meaning(" ".join(labels), " ".join(others)) == []
    assert work.rows < 30 * len(labels)
