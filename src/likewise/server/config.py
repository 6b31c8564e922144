"""How one server process is run: by its command line, else by its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from typing import Any, get_type_hints
from urllib.parse import urlsplit

from likewise.catalogue import Message
from likewise.errors import BadSettings
from likewise.machine import memory_bytes

PREFIX = "LIKEWISE_"
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")
_MEMORY_OF_TEXT = 80  # bytes of a worker for each of a text, with some to spare
LEAST_SHARED_MB, MOST_SHARED_MB = 512, 4096  # of one worker, where nobody has said how much
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def _option(default: Any, about: str, *, is_secret: bool = False) -> Any:
    return field(default=default, metadata={"about": about}, repr=not is_secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a process is told when it starts; administrators change `SiteSettings`.

    >>> Config.from_environment({"LIKEWISE_PORT": "9000"}).port
    9000
    """

    host: str = _option("127.0.0.1", "the address to listen on")
    port: int = _option(8000, "the port to listen on; 0 takes a free one")
    workers: int = _option(2, "worker processes that run jobs beside the server; 0 for none")
    public_url: str = _option("", "where browsers reach the server, if not at host and port")
    allowed_hosts: str = _option("", "host names that are answered, with commas; default all")
    trusted_proxies: str = _option("", "addresses of proxies whose X-Forwarded-For is believed")
    access_minutes: int = _option(15, "how long an access token is good")
    refresh_days: int = _option(14, "how long a log in lasts without being used")
    session_days: int = _option(30, "how long a log in lasts, however much it is used")
    key_days: int = _option(30, "how long a signing key signs before the next takes over")
    drain_seconds: int = _option(
        0, "for which a server that is told to stop says that it is not ready, and still answers"
    )
    finish_seconds: int = _option(5, "for requests that are being answered when a server stops")
    log_level: str = _option("info", "debug, info, warning or error")
    log_format: str = _option("json", "json, or text for people")
    require_sandbox: bool = _option(False, "read nothing where readers cannot be confined; 1 or 0")
    job_memory_mb: int = _option(
        0, "what one worker process may use; 0 shares out the machine's memory, 512 to 4096 each"
    )
    job_lease_seconds: int = _option(30, "after which silence of a worker its job is given away")
    job_seconds: int = _option(
        3600, "what one check may take; adding and classes 6 times, a rebuild 24 times as long"
    )

    secret_key: str = _option(
        "",
        "encrypts the keys of providers that are typed in; in the environment alone",
        is_secret=True,
    )

    mail_host: str = _option("", "the server that sends mail; without one nobody gets any")
    mail_port: int = _option(587, "the port of that server")
    mail_user: str = _option("", "whom to log in as there, if anybody")
    mail_password: str = _option("", "the password there; in the environment alone", is_secret=True)
    mail_from: str = _option("", "the address that mail comes from")
    mail_tls: str = _option("starttls", "starttls, tls from the first byte, or none")

    # What the network is granted
    max_connections: int = _option(1000, "connections at a time, in all")
    max_connections_per_address: int = _option(200, "of them from one address, proxies excepted")
    header_seconds: int = _option(20, "within which the header of a request must have come")
    keep_alive_seconds: int = _option(30, "after which a connection that asks nothing is closed")
    stall_seconds: int = _option(60, "for which a caller may be slower than the least rate")
    min_bytes_a_second: int = _option(1000, "the least rate at which a caller sends or takes bytes")
    log_kilobytes_a_minute: int = _option(2000, "what one process writes into its log at most")

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] | None = None, **overrides: Any
    ) -> Config:
        """The environment's word, and over it what is given and not None."""
        variables = os.environ if environment is None else environment
        kinds = get_type_hints(cls)
        values: dict[str, Any] = {}
        for one in fields(cls):
            variable = PREFIX + one.name.upper()
            if variable in variables:
                values[one.name] = _read(variable, variables[variable], kinds[one.name])
        return cls(
            **values | {name: value for name, value in overrides.items() if value is not None}
        )

    def __post_init__(self) -> None:
        for name, low, high in (
            *(("port", 0, 65535), ("workers", 0, 64), ("access_minutes", 1, 1440)),
            *(("refresh_days", 1, 365), ("key_days", 1, 365)),
            *(("job_lease_seconds", 2, 3600), ("job_seconds", 1, 30 * 86_400)),
            *([("job_memory_mb", 256, 1 << 20)] if self.job_memory_mb else []),
            *(("session_days", 1, 365), ("mail_port", 1, 65535)),
            *(("drain_seconds", 0, 3600), ("finish_seconds", 1, 3600)),
        ):
            if not low <= getattr(self, name) <= high:
                raise _range_error(name, getattr(self, name), low, high)
        for name, low, high in (
            *(("max_connections", 10, 100_000), ("max_connections_per_address", 1, 100_000)),
            *(("header_seconds", 1, 600), ("keep_alive_seconds", 1, 3600)),
            *(("stall_seconds", 1, 3600), ("min_bytes_a_second", 1, 1_000_000)),
            ("log_kilobytes_a_minute", 10, 1_000_000),
        ):
            if not low <= getattr(self, name) <= high:
                raise _range_error(name, getattr(self, name), low, high)
        _ensure_address(self.public_url)
        _ensure_names(self.allowed_hosts)
        for name, choices in (
            ("log_level", ("debug", "info", "warning", "error")),
            ("log_format", ("json", "text")),
            ("mail_tls", ("starttls", "tls", "none")),
        ):
            if getattr(self, name) not in choices:
                raise _choice_error(name, getattr(self, name), choices)
        self._ensure_mail()

    def _ensure_mail(self) -> None:
        """A link in a mail leads to `public_url`: what callers say of the host is not believed."""
        if not self.mail_host:
            return
        if not self.public_url:
            raise BadSettings("server.mail_without_address", name="mail_host", other="public_url")
        name, _, domain = self.mail_from.rpartition("@")
        if not (name and domain) or any(sign.isspace() for sign in self.mail_from):
            raise _address_error("mail_from", self.mail_from, "likewise@example.kz")
        if self.mail_user and self.mail_tls == "none" and self.mail_host not in _THIS_MACHINE:
            raise BadSettings("server.mail_in_clear", name="mail_tls", value="none")

    @property
    def most_text_bytes(self) -> int:
        """How long a text may be that is checked: what fits into a worker while it is aligned."""
        return max(1, self.worker_memory_mb // _MEMORY_OF_TEXT) * 1_000_000

    @property
    def worker_memory_mb(self) -> int:
        """What one worker process may use: as told, else a share of the machine."""
        there = memory_bytes()
        if self.job_memory_mb or there is None:
            return self.job_memory_mb or MOST_SHARED_MB
        return share_of_memory_mb(there, max(self.workers, 1))


def share_of_memory_mb(memory_bytes: int, workers: int) -> int:
    """A share for each worker, one for its readers, and one for the server.

    >>> [share_of_memory_mb(gigabytes * 1_000_000_000, 2) for gigabytes in (2, 4, 8, 64)]
    [512, 800, 1600, 4096]
    """
    share = memory_bytes // 1_000_000 // (2 * workers + 1)
    return max(LEAST_SHARED_MB, min(share, MOST_SHARED_MB))


def _ensure_address(public_url: str) -> None:
    """Cookies are made for this address: with a wrong one nobody would stay logged in."""
    if not public_url:
        return
    try:
        parts = urlsplit(public_url)
        is_fit = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_fit = False
    if not is_fit or parts.query or parts.fragment:
        raise _address_error("public_url", public_url, "https://likewise.example.kz")


def _ensure_names(allowed_hosts: str) -> None:
    """Names without scheme and port, as they are compared: others would refuse everybody."""
    for name in filter(None, map(str.strip, allowed_hosts.split(","))):
        is_ipv6 = name.startswith("[") and name.endswith("]")
        if not is_ipv6 and any(sign in name for sign in ":/ "):
            raise BadSettings(
                "server.setting_host",
                name="allowed_hosts",
                value=name,
                example="likewise.example.kz",
                scheme="https://",
            )


def _read(variable: str, value: str, kind: type) -> Any:
    if kind is bool:
        if value.lower() not in _TRUE + _FALSE:
            raise _choice_error(variable, value, ("1", "0"))
        return value.lower() in _TRUE
    try:
        return kind(value)
    except ValueError:
        raise BadSettings("server.setting_number", name=variable, value=value) from None


def _range_error(name: str, value: int, low: int, high: int) -> BadSettings:
    return BadSettings("server.setting_range", name=name, value=value, low=low, high=high)


def _choice_error(name: str, value: str, choices: tuple[str, ...]) -> BadSettings:
    return BadSettings("server.setting_choice", name=name, value=value, choices=choices)


def _address_error(name: str, value: str, example: str) -> BadSettings:
    return BadSettings("server.setting_address", name=name, value=value, example=example)


_GUIDE = "docs/administration.md"


def exposure_warnings(config: Config) -> list[Message]:
    """One sentence for each thing that is missing; none where only this machine is answered.

    >>> exposure_warnings(Config())
    []
    >>> len(exposure_warnings(Config(host="0.0.0.0")))
    2
    """
    if _is_loopback(config.host):
        return []
    warnings = []
    if not config.public_url.startswith("https://"):
        warnings.append(
            Message(
                "server.exposed_without_tls",
                {
                    "host": config.host,
                    "tls": "TLS",
                    "local": "127.0.0.1",
                    "variable": "LIKEWISE_PUBLIC_URL",
                    "scheme": "https://",
                    "file": _GUIDE,
                },
            )
        )
    if not config.allowed_hosts.strip(", "):
        values = {"host": config.host, "variable": "LIKEWISE_ALLOWED_HOSTS", "file": _GUIDE}
        warnings.append(Message("server.exposed_to_names", values))
    return warnings


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name: of this machine, as others know it
        return False
