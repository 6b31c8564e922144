"""What a server says at the start to whoever lets others reach it."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.server.config import Config, exposure_warnings
from tests.server.connecting import running


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.5", "::1", "localhost"])
def test_on_this_machine_alone_there_is_nothing_to_say(host: str) -> None:
    assert exposure_warnings(Config(host=host)) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "campus"])
def test_whoever_can_be_reached_is_told_what_is_missing(host: str) -> None:
    url, names = "https://likewise.example.kz", "likewise.example.kz"
    tls, hosts = exposure_warnings(Config(host=host))
    assert "without TLS" in str(tls) and "LIKEWISE_ALLOWED_HOSTS" in str(hosts)
    assert exposure_warnings(Config(host=host, public_url=url)) == [hosts]
    assert exposure_warnings(Config(host=host, allowed_hosts=names)) == [tls]
    assert exposure_warnings(Config(host=host, public_url=url, allowed_hosts=names)) == []
    plain = Config(host=host, public_url="http://likewise.example.kz", allowed_hosts=names)
    assert exposure_warnings(plain) == [tls]


def test_a_server_says_so_in_its_log(tmp_path: Path) -> None:
    with running(tmp_path, host="0.0.0.0") as server:
        warned = [line["event"] for line in server.lines() if line["level"] == "warning"]
    assert len(warned) == 2
    assert "without TLS" in warned[0] and "every name" in warned[1]
