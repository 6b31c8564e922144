"""Copies disguised as paper 002's tests T1 to T4 disguise them.

T1: sentences reordered. T2: word forms and tenses changed. T3: reordered, with own text between.
T4: compiled from several documents, reordered. Each text has about 400 words, and begins and ends
with a sentence of our own, so that what is found can be too much.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.making.word_forms import WordForms
from likewise.model import Span

WORDS = 400  # of a text
SHARE_OF_FORMS = 2 / 3  # of the words that have other forms, so many are changed
COMPILED = 4  # documents that one text is compiled from
_FEWEST_WORDS = 5
_SENTENCES_A_PARAGRAPH = 5
_END = re.compile(r"(?<=[.!?…])[\"»”’)\]]*\s+(?=[\"«“‘(—–-]*\s*[^\W\d_a-zа-яёәғқңөұүһі])")

Piece = tuple[str, int | None]  # a sentence and the number of its source; None: our own


@dataclass(frozen=True, slots=True)
class Disguised:
    """A text that copies others: which characters come from which source."""

    text: str
    copied: tuple[tuple[Span, int], ...]  # where, and the number of the source
    words_changed: int = 0


def sentences_of(paragraphs: Iterable[str]) -> list[str]:
    """The sentences of a text; one of a few words stays with the one before it.

    >>> sentences_of(["Who knows? Nobody in the whole village does. Then came the rain, at last."])
    ['Who knows? Nobody in the whole village does.', 'Then came the rain, at last.']
    """
    sentences: list[str] = []
    for paragraph in paragraphs:
        pieces: list[str] = []
        begin = 0
        for end in _END.finditer(paragraph):
            pieces.append(paragraph[begin : end.end()].strip())
            begin = end.end()
        pieces.append(paragraph[begin:].strip())
        joined: list[str] = []
        for piece in filter(None, pieces):
            if joined and min(len(piece.split()), len(joined[-1].split())) < _FEWEST_WORDS:
                joined[-1] += " " + piece
            else:
                joined.append(piece)
        sentences += joined
    return sentences


def first_words(sentences: Iterable[str], words: int = WORDS) -> list[str]:
    """The first sentences that fill so many words."""
    taken: list[str] = []
    filled = 0
    for sentence in sentences:
        if filled >= words:
            break
        taken.append(sentence)
        filled += len(sentence.split())
    return taken


def reordered(sentences: Sequence[str], language: str, dice: random.Random) -> Disguised:
    """T1: every sentence taken, in any order."""
    shuffled = dice.sample(sentences, len(sentences))
    return _text(_framed([(sentence, 0) for sentence in shuffled], language, dice))


def reworded(
    sentences: Sequence[str], language: str, forms: WordForms, dice: random.Random
) -> Disguised:
    """T2: the order kept, the words in other forms."""
    changed = [forms.changed(sentence, dice, SHARE_OF_FORMS) for sentence in sentences]
    pieces = _framed([(sentence, 0) for sentence, _ in changed], language, dice)
    return _text(pieces, sum(count for _, count in changed))


def interrupted(sentences: Sequence[str], language: str, dice: random.Random) -> Disguised:
    """T3: reordered; behind every one to three sentences, one or two of our own."""
    own = OWN[language].splitlines()
    dice.shuffle(own)
    shuffled = dice.sample(sentences, len(sentences))
    pieces: list[Piece] = [(own.pop(), None)]
    while shuffled and own and sum(len(piece.split()) for piece, _ in pieces) < WORDS:
        for _ in range(min(dice.randint(1, 3), len(shuffled))):
            pieces.append((shuffled.pop(), 0))
        for _ in range(min(dice.randint(1, 2), len(own))):
            pieces.append((own.pop(), None))
    return _text(pieces)


def compiled(
    documents: Sequence[Sequence[str]], language: str, dice: random.Random, in_blocks: bool = False
) -> Disguised:
    """T4: as many words from each of several documents, all sentences reordered.

    In blocks, the sentences of each document stay together and in their order.
    """
    pieces: list[Piece] = []
    for source in dice.sample(range(len(documents)), COMPILED):
        sentences = list(documents[source])
        if in_blocks:
            sentences = sentences[dice.randrange(len(sentences) // 2) :]
        else:
            dice.shuffle(sentences)
        pieces += [(sentence, source) for sentence in first_words(sentences, WORDS // COMPILED)]
    if not in_blocks:
        dice.shuffle(pieces)
    return _text(_framed(pieces, language, dice))


def _framed(pieces: Sequence[Piece], language: str, dice: random.Random) -> list[Piece]:
    first, last = dice.sample(OWN[language].splitlines(), 2)
    return [(first, None), *pieces, (last, None)]


def _text(pieces: Sequence[Piece], words_changed: int = 0) -> Disguised:
    """Sentences in paragraphs."""
    text = ""
    copied = []
    for number, (sentence, source) in enumerate(pieces):
        if number:
            text += " " if number % _SENTENCES_A_PARAGRAPH else "\n\n"
        if source is not None:
            copied.append((Span(len(text), len(text) + len(sentence)), source))
        text += sentence
    return Disguised(text, tuple(copied), words_changed)


OWN = {
    "English": """\
