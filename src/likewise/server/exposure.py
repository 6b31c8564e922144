"""What is said at the start to whoever lets others reach a server without protecting them."""

from __future__ import annotations

from ipaddress import ip_address

from likewise.catalogue import Message
from likewise.server.config import Config

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
