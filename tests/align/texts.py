"""Small texts for the alignment tests: two in each language, each with its forms changed."""

from __future__ import annotations

from typing import NamedTuple


class Sample(NamedTuple):
    """Sentences, and the same sentences with other word forms and tenses."""

    sentences: list[str]
    reworded: list[str]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


ENGLISH = [
    Sample(
        _lines(
            """
            The old observatory stands on a ridge above the saline lake.
            Every evening two astronomers climb the iron staircase and open the dome.
            They measure the brightness of variable stars and write the figures into a green ledger.
            A diesel generator hums behind the workshop because the power line fails in winter.
            Shepherds who cross the ridge in autumn borrow kerosene and leave cheese in return.
            The larger telescope was ground by hand from a single block of Bohemian glass.
            Its mirror tarnishes quickly, so a chemist silvers it again each spring.
            Visitors rarely come, yet the guest book holds signatures from eleven countries.
            A comet discovered here carries the name of the cook who noticed it first.
            The archive keeps forty thousand photographic plates in wooden cabinets.
            Most plates have been scanned, but nobody has catalogued the oldest boxes.
            When the wind turns north, salt dust covers the windows and observations stop.
            """
        ),
        _lines(
            """
            The old observatories stood on ridges above the saline lakes.
            Every evening the two astronomers climbed the iron staircases and opened the domes.
            They measured the brightness of variable stars and wrote figures into green ledgers.
            Diesel generators hummed behind the workshops because power lines failed in winters.
            Shepherds crossing the ridges in autumn borrowed kerosene and left cheeses in return.
            The larger telescopes were ground by hand from single blocks of Bohemian glass.
            Their mirrors tarnished quickly, so the chemists silvered them again each spring.
            A visitor rarely came, yet the guest books held signatures from eleven countries.
            The comets discovered here carried the names of the cooks who noticed them first.
            The archives kept forty thousand photographic plates in a wooden cabinet.
            Most plates had been scanned, but nobody was cataloguing the oldest box.
            When winds turned north, salt dust covered the window and the observation stopped.
            """
        ),
    ),
    Sample(
        _lines(
            """
            Felt begins with the autumn fleece, which is shorter and softer than spring wool.
            Women spread the fleece on a reed mat and beat it with willow rods until it loosens.
            Boiling water is sprinkled over the layers from a wide copper kettle.
            The mat is rolled tightly, tied with horsehair rope and dragged behind a camel.
            After an hour the roll is opened and the edges are trimmed with a curved knife.
            Patterns of ram horns are cut from dyed felt and sewn on with sinew thread.
            Madder root gives red, walnut husk gives brown, and indigo was bought from traders.
            A large carpet needs the wool of thirty sheep and the labour of nine neighbours.
            Mistakes are never removed, since each of them remembers somebody at work.
            Museums store felt in cold rooms because moths destroy it within a season.
            Factories press wool with steam and produce in minutes what took a village days.
            Old makers say that factory felt forgets its shape after the first rain.
            """
        ),
        _lines(
            """
            Felts began with autumn fleeces, which were shorter and softer than spring wools.
            A woman spreads fleeces on reed mats and beats them with a willow rod until they loosen.
            Boiling waters were sprinkled over the layer from wide copper kettles.
            The mats were rolled tightly, tied with horsehair ropes and dragged behind camels.
            After hours the rolls were opened and the edge was trimmed with curved knives.
            The pattern of a ram horn was cut from dyed felts and sewn on with sinew threads.
            Madder roots gave red, walnut husks gave brown, and indigo is bought from a trader.
            Large carpets needed the wool of thirty sheep and the labours of nine neighbours.
            A mistake was never removed, since each of them remembered somebody working.
            A museum stores felts in a cold room because a moth destroys them within seasons.
            The factory pressed wools with steam and produced in a minute what takes villages days.
            The old maker said that factory felts forgot their shapes after the first rains.
            """
        ),
    ),
]

