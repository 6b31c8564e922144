"""The language rule on short texts, mixed texts and texts of other languages."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.language.detect import detect

ENGLISH = [
    "We describe a method that finds similar passages in large collections, and we show that it "
    "is faster than the tools which are used today.",
    "The students were asked to write an essay, but most of them copied it from the internet.",
]
RUSSIAN = [
    "Студенты написали курсовые работы и сдали их преподавателю, но некоторые из них оказались "
    "очень похожими друг на друга.",
    "Хук useEffect позволяет выполнять побочные эффекты в компоненте, а массив dependencies "
    "говорит React, когда эффект нужно запустить снова.",
    "Лица, награждённые знаком «Алтын белгі», поступают в университет без экзаменов, об этом "
    "сообщает система «Әділет».",
    "В этом году осень пришла рано, и уже в сентябре пошёл первый снег.",
]
KAZAKH = [
    "Студенттер курстық жұмыстарын жазып, оқытушыға тапсырды, бірақ кейбіреулері бір-біріне өте "
    "ұқсас болып шықты.",
    "Ертеде бір бай болыпты, оның үш ұлы бар екен, кенжесі ең ақылдысы екен.",
    "Бұл программа мәтіндерді салыстырады және ортақ үзінділерді табады.",
]
KAZAKH_ON_A_RUSSIAN_KEYBOARD = [
    "Мен бугин мектепке бардым, балалар сонда ойнап жур екен, мугалим бизге кызык кітап окып берди",
    "Бул жумыстын максаты окушылардын билим денгейин аныктау жане онын натижелерин талдау болып "
    "табылады",
    "Студенттер жумыстарын тапсырды, бирак олардын арасында бир-бирине уксас жумыстар болды",
]
OTHERS = {
    "French": "Le chat est assis sur la table et il regarde les oiseaux dans le jardin avec ses "
    "amis de la ville où nous sommes allés hier.",
    "German": "Der Hund ist in dem Haus und die Katze war so müde, dass sie an der Wand schlief, "
    "als wir nach Hause kamen.",
    "Spanish": "El perro está en la casa y los niños juegan con la pelota en el jardín porque hace "
    "buen tiempo.",
    "Dutch": "De kat zit op de tafel en kijkt naar de vogels in de tuin omdat hij honger heeft, en "
    "dat is niet goed.",
    "Turkish": "Kedi masanın üstünde oturuyor ve bahçedeki kuşlara bakıyor çünkü bugün çok aç.",
    "Ukrainian": "Привіт, як справи? Сьогодні ми підемо до школи, а потім будемо гуляти в парку "
    "разом з друзями і їхніми батьками.",
    "Ukrainian with few і": "Вчора вона купила книгу та подарунок для мами, тому що завтра свято у "
    "нашому місті.",
    "Belarusian": "Сёння добрае надвор'е, і мы пойдзем у парк, бо дзеці хочуць гуляць з сябрамі на "
    "вуліцы ўвесь дзень.",
    "Bulgarian": "Днес времето е хубаво и ние ще отидем на разходка в парка, защото децата искат "
    "да играят навън със своите приятели.",
    "Serbian": "Данас је лепо време и ми идемо у парк са децом јер је сунчано и топло.",
    "Macedonian": "Денес времето е убаво и ние одиме во парк со децата затоа што сакаат да играат.",
    "Tatar": "Татар телендә язылган бу текст, бик күп кешеләр аны укый һәм аңлый, әмма без моны "
    "белмибез.",
    "Kyrgyz": "Бүгүн күн абдан жылуу, ошондуктан балдар короодо ойноп жатышат, ал эми чоңдор иштеп "
    "жүрүшөт.",
    "Mongolian": "Өнөөдөр цаг агаар сайхан байна, хүүхдүүд гадаа тоглож, том хүмүүс ажлаа хийж "
    "байгаа юм.",
    "Greek": "Η γάτα κάθεται στο τραπέζι και κοιτάζει τα πουλιά στον κήπο.",
    "Chinese": "猫坐在桌子上看着花园里的鸟。",
}
CODE = """
    def read(path: Path) -> str:
        with path.open() as handle:
            return handle.read()
    const items = document.querySelectorAll("li"); items.forEach((x) => console.log(x));
"""


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_found(text: str) -> None:
    assert detect(text) == "en"


@pytest.mark.parametrize("text", RUSSIAN)
def test_russian_is_found_also_with_english_terms(text: str) -> None:
    assert detect(text) == "ru"


@pytest.mark.parametrize("text", KAZAKH)
def test_kazakh_is_found(text: str) -> None:
    assert detect(text) == "kk"


@pytest.mark.parametrize("text", KAZAKH_ON_A_RUSSIAN_KEYBOARD)
def test_kazakh_typed_with_russian_letters_is_still_kazakh(text: str) -> None:
    assert detect(text) == "kk"


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_are_none_of_the_three(language: str) -> None:
    assert detect(OTHERS[language]) is None


@pytest.mark.parametrize("text", ["", "   ", "42 3.14 2024-01-01", "ok", "Привет", "!!! ??? ---"])
def test_too_little_evidence_is_no_language(text: str) -> None:
    assert detect(text) is None


def test_english_around_code_is_english() -> None:
    text = "The function below opens the file and returns all of its text, which we then split.\n"
    assert (
        detect(text + CODE + "It should not be used with files that are larger than that.") == "en"
    )


def test_russian_around_code_is_russian() -> None:
    text = "Функция ниже открывает файл и возвращает весь его текст, который мы потом разбиваем.\n"
    assert detect(text + CODE + "Её не следует использовать для больших файлов.") == "ru"


def test_capitals_do_not_matter() -> None:
    assert detect(KAZAKH[0].upper()) == "kk"
    assert detect(RUSSIAN[0].upper()) == "ru"
    assert detect(ENGLISH[0].upper()) == "en"


def test_the_language_of_the_greater_part_wins() -> None:
    assert detect(" ".join(RUSSIAN) + " Abstract. " + ENGLISH[1]) == "ru"
    assert detect(" ".join(ENGLISH * 3) + " Аннотация. " + RUSSIAN[2]) == "en"


def test_a_long_document_is_sampled_from_all_its_parts() -> None:
    assert detect("1234567890 " * 200 + " ".join(KAZAKH) * 500 + "0 " * 1000) == "kk"


def test_a_big_document_takes_milliseconds_at_most() -> None:
    text = " ".join(KAZAKH) * 10_000
    detect(text)
    start = time.process_time()
    detect(text)
    assert time.process_time() - start < 0.05


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    assert detect(text) in ("en", "ru", "kk", None)
