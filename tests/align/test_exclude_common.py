import numpy as np
import pytest

from likewise.align.exclude import Common, Exclusions, Templates, exclude
from likewise.model import Document, Span
from likewise.settings import Settings

TASK = {
    "en": "Describe in your own words how the wells of the town were dug, who carried the water "
    "home, and why the market stands on the hill above the river.",
    "ru": "Опишите своими словами, как были выкопаны колодцы города, кто носил воду домой и почему "
    "рынок стоит на холме над рекой, а не возле старого моста.",
    "kk": "Қала құдықтары қалай қазылғанын, суды үйге кім тасығанын және базар неліктен өзен "
    "үстіндегі төбеде тұрғанын өз сөзіңізбен сипаттап жазыңыз.",
}
OWN = {
    "en": [
        "Three brothers dug the first well before winter came.",
        "I think water was carried by mules.",
        "My grandmother sold walnuts there for years.",
        "Nobody remembers the first market day.",
        "Geese crossed the river while old men argued.",
    ],
    "ru": [
        "Первый колодец выкопали три брата до зимы.",
        "Думаю, воду возили на мулах.",
        "Моя бабушка продавала там грецкие орехи.",
        "Никто не помнит первый базарный день.",
        "Гуси переходили реку, пока старики спорили.",
    ],
    "kk": [
        "Бірінші құдықты үш ағайынды қысқа дейін қазды.",
        "Менің ойымша, суды қашырмен тасыған.",
        "Әжем сонда жаңғақ сататын.",
        "Бірінші базар күнін ешкім білмейді.",
        "Қаздар өзеннен өтіп жатты, қариялар дауласты.",
    ],
}
LANGUAGES = pytest.mark.parametrize("language", ["en", "ru", "kk"])


def essays(language: str, with_task: int = 5) -> list[Document]:
    return [
        Document.from_text(f"{TASK[language]}\n\n{own}" if i < with_task else own, f"essay {i}")
        for i, own in enumerate(OWN[language])
    ]


@LANGUAGES
def test_an_assignment_that_everyone_copied_is_common(language):
    collection = essays(language)
    common = Common.of(collection)
    for document in collection:
        (found,) = exclude(document, common=common)
        assert (found.reason, str(found.detail)) == ("common", "in 5 of 5 documents")
        said = found.span.of(document.text)
        assert said in TASK[language]
        assert len(said) > 0.9 * len(TASK[language])


@LANGUAGES
def test_it_is_told_how_many_documents_hold_it(language):
    collection = essays(language, with_task=4)
    (found,) = exclude(collection[0], common=Common.of(collection))
    assert (str(found.detail), found.holders) == ("in 4 of 5 documents", 4)


@LANGUAGES
def test_what_less_than_half_of_the_documents_share_is_not_common(language):
    collection = [*essays(language, with_task=3), *essays(language, 0), *essays(language, 0)[:2]]
    common = Common.of(collection)  # each own sentence in two or three of twelve
    assert all(exclude(document, common=common) == () for document in collection)


@LANGUAGES
def test_two_documents_are_no_collection(language):
    collection = essays(language)[:2]
    assert exclude(collection[0], common=Common.of(collection)) == ()
    pair = Common.of(collection, fewest=2)
    assert len(exclude(collection[0], common=pair)) == 1


@LANGUAGES
def test_an_essay_of_its_own_has_nothing_common(language):
    common = Common.of(essays(language))
    other = Document.from_text(" ".join(OWN[language]))
    assert exclude(other, common=common) == ()


@LANGUAGES
def test_a_shared_phrase_of_a_few_words_is_not_common(language):
    phrase = " ".join(TASK[language].split()[:7])
    collection = [Document.from_text(f"{phrase}. {own}") for own in OWN[language]]
    common = Common.of(collection)
    assert all(exclude(document, common=common) == () for document in collection)


@LANGUAGES
def test_other_forms_and_capitals_of_the_words_are_the_same_words(language):
    common = Common.of(essays(language))
    shouted = Document.from_text(TASK[language].upper())
    assert len(exclude(shouted, common=common)) == 1


def test_common_text_can_be_switched_off():
    collection = essays("en")
    common = Common.of(collection)
    assert exclude(collection[0], Exclusions(common=False), common=common) == ()


def test_the_order_of_the_documents_does_not_matter():
    collection = [*essays("en"), *essays("ru"), *essays("kk")]
    forwards = Common.of(collection, share=0.3)
    backwards = Common.of(collection[::-1], share=0.3)
    assert np.array_equal(forwards.hashes, backwards.hashes)
    assert np.array_equal(forwards.holders, backwards.holders)


