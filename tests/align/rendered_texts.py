"""One story in three languages, rewritten and summarised; and honest texts on one subject."""

from __future__ import annotations

import re

from tests.align.texts import ENGLISH, KAZAKH, RUSSIAN

SEA = {
    "en": (
        "In 1960 the Aral Sea was the fourth largest lake in the world, and fishermen from Aralsk "
        "landed forty thousand tonnes of fish a year. Then the rivers were turned aside to water "
        "fields of cotton, and the shore withdrew by more than a hundred kilometres. Ships were "
        "left lying in the sand, and the wind carried salt and pesticides to villages that had "
        "never seen the water. In 2005 engineers finished a dam thirteen kilometres long at "
        "Kokaral, which keeps the water of the Syr Darya in the northern part. Within a few years "
        "the level rose by several metres, the salt content fell by half, and carp and pike perch "
        "returned. Today young families open small fish factories where their grandparents had "
        "sold their boats."
    ),
    "ru": (
        "В 1960 году Аральское море было четвёртым по величине озером мира, и рыбаки Аральска "
        "вылавливали сорок тысяч тонн рыбы в год. Затем реки отвели для орошения хлопковых полей, "
        "и берег отступил более чем на сто километров. Корабли остались лежать на песке, а ветер "
        "понёс соль и пестициды в сёла, которые никогда не видели воды. В 2005 году инженеры "
        "закончили у Кокарала плотину длиной тринадцать километров, которая удерживает воду "
        "Сырдарьи в северной части. За несколько лет уровень поднялся на несколько метров, "
        "содержание соли упало вдвое, вернулись карп и судак. Сегодня молодые семьи открывают "
        "небольшие рыбные заводы там, где их деды продали свои лодки."
    ),
    "kk": (
        "1960 жылы Арал теңізі әлемдегі төртінші үлкен көл болды, Аралдың балықшылары жылына қырық "
        "мың тонна балық аулады. Кейін өзендерді мақта алқаптарын суару үшін бұрып жіберді де, "
        "жағалау жүз шақырымнан астам кейін шегінді. Кемелер құмда жатып қалды, ал жел тұз бен "
        "пестицидтерді ешқашан су көрмеген ауылдарға таратты. 2005 жылы инженерлер Көкаралда "
        "ұзындығы он үш шақырым бөгетті аяқтады, ол Сырдарияның суын солтүстік бөлікте ұстап "
        "тұрады. Бірнеше жылда су деңгейі бірнеше метрге көтерілді, тұз мөлшері екі есе азайды, "
        "сазан мен көксерке қайтып келді. Бүгінде жас отбасылар аталары қайықтарын сатқан жерде "
        "шағын балық зауыттарын ашып жатыр."
    ),
}

SEA_REWRITTEN = {
    "en": (
        "Back in 1960 only three lakes on the planet were bigger than the Aral Sea, and crews from "
        "Aralsk used to catch some forty thousand tonnes annually. Once its tributaries had been "
        "diverted to irrigate cotton plantations, the coast moved back over a hundred kilometres. "
        "Vessels stayed stranded on the sand, while gales spread salt and farm pesticides over "
        "settlements far away from any lake. A dam completed at Kokaral in 2005, thirteen "
        "kilometres in length, now holds back whatever the Syr Darya brings to the northern basin. "
        "Before long the surface had climbed several metres, salinity had dropped by a half, and "
        "carp and zander could be caught again. Where old people once parted with their boats, "
        "young households are now setting up little plants for processing fish."
    ),
    "ru": (
        "Ещё в 1960 году лишь три озера на планете превосходили по размерам Арал, а артели "
        "Аральска добывали ежегодно около сорока тысяч тонн рыбы. Когда притоки забрали на полив "
        "хлопчатника, береговая линия отодвинулась больше чем на сто километров. Суда так и "
        "застряли посреди песков, и бури разносили соль с ядохимикатами по посёлкам, далёким от "
        "всякой воды. Кокаральская дамба протяжённостью тринадцать километров, построенная в 2005 "
        "году, не выпускает воды Сырдарьи из северного водоёма. Вскоре уровень вырос на несколько "
        "метров, солёность уменьшилась в два раза, снова стали ловить карпа и судака. Там, где "
        "старики когда-то расставались с лодками, теперь молодёжь заводит маленькие предприятия по "
        "переработке рыбы."
    ),
    "kk": (
        "Сонау 1960 жылы жер бетінде Аралдан ірі үш-ақ көл бар еді, оның кәсіпшілері жыл сайын "
        "қырық мың тоннаға жуық балық ұстайтын. Ақ алтын егілетін жерді суландыруға бола құятын "
        "сулардың арнасы өзгертілген соң, теңіз жиегі жүз километрден артық тартылып кетті. Құм "
        "арасында кеме біткен қаңырап, дауыл болса тұзды шаң мен улы химикаттарды теңізден алыс "
        "елді мекендерге ұшырды. Көкаралдағы он үш километрлік тоғанның құрылысы 2005 жылы бітіп, "
        "Сырдария енді терістіктегі айдыннан ағып кетпейді. Көп ұзамай айдын едәуір биіктеп, "
        "тұздылығы жартылай кеміді, сазан мен көксерке қайтадан ілінетін болды. Қариялар кезінде "
        "қайығынан айырылған жағада қазір жастар балық өңдейтін кішігірім кәсіпорын құрып жүр."
    ),
}

