"""Takes letters out of the queue and sends them: a thread of each worker process.

A worker may be busy with a class for an hour; its mail goes all the same.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from likewise.errors import LikewiseError
from likewise.server.context import ServerContext
from likewise.server.logs import log, trace_of
from likewise.server.mail.kinds import MailKind
from likewise.server.mail.queue import (
    Mail,
    drop_mail,
    mark_not_sent,
    mark_sent,
    take_mail,
)
from likewise.server.mail.smtp import send
from likewise.server.mail.templates import compose_mail

LOOK_EVERY_SECONDS = 2.0
CHORES_EVERY_SECONDS = 60.0
AGAIN_SECONDS = 30.0  # after the mail server itself could not be reached
MOST_AT_ONCE = 100

# What a letter says that is known only now, such as a link that is good from now on; None where
# there is nothing to say any more.
Preparation = Callable[[ServerContext, Connection, Mail], Mapping[str, Any] | None]
Preparations = Mapping[MailKind, Preparation]
Chore = Callable[[ServerContext], object]


def send_due(context: ServerContext, preparations: Preparations) -> tuple[int, bool]:
    """Send what is due; how many letters went, and whether the mail server can be reached."""
    sent = 0
    for _ in range(MOST_AT_ONCE):
        letter = take_mail(context.store)
        if letter is None:
            break
        error = _send_one(context, letter, preparations)
        sent += error is None
        if error == "unreachable":
            return sent, False
    return sent, True


def _send_one(context: ServerContext, letter: Mail, preparations: Preparations) -> str | None:
    prepare = preparations.get(letter.kind)
    with context.store.beside() as connection:
        prepared = prepare(context, connection, letter) if prepare else {}
        if prepared is None:
            drop_mail(connection, letter)
            return "dropped"
    config = context.config
    words = compose_mail(
        letter.kind,
        letter.language,
        {**letter.values, **prepared},
        public_url=config.public_url,
        institution=context.settings.institution,
    )
    error = send(config, letter.to, words, letter.id, letter.taken_on)
    with context.store.beside() as connection:
        if error is None:
            mark_sent(connection, letter)
        else:
            mark_not_sent(connection, letter, error.why, is_final=error.is_final)
    # What a mail server answers may name a person: it is for administrators, not for the log.
    event = "mail sent" if error is None else "mail not sent"
    log("info" if error is None else "warning", event, kind=letter.kind, attempt=letter.attempts)
    if error is None:
        return None
    return "unreachable" if error.is_of_server else "refused"


class MailSender:
    """The thread; it dies with its process."""

    def __init__(
        self, context: ServerContext, preparations: Preparations, chores: Sequence[Chore] = ()
    ) -> None:
        self._context, self._preparations, self._chores = context, preparations, chores
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mail sender", daemon=True)

    def start(self) -> MailSender:
        self._thread.start()
        return self

    def stop(self) -> None:
        """After the letter that is being sent."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        next_chores = 0.0
        wait = 0.0
        while not self._stopping.wait(wait):
            wait = LOOK_EVERY_SECONDS
            try:
                if time.monotonic() >= next_chores:
                    next_chores = time.monotonic() + CHORES_EVERY_SECONDS
                    for chore in self._chores:
                        chore(self._context)
                _, is_reachable = send_due(self._context, self._preparations)
                wait = LOOK_EVERY_SECONDS if is_reachable else AGAIN_SECONDS
            except LikewiseError as error:  # a database that is away: nothing is lost
                log("warning", "mail failed", error=type(error).__name__)
                wait = AGAIN_SECONDS
            except Exception as error:
                log("error", "mail failed", **trace_of(error))
                wait = AGAIN_SECONDS
