"""Disguises that show in the text alone; ordinary text raises no alarm."""

import pytest

import likewise as lw
from likewise.model import Document
from likewise.reading import read_bytes
from likewise.reading.disguises import note_disguises

RUSSIAN = (
    "Степной ветер приносит запах полыни и пыли, и старые люди говорят, что по этому запаху "
    "можно узнать, каким будет лето. Если полынь пахнет горько, дождей не будет до самой осени, "
    "а если сладко, то трава поднимется выше колена и скот не придётся гнать к дальней реке."
)
ENGLISH = (
    "The lighthouse keeper wrote down every ship that passed, with the colour of its funnel and "
    "the direction of its smoke. After thirty years the books filled a whole room, and nobody "
    "had ever opened them until a student came to count the winds of the last century."
)
KAZAKH = (
    "Ауылдың шетіндегі құдықтың суы тұщы әрі салқын болатын. Балалар күн сайын таңертең суға "
    "барып, қайтар жолда көне әңгімелерді айтатын. Қариялар бұл құдықты жүз жыл бұрын қазған "
    "деп есептейді, бірақ оны кім қазғаны ешкімнің есінде қалмаған."
)


def noted(text: str) -> dict[str, list[str]]:
    document = note_disguises(Document.from_text(text, name="a"))
    return {note.kind: [span.of(text) for span in note.spans] for note in document.notes}


def disguised(text: str, **letters: str | int) -> str:
    return text.translate(str.maketrans(letters))


@pytest.mark.parametrize("text", [RUSSIAN, ENGLISH, KAZAKH, RUSSIAN + ENGLISH + KAZAKH])
def test_ordinary_text_raises_no_alarm(text):
    assert noted(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "SMSка, PDFы, IT-отдел, USB-кабель, Wi-Fi-сеть, HTMLки, JSONы, APIшка, iPhoneы",
        "Тmax, Сmin, Аmax, Вmin, Кmax и Рmin измерены в точке",
        "def load(path): return [x for x in open(path) if x]",
        "Бiрақ келдi, естiледi, iшiнде, мерзiмдi, керi, көлiгiмен, берiледi",
        "қаhарман, гауhар, жиhаз, шаhар",
        "α + β = γ, μm, Δx, σ², Ωm, λ-исчисление, π-теорема, θmax",
        "С О Д Е Р Ж А Н И Е",
        "XXІV съезд, XХIV пленум, ХVIІ век, в XІХ и ХХI веках",
        "naχt, sinχt, χilt, fɔːks, ðɪsk in phonetic script",
        "переме\xadщение, элек\xadтростан\xadция, раз\xadвитие, на\xadпряже\xadние",
        "می\u200cروم و می\u200cخواهم و می\u200cدانم",
        "a b c d e f g h and x y z w u v are variables",
        "1\N{NO-BREAK SPACE}000\N{NARROW NO-BREAK SPACE}000 тенге, т.\N{NO-BREAK SPACE}е. миллион",
        "👨\N{ZERO WIDTH JOINER}👩\N{ZERO WIDTH JOINER}👧 семья",
    ],
)
def test_what_looks_strange_and_is_honest_raises_no_alarm(text):
    assert noted(text + "\n" + RUSSIAN) == {}


def test_foreign_letters_are_found_and_compared_as_repaired():
    fooled = disguised(RUSSIAN, о="o", а="a", е="e")
    assert len(noted(fooled)["foreign letters"]) > 20
    assert lw.compare(Document.from_text(fooled), Document.from_text(RUSSIAN)).jaccard == 1
    latin = disguised(ENGLISH, o="о", e="е")
    assert len(noted(latin)["foreign letters"]) > 20
    kazakh = disguised(KAZAKH, а="a", о="o")
    assert len(noted(kazakh)["foreign letters"]) > 10


@pytest.mark.parametrize("mark", ["\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", "\u3164"])
def test_invisible_characters_are_found_and_words_are_compared_without_them(mark):
    fooled = " ".join(
        word[:1] + mark + word[1:] if len(word) > 3 else word for word in RUSSIAN.split()
    )
    assert len(noted(fooled)["invisible characters"]) > 10
    assert lw.compare(Document.from_text(fooled), Document.from_text(RUSSIAN)).jaccard == 1


@pytest.mark.parametrize("blank", ["\u2004", "\u2009", "\u2800", "\u3000"])
def test_look_alike_spaces_are_found(blank):
    assert len(noted(ENGLISH.replace(" ", blank))["look-alike spaces"]) > 20


def test_spread_letters_are_found_and_compared_as_words():
    spread = "   ".join(
        " ".join(word) for word in ENGLISH.replace(",", "").replace(".", "").split()
    )
    document = read_bytes(spread.encode(), "a.txt")
    assert {note.kind for note in document.notes} == {"spread letters"}
    assert lw.compare(document, Document.from_text(ENGLISH)).jaccard > 0.95


def test_spread_letters_without_gaps_between_words_are_told_to_be_so():
    (note,) = note_disguises(Document.from_text(" ".join(ENGLISH.replace(" ", "")))).notes
    assert "cannot be told" in str(note.message)


def test_a_slip_of_the_keyboard_is_no_trick():
    assert noted(RUSSIAN.replace("ветер", "вeтер", 1)) == {}
