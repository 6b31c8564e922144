"""Passwords: kept as argon2 hashes, compared with the same work whoever asks, and not too weak.

The first administrator's stands in a file until it is changed.
"""

from __future__ import annotations

import os
import secrets
import threading
import unicodedata
from contextlib import suppress
from functools import cache
from pathlib import Path

from pwdlib import PasswordHash
from pwdlib.exceptions import PwdlibError
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import Connection, delete, select

from likewise.library import schema
from likewise.library.registry import write_value
from likewise.server.context import ServerContext
from likewise.server.problems import Problem

MAX_PASSWORD_CHARS = 1_000  # more is no password; hashing it would only keep us busy
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is taken for another

# The least that OWASP's cheat sheet asks of argon2id: 19 MiB and two passes, some 25 ms. A library
# of a campus must stay quick while hundreds log in; changing a figure renews hashes one by one.
_hasher = PasswordHash((Argon2Hasher(time_cost=2, memory_cost=19_456, parallelism=1),))
# Memory for a flood of log ins is bounded: who comes later waits for a core anyway.
_at_once = threading.BoundedSemaphore(4)


def hash_password(password: str) -> str:
    """What is kept of a password."""
    with _at_once:
        return _hasher.hash(_normalize(password))


def verify_password(password: str, stored_hash: str | None) -> tuple[bool, str | None]:
    """Whether a password is right, and the hash to keep from now on if the old one is dated.

    Without a hash, as when nobody has the name, the same work is done and the answer is no.
    """
    with _at_once:
        if stored_hash is None:
            _hasher.verify(_normalize(password), _dummy_hash())
            return False, None
        try:
            return _hasher.verify_and_update(_normalize(password), stored_hash)
        except PwdlibError:  # no hash that we know: such a person needs a new password
            _hasher.verify(_normalize(password), _dummy_hash())
            return False, None


def ensure_strong(password: str, name: str, least_length: int) -> None:
    """Refuse what others would guess first."""
    normal = _normalize(password)
    if len(normal) < least_length:
        raise Problem("bad request", "server.password_length", n=least_length)
    if len(normal) > MAX_PASSWORD_CHARS:
        raise Problem("bad request", "server.long_password", n=MAX_PASSWORD_CHARS)
    if is_common(normal, name):
        raise Problem("bad request", "server.common_password")


def random_password(groups: int = 4) -> str:
    """A password to be typed once: groups of five letters and digits, 25 bits each."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(groups))


def _normalize(password: str) -> str:
    """The same password, however a keyboard puts its accents together (NIST SP 800-63B)."""
    return unicodedata.normalize("NFKC", password[: MAX_PASSWORD_CHARS + 1])


@cache
def _dummy_hash() -> str:
    return _hasher.hash(secrets.token_hex(16))


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


_FILE_KEY, _RETIRED_FILE_KEY = "server.first password file", "server.first password file to delete"
_FILE_HEADING = "The first administrator of Likewise"
_FILE_NAME = "first-administrator-password"


def write_password_file(folder: Path, name: str, password: str) -> Path:
    """A new file that its owner alone can read."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = (
        f"{_FILE_HEADING}\nname: {name}\npassword: {password}\n\n"
        "It must be changed at the first log in; this file is deleted then.\n"
    )
    for number in range(1, 1000):
        path = folder / f"{_FILE_NAME}{'' if number == 1 else f'-{number}'}.txt"
        with suppress(FileExistsError):  # of another library, or of a start that failed
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            return path.absolute()
    raise FileExistsError(17, "there are too many files of this name", str(folder / _FILE_NAME))


def remember_password_file(connection: Connection, user: str, path: Path) -> None:
    """Where the file of a person is."""
    write_value(connection, _FILE_KEY, f"{user} {path}")


def retire_password_file(connection: Connection, user: str) -> None:
    """The password was changed: `delete_retired_password_file` is to do it after the commit."""
    stored = _read_path(connection, _FILE_KEY)
    if stored is not None and stored.partition(" ")[0] == user:
        _delete_value(connection, _FILE_KEY)
        write_value(connection, _RETIRED_FILE_KEY, stored.partition(" ")[2])


def delete_retired_password_file(context: ServerContext) -> None:
    """Delete a file that is to go, if it is on this machine; else it waits for a server there."""
    with context.store.reading() as connection:
        path = _read_path(connection, _RETIRED_FILE_KEY)
    if path is not None and _delete_file(path):
        with context.store.beside() as connection:
            _delete_value(connection, _RETIRED_FILE_KEY)


def _delete_file(path_text: str) -> bool:
    """Whether the file was here and is gone. Only a file that we wrote is touched."""
    path = Path(path_text)
    try:
        if path.is_symlink() or not path.read_text("utf-8").startswith(_FILE_HEADING):
            return False
        path.unlink()
    except (OSError, ValueError):
        return False
    return True


def _read_path(connection: Connection, key: str) -> str | None:
    column = schema.key_values.c
    return connection.execute(select(column.value).where(column.key == key)).scalar()


def _delete_value(connection: Connection, key: str) -> None:
    connection.execute(delete(schema.key_values).where(schema.key_values.c.key == key))
