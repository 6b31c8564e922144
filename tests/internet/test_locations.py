"""Which URLs may be asked for."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.internet.errors import NotFetched
from likewise.internet.locations import AllowedHosts, parsed, shown


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
        parsed(url)  # no name is that long; that nobody has it is for the look-up to say
        return
    with pytest.raises(NotFetched, match=why) as raised:
        parsed(url)
    assert "secret" not in str(raised.value)


def test_a_url_is_asked_for_in_one_spelling():
    assert str(parsed(" HTTPS://Example.ORG:443/a?b=c#d ")) == "https://example.org/a?b=c"
    assert parsed("https://қазақстан.kz/дала").raw_host == b"xn--80aaa0a6awh12ed.kz"


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
    assert shown("https://me:secret@example.org/a?b#c") == "https://example.org/a?b"
    assert shown("https://example.org/a@b") == "https://example.org/a@b"


@given(st.text(max_size=60))
def test_any_text_is_a_url_or_a_sentence(text):
    for url in (text, f"http://{text}", f"https://a.org/{text}"):
        try:
            assert parsed(url).scheme in ("http", "https")
        except NotFetched as error:
            assert str(error)
        assert isinstance(shown(url), str)