SEA_SUMMARISED = {
    "en": (
        "Among the lakes of our planet the Aral ranked fourth in 1960. Once cotton took its "
        "tributaries, the coast retreated over a hundred kilometres, vessels lay stranded, and "
        "storms spread salty dust over settlements. Since 2005 the Kokaral barrier holds back the "
        "Syr Darya: the northern level is rising, salinity dropped, carp swim again, and fish "
        "feeds young households."
    ),
    "ru": (
        "Среди озёр планеты Арал в 1960 году занимал четвёртое место. Когда хлопок забрал реки, "
        "побережье отодвинулось на сотню километров, суда застряли в песке, а бури разносили соль "
        "и пестициды по деревням. Кокаральская дамба, построенная в 2005 году, держит Сырдарью: "
        "уровень на севере вырос, солёность упала вдвое, снова ловят карпа и судака, и молодые "
        "семьи перерабатывают рыбу."
    ),
    "kk": (
        "1960 жылы Арал дүние жүзінде төртінші орында тұрды. Құятын сулары мақтаға кеткен соң, "
        "жағасы жүз километрдей тартылып, кеме біткен құмда қаңырап, дауыл елді мекендерге тұзды "
        "шаң ұшырды. 2005 жылы салынған Көкарал тоғаны Сырдарияны жібермейді: солтүстікте айдын "
        "биіктеп, тұздылығы жартылай төмендеді, сазан қайта көбейіп, жастар балық өңдеуде."
    ),
}

# A sentence that one copies and cites; it says nothing of the sea.
COPIED = {
    "en": (
        "A librarian who lends a book lends also the dust of everybody that has ever held it, and "
        "the reader brings home a small crowd of strangers between two cardboard covers."
    ),
    "ru": (
        "Библиотекарь, выдавая книгу, выдаёт и пыль всех, кто когда-нибудь держал её в руках, и "
        "читатель приносит домой между двумя картонными обложками небольшую толпу незнакомцев."
    ),
    "kk": (
        "Кітапханашы оқырманға кітап бергенде оны бұрын қолына ұстаған барлық адамның шаңын қоса "
        "береді, сөйтіп оқырман үйіне екі қатырма мұқабаның арасында бейтаныс жандарды ертіп "
        "келеді."
    ),
}

# Two who write by themselves on one subject: nothing of one renders anything of the other.
ESSAYS = {
    "en": (
        "I think that every pupil should wear a uniform, because clothes are the first thing that "
        "divides a class. In my school the children of rich parents came in expensive shoes, and "
        "the others noticed it long before they learned the names of one another. A blue jacket "
        "costs less than three fashionable sweaters, and nobody has to think in the morning. My "
        "aunt, who teaches physics in Karaganda, says that discipline begins with a button. She "
        "remembers lessons that were lost over a torn pair of jeans. I agree with her, although I "
        "would leave the colour to a vote of the older classes.",
        "School uniforms are defended with the word equality, but equality of cloth hides nothing. "
        "Teenagers compare telephones, holidays and flats, and a tie makes them only more "
        "inventive. Last winter our headmaster sent two girls home for warm trousers while it was "
        "minus thirty outside. A rule that freezes knees teaches obedience and no mathematics. "
        "Finland has no uniforms, and its pupils read better than ours. Let families decide what "
        "is decent; let teachers spend their strength on questions, laboratories and books.",
    ),
    "ru": (
        "Я считаю, что домашние задания нужны, потому что навык рождается из повторения. На уроке "
        "учитель показывает приём, но руки запоминают его только вечером, за собственным столом. "
        "Мой брат бросил решать задачи по химии и через месяц перестал понимать объяснения. Кроме "
        "того, ребёнок учится распределять время: сначала трудное, потом лёгкое. Конечно, задавать "
        "надо разумно, не больше часа в день. Тогда и родители перестанут писать сочинения вместо "
        "детей.",
        "Домашние задания крадут у школьников детство. Они сидят в классе шесть часов, как "
        "взрослые служащие, а потом ещё до ночи переписывают упражнения из учебника. Сестра моей "
        "подруги засыпает над тетрадью и плачет из-за дробей. Врачи говорят о сутулости и "
        "близорукости. Пусть после обеда будет кружок, двор, футбол, скрипка. В нашей гимназии "
        "провели опыт: полгода третьи классы ничего не делали дома, и оценки остались прежними.",
    ),
    "kk": (
        "Менің ойымша, әр оқушы шет тілін бастауыш сыныптан үйренуі керек. Бала кезде құлақ тез "
        "естиді, тіл оңай бұрылады. Менің інім мультфильм көріп жүріп ағылшынша ән айтатын болды. "
        "Мұғалім ойын арқылы үйретсе, ешкім шаршамайды. Бірақ ана тілінің сағаты азаймауы тиіс, "
        "әйтпесе бала екі тілде де шала сөйлейді. Сондықтан кестені ақылмен құру қажет.",
        "Ағылшын тілін бірінші сыныптан енгізуге асықпаған жөн. Кішкентай бүлдіршін әлі өз "
        "әліпбиін танымай тұрып, бөтен дыбыстарды шатастырады. Көрші ауылда маман жетпегендіктен, "
        "пәнді дене шынықтыру мұғалімі жүргізді. Ата-аналар репетиторға ақша төлеуге мәжбүр. "
        "Ғалымдар он жастан кейін басталған оқудың нәтижесі кем емес екенін дәлелдеді. Алдымен "
        "оқулық пен кадр дайындалсын.",
    ),
}

