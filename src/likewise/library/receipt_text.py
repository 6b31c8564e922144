"""A receipt of an erasure as people read it: plain text or a page, in three languages."""

from __future__ import annotations

import html
from collections.abc import Iterator

from likewise.catalogue import Language
from likewise.library.erasure import Receipt

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "title": "Receipt of an erasure",
        "id": "Number",
        "began": "Begun",
        "ended": "Finished",
        "unfinished": "not finished",
        "by": "Asked for by",
        "operator": "the machine's operator",
        "kind": "What was asked for",
        "documents": "documents by number",
        "file": "a file by its bytes",
        "person": "everything of a person",
        "user": "everything of an account",
        "again": "what was erased before and had come back",
        "erased": "What was erased",
        "nothing": "There was nothing to erase.",
        "numbers": "Numbers of the documents",
        "hashes": "SHA-256 of the bytes",
        "unreached": "What could not be reached from here",
    },
    "ru": {
        "title": "Квитанция о стирании",
        "id": "Номер",
        "began": "Начато",
        "ended": "Закончено",
        "unfinished": "не закончено",
        "by": "По требованию",
        "operator": "оператор машины",
        "kind": "Что требовалось",
        "documents": "документы по номерам",
        "file": "файл по его байтам",
        "person": "всё, что относится к человеку",
        "user": "всё, что относится к учётной записи",
        "again": "стёртое раньше и появившееся снова",
        "erased": "Что стёрто",
        "nothing": "Стирать было нечего.",
        "numbers": "Номера документов",
        "hashes": "SHA-256 байтов",
        "unreached": "До чего отсюда не дотянуться",
    },
    "kk": {
        "title": "Өшіру туралы түбіртек",
        "id": "Нөмірі",
        "began": "Басталды",
        "ended": "Аяқталды",
        "unfinished": "аяқталмаған",
        "by": "Сұраған",
        "operator": "машинаның операторы",
        "kind": "Не сұралды",
        "documents": "нөмірлері бойынша құжаттар",
        "file": "байттары бойынша файл",
        "person": "адамға қатыстының бәрі",
        "user": "есептік жазбаға қатыстының бәрі",
        "again": "бұрын өшіріліп, қайта пайда болғаны",
        "erased": "Не өшірілді",
        "nothing": "Өшіретін ештеңе болған жоқ.",
        "numbers": "Құжаттардың нөмірлері",
        "hashes": "Байттардың SHA-256 мәні",
        "unreached": "Осы жерден қол жетпейтіні",
    },
}

