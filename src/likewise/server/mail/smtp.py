"""One letter handed to the mail server, and what its answer means."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime, make_msgid

from likewise.server.config import Config
from likewise.server.mail.addresses import is_address
from likewise.server.mail.templates import Letter

_SECONDS = 20.0  # for each answer of the mail server


@dataclass(frozen=True, slots=True)
class SendingError:
    """Why a letter was not taken."""

    why: str
    is_final: bool = False  # it would be refused again
    is_of_server: bool = False  # the next letter would meet the same


def send(
    config: Config, to: str, letter: Letter, id: str, made_on: datetime
) -> SendingError | None:
    """Hand a letter over; None where it was taken. Never raises for what a mail server does.

    Its Message-ID is the same in every attempt: where a letter was taken and the answer got lost,
    programs for mail show it once.
    """
    if not is_address(to):
        return SendingError("no address of mail", is_final=True)
    try:
        with _connect(config) as server:
            if config.mail_user:
                server.login(config.mail_user, config.mail_password)
            server.send_message(_message(config, to, letter, id, made_on))
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        return _answer(code, text)
    except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
        return _answer(error.smtp_code, error.smtp_error)
    except smtplib.SMTPResponseException as error:  # of the greeting, or of the log in
        why = f"{error.smtp_code} {_text(error.smtp_error)}"
        return SendingError(why, is_of_server=True)
    except (OSError, smtplib.SMTPException) as error:  # no way there, no TLS, it hung up
        return SendingError(f"{type(error).__name__}: {error}", is_of_server=True)
    except ValueError as error:
        return SendingError(f"{type(error).__name__}: {error}", is_final=True)
    return None


def _connect(config: Config) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if config.mail_tls == "tls":
        return smtplib.SMTP_SSL(
            config.mail_host, config.mail_port, timeout=_SECONDS, context=context
        )
    server = smtplib.SMTP(config.mail_host, config.mail_port, timeout=_SECONDS)
    if config.mail_tls == "starttls":
        try:
            server.starttls(context=context)
        except BaseException:
            server.close()
            raise
    return server


def _message(config: Config, to: str, letter: Letter, id: str, made_on: datetime) -> MIMEMultipart:
    """Plain text and a page that say the same."""
    # The newer EmailMessage loses spaces where it parts a long subject that is not English.
    message = MIMEMultipart("alternative")
    message["From"], message["To"] = config.mail_from, to
    message["Subject"] = Header(letter.subject, "utf-8")  # type: ignore[assignment]
    message["Date"] = format_datetime(made_on.replace(tzinfo=UTC))
    # Of a person who is away nobody answers that: RFC 3834, and what others look for.
    message["Auto-Submitted"], message["X-Auto-Response-Suppress"] = "auto-generated", "All"
    message["Content-Language"] = letter.language
    domain = config.mail_from.rpartition("@")[2]
    message["Message-ID"] = f"<{id}@{domain}>" if id.isalnum() else make_msgid(domain=domain)
    message.attach(MIMEText(letter.text, "plain", "utf-8"))
    message.attach(MIMEText(letter.html, "html", "utf-8"))
    return message


def _answer(code: int, text: bytes | str) -> SendingError:
    """4xx may pass, 5xx will not (RFC 5321, 4.2.1)."""
    return SendingError(f"{code} {_text(text)}", is_final=500 <= code < 600)


def _text(answer: bytes | str) -> str:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