# Two laboratory reports by one form.
REPORTS = {
    "en": (
        "Laboratory work 4. Purpose of the work: to determine the density of a solid body. "
        "Equipment: balance, measuring cylinder, thread, brass weight. Course of the work: we "
        "weighed the brass weight three times and lowered it into water on a thread. The mean mass "
        "was 168.4 g, the displaced volume 20 ml. Result: the density is 8.42 g per cubic "
        "centimetre. Conclusion: the value differs from the table by one per cent because of a "
        "bubble that remained under the hook.",
        "Laboratory work 7. Purpose of the work: to measure the resistance of a wire. Equipment: "
        "battery, ammeter, voltmeter, rheostat, nickel wire. Course of the work: we assembled the "
        "circuit and changed the current with the rheostat. At 0.5 A the voltage was 1.9 V, at 0.8 "
        "A it was 3.1 V. Result: the resistance is 3.85 ohm. Conclusion: the dependence is linear; "
        "the last point was omitted since the wire had become hot.",
    ),
    "ru": (
        "Лабораторная работа № 3. Цель работы: определить жёсткость пружины. Оборудование: штатив, "
        "пружина, набор грузов, линейка. Ход работы: мы подвешивали грузы по сто граммов и "
        "отмечали удлинение. При трёх грузах пружина вытянулась на 7,4 см. Результат: жёсткость "
        "равна 40 Н/м. Вывод: закон Гука выполняется, пока витки не расходятся неравномерно.",
        "Лабораторная работа № 9. Цель работы: определить показатель преломления стекла. "
        "Оборудование: лампа, экран со щелью, стеклянная пластина, транспортир. Ход работы: мы "
        "направили луч на пластину и обвели его карандашом. Угол падения составил 60 градусов, "
        "угол преломления 35. Результат: показатель равен 1,51. Вывод: погрешность вызвана "
        "толщиной пучка.",
    ),
    "kk": (
        "Зертханалық жұмыс № 2. Жұмыстың мақсаты: ерітіндінің концентрациясын анықтау. "
        "Құрал-жабдықтар: бюретка, колба, индикатор, сілті. Жұмыстың барысы: қышқылды колбаға "
        "құйып, сілтіні тамшылатып қостық. Түс өзгергенде 14,2 мл жұмсалды. Нәтижесі: концентрация "
        "0,09 моль. Қорытынды: қателік соңғы тамшының көлеміне байланысты.",
        "Зертханалық жұмыс № 6. Жұмыстың мақсаты: маятниктің тербеліс периодын өлшеу. "
        "Құрал-жабдықтар: штатив, жіп, шар, секундомер. Жұмыстың барысы: шарды он градусқа "
        "ауытқытып, жиырма тербелісті санадық. Уақыт 36 секунд болды. Нәтижесі: период 1,8 с. "
        "Қорытынды: жіп ұзарған сайын тербеліс баяулайды.",
    ),
}

