"""Inflections of a Kazakh word share a stem; different words do not."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.languages.kazakh import _RESTORED, KAZAKH_LETTERS, is_kazakh, lexicon, stem_kazakh

PARADIGMS = {
    # nouns after a vowel
    "бала": "балалар балалардың балаға баланы балада баладан баламен баласы баласының баласына "
    "баласын баласында баласынан баламыз балаларымыз балаларымызға балаларыңыз балам балаларым",
    "қала": "қалалар қаланың қалаға қаланы қалада қаладан қаламен қаласы қаласында қаладағы "
    "қаласындағы қалалардағы қаламыз",
    "мәселе": "мәселелер мәселенің мәселеге мәселені мәселеде мәселеден мәселемен мәселесі "
    "мәселелері мәселелерін мәселесіне",
    "көше": "көшелер көшенің көшеге көшені көшеде көшеден көшемен көшесі көшесінде көшеміз",
    "әке": "әкесі әкесінің әкесіне әкелер әкеге әкемен әкеміз",
    # sonorants and glides
    "адам": "адамдар адамның адамға адамды адамда адамнан адаммен адамы адамдардың адамдарымен "
    "адаммын адамсың",
    "үй": "үйлер үйдің үйге үйді үйде үйден үймен үйі үйіне үйін үйінде үйіміз үйлеріміз үйдегі "
    "үйім",
    "су": "сулар судың суға суды суда судан сумен суы суында суының",
    "тау": "таулар таудың тауға тауды тауда таудан таумен тауы тауының",
    "жол": "жолдар жолдың жолға жолды жолда жолдан жолмен жолы жолында жолымыз жолдары",
    "ел": "елдер елдің елге елді елде елден елмен елі еліміз еліміздің елімізде елдердің елім",
    "жер": "жерлер жердің жерге жерді жерде жерден жермен жері жерінде жерлеріміз жеріміз",
    "күн": "күндер күннің күнге күнді күнде күннен күнмен күні күнінде күндері",
    "заң": "заңдар заңның заңға заңды заңда заңнан заңмен заңы заңының заңдарына",
    "орман": "орманның орманға орманда орманнан орманы ормандар ормандарымыз",
    # voiced and voiceless consonants
    "қыз": "қыздар қыздың қызға қызды қызда қыздан қызбен қызы қызына қызым қыздарымыз",
    "сөз": "сөздер сөздің сөзге сөзді сөзде сөзден сөзбен сөзі сөзіне сөздерін сөзім",
    "дос": "достар достың досқа досты доста достан доспен досы досына достары досым достарым",
    "жұмыс": "жұмыстар жұмыстың жұмысқа жұмысты жұмыста жұмыстан жұмыспен жұмысы жұмысын "
    "жұмысымыз жұмыстарыңыз жұмысында",
    "мемлекет": "мемлекеттер мемлекеттің мемлекетке мемлекетті мемлекетте мемлекеттен "
    "мемлекетпен мемлекеті мемлекетінің мемлекетіміз мемлекеттердің",
    # a final consonant that voicing changes
    "кітап": "кітаптар кітаптың кітапқа кітапты кітапта кітаптан кітаппен кітабы кітабының "
    "кітабына кітабын кітабында кітабынан кітабымыз кітабым кітабың кітаптарымыз",
    "мектеп": "мектептер мектептің мектепке мектепті мектепте мектептен мектеппен мектебі "
    "мектебіне мектебіміз мектептері",
    "қазақ": "қазақтар қазақтың қазаққа қазақты қазақта қазақтан қазақпен қазағы қазағым қазақпын "
    "қазақпыз",
    "жүрек": "жүректер жүректің жүрекке жүректі жүректе жүректен жүрекпен жүрегі жүрегін жүрегім "
    "жүрегіңіз",
    "салмақ": "салмақтың салмағы салмағын салмағымен салмаққа",
    # a vowel that drops out
    "халық": "халықтар халықтың халыққа халықты халықтан халықпен халқы халқының халқымыз халқына",
    "орын": "орынның орынға орындар орны орнына орнында орнынан",
    # loanwords
    "студент": "студенттер студенттің студентке студентті студентпен студенті студенттеріміз "
    "студентпін студентсің",
    "университет": "университеттер университеттің университетке университетте университеттен "
    "университеті университетінің университетінде",
    "технология": "технологиялар технологияның технологияға технологияны технологиясы "
    "технологияларды технологиясымен",
    # verbs
    "бар": "бару баруға барды бардым бардыңыз барған барғанда барғандар барады барамын барамыз "
    "барасың барып барыпты барса барсаң барсын барайық бармайды бармады бармаған бармау баратын",
    "кел": "келу келуі келді келдім келген келгендердің келеді келемін келеміз келіп келіпті келсе "
    "келмейді келмеді келмеген келетін келіңіз келейік келмес",
    "жаз": "жазу жазуды жазды жазған жазады жазып жазса жазбайды жазбаған жазатын жазыңыз",
    "айт": "айту айтты айттым айтқан айтады айтып айтса айтпайды айтпаған айтатын айтыңыз",
    "көр": "көру көрді көрдік көрген көреді көріп көрсе көрмейді көрмеген көретін көргенім",
    "сөйле": "сөйлеу сөйледі сөйлеген сөйлейді сөйлеп сөйлесе сөйлемейді сөйлейтін сөйлейміз",
    "ойла": "ойлау ойлады ойлаған ойлайды ойлап ойласа ойламады ойлайтын ойлаймын",
    "баста": "бастау бастады бастаған бастайды бастап бастаса бастамайды бастайтын",
    "оқы": "оқу оқыды оқыған оқиды оқып оқыса оқымайды оқымаған оқимын",
    "шық": "шығу шықты шыққан шығады шығып шықса шықпайды шығатын шыққанда",
    "қой": "қою қойды қойған қояды қойып қойса қоймайды қоятын",
}
FORMS = [(stem, form) for stem, forms in PARADIGMS.items() for form in [stem, *forms.split()]]
KAZAKH = "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщыіэюя"


@pytest.mark.parametrize(("stem", "form"), FORMS)
def test_every_form_of_a_word_gives_its_stem(stem: str, form: str) -> None:
    assert stem_kazakh(form) == stem


@pytest.mark.parametrize(
    "word",
    "ата ана апа бала қала дала ел жер су ат үй той мал кітап мектеп отан заман алтын қазан жауап "
    "себеп есеп тәртіп екі алты жеті жақсы жаңа қысқа басқа белгі түлкі кісі арыстан қазақстан "
    "үлкен адам қоғам білім ғылым бағдарлама мекеме пайда ұлы іні".split(),
)
def test_a_root_that_looks_inflected_is_left_whole(word: str) -> None:
    assert stem_kazakh(word) == word


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("адам", "ада"),
        ("жаса", "жас"),
        ("қала", "қал"),
        ("сақтау", "сақ"),
        ("қолдану", "қолы"),
        ("тілі", "тілек"),
        ("білім", "білу"),
        ("орманы", "орта"),
        ("қозғалысы", "қоз"),
        ("мұғалім", "мұра"),
    ],
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem_kazakh(one) != stem_kazakh(other)


@pytest.mark.parametrize("word", ["қалалер", "көшелар", "кітапдар", "қызтар", "досға", "үйқа"])
def test_an_ending_that_breaks_harmony_or_assimilation_stays(word: str) -> None:
    assert stem_kazakh(word) == word


@pytest.mark.parametrize("word", ["", "а", "ы", "да", "the", "2024", "ь", "ъы", "ббб", "猫"])
def test_what_is_too_short_or_no_kazakh_word_comes_back_unchanged(word: str) -> None:
    assert stem_kazakh(word) == word


@given(st.text(alphabet=KAZAKH, min_size=1, max_size=14) | st.text(min_size=1, max_size=8))
def test_a_stem_is_never_empty_and_is_its_own_stem(word: str) -> None:
    stem = stem_kazakh(word)
    assert stem
    assert stem_kazakh(stem) == stem


@given(st.sampled_from([form for _, form in FORMS]) | st.text(alphabet=KAZAKH, max_size=14))
def test_a_stem_is_the_beginning_of_its_word_but_for_a_restored_end(word: str) -> None:
    stem = stem_kazakh(word)
    is_beginning = word.startswith(stem)
    is_devoiced = word.startswith(stem[:-1]) and stem[-1:] in ("п", "к", "қ", "й")
    assert is_beginning or is_devoiced or stem in _RESTORED.values()


@given(
    st.sampled_from(
        ["бала", "қала", "жұмыс", "кітап", "адам", "жол", "қыз", "дос", "тау", "орман"]
    ),
    st.sampled_from(["", "лар", "дар", "тар"]),
    st.sampled_from(["", "ы", "сы", "ымыз", "ыңыз"]),
    st.sampled_from(["", "ның", "ға", "на", "нда", "нан", "мен", "ды", "дан"]),
)
def test_a_stack_of_endings_leaves_nothing_shorter_than_the_noun(
    noun: str, plural: str, possessive: str, case: str
) -> None:
    assert stem_kazakh(noun + plural + possessive + case).startswith(noun[:-1])


@pytest.mark.parametrize("word", "қала балалар мектепке жолдан мемлекеттер тарих жасады".split())
def test_kazakh_words_are_known_by_letter_or_by_stem(word: str) -> None:
    assert is_kazakh(word)


@pytest.mark.parametrize(
    "word", "школа дом год время работа студент текст не он сыр жара май область который".split()
)
def test_russian_words_are_not_kazakh(word: str) -> None:
    assert not is_kazakh(word)


def test_the_lexicon_holds_stems_without_kazakh_letters() -> None:
    text = files("likewise.languages").joinpath("lexicon_kk.txt").read_text("utf-8")
    words = [line for line in text.splitlines() if not line.startswith("#")]
    assert words == sorted(set(words))
    assert lexicon() == frozenset(words)
    assert all(KAZAKH_LETTERS.isdisjoint(word) and word.isalpha() for word in words)
    assert all(stem_kazakh(word) == word for word in words)
