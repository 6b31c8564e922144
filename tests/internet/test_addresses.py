"""Only the public Internet is public, however an address is written."""

import socket

import pytest

from likewise.internet.addresses import is_public, system_resolver


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1"),
        *("172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255"),
        *("224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.0.0.1"),
        *("192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.9", "192.88.99.1"),
        *("::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::ffff:0:7f00:1"),
        *("fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"),
        *("64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"),
        *("2001:db8::1", "2001::1", "2002:7f00:1::", "3fff::1", "100::1", "5f00::1"),
    ],
)
def test_addresses_of_machines_and_networks_of_ones_own_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.215.14", "8.8.8.8", "172.32.0.1", "100.128.0.1", "169.253.0.1", "223.255.255.1"),
        *("2606:2800:21f:cb07::1", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"),
    ],
)
def test_addresses_of_the_internet_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "text", ["", "example.org", "127.1", "0x7f000001", "2130706433", "1.2.3.4.5", "8.8.8.8/8"]
)
def test_what_is_no_address_is_not_public(text):
    assert not is_public(text)


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1"),
        *("017700000001", "0", "0.0.0.0", "::1", "::ffff:127.0.0.1"),
    ],
)
def test_every_spelling_of_this_machine_leads_to_an_address_that_is_not_public(host):
    try:
        addresses = system_resolver(host, 80)
    except socket.gaierror:
        addresses = []  # some systems know fewer spellings
    assert not any(is_public(address) for address in addresses)
    assert addresses or host not in ("localhost", "127.0.0.1")