# Two lives.
LIVES = {
    "en": (
        "Aigerim Seitkali was born in 1931 in Semey into the family of a railway doctor. She "
        "finished school with a medal, studied geology in Moscow and returned to the steppe with "
        "the first expedition. For eleven years she mapped copper near Zhezkazgan. In 1964 she "
        "defended her thesis and became a professor. She wrote four books, married late and had no "
        "children. She died in Almaty in 1998, and a street there bears her name.",
        "Henrik Lund was born in 1874 in Bergen, the son of a teacher. After school he went to "
        "sea, and only at thirty did he enter the university of Oslo. He studied whales, worked in "
        "Greenland and lost two fingers to the frost. His book on currents appeared in 1911 and "
        "was translated into nine languages. He married a painter and had five daughters. In 1940 "
        "he died in his house above the fjord.",
    ),
    "ru": (
        "Пётр Ильич Рогов родился в 1902 году в Вятке в семье сапожника. Окончил рабфак, затем "
        "институт путей сообщения. В тридцатые годы строил мосты на Турксибе, был ранен под "
        "Ржевом. После войны преподавал сопротивление материалов и написал учебник. Награждён "
        "двумя орденами. Умер в 1977 году в Алма-Ате.",
        "Мария Фёдоровна Штерн родилась в 1889 году в Одессе, дочь аптекаря. Училась пению в "
        "Милане, дебютировала в «Травиате». В эвакуации работала в оперном театре, воспитала "
        "двадцать учениц. Была замужем за дирижёром, сын погиб на фронте. Скончалась в 1968 году в "
        "Ташкенте, её архив хранится в консерватории.",
    ),
    "kk": (
        "Серік Омаров 1925 жылы Торғай даласында дүниеге келген. Әкесі жылқышы болған. Ол майданға "
        "өз еркімен аттанып, Днепрден өтті. Соғыстан кейін мал дәрігері мамандығын алып, отыз жыл "
        "кеңшарда еңбек етті. Алты баланың әкесі. 1990 жылы қайтыс болды.",
        "Күләш Бәкірова 1940 жылы Атырауда туған. Анасы тігінші еді. Консерваторияны бітіріп, "
        "қобыз сыныбын ашты. Париж бен Токиода концерт берді, елу күй жазып алды. 1985 жылы халық "
        "әртісі атанды. Қазір Астанада тұрады, немерелеріне домбыра үйретеді.",
    ),
}


_HOSTS = {"en": ENGLISH, "ru": RUSSIAN, "kk": KAZAKH}


def sentences_of(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) ", text)


def checked(language: str, *parts: str) -> str:
    """A text of its own with something in its middle: felt, bees or eagles."""
    return _around(_HOSTS[language][1].sentences, parts)


def source(language: str, *parts: str) -> str:
    """The same for the other side: school twice, and a life."""
    return _around(sentences_of(" ".join((*ESSAYS[language], LIVES[language][0]))), parts)


def _around(sentences: list[str], parts: tuple[str, ...]) -> str:
    half = len(sentences) // 2
    return "\n\n".join((" ".join(sentences[:half]), *parts, " ".join(sentences[half:])))


# Honest answers to one question, written apart: what photosynthesis is and why it matters.
ANSWERS = (
    (
        "Every green plant is a small food factory. The process that it runs is called "
        "photosynthesis, a word that comes from the Greek for light and putting together. "
        "Inside the leaf cells there are chloroplasts, and in them a pigment, chlorophyll, "
        "catches the energy of sunlight. The plant draws water up from the soil through its "
        "roots and takes in carbon dioxide through tiny holes called stomata. With the energy "
        "of the light it turns these two into glucose, and oxygen is released as a waste "
        "product. The equation is usually written as six carbon dioxide plus six water giving "
        "one glucose and six oxygen. Why should we care? First, we could not breathe without "
        "it, since nearly all of the oxygen in the air was made by plants and algae. Second, "
        "it is the beginning of every food chain: a cow eats grass, and we drink the milk. "
        "Third, it takes carbon dioxide out of the atmosphere and so slows the warming of the "
        "planet. When a forest is cut down, all three of these services are lost at once, and "
        "that is why I think that deforestation is such a serious problem. "
    ),
    (
        "Almost all energy that living things use arrives from the Sun, but only some "
        "organisms can capture it. Plants, algae and cyanobacteria have this ability, and the "
        "process is known as photosynthesis. Light strikes chlorophyll molecules, their "
        "electrons jump to a higher energy level, and this energy is finally stored in the "
        "chemical bonds of carbohydrates. Carbon comes from carbon dioxide, hydrogen comes "
        "from water. The oxygen atoms of the water are not needed, so they leave the leaf as "
        "gas. Not every plant does it in the same manner. Maize and sugar cane use a "
        "so-called C4 pathway, which loses less water in hot places, while cacti open their "
        "pores only at night and keep the carbon dioxide as an acid until morning. Evolution "
        "has found several solutions for one problem. There are at least two reasons why "
        "photosynthesis is essential. It supplies the whole biosphere with food, since "
        "herbivores feed on plants and predators feed on herbivores. And it changed the air "
        "itself: the early atmosphere had no free oxygen. Today there is a third reason. "
        "Growing plants lock up carbon, and with the climate getting hotter we need every "
        "tonne of it locked up. "
    ),
)
