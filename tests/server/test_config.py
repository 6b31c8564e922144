"""How a process is told to run, and what it does not take."""

from __future__ import annotations

import pytest

from likewise.errors import BadSettings
from likewise.server.config import Config, share_of_memory_mb


@pytest.mark.parametrize(
    "address",
    [
        "likewise.example.kz",
        "ftp://likewise.example.kz",
        "https://",
        "https://a.kz/?b",
        "https://[",
    ],
)
def test_a_public_address_is_a_whole_one(address: str) -> None:
    with pytest.raises(BadSettings, match=r"https://likewise\.example\.kz"):
        Config(public_url=address)


def test_public_addresses_may_have_ports_and_paths() -> None:
    for address in ("", "https://likewise.example.kz", "http://10.0.0.1:8080/likewise"):
        assert Config(public_url=address).public_url == address


@pytest.mark.parametrize("name", ["https://a.kz", "a.kz:8000", "a.kz, b.kz:80", "a.kz b.kz", "::1"])
def test_hosts_are_names_without_scheme_and_port(name: str) -> None:
    with pytest.raises(BadSettings, match="without a port"):
        Config(allowed_hosts=name)


def test_several_hosts_are_written_with_commas() -> None:
    for names in ("", "a.kz", "a.kz, b.kz", "[::1],127.0.0.1"):
        assert Config(allowed_hosts=names).allowed_hosts == names


def test_wrong_values_are_told_by_the_variable() -> None:
    with pytest.raises(BadSettings, match="LIKEWISE_PORT"):
        Config.from_environment({"LIKEWISE_PORT": "http"})


def test_workers_and_their_readers_fit_into_the_machine_with_the_server() -> None:
    for gigabytes in (4, 8, 16, 64):
        for workers in (1, 2, 3):
            each = share_of_memory_mb(gigabytes * 1_000_000_000, workers)
            assert 2 * workers * each < gigabytes * 1000
    assert Config(job_memory_mb=3000).worker_memory_mb == 3000
    assert 512 <= Config().worker_memory_mb <= 4096


def test_too_little_memory_for_a_job_is_refused() -> None:
    with pytest.raises(BadSettings, match="job_memory_mb is 100"):
        Config(job_memory_mb=100)
