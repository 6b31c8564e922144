"""One passage in several languages."""

BEES = (
    "The honey bee is the only insect that makes food which people eat. A strong colony holds "
    "about fifty thousand workers in summer, and every one of them visits hundreds of flowers a "
    "day. When a bee finds a meadow full of clover, she returns to the hive and dances on the "
    "comb: the direction of the dance shows where the sun stands, and its length tells the others "
    "how far they have to fly. Karl von Frisch, who described the dance in 1927, received the "
    "Nobel Prize for his discovery. In winter the colony forms a ball around the queen, eats the "
    "honey that was stored in August, and keeps the temperature in the middle at thirty degrees."
)
RUSSIAN_BEES = (
    "Медоносная пчела — единственное насекомое, которое производит пищу для человека. Летом в "
    "сильной семье живёт около пятидесяти тысяч рабочих пчёл, и каждая из них за день посещает "
    "сотни цветков. Найдя луг, полный клевера, пчела возвращается в улей и танцует на сотах: "
    "направление танца показывает, где стоит солнце, а его длительность сообщает остальным, как "
    "далеко нужно лететь. Карл фон Фриш, описавший этот танец в 1927 году, получил за своё "
    "открытие Нобелевскую премию. Зимой семья собирается в шар вокруг матки, питается мёдом, "
    "запасённым в августе, и поддерживает в середине температуру тридцать градусов."
)
GERMAN_BEES = (
    "Die Honigbiene ist das einzige Insekt, das Nahrung für den Menschen erzeugt. Im Sommer leben "
    "in einem starken Volk etwa fünfzigtausend Arbeiterinnen, und jede von ihnen besucht täglich "
    "Hunderte von Blüten. Hat eine Biene eine Wiese voller Klee gefunden, kehrt sie in den Stock "
    "zurück und tanzt auf der Wabe: die Richtung des Tanzes zeigt, wo die Sonne steht, und seine "
    "Dauer verrät den anderen, wie weit sie fliegen müssen."
)
