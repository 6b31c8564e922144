"""A mail server on this machine, aiosmtpd: it takes every letter and keeps it, or refuses it."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path
from socket import socket
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Answer = Callable[[str], str]


@dataclass
class SmtpListener:
    """Speaks SMTP as servers do: with a log in, in the clear, under TLS or from STARTTLS on."""

    refuse: str = ""  # what it answers to RCPT in place of 250
    refuse_letter: str = ""  # what it answers to DATA
    wrong_password: bool = False
    certificate: Path | None = None
    tls: str = "none"
    port: int = 0
    letters: list[tuple[str, EmailMessage]] = field(default_factory=list)
    envelopes: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    logged_in: list[tuple[str, str]] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)

    def __enter__(self) -> SmtpListener:
        with socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._controller = _Controller(self)
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    def wait_for(self, count: int, seconds: float = 60) -> list[tuple[str, EmailMessage]]:
        """The letters, once there are so many."""
        end = time.monotonic() + seconds
        while len(self.letters) < count and time.monotonic() < end:
            time.sleep(0.02)
        assert len(self.letters) >= count, f"{len(self.letters)} letters came, not {count}"
        return self.letters

    # What aiosmtpd calls.

    async def handle_RCPT(  # noqa: N802 - its name there
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.refuse:
            return self.refuse
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.refuse_letter:
            return self.refuse_letter
        letter = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        self.envelopes.append((envelope.mail_from, tuple(envelope.rcpt_tos)))
        self.encrypted.append(server.transport.get_extra_info("sslcontext") is not None)
        self.letters.append((envelope.rcpt_tos[0], letter))
        return "250 kept"

    def authenticate(
        self, server: SMTP, session: Any, envelope: Any, mechanism: str, data: Any
    ) -> AuthResult:
        self.logged_in.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=not self.wrong_password, handled=False)


class _Controller(Controller):
    def __init__(self, listener: SmtpListener) -> None:
        context = None
        if listener.certificate is not None:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(listener.certificate)
        is_later = listener.tls == "starttls"
        super().__init__(
            listener,
            hostname="127.0.0.1",
            port=listener.port,
            ssl_context=context if listener.tls == "tls" else None,
            authenticator=listener.authenticate,
            auth_require_tls=False,
            tls_context=context if is_later else None,
            require_starttls=is_later,
        )


def make_certificate(folder: Path, host: str = "127.0.0.1") -> Path:
    """A certificate of this machine, that nobody trusts who is not told to, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "mail.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


def plain_of(letter: EmailMessage) -> str:
    """The part for people who read plain text."""
    body = letter.get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    return text


def page_of(letter: EmailMessage) -> str:
    """The part for everybody else."""
    body = letter.get_body(("html",))
    assert body is not None
    text: str = body.get_content()
    return text