RUSSIAN = [
    Sample(
        _lines(
            """
            Деревянный мост через реку построили плотники из соседнего села.
            Каждую весну лёд повреждал опоры, и старый мастер чинил их до первого паводка.
            Рыбаки привязывали лодки к нижним балкам и сушили сети на перилах.
            Купец из города предложил заменить мост железным, но община отказалась.
            В архиве сохранился чертёж с пометками инженера и расчётом нагрузки.
            Лиственничные сваи пролежали в воде сто лет и почти не сгнили.
            Летом дети прыгали с середины моста и спорили, кто дольше не вынырнет.
            Осенью по мосту гнали овец, и счётчик записывал каждую голову в тетрадь.
            Во время войны мост охранял единственный часовой с охотничьим ружьём.
            Художник написал мост на рассвете и подарил картину сельской школе.
            Теперь рядом проходит бетонная дорога, а по мосту ходят только туристы.
            Музей просит жителей приносить фотографии, где видна старая переправа.
            """
        ),
        _lines(
            """
            Деревянные мосты через реки строили плотники из соседних сёл.
            Каждой весной лёд повреждает опору, и старые мастера чинят её до первых паводков.
            Рыбак привязывал лодку к нижней балке и сушил сеть на перилах.
            Купцы из городов предложили заменить мосты железными, но общины отказались.
            В архивах сохранились чертежи с пометкой инженеров и расчётами нагрузок.
            Лиственничная свая пролежала в воде сто лет и почти не сгнила.
            Летом дети прыгают с середины мостов и спорят, кто дольше не вынырнет.
            Осенью по мостам гонят овец, и счётчики записывают каждую голову в тетради.
            Во время войн мосты охраняли единственные часовые с охотничьими ружьями.
            Художники писали мосты на рассвете и дарили картины сельским школам.
            Теперь рядом проходят бетонные дороги, а по мостам ходит только турист.
            Музеи просят жителя приносить фотографию, где видны старые переправы.
            """
        ),
    ),
    Sample(
        _lines(
            """
            Пчеловод проверяет ульи рано утром, пока роса лежит на клевере.
            Дымарь наполняют сухой корой, чтобы дым был густым и прохладным.
            Матку отмечают каплей краски, и цвет меняется каждый год.
            Мёд с горных лугов темнее равнинного и пахнет чабрецом.
            Рамки откачивают в медогонке, которую вращают вручную.
            Воск перетапливают на водяной бане и процеживают через марлю.
            Зимой ульи укрывают камышом и соломой, оставляя узкий леток.
            Клещ варроа пришёл в долину вместе с купленными семьями.
            Сосед пробовал лечить пчёл муравьиной кислотой и потерял половину роёв.
            Сильная семья собирает за лето до шестидесяти килограммов мёда.
            Медведь дважды разорял пасеку, и теперь её охраняет лохматая собака.
            Внук пчеловода ведёт журнал погоды и сравнивает сборы разных лет.
            """
        ),
        _lines(
            """
            Пчеловоды проверяли улей рано утром, пока росы лежали на клевере.
            Дымари наполняли сухой корой, чтобы дымы были густыми и прохладными.
            Маток отмечали каплями краски, и цвета менялись каждый год.
            Мёд с горного луга темнее равнинных и пахнул чабрецом.
            Рамку откачивали в медогонках, которые вращали вручную.
            Воск перетапливали на водяных банях и процеживали через марлю.
            Зимами улей укрывали камышами и соломой, оставляя узкие летки.
            Клещи варроа пришли в долины вместе с купленной семьёй.
            Соседи пробовали лечить пчелу муравьиными кислотами и теряли половины роёв.
            Сильные семьи собирали за лето до шестидесяти килограмм мёду.
            Медведи дважды разоряли пасеки, и теперь их охраняют лохматые собаки.
            Внуки пчеловодов ведут журналы погоды и сравнивали сбор разных лет.
            """
        ),
    ),
]

