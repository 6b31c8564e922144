"""Which URLs may be asked for, and that only the public Internet is public."""

import socket

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.internet.addresses import (
    AllowedHosts,
    is_public,
    parse_url,
    redacted_url,
    system_resolver,
)
from likewise.internet.errors import NotFetched


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


@pytest.mark.parametrize(
    ("url", "why"),
    [
        *((f"{scheme}", "only http and https") for scheme in ("file:///etc/passwd", "ftp://a.org")),
        *((f"{scheme}", "only http and https") for scheme in ("gopher://a.org:70/", "data:,a")),
        ("javascript:alert(1)", "only http and https"),
        ("unix:///run/docker.sock", "only http and https"),
        ("//example.org/a", "only http and https"),
        ("example.org", "only http and https"),
        ("", "only http and https"),
        ("http://", "no host"),
        ("http:///path", "no host"),
        ("https://me:secret@example.org/", "user name or password"),
        ("https://me@example.org/", "user name or password"),
        ("https://example.org:99999/", "not valid"),
        ("https://[::1/", "not valid"),
        ("https://a.org/ b", "blanks or control"),
        ("https://a.org/\r\nHost: b", "blanks or control"),
        ("https://a.org/" + "a" * 5000, "longer than"),
        ("https://" + "a" * 300 + ".org/", "."),
    ],
)
def test_what_is_not_asked_for_and_why(url, why):
    if why == ".":
        parse_url(url)  # no name is that long; that nobody has it is for the look-up to say
        return
    with pytest.raises(NotFetched, match=why) as raised:
        parse_url(url)
    assert "secret" not in str(raised.value)


def test_a_url_is_asked_for_in_one_spelling():
    assert str(parse_url(" HTTPS://Example.ORG:443/a?b=c#d ")) == "https://example.org/a?b=c"
    assert parse_url("https://қазақстан.kz/дала").raw_host == b"xn--80aaa0a6awh12ed.kz"


@pytest.mark.parametrize("port", [22, 25, 6379, 8080, 9200])
def test_other_ports_than_the_usual_are_refused(port):
    url = httpx.URL(f"http://example.org:{port}/")
    with pytest.raises(NotFetched, match=f"on port {port}"):
        AllowedHosts().check_port(url)
    with pytest.raises(NotFetched, match=f"on port {port}"):
        AllowedHosts(["example.org"]).check_port(url)
    AllowedHosts([f"example.org:{port}"]).check_port(url)


def test_allowed_hosts_are_those_and_no_others():
    allowed = AllowedHosts(["Intranet.Example.", "10.0.0.7:8080", "[fd00::7]"])
    assert allowed.has("intranet.example", 80) and allowed.has("INTRANET.example.", 443)
    assert allowed.has("10.0.0.7", 8080) and allowed.has("fd00::7", 443)
    for host, port in (
        ("intranet.example", 8080),
        ("a.intranet.example", 80),
        ("10.0.0.7", 80),
        ("10.0.0.8", 8080),
        ("example", 80),
    ):
        assert not allowed.has(host, port)


def test_what_people_see_holds_no_password():
    assert redacted_url("https://me:secret@example.org/a?b#c") == "https://example.org/a?b"
    assert redacted_url("https://example.org/a@b") == "https://example.org/a@b"


@given(st.text(max_size=60))
def test_any_text_is_a_url_or_a_sentence(text):
    for url in (text, f"http://{text}", f"https://a.org/{text}"):
        try:
            assert parse_url(url).scheme in ("http", "https")
        except NotFetched as error:
            assert str(error)
        assert isinstance(redacted_url(url), str)
