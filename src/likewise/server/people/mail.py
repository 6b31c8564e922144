"""Mail that a server sends: by a thread of its own, so that nobody waits and nobody can tell."""

from __future__ import annotations

import queue
import smtplib
import ssl
import threading
import time
from collections.abc import Callable
from email.header import Header
from email.mime.text import MIMEText
from email.utils import formatdate, make_msgid
from typing import Literal
from weakref import WeakKeyDictionary

from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.logs import log, trace_of

_WAITING = 200  # letters; who asks for more has asked for mischief
_SECONDS = 20.0  # for each answer of the mail server
_TRIES, _BETWEEN_SECONDS = 3, 5.0

Task = Callable[[], None]


def is_address(text: str) -> bool:
    """Whether mail can be sent there: one @, a domain, and nothing that could end a header.

    >>> is_address("aigul@example.kz"), is_address("a@b@c"), is_address("a b@c.kz")
    (True, False, False)
    """
    name, _, domain = text.partition("@")
    is_plain = text.isprintable() and not any(sign.isspace() or sign in '<>",;:()' for sign in text)
    return bool(name and domain) and "@" not in domain and is_plain and len(text) <= 254


def sends_mail(config: Config) -> bool:
    """Whether this server was told how to send mail."""
    return bool(config.mail_host)


class Mailer:
    """Does what was posted, one after the other, in a thread that dies with the process."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._tasks: queue.Queue[Task] = queue.Queue(_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def post(self, task: Task) -> None:
        """Do something soon. What is too much is dropped, and the log says so."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="mail", daemon=True)
                self._thread.start()
        try:
            self._tasks.put_nowait(task)
        except queue.Full:
            log("warning", "mail dropped", waiting=_WAITING)

    def send(self, to: str, subject: str, text: str) -> None:
        """Send a letter now; tries again where the mail server has trouble. Never raises."""
        for number in range(1, _TRIES + 1):
            try:
                send(self._config, to, subject, text)
                log("info", "mail sent")
                return
            except (OSError, smtplib.SMTPException, ValueError) as error:
                log("warning", "mail not sent", attempt=number, error=type(error).__name__)
                if not _may_pass(error):
                    return
            if number < _TRIES:
                time.sleep(_BETWEEN_SECONDS)

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            try:
                task()
            except Exception as error:  # of a database that is gone: the next letter may go
                log("warning", "mail failed", **trace_of(error))
            finally:
                self._tasks.task_done()


def send(config: Config, to: str, subject: str, text: str) -> None:
    """Hand one letter to the mail server."""
    if not is_address(to):
        raise ValueError("no address of mail")
    # The newer EmailMessage loses spaces where it parts a long subject that is not English.
    letter = MIMEText(text, "plain", "utf-8")
    letter["From"], letter["To"] = config.mail_from, to
    letter["Subject"] = Header(subject, "utf-8")  # type: ignore[assignment]
    letter["Date"], letter["Auto-Submitted"] = formatdate(), "auto-generated"
    letter["Message-ID"] = make_msgid(domain=config.mail_from.rpartition("@")[2])
    context = ssl.create_default_context()
    if config.mail_tls == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            config.mail_host, config.mail_port, timeout=_SECONDS, context=context
        )
    else:
        server = smtplib.SMTP(config.mail_host, config.mail_port, timeout=_SECONDS)
    with server:
        if config.mail_tls == "starttls":
            server.starttls(context=context)
        if config.mail_user:
            server.login(config.mail_user, config.mail_password)
        server.send_message(letter)


def _may_pass(error: Exception) -> bool:
    """Whether trying again may help; an address that is refused stays refused."""
    if isinstance(error, smtplib.SMTPResponseException):
        return 400 <= error.smtp_code < 500
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return any(400 <= code < 500 for code, _ in error.recipients.values())
    return not isinstance(error, ValueError | ssl.SSLCertVerificationError)


def mailer_of(context: ServerContext) -> Mailer:
    """The mailer of a server."""
    with _making:
        return _of_sites.setdefault(context, Mailer(context.config))


_of_sites: WeakKeyDictionary[ServerContext, Mailer] = WeakKeyDictionary()
_making = threading.Lock()

MailTemplate = Literal["reset link", "password reset", "password changed", "address changed"]

_SUBJECTS: dict[MailTemplate, dict[str, str]] = {
    "reset link": {
        "en": "A new password for Likewise",
        "ru": "Новый пароль для Likewise",
        "kk": "Likewise үшін жаңа құпиясөз",
    },
    "password reset": {
        "en": "Your password for Likewise was reset",
        "ru": "Ваш пароль для Likewise сброшен",
        "kk": "Likewise үшін сізге жаңа құпиясөз берілді",
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
_BODIES: dict[MailTemplate, dict[str, str]] = {
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
        "en": """An administrator ({by}) has reset the password of {name}. All sessions were ended.

If you did not ask for it, ask the administrator why, and look at your account:

{link}
""",
        "ru": """Администратор ({by}) сбросил пароль для {name}. Все сеансы завершены.

Если вы об этом не просили, спросите администратора и проверьте свой профиль:

{link}
""",
        "kk": """Әкімші ({by}) {name} үшін жаңа құпиясөз берді. Барлық сеанстар аяқталды.

Егер сіз мұны сұрамаған болсаңыз, әкімшіден сұраңыз және профиліңізді қараңыз:

{link}
""",
    },
    "password changed": {
        "en": """The password of {name} was changed by a link
that was sent to this address. All sessions were ended.

If it was not you, tell an administrator at once.
""",
        "ru": """Пароль для {name} изменён по ссылке,
отправленной на этот адрес. Все сеансы завершены.

Если это были не вы, сразу сообщите администратору.
""",
        "kk": """{name} құпиясөзі осы мекенжайға жіберілген
сілтеме арқылы өзгертілді. Барлық сеанстар аяқталды.

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


def compose_mail(letter: MailTemplate, language: str | None, **values: object) -> tuple[str, str]:
    """The subject and the text, in English where a person has no language of ours.

    >>> compose_mail("password reset", "ru", name="aigul", by="dean", link="https://a.kz/profile")[0]
    'Ваш пароль для Likewise сброшен'
    """
    subjects, bodies = _SUBJECTS[letter], _BODIES[letter]
    own_language = language if language in subjects else "en"
    return subjects[own_language], bodies[own_language].format(**values)
