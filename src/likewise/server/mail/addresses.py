"""Addresses of mail, and whether mail is sent at all."""

from __future__ import annotations

from likewise.server.config import Config

LONGEST = 254  # characters of an address (RFC 5321, 4.5.3.1.3, without its brackets)


def is_address(text: str) -> bool:
    """Whether mail can be sent there: one @, a domain, and nothing that could end a header.

    >>> is_address("aigul@example.kz"), is_address("a@b@c"), is_address("a b@c.kz")
    (True, False, False)
    """
    name, _, domain = text.partition("@")
    is_plain = text.isprintable() and not any(sign.isspace() or sign in '<>",;:()' for sign in text)
    return bool(name and domain) and "@" not in domain and is_plain and len(text) <= LONGEST


def sends_mail(config: Config) -> bool:
    """Whether this server was told how to send mail."""
    return bool(config.mail_host)