KAZAKH = [
    Sample(
        _lines(
            """
            Ауылдың шетіндегі ескі диірмен өзен суымен айналады.
            Диірменші таңертең ерте тұрып, тас арықты лайдан тазалайды.
            Бидай әкелген көршілер кезек күтіп, шай ішіп отырады.
            Үлкен тасты алыс таудан өгіз арбамен жеткізген екен.
            Ұнның иісі бүкіл көшеге тарап, балаларды шақырады.
            Қыста өзен қатқанда диірмен тоқтап, тыныштық орнайды.
            Қария немересіне астықты қалай сақтау керегін үйретеді.
            Мұражай қызметкері ескі құжаттардан диірменнің суретін тапты.
            Көктемгі тасқын ағаш дөңгелекті екі рет сындырды.
            Темір ұстасы жаңа білік соғып, дөңгелекті қайта орнатты.
            Қазір қонақтар диірменді көруге қаладан арнайы келеді.
            Кешке қарай су дыбысы құс үнімен бірге естіледі.
            """
        ),
        _lines(
            """
            Ауылдардың шетіндегі ескі диірмендер өзендер суымен айналды.
            Диірменшілер таңертең ерте тұрды, тас арықтарды лайдан тазалады.
            Бидайын әкелген көршілер кезекті күтті, шайын ішіп отырды.
            Үлкен тастарды алыс таулардан өгіз арбалармен жеткізген екен.
            Ұндардың иісі бүкіл көшелерге тарады, баланы шақырды.
            Қыстарда өзендер қатқанда диірмендер тоқтады, тыныштық орнады.
            Қариялар немерелеріне астықтарды қалай сақтау керегін үйретті.
            Мұражайлардың қызметкерлері ескі құжаттан диірмендердің суреттерін тапты.
            Көктемгі тасқындар ағаш дөңгелектерді екі рет сындырды.
            Темір ұсталары жаңа біліктер соқты, дөңгелектерді қайта орнатты.
            Қазір қонақ диірмендерді көруге қалалардан арнайы келді.
            Кешке қарай сулардың дыбысы құстардың үнімен бірге естілді.
            """
        ),
    ),
    Sample(
        _lines(
            """
            Бүркітші аңға шығар алдында құстың салмағын қолымен байқайды.
            Томаға былғарыдан тігіліп, күміс моншақпен безендіріледі.
            Жас қыранды ұядан алған адам оған алты ай бойы өзі қарайды.
            Түлкінің ізі қарда анық көрінгенде атты баяу жүргізеді.
            Бүркіт биіктен сорғалап, жемтігін тырнағымен қысып ұстайды.
            Шебер балдақты қайың ағашынан ойып, ердің қасына бекітеді.
            Әкесі ұлына құстың көзіне тік қарамауды ескертеді.
            Он жылдан кейін қыранды тауға апарып, еркіндікке жібереді.
            Жарыста төрешілер ұшу жылдамдығын және дәлдікті бағалайды.
            Фотограф үш күн бойы шатырда тұрып, бір ғана сурет түсірді.
            Қарт бүркітші өлеңінде жоғалған құсын жоқтап жырлайды.
            Мектеп оқушылары бұл өнер туралы шағын фильм жасады.
            """
        ),
        _lines(
            """
            Бүркітшілер аңға шығар алдында құстардың салмағын қолдарымен байқады.
            Томағалар былғарыдан тігілді, күміс моншақтармен безендірілді.
            Жас қырандарды ұялардан алған адамдар оған алты ай бойы өзі қарады.
            Түлкілердің іздері қарларда анық көрінгенде аттарды баяу жүргізді.
            Бүркіттер биіктен сорғалады, жемтіктерін тырнақтарымен қысып ұстады.
            Шеберлер балдақтарды қайың ағаштарынан ойды, ерлердің қасына бекітті.
            Әкелері ұлдарына құстардың көздеріне тік қарамауды ескертті.
            Он жылдан кейін қырандарды тауларға апарды, еркіндікке жіберді.
            Жарыстарда төреші ұшу жылдамдықтарын және дәлдіктерді бағалады.
            Фотографтар үш күн бойы шатырларда тұрды, бір ғана суреттер түсірді.
            Қарт бүркітшілер өлеңдерінде жоғалған құстарын жоқтап жырлады.
            Мектептердің оқушысы бұл өнерлер туралы шағын фильмдер жасады.
            """
        ),
    ),
]

LANGUAGES = {"English": ENGLISH, "Russian": RUSSIAN, "Kazakh": KAZAKH}
