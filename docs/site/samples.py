"""What the pictures of the guides show: an invented school in each language, with essays of
examples/.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import typst

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Person:
    login: str
    name: str


@dataclass(frozen=True, slots=True)
class Work:
    """Whose a text is, and which of the examples."""

    author: str
    example: str
    year: int = 2025
    is_disguised: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """A school, its people and what they hand in."""

    institution: str
    administrator: Person
    teacher: Person
    colleague: Person
    forgetful: Person
    types: tuple[str, ...]
    library: tuple[Work, ...]
    # A portfolio of three essays: two have something of the library, the third is their author's.
    author: str
    title: str
    file: str
    essays: tuple[str, ...]
    sources: tuple[str, ...]
    bibliography: str
    supervisor: str
    supervised: str
    place: str
    class_name: str
    students: tuple[Work, ...]
    assignment: str
    late: Work
    comment: str
    reason: str


SAMPLES = {
    "en": Sample(
        institution="Riverside College",
        administrator=Person("brooks", "Helen Brooks"),
        teacher=Person("reed", "Daniel Reed"),
        colleague=Person("lopez", "Maria Lopez"),
        forgetful=Person("novak", "Peter Novak"),
        types=("Essay", "Course work", "Thesis"),
        library=(
            Work("Maxim Tumanov", "archive/maxim-telescope", 2024),
            Work("Grace Hill", "archive/grace-bees"),
            Work("Oliver Stone", "archive/oliver-printing"),
        ),
        author="Sam Miller",
        title="Three essays on things that travel",
        file="Portfolio of Sam Miller.pdf",
        essays=("essays/sam-bees", "essays/peter-printing", "essays/lucy-silk-road"),
        sources=(
            "Marsh, J. Insects of the meadow. London: Reed Press, 2019. 212 p.",
            "Stone, O. The printed book: a short history. London: Reed Press, 2021. 164 p.",
        ),
        bibliography="References",
        supervisor="Daniel Reed",
        supervised="Supervisor",
        place="Riverside",
        class_name="Group 11 B, autumn",
        students=(
            Work("Alice Moore", "archive/alice-bees"),
            Work("Emma Clarke", "essays/emma-silk-road"),
            Work("Henry Lane", "essays/henry-library", is_disguised=True),
            Work("Jack Young", "essays/jack-silk-road"),
            Work("Lucy Baker", "essays/lucy-silk-road"),
            Work("Nora Fisher", "essays/nora-printing"),
            Work("Sam Miller", "essays/sam-bees"),
            Work("Walter Quinn", "archive/walter-library"),
        ),
        assignment="Write an essay of 250 to 600 words on how an invention or a road changed the "
        "life of people. Use at least two sources, check facts and figures, and end with a "
        "conclusion of your own.",
        late=Work("Nora Fisher", "essays/nora-printing"),
        comment="Taken from last year’s essay, without a reference. To be discussed on Tuesday.",
        reason="A description from the textbook that the whole group was given.",
    ),
    "ru": Sample(
        institution="Приозёрный колледж",
        administrator=Person("sokolova", "Елена Соколова"),
        teacher=Person("orlov", "Андрей Орлов"),
        colleague=Person("belova", "Марина Белова"),
        forgetful=Person("zimin", "Павел Зимин"),
        types=("Эссе", "Курсовая работа", "Дипломная работа"),
        library=(
            Work("Лена Гордеева", "archive/lena-library"),
            Work("Максим Туманов", "archive/maxim-telescope"),
            Work("Ольга Ветрова", "archive/olga-silk-road"),
        ),
        author="Анна Лугова",
        title="Три эссе о пути и звёздах",
        file="Портфолио, Анна Лугова.pdf",
        essays=("essays/anna-silk-road", "essays/pavel-telescope", "essays/sofia-aral"),
        sources=(
            "Гордеева Л. А. Города и дороги: хрестоматия. – М.: Берег, 2019. – 212 с.",
            "Туманов М. И. Школьный телескоп: учебное пособие. – М.: Берег, 2021. – 164 с.",
        ),
        bibliography="Список литературы",
        supervisor="Андрей Орлов",
        supervised="Руководитель",
        place="Приозёрск",
        class_name="Группа 11 «Б», осень",
        students=(
            Work("Анна Лугова", "essays/anna-silk-road"),
            Work("Вера Родникова", "essays/vera-aral"),
            Work("Дарья Ясная", "essays/dasha-telescope"),
            Work("Илья Полянский", "essays/ilya-aral"),
            Work("Кирилл Снегов", "essays/kirill-library"),
            Work("София Ручьёва", "essays/sofia-aral"),
            Work("Тимур Озеров", "essays/timur-aral"),
        ),
        assignment="Задание. Напишите сочинение об Аральском море объёмом от двухсот пятидесяти "
        "до шестисот слов. Расскажите, каким море было раньше, почему оно изменилось и что делают "
        "люди сегодня. Используйте не менее двух источников, проверьте факты и числа, а в конце "
        "сформулируйте собственный вывод.",
        late=Work("Дарья Ясная", "essays/dasha-telescope"),
        comment="Взято из прошлогоднего сочинения без ссылки. Обсудим во вторник.",
        reason="Описание из учебника, который был у всей группы.",
    ),
    "kk": Sample(
        institution="Көкжиек колледжі",
        administrator=Person("omarova", "Сәуле Омарова"),
        teacher=Person("kasymov", "Дәурен Қасымов"),
        colleague=Person("seitova", "Гүлнар Сейітова"),
        forgetful=Person("zhumin", "Болат Жұмин"),
        types=("Эссе", "Курстық жұмыс", "Дипломдық жұмыс"),
        library=(
            Work("Әсел Көлбаева", "archive/asel-aral"),
            Work("Мадина Гүлдер", "archive/madina-bees"),
            Work("Ольга Ветрова", "archive/olga-silk-road", 2024),
        ),
        author="Айгерім Теңізбай",
        title="Теңіз, ара және кітап туралы үш эссе",
        file="Портфолио, Айгерім Теңізбай.pdf",
        essays=("essays/aigerim-aral", "essays/nurlan-bees", "essays/arman-library"),
        sources=(
            "Көлбаева Ә. С. Су мен жер: оқу құралы. – Алматы: Мектеп, 2019. – 212 б.",
            "Бұлақова С. Т. Кітапхана жұмысы. – Алматы: Мектеп, 2021. – 164 б.",
        ),
        bibliography="Әдебиеттер тізімі",
        supervisor="Дәурен Қасымов",
        supervised="Жетекшісі",
        place="Көкжиек",
        class_name="11 «Б» тобы, күз",
        students=(
            Work("Айгерім Теңізбай", "essays/aigerim-aral"),
            Work("Асқар Жазылбек", "archive/askar-printing"),
            Work("Бота Гүлжан", "essays/bota-bees"),
            Work("Дана Әріпова", "essays/dana-printing", is_disguised=True),
            Work("Ерлан Таубай", "essays/erlan-library"),
            Work("Нұрлан Балтабай", "essays/nurlan-bees"),
            Work("Сәуле Бұлақова", "essays/saule-library"),
        ),
        assignment="Тапсырма. Адам өмірін өзгерткен бір нәрсе туралы екі жүз елуден алты жүз сөзге "
        "дейін эссе жазыңыз. Кемінде екі дереккөз пайдаланып, деректер мен сандарды тексеріңіз, "
        "соңында өз қорытындыңызды жасаңыз.",
        late=Work("Нұрлан Балтабай", "essays/nurlan-bees"),
        comment="Былтырғы эсседен сілтемесіз алынған. Сейсенбіде талқылаймыз.",
        reason="Бұл – бүкіл топқа берілген оқулықтағы сипаттама.",
    ),
}


def text_of(example: str) -> str:
    return (ROOT / "examples" / f"{example}.txt").read_text("utf-8")


def disguised(text: str) -> str:
    """The text with letters of another alphabet in some of its words."""
    cyrillic = sum("а" <= letter <= "я" for letter in text) > len(text) // 2
    look_alikes = ("аеос", "aeoc") if cyrillic else ("aeoc", "аеос")
    swap = str.maketrans(*look_alikes)
    words = text.split(" ")
    return " ".join(
        word[:1] + word[1:2].translate(swap) + word[2:] if i % 7 == 0 and len(word) > 4 else word
        for i, word in enumerate(words)
    )


def title_of(example: str) -> str:
    return text_of(example).partition("\n")[0]


def metadata_table(works: Iterable[Work], type: str) -> bytes:
    """Facts about each document, as the library takes them."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(("file", "author", "type", "year"))
    table.writerows((f"{title_of(one.example)}.txt", one.author, type, one.year) for one in works)
    return written.getvalue().encode()