def test_a_collection_of_nothing_has_nothing_common():
    for collection in ([], [Document.from_text("")] * 4):
        common = Common.of(collection)
        assert len(common) == 0
        assert exclude(essays("en")[0], common=common) == ()


def test_settings_decide_what_the_same_words_are():
    plain = Common.of(essays("en"), Settings.plain())
    assert len(exclude(essays("en")[0], common=plain)) == 1
    assert exclude(Document.from_text(TASK["en"].replace("well", "wells")), common=plain) != ()


def test_what_reading_left_out_is_not_common():
    collection = [
        Document(f"{i}", f"{TASK['en']} {own}", left_out=((Span(0, len(TASK["en"])), "header"),))
        for i, own in enumerate(OWN["en"])
    ]
    assert len(Common.of(collection)) == 0


LABELS = {
    "en": ["Work done by student", "Name of your teacher", "Grade given", "Date"],
    "ru": ["Работу выполнил ученик", "Фамилия вашего учителя", "Итоговая оценка", "Дата"],
    "kk": ["Жұмысты орындаған оқушы", "Сіздің мұғаліміңіздің аты", "Қойылған баға", "Күні"],
}


def form(language: str) -> Document:
    name, teacher, grade, date = LABELS[language]
    return Document.from_text(f"{name}: ______\n{teacher}: ______\n{grade}\n{date}: ___\n", "form")


@LANGUAGES
def test_text_of_a_template_is_excluded(language):
    template = Document.from_text(TASK[language])
    document = Document.from_text(f"{OWN[language][0]}\n{TASK[language]}\n{OWN[language][1]}")
    (found,) = exclude(document, templates=[template])
    assert found.reason == "template"
    assert found.span.of(document.text) == TASK[language]


@LANGUAGES
def test_lines_of_a_form_are_excluded_and_what_was_filled_in_is_not(language):
    name, teacher, grade, date = LABELS[language]
    text = f"{name}: Moss\n{teacher}: Finch\n{grade}\n{date}: 3 May\n{OWN[language][0]}"
    found = exclude(Document.from_text(text), templates=[form(language)])
    assert [exclusion.span.of(text) for exclusion in found] == [name, teacher, grade]
    assert {exclusion.reason for exclusion in found} == {"template"}


@LANGUAGES
def test_a_text_of_its_own_is_in_no_template(language):
    text = "\n".join(OWN[language])
    templates = [Document.from_text(TASK[language]), form(language)]
    assert exclude(Document.from_text(text), templates=templates) == ()


def test_prepared_templates_give_the_same_answer():
    templates = [Document.from_text(TASK["en"]), form("ru")]
    document = Document.from_text(f"{OWN['en'][0]} {TASK['en']}\n{form('ru').text}")
    prepared = Templates.of(templates)
    assert exclude(document, templates=prepared) == exclude(document, templates=templates) != ()


def test_a_template_that_is_empty_excludes_nothing():
    assert exclude(essays("en")[0], templates=[Document.from_text("")]) == ()


def test_text_of_a_template_has_that_reason_though_everyone_shares_it():
    collection = essays("en")
    found = exclude(
        collection[0], common=Common.of(collection), templates=[Document.from_text(TASK["en"])]
    )
    assert [exclusion.reason for exclusion in found] == ["template"]


def test_a_quotation_is_one_though_everyone_quotes_it():
    quoted = f"The task says: “{TASK['en']}” [1]. "
    collection = [Document.from_text(quoted + own) for own in OWN["en"]]
    found = exclude(collection[0], common=Common.of(collection))
    (quotation,) = (exclusion for exclusion in found if exclusion.reason == "quotation")
    assert quotation.span.of(collection[0].text) == f"“{TASK['en']}”"
    assert sum(len(exclusion.span) for exclusion in found) <= len(quoted)


def test_code_that_stands_in_a_template_is_excluded_by_its_lines():
    code = (
        "def wells(town):\n    return town.wells + 1\n\nfor well in wells(town):\n    print(well)\n"
    )
    document = Document.from_text(code + "    water = sum(carried)\n")
    prose = Exclusions(listings=False)
    found = exclude(document, prose, templates=[Document.from_text(code)])
    covered = " ".join(exclusion.span.of(document.text) for exclusion in found)
    assert "return town.wells + 1" in covered
    assert "water" not in covered
