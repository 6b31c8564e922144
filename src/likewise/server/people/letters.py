"""What people are told by mail about their account, in their language."""

from __future__ import annotations

from typing import Literal

Letter = Literal["reset link", "password reset", "password changed", "address changed"]

_SUBJECTS: dict[Letter, dict[str, str]] = {
    "reset link": {
        "en": "A new password for Likewise",
        "ru": "Новый пароль для Likewise",
        "kk": "Likewise үшін жаңа құпиясөз",
    },
    "password reset": {
        "en": "Your password for Likewise was reset",
        "ru": "Ваш пароль для Likewise сброшен",
        "kk": "Likewise құпиясөзіңіз қалпына келтірілді",
    },
    "password changed": {
        "en": "Your password for Likewise was changed",
        "ru": "Ваш пароль для Likewise изменён",
        "kk": "Likewise құпиясөзіңіз өзгертілді",
    },
    "address changed": {
        "en": "Your mail address for Likewise was changed",
        "ru": "Ваш адрес почты для Likewise изменён",
        "kk": "Likewise пошта мекенжайыңыз өзгертілді",
    },
}
_BODIES: dict[Letter, dict[str, str]] = {
    "reset link": {
        "en": """Somebody, probably you, asked for a new password for {name}.

This link leads to it. It is good once, for {minutes} minutes:

{link}

If it was not you, do nothing: your password stays as it is.
""",
        "ru": """Кто-то, вероятно вы, попросил новый пароль для {name}.

К нему ведёт эта ссылка. Она действует один раз, в течение {minutes} минут:

{link}

Если это были не вы, ничего не делайте: пароль останется прежним.
""",
        "kk": """Біреу, бәлкім өзіңіз, {name} үшін жаңа құпиясөз сұрады.

Мына сілтеме соған апарады. Ол бір рет, {minutes} минут бойы жарамды:

{link}

Егер бұл сіз болмасаңыз, ештеңе істемеңіз: құпиясөзіңіз бұрынғыдай қалады.
""",
    },
    "password reset": {
        "en": """An administrator ({by}) has reset the password of {name}. All log ins were ended.

If you did not ask for it, ask the administrator why, and look at your profile:

{link}
""",
        "ru": """Администратор ({by}) сбросил пароль для {name}. Все входы завершены.

Если вы об этом не просили, спросите администратора и проверьте свой профиль:

{link}
""",
        "kk": """Әкімші ({by}) {name} құпиясөзін қалпына келтірді. Барлық кірулер аяқталды.

Егер сіз мұны сұрамаған болсаңыз, әкімшіден сұраңыз және профиліңізді қараңыз:

{link}
""",
    },
    "password changed": {
        "en": """The password of {name} was changed by a link
that was sent to this address. All log ins were ended.

If it was not you, tell an administrator at once.
""",
        "ru": """Пароль для {name} изменён по ссылке,
отправленной на этот адрес. Все входы завершены.

Если это были не вы, сразу сообщите администратору.
""",
        "kk": """{name} құпиясөзі осы мекенжайға жіберілген
сілтеме арқылы өзгертілді. Барлық кірулер аяқталды.

Егер бұл сіз болмасаңыз, әкімшіге дереу айтыңыз.
""",
    },
    "address changed": {
        "en": """Mail about {name} no longer goes to this address ({by} has changed it).

If you did not want that, tell an administrator at once.
""",
        "ru": """Почта о {name} больше не приходит на этот адрес (его изменил(а) {by}).

Если вы этого не хотели, сразу сообщите администратору.
""",
        "kk": """{name} туралы хаттар бұдан былай бұл мекенжайға келмейді (оны {by} өзгертті).

Егер сіз мұны қаламаған болсаңыз, әкімшіге дереу айтыңыз.
""",
    },
}


def written(letter: Letter, language: str | None, **values: object) -> tuple[str, str]:
    """The subject and the text, in English where a person has no language of ours.

    >>> written("password reset", "ru", name="aigul", by="dean", link="https://a.kz/profile")[0]
    'Ваш пароль для Likewise сброшен'
    """
    subjects, bodies = _SUBJECTS[letter], _BODIES[letter]
    chosen = language if language in subjects else "en"
    return subjects[chosen], bodies[chosen].format(**values)
