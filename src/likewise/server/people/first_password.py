"""The file that holds the first administrator's password until it is changed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, delete, select

from likewise.library import schema
from likewise.server.context import Site, set_value

_WAITS, _DONE = "server.first password file", "server.first password file to delete"
_HEADING = "The first administrator of Likewise"
_NAME = "first-administrator-password"


def write(folder: Path, name: str, password: str) -> Path:
    """A new file that its owner alone can read."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    text = (
        f"{_HEADING}\nname: {name}\npassword: {password}\n\n"
        "It must be changed at the first log in; this file is deleted then.\n"
    )
    for number in range(1, 1000):
        path = folder / f"{_NAME}{'' if number == 1 else f'-{number}'}.txt"
        with suppress(FileExistsError):  # of another library, or of a start that failed
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            return path.absolute()
    raise FileExistsError(17, "there are too many files of this name", str(folder / _NAME))


def remember(connection: Connection, user: str, path: Path) -> None:
    """Where the file of a person is."""
    set_value(connection, _WAITS, f"{user} {path}")


def is_changed(connection: Connection, user: str) -> None:
    """The password was changed, so that the file is to go: `sweep` does it after the commit."""
    kept = _read(connection, _WAITS)
    if kept is not None and kept.partition(" ")[0] == user:
        _forget(connection, _WAITS)
        set_value(connection, _DONE, kept.partition(" ")[2])


def sweep(site: Site) -> None:
    """Delete a file that is to go, if it is on this machine; else it waits for a server there."""
    with site.store.reading() as connection:
        path = _read(connection, _DONE)
    if path is not None and _delete(path):
        with site.store.beside() as connection:
            _forget(connection, _DONE)


def _delete(written: str) -> bool:
    """Whether the file was here and is gone. Only a file that we wrote is touched."""
    path = Path(written)
    try:
        if path.is_symlink() or not path.read_text("utf-8").startswith(_HEADING):
            return False
        path.unlink()
    except (OSError, ValueError):
        return False
    return True


def _read(connection: Connection, key: str) -> str | None:
    kept = schema.key_values.c
    return connection.execute(select(kept.value).where(kept.key == key)).scalar()


def _forget(connection: Connection, key: str) -> None:
    connection.execute(delete(schema.key_values).where(schema.key_values.c.key == key))