My grandmother kept a barometer in the hall and never believed a word of it.
On Thursdays the tram is empty, so I read there until the conductor rings his bell.
I would rather peel potatoes for an hour than wait ten minutes for a lift.
Nobody in our street remembers who painted the green gate, but everybody has a theory.
When the kettle whistles twice, it is time to bring the washing in.
My cousin collects maps of towns that he has no wish to visit.
The smell of wet plaster always takes me back to our first flat.
For breakfast we had rye bread, plum jam and a long discussion about parking.
A heron stood in the pond all morning and let the ducks swim round it.
I lost an umbrella in the theatre and came home with two gloves that were not mine.
The violin upstairs practises one bar, stops, sighs, and practises it again.
It took us three evenings to agree on the colour of the curtains.
Our neighbour waters his tomatoes at night because he says they sleep badly.
The chess club meets above the bakery, which explains its popularity.
Whenever it snows, the postwoman whistles so that the dogs know her.
I have a drawer full of keys, and not one of them opens anything in this house.
The old projector rattled so loudly that we laughed before the jokes.
Last summer we cycled to the lighthouse and found it closed for lunch.
My shoes squeak on linoleum, which is why I am never late unnoticed.
She buttoned her coat wrongly and walked like that through the whole wedding.""",
    "Russian": """\
Бабушка держала в прихожей барометр и ни разу ему не поверила.
По четвергам трамвай идёт пустым, и я читаю в нём до самого кольца.
Лучше уж час чистить картошку, чем десять минут ждать лифта.
Никто на нашей улице не помнит, кто выкрасил калитку в зелёный цвет.
Если чайник свистит дважды, пора снимать бельё с верёвки.
Двоюродный брат собирает планы городов, куда ехать не собирается.
Запах сырой штукатурки всякий раз напоминает мне нашу первую квартиру.
На завтрак были ржаной хлеб, сливовое варенье и долгий спор о гараже.
Цапля всё утро простояла в пруду, а утки плавали вокруг неё кругами.
В театре я потерял зонт, зато вернулся с двумя чужими перчатками.
Скрипка этажом выше играет один такт, замолкает, вздыхает и играет опять.
Три вечера подряд мы не могли сойтись на цвете занавесок.
Сосед поливает помидоры по ночам, потому что днём им, дескать, жарко.
Шахматный кружок собирается над пекарней, оттого туда и ходит весь квартал.
В снегопад почтальонша насвистывает, чтобы собаки её узнавали.
У меня полный ящик ключей, и ни один ничего в этом доме не отпирает.
Старый кинопроектор так трещал, что смеяться начинали раньше шутки.
Прошлым летом мы доехали на велосипедах до маяка и застали там обед.
Мои ботинки скрипят на линолеуме, поэтому опоздать тихо не выходит.
Она застегнула пальто не на ту пуговицу и так просидела всю свадьбу.""",
    "Kazakh": """\
Әжем дәлізге барометр іліп қойды да, оған бір рет те сенген емес.
Бейсенбі сайын трамвай бос жүреді, мен соңғы аялдамаға дейін газет ақтарамын.
Лифтіні он минут күткенше, бір сағат картоп аршыған жақсы.
Көшеміздегі жасыл қақпаны кім сырлағанын ешкім білмейді, бірақ бәрі таласады.
Шәйнек екі рет ысқырса, жаюлы кірді жинап алатын уақыт болды.
Немере ағам өзі бармайтын қалалардың сызбаларын жинағанды ұнатады.
Дымқыл сылақтың иісі маған алғашқы пәтерімізді еске салады.
Таңғы асқа қара нан, өрік тосабы және гараж туралы ұзақ дау болды.
Құтан таңертеңнен тоғанда тұрды, үйректер оны айнала жүзіп өтті.
Театрда қолшатырымды жоғалтып, есесіне бөтен екі қолғап тауып қайттым.
Жоғарғы қабаттағы скрипка бір тактіні ойнап, үндемей қалып, тағы бастайды.
Перденің түсі жайлы үш кеш бойы келісе алмадық.
Көршіміз қызанақты түнде суарады, күндіз оларға ыстық екен-мыс.
Шахмат үйірмесі наубайхананың үстінде жиналады, сондықтан оған жұрт құмар.
Қар жауғанда пошташы әйел иттер танысын деп әндетіп келеді.
Менде бір тартпа толы кілт бар, біреуі де бұл үйде ештеңе ашпайды.
Көне кинопроектор қатты тырылдап, біз әзілден бұрын күле бастаппыз.
Былтыр жазда велосипедпен шамшыраққа бардық, ол түскі үзіліске жабық екен.
Бәтеңкем линолеумда шықырлайды, сол себепті білдірмей кешігу қолымнан келмейді.
Ол пальтосының түймесін қате қадап, тойда сол күйі отыра берді.""",
}
