"""The passwords that are tried first.

Lists of leaked passwords agree on a few hundred words, mostly with digits behind them, on runs
along the keyboard, and on short things repeated: so the words are listed and the rest is a rule.
"""

from __future__ import annotations

_WORDS = frozenset(
    """
    password passwort passw0rd p@ssword p@ssw0rd pa55word pass passwd parol paroli пароль пароли
    qwerty qwertz azerty qazwsx qazwsxedc zaqwsx zxcvbn йцукен йцукенг фывапр ячсмит
    admin administrator administration root superuser master manager system server login logon user
    username guest test testing tester demo default changeme changeit letmein welcome secret private
    access security computer internet google facebook instagram youtube whatsapp telegram microsoft
    windows apple samsung iphone android iloveyou ilovey loveyou lovely love princess sunshine
    shadow dragon monkey football baseball basketball soccer hockey superman batman spiderman
    pokemon starwars trustno trustme whatever freedom michael jordan jennifer jessica charlie
    daniel thomas robert andrew joshua matthew ashley nicole amanda melissa natasha marina
    anastasia ekaterina alexander aleksandr alexandra dmitry vladimir sergey svetlana tatiana
    любовь наташа марина анастасия екатерина александр дмитрий владимир сергей светлана татьяна
    привет солнце россия москва казахстан астана алматы kazakhstan qazaqstan astana almaty
    university universitet университет student studentka студент teacher professor
    мұғалім құпия құпиясөз сәлем қазақстан school college campus library likewise plagiarism
    liverpool chelsea arsenal barcelona realmadrid manchester juventus ferrari mercedes porsche
    summer winter spring autumn monday friday january february december november
    hello helloworld hellohello goodmorning computer1 qwerty123456 asdfgh asdfghjkl zxcvbnm
    abcdef abcdefg abcd abc aaa asd qwe zxc killer hunter ranger buster pepper ginger cookie
    cheese banana orange chocolate butterfly flower rainbow diamond silver golden purple yellow
    correcthorsebatterystaple mypassword yourpassword newpassword mypass nopassword
    thisispassword thisismypassword
    """.split()
)
_LOOKALIKES = str.maketrans("013457@$!", "oleastasi")
_RUNS = (
    *("12345678901234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm"),
    *("qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn", "1q2w3e4r5t6y7u8i9o0p"),
    *("1qaz2wsx3edc4rfv5tgb6yhn7ujm", "qazwsxedcrfvtgbyhnujmikolp", "1a2b3c4d5e6f7g8h9i0j"),
    *("йцукенгшщзхъфывапролджэячсмитьбю", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
    *("q1w2e3r4t5y6u7i8o9p0", "a1b2c3d4e5f6g7h8i9j0", "qweasdzxcrtyfghvbnuiojklm"),
)


def is_common(password: str, name: str = "") -> bool:
    """Whether a password is among the first tries, also for whoever logs in as `name`.

    >>> [is_common(word) for word in ("Password2024!", "1234567890", "abcabcabcabc")]
    [True, True, True]
    >>> is_common("Aigul.Nur-1990", "aigul.nur")
    True
    >>> is_common("wormwood after rain")
    False
    """
    small = password.casefold()
    bare = "".join(c for c in small if c.isalnum())
    words = {small, bare, _core(small), _core(bare), _core(bare.translate(_LOOKALIKES))}
    words |= {_core(small).translate(_LOOKALIKES)}
    own = "".join(c for c in name.casefold() if c.isalnum())
    if words & _WORDS or (own and words & {own, own[::-1], name.casefold(), _core(own)} - {""}):
        return True
    return _repeats(bare or small) or any(bare in run or bare in run[::-1] for run in _RUNS if bare)


def _core(text: str) -> str:
    """A word without the digits and signs around it."""
    return text.strip("".join({c for c in text if not c.isalpha()}))


def _repeats(text: str) -> bool:
    """Whether it is one short thing again and again."""
    return any(
        text == (text[:size] * (len(text) // size + 1))[: len(text)]
        for size in range(1, min(5, len(text) // 2) + 1)
    )