def class_archive(works: Iterable[Work]) -> bytes:
    """What Moodle gives a teacher: a folder for each student."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number, one in enumerate(works, 231_502):
            folder = f"{one.author}_{number}_assignsubmission_file"
            text = text_of(one.example)
            name = f"{folder}/{title_of(one.example)}.txt"
            archive.writestr(name, disguised(text) if one.is_disguised else text)
    return packed.getvalue()


PORTFOLIO = b"""
#let work = json(bytes(sys.inputs.work))
#set page(paper: "a4", margin: 48mm)
#set text(size: 14pt)
#set par(leading: 0.8em, spacing: 1.4em)
#align(center)[
  #work.institution
  #v(40mm)
  #work.type

  #text(size: 20pt, weight: "bold", work.title)
  #v(10mm)
  #work.author

  #work.supervisor
  #v(1fr)
  #work.place
]
#for essay in work.essays [
  #pagebreak()
  #text(size: 15pt, weight: "bold", essay.first())

  #for each in essay.slice(1) [#each

  ]
]
#pagebreak()
#text(size: 15pt, weight: "bold", work.bibliography)

#for (i, each) in work.sources.enumerate() [#(i + 1). #each

]
"""


def portfolio(sample: Sample) -> bytes:
    """A PDF with a title page, three essays and a bibliography."""
    work = {
        "institution": sample.institution,
        "title": sample.title,
        "type": sample.types[1],
        "author": sample.author,
        "supervisor": f"{sample.supervised}: {sample.supervisor}",
        "place": f"{sample.place} 2026",
        "essays": [text_of(each).strip().split("\n\n") for each in sample.essays],
        "bibliography": sample.bibliography,
        "sources": sample.sources,
    }
    made = typst.compile(PORTFOLIO, sys_inputs={"work": json.dumps(work)})
    assert isinstance(made, bytes)
    return made
