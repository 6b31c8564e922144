"""Sentences to fill pages with in three languages, and prose from the corpora that are there."""

from __future__ import annotations

import csv
import json
import random
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

OWN = {
    "en": """The ferry left the harbour before dawn, and nobody on deck had slept.
A bridge is finished when the last rivet is cold, not when the mayor has cut the ribbon.
In 1987 the river froze for 41 days; the postman came on skis.
She kept the letters in a tin box, sorted by the colour of their stamps.
Whoever plants walnuts does so for his grandchildren (or for the squirrels).
The survey covered 312 households, of which 9 % had no clock at all.
"Measure twice," the carpenter said, "and then ask somebody else to measure."
Rain that falls on the eastern slope reaches the sea two weeks later.
Our teacher explained the tides with an orange, a lamp and a great deal of patience.
The oldest map in the archive shows the village, the mill and one very large fish.
Every evening at six the baker's dog walked to the station alone and came back with the paper.
Salt, wool and copper were carried over the pass; songs and rumours came back.
A quiet engine is no proof of a good one; listen to what it does uphill.
The committee met again in May, agreed on nothing, and planted a linden tree.""",
    "ru": """Паром вышел из гавани до рассвета, и никто на палубе не спал.
Мост готов, когда остынет последняя заклёпка, а не когда разрезана лента.
В 1987 году река стояла подо льдом 41 день; почтальон приезжал на лыжах.
Письма она хранила в жестяной коробке и раскладывала их по цвету марок.
Кто сажает орехи, тот сажает их для внуков (или для белок).
Обследовали 312 семей, у 9 % из них не оказалось ни одних часов.
«Отмерь дважды, — говорил плотник, — а потом попроси отмерить соседа».
Дождь, упавший на восточный склон, доходит до моря через две недели.
Учитель объяснял приливы с помощью апельсина, лампы и большого терпения.
На самой старой карте архива видны деревня, мельница и одна огромная рыба.
Каждый вечер в шесть собака пекаря шла на станцию и возвращалась с газетой.
Через перевал везли соль, шерсть и медь; обратно несли песни и слухи.
Тихий мотор ещё не значит хороший: послушайте, как он идёт в гору.
Комиссия собралась в мае ещё раз, ни о чём не договорилась и посадила липу.""",
    "kk": """Паром таң атқанша айлақтан шығып кетті, палубада ешкім ұйықтаған жоқ.
Көпір лентаны қиғанда емес, соңғы тойтарма суығанда ғана бітеді.
1987 жылы өзен 41 күн бойы мұз астында жатты; пошташы шаңғымен келіп жүрді.
Ол хаттарды қаңылтыр қорапта сақтап, маркаларының түсіне қарай бөліп қоятын.
Жаңғақ еккен адам оны немерелері үшін егеді (әлде тиіндер үшін).
Зерттеу 312 отбасын қамтыды, олардың 9 % үйінде бірде-бір сағат болмады.
«Екі рет өлше, — дейтін ағаш ұстасы, — сосын көршіңе де өлшет».
Шығыс баурайға жауған жаңбыр теңізге екі аптадан кейін жетеді.
Мұғалім толысу мен қайтуды апельсин, шам және үлкен сабырмен түсіндірді.
Мұрағаттағы ең көне картада ауыл, диірмен және бір алып балық бейнеленген.
Күн сайын кешкі алтыда наубайшының иті бекетке жалғыз барып, газет әкелетін.
Асу арқылы тұз, жүн және мыс тасылды; кері қарай әндер мен қауесеттер келді.
Тыныш қозғалтқыш жақсы деген сөз емес: оның өрге қалай тартатынын тыңдаңыз.
Комиссия мамыр айында қайта жиналып, ештеңеге келіспей, бір түп жөке отырғызды.""",
}
# Prose and nothing else: no markup, no code, no signs that a font may lack.
_PROSE = re.compile(r"[\w\s.,;:!?()«»\"'%№–—-]{60,900}")
_LETTERS = {"en": r"[a-z]", "ru": r"[а-яё]", "kk": r"[әғқңөұүһі]"}


def page_texts(folder: Path, language: str) -> Iterator[str]:
    """Text for page after page, without end: ours, then from a corpus if it is there, and so on."""
    dice = random.Random(f"sentences:{language}")
    paragraphs = list(islice(_corpus(folder, language), 3_000))
    own = OWN[language].split("\n")
    while True:
        dice.shuffle(own)
        yield "\n".join(" ".join(own[start : start + 4]) for start in (0, 4, 8, 10, 3, 6))
        if paragraphs:
            yield "\n".join(dice.sample(paragraphs, min(40, len(paragraphs))))


def _corpus(folder: Path, language: str) -> Iterator[str]:
    letters = re.compile(_LETTERS[language], re.IGNORECASE)
    for text in {"en": _english, "ru": _russian, "kk": _kazakh}[language](folder):
        for paragraph in re.split(r"\n\s*\n|\n(?=[А-ЯA-Z])", unicodedata.normalize("NFC", text)):
            paragraph = " ".join(paragraph.split())
            is_prose = _PROSE.fullmatch(paragraph) and "_" not in paragraph
            if is_prose and len(letters.findall(paragraph)) > len(paragraph) * 0.05:
                yield paragraph


def _english(folder: Path) -> Iterator[str]:
    path = folder / "english" / "docs.jsonl"
    if path.is_file():
        with path.open(encoding="utf-8") as lines:
            for line in islice(lines, 0, 4_000, 20):
                yield json.loads(line)["text"]


def _russian(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("ru-revisions/*/*.txt"))[::7]:
        yield path.read_text("utf-8", "replace")


def _kazakh(folder: Path) -> Iterator[str]:
    path = folder / "kazakh" / "fairytales" / "dataset.csv"
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                yield row["text"]
