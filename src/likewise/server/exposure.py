"""What is said at the start to whoever lets others reach a server without protecting them."""

from __future__ import annotations

from ipaddress import ip_address

from likewise.server.config import Config


def exposure_warnings(config: Config) -> list[str]:
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
            f"listens on {config.host} without TLS: passwords and texts can be read on their way; "
            "put a proxy with TLS in front, listen on 127.0.0.1, and set LIKEWISE_PUBLIC_URL to "
            "its https:// address (docs/administration.md)"
        )
    if not config.allowed_hosts.strip(", "):
        warnings.append(
            f"listens on {config.host} and answers to every name: set LIKEWISE_ALLOWED_HOSTS to "
            "the names it goes by (docs/administration.md)"
        )
    return warnings


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name: of this machine, as others know it
        return False