# Each kind of thing that is counted: English, Russian, Kazakh.
COUNTS: dict[str, tuple[str, str, str]] = {
    "documents": ("documents of the library", "документы библиотеки", "кітапхана құжаттары"),
    "references": (
        "documents left to others who handed them in too",
        "документы, оставленные другим сдавшим",
        "басқа тапсырғандарға қалдырылған құжаттар",
    ),
    "advisors": (
        "documents that named the person as advisor",
        "документы, где человек был руководителем",
        "адам жетекші болып көрсетілген құжаттар",
    ),
    "texts": ("texts", "тексты", "мәтіндер"),
    "originals": ("original files", "исходные файлы", "бастапқы файлдар"),
    "sketches": ("sets of fingerprints", "наборы отпечатков", "таңба жиындары"),
    "tables": ("fingerprints of tables", "отпечатки таблиц", "кестелердің таңбалары"),
    "tags": ("tags", "метки", "белгілер"),
    "segments": (
        "files of the index, rewritten",
        "файлы указателя, переписаны",
        "индекс файлдары, қайта жазылды",
    ),
    "cache_entries": (
        "entries of the reader's cache",
        "записи кеша чтения",
        "оқу кешінің жазбалары",
    ),
    "pages": ("pages fetched from the Internet", "страницы из Интернета", "Интернет беттері"),
    "temporary_files": ("temporary folders", "временные папки", "уақытша қалталар"),
    "checks_deleted": (
        "checks of the documents, deleted",
        "проверки этих документов, удалены",
        "осы құжаттардың тексерулері, жойылды",
    ),
    "checks_blackened": (
        "checks of others, with passages blackened",
        "чужие проверки, где отрывки зачернены",
        "басқалардың тексерулері, үзінділері қаралды",
    ),
    "sources_blackened": ("sources blackened", "зачернённые источники", "қараланған дереккөздер"),
    "passages_blackened": ("passages blackened", "зачернённые отрывки", "қараланған үзінділер"),
    "batches_deleted": ("classes deleted", "группы, удалены", "топтар, жойылды"),
    "batches_blackened": (
        "classes with passages blackened",
        "группы, где отрывки зачернены",
        "үзінділері қараланған топтар",
    ),
    "uploads": ("uploads that waited", "ожидавшие файлы", "кезекте тұрған файлдар"),
    "jobs": ("jobs", "задания", "тапсырмалар"),
    "requests": (
        "requests that named the person",
        "запросы с именем человека",
        "адамның аты бар сұраулар",
    ),
    "audit": (
        "lines of the audit log without the name",
        "строки журнала, где убрано имя",
        "аты алынған журнал жолдары",
    ),
    "accounts": ("accounts", "учётные записи", "есептік жазбалар"),
    "sessions": ("sessions", "сеансы", "сеанстар"),
    "api_keys": ("keys of programs", "ключи программ", "бағдарлама кілттері"),
    "collections": ("private collections", "личные коллекции", "жеке жинақтар"),
    "comments": (
        "comments under others' reports, blackened",
        "замечания к чужим отчётам, зачернены",
        "басқалардың есептеріндегі пікірлер, қаралды",
    ),
}
UNREACHED: dict[str, tuple[str, str, str]] = {
    "backups": (
        "Backups made before hold it until they are deleted; restoring one over this library "
        "erases it again.",
        "Прежние резервные копии хранят это, пока не удалены; при восстановлении поверх этой "
        "библиотеки оно стирается снова.",
        "Бұрынғы сақтық көшірмелер жойылғанша мұны сақтайды; осы кітапхананың үстіне қалпына "
        "келтіргенде ол қайта өшіріледі.",
    ),
    "partners": (
        "Fingerprints that were exported to partners: send them these numbers and a new export.",
        "Отпечатки, переданные партнёрам: пошлите им номера ниже и новую выгрузку.",
        "Серіктестерге берілген таңбалар: оларға төмендегі нөмірлер мен жаңа экспорт жіберіңіз.",
    ),
    "downloads": (
        "Reports, texts and files that people have saved or printed.",
        "Отчёты, тексты и файлы, которые люди сохранили или напечатали.",
        "Адамдар сақтаған не басып шығарған есептер, мәтіндер мен файлдар.",
    ),
    "database pages": (
        "Pages of PostgreSQL's files, until other rows are written there or a full vacuum is made.",
        "Страницы файлов PostgreSQL, пока там нет других строк или не сделан полный vacuum.",
        "PostgreSQL файлдарының беттері: орнына басқа жолдар жазылғанша не толық vacuum өткенше.",
    ),
    "write-ahead log": (
        "The database's write-ahead log, with its archives and replicas, until it is recycled.",
        "Журнал базы данных с его архивами и репликами, пока он не переписан.",
        "Дерекқордың журналы, оның мұрағаттары мен репликалары: қайта жазылғанша.",
    ),
    "damaged copies": (
        "Copies of the database beside it, left by a restore or a backup: delete them.",
        "Копии базы рядом с ней, оставшиеся от восстановления или копирования: удалите их.",
        "Дерекқордың жанында қалған көшірмелер: оларды жойыңыз.",
    ),
    "waiting archives": (
        "Archives that wait for a job and were not opened; they are deleted with it.",
        "Архивы, ожидающие задания и не открытые; они удалятся вместе с ним.",
        "Тапсырманы күтіп тұрған, ашылмаған мұрағаттар; олар онымен бірге жойылады.",
    ),
    "unreadable results": (
        "Results that are damaged or of a newer version, and could not be looked through.",
        "Результаты, повреждённые или более новой версии: их не удалось просмотреть.",
        "Зақымдалған не жаңарақ нұсқадағы нәтижелер: оларды қарап шығу мүмкін болмады.",
    ),
    "running jobs": (
        "Jobs that still ran in the end: erase once more when they are done.",
        "Задания, ещё выполнявшиеся в конце: сотрите ещё раз, когда они закончатся.",
        "Соңында әлі орындалып жатқан тапсырмалар: олар біткен соң тағы бір рет өшіріңіз.",
    ),
    "files": (
        "Files of the cache or the index that could not be deleted: look at their rights.",
        "Файлы кеша или указателя, которые не удалось удалить: проверьте права на них.",
        "Жою мүмкін болмаған кеш не индекс файлдары: олардың құқықтарын тексеріңіз.",
    ),
}
_PLACE: dict[Language, int] = {"en": 0, "ru": 1, "kk": 2}

Section = tuple[str, list[str]]


def _sections(receipt: Receipt, language: Language) -> Iterator[Section]:
    """What a receipt says, under headings; the first is its title."""
    words, place = _WORDS[language], _PLACE[language]
    ended = receipt.ended_on
    yield (
        words["title"],
        [
            f"{words['id']}: {receipt.id}",
            f"{words['began']}: {receipt.made_on:%Y-%m-%d %H:%M:%S} UTC",
            f"{words['ended']}: "
            + (words["unfinished"] if ended is None else f"{ended:%Y-%m-%d %H:%M:%S} UTC"),
            f"{words['by']}: {receipt.by or words['operator']}",
            f"{words['kind']}: {words[receipt.kind]}",
        ],
    )
    counts = [
        f"{COUNTS[what][place] if what in COUNTS else what}: {number}"
        for what, number in receipt.counts.items()
        if number
    ]
    yield words["erased"], counts or [words["nothing"]]
    yield (
        words["unreached"],
        [UNREACHED[what][place] for what in UNREACHED if what in receipt.unreached],
    )
    if receipt.documents:
        yield words["numbers"], [", ".join(map(str, receipt.documents))]
    if receipt.sha256s:
        yield words["hashes"], list(receipt.sha256s)


def receipt_text(receipt: Receipt, language: Language = "en") -> str:
    """A receipt as plain text."""
    parts = [
        "\n".join([heading, "=" * len(heading), *lines])
        for heading, lines in _sections(receipt, language)
        if lines
    ]
    return "\n\n".join(parts) + "\n"


def receipt_page(receipt: Receipt, language: Language = "en") -> str:
    """A receipt as a page that needs nothing else."""
    sections = list(_sections(receipt, language))
    title = html.escape(sections[0][0])
    body = "".join(
        f"<h{1 + (number > 0)}>{html.escape(heading)}</h{1 + (number > 0)}><ul>"
        + "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        + "</ul>"
        for number, (heading, lines) in enumerate(sections)
        if lines
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{title}</title></head><body>{body}</body></html>\n"
    )
