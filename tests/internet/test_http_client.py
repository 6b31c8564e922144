"""Whom a request reaches, and how long an answer may take."""

import socket
import threading
import time
from typing import Any

import httpx
import pytest

from likewise.internet.errors import NotFetched
from likewise.internet.http_client import HttpClient
from likewise.internet.model import FetchLimits
from likewise.model import Message
from tests.internet.loopback import CERTIFICATE, answer, serving

MB = 1 << 20
LIMITS = FetchLimits(received_bytes=MB, unpacked_bytes=MB, seconds=1.0, connect_seconds=0.5)


def anybody(_host: str, _port: int, _address: str) -> bool:
    return True


def line(limits: FetchLimits = LIMITS, may_connect=anybody, **options) -> HttpClient:
    return HttpClient(limits, may_connect, **options)


def problem_of(page, **options) -> str:
    """Why a page was not to be had."""
    with serving({"/": page}) as site, pytest.raises(NotFetched) as raised:
        line(**options).ask(httpx.URL(site.url()))
    return str(raised.value)


def test_a_request_names_the_host_and_who_we_are():
    with serving({"/a": answer("steppe", content_type="text/plain", x_two="1")}) as site:
        said = line(contact="me@example.org").ask(httpx.URL(site.url("/a?b=c")))
    assert (said.status, said.body, said.headers["x-two"]) == (200, b"steppe", "1")
    (seen,) = site.seen
    assert seen.target == "/a?b=c"
    assert seen.headers["host"] == f"127.0.0.1:{site.port}"
    assert seen.headers["user-agent"].startswith("Likewise/")
    assert "me@example.org" in seen.headers["user-agent"]


def test_a_contact_that_no_header_can_hold_does_no_harm():
    with serving({"/": answer("steppe")}) as site:
        line(contact="Иван (админ)\r\nX: y <ivan@example.org>").ask(httpx.URL(site.url()))
    assert "<ivan@example.org>" in site.seen[0].headers["user-agent"]
    assert "x" not in site.seen[0].headers


def test_the_connection_goes_to_the_address_that_was_checked():
    answers = iter([["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]])
    looked_up, checked = [], []

    def resolve(host, port):
        looked_up.append(host)
        return next(answers)

    def may_connect(host, port, address):  # as if 127.0.0.1 were public and the other not
        checked.append(address)
        return address == "127.0.0.1"

    with serving({"/": answer("steppe")}) as site:
        url = httpx.URL(site.url(host="rebinding.test"))
        fickle = line(may_connect=may_connect, resolve=resolve)
        assert fickle.ask(url).body == b"steppe"
        with pytest.raises(NotFetched, match="not on the public Internet"):
            fickle.ask(url)
        assert fickle.ask(url).body == b"steppe"
    assert looked_up == ["rebinding.test"] * 3  # once for each: nobody asks between
    assert checked == ["127.0.0.1", "127.0.0.2", "127.0.0.1"]
    assert site.seen[0].headers["host"] == f"rebinding.test:{site.port}"


def test_the_connection_goes_to_no_other_address():
    with serving({"/": answer("steppe")}) as site, pytest.raises(NotFetched):
        line(resolve=lambda _h, _p: ["127.0.0.2"]).ask(httpx.URL(site.url(host="localhost")))
    assert site.seen == []


def test_one_private_address_among_public_ones_is_enough_to_refuse():
    with serving({"/": answer("steppe")}) as site, pytest.raises(NotFetched, match="not on the"):
        line(
            may_connect=lambda _h, _p, address: address == "127.0.0.1",
            resolve=lambda _h, _p: ["127.0.0.1", "127.0.0.2"],
        ).ask(httpx.URL(site.url(host="mixed.test")))
    assert site.seen == []


def test_an_address_that_does_not_answer_is_passed_over():
    with serving({"/": answer("steppe")}) as site, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        both = line(resolve=lambda _h, _p: ["::1", "127.0.0.1"])
        assert both.ask(httpx.URL(site.url(host="two.test"))).body == b"steppe"


def test_a_refusal_tells_no_address_of_the_network_inside():
    with pytest.raises(NotFetched) as raised:
        line(may_connect=lambda *_: False, resolve=lambda _h, _p: ["10.1.2.3"]).ask(
            httpx.URL("http://db.internal/")
        )
    assert "10.1.2.3" not in str(raised.value)


def test_secure_connections_name_the_host_and_check_its_certificate(monkeypatch):
    with serving({"/": answer("steppe")}, secure=True) as site:
        here: dict[str, Any] = {"resolve": lambda _h, _p: ["127.0.0.1"]}
        with pytest.raises(NotFetched, match="certificate is not valid"):
            line(**here).ask(httpx.URL(site.url(host="steppe.test", scheme="https")))
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        good = line(**here).ask(httpx.URL(site.url(host="steppe.test", scheme="https")))
        assert good.body == b"steppe"
        with pytest.raises(NotFetched, match="certificate is not valid"):
            line(**here).ask(httpx.URL(site.url(host="other.test", scheme="https")))


def test_no_host_of_that_name():
    with pytest.raises(NotFetched, match=r"no host called nobody\.invalid|is there a network"):
        line().ask(httpx.URL("http://nobody.invalid/"))


def test_no_network():
    def resolve(host, port):
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    with pytest.raises(NotFetched, match=r"looked up; is there a network\?"):
        line(resolve=resolve).ask(httpx.URL("http://example.org/"))


def test_a_look_up_that_never_ends():
    stop = threading.Event()

    def resolve(host, port):
        stop.wait(30)
        return ["127.0.0.1"]

    with pytest.raises(NotFetched, match="not found in time"):
        line(resolve=resolve).ask(httpx.URL("http://slow.test/"))
    stop.set()


def test_a_port_where_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(NotFetched, match="refuses connections"):
            line().ask(httpx.URL(f"http://127.0.0.1:{port}/"))


def test_a_server_that_says_nothing():
    def silent(seen, send):
        time.sleep(3)

    assert problem_of(silent) == "no answer within 1 seconds"


def test_one_byte_now_and_then_does_not_hold_us_beyond_our_time():
    def drip(seen, send):
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(40):
            send(b"a")
            time.sleep(0.1)

    assert problem_of(drip) == "not whole after 1 seconds; given up"


def test_headers_byte_by_byte_do_not_either():
    def drip(seen, send):
        send(b"HTTP/1.1 200 OK\r\nX-Long: ")
        for _ in range(40):
            send(b"a")
            time.sleep(0.1)

    assert problem_of(drip) == "not whole after 1 seconds; given up"


def test_endless_interim_answers_end():
    def interim(seen, send):
        for _ in range(10**6):
            send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")

    assert problem_of(interim) in (
        "longer than 1 MB; not read",
        "not whole after 1 seconds; given up",
    )


def test_ten_gigabytes_are_refused_before_they_come():
    def huge(seen, send):
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
        time.sleep(3)  # whoever waits for the first of them waits too long

    assert problem_of(huge) == "longer than 1 MB; not read"


def test_an_endless_answer_in_chunks_is_given_up():
    def endless(seen, send):
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(10**6):
            send(b"10000\r\n" + bytes(0x10000) + b"\r\n")

    assert problem_of(endless) == "longer than 1 MB; not read"


def test_an_endless_answer_of_no_stated_length_is_given_up():
    def endless(seen, send):
        send(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(10**6):
            send(bytes(0x10000))

    assert problem_of(endless) == "longer than 1 MB; not read"


def test_endless_headers_are_given_up():
    def endless(seen, send):
        send(b"HTTP/1.1 200 OK\r\n")
        for number in range(10**6):
            send(b"X-%d: " % number + b"a" * 1000 + b"\r\n")

    assert problem_of(endless) == "its headers are too long; not read"


def test_a_body_shorter_than_stated_is_not_taken_for_a_page():
    page = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"
    assert problem_of(page) == "the connection broke before the answer was whole"


def test_chunks_that_break_off_are_not_taken_for_a_page():
    page = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf"
    assert problem_of(page) == "the connection broke before the answer was whole"


def test_a_body_longer_than_stated_is_cut_there():
    page = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsteppe and more"
    with serving({"/": page}) as site:
        assert line().ask(httpx.URL(site.url())).body == b"steppe"


@pytest.mark.parametrize(
    "page",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\na",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x00" * 1000,
    ],
)
def test_what_is_not_http_is_named(page):
    assert problem_of(page) == "it does not answer in HTTP"


def test_a_connection_that_is_closed_at_once():
    assert problem_of(b"") == "the connection broke before the answer was whole"


def test_the_beginning_of_a_long_answer_can_be_had():
    with serving({"/": answer(b"a" * 5000)}) as site:
        assert line().ask(httpx.URL(site.url()), most_bytes=1000, cut=True).body == b"a" * 1000


def test_headers_may_be_refused_before_the_body_comes():
    def refuse(headers):
        raise NotFetched(Message.verbatim(headers["content-type"]))

    with (
        serving({"/": answer(b"a", content_type="video/mp4")}) as site,
        pytest.raises(NotFetched, match="video"),
    ):
        line().ask(httpx.URL(site.url()), check=refuse)


def test_proxies_of_the_environment_are_not_used(monkeypatch):
    with serving({"/": answer("steppe")}) as site, serving({}) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url())
        assert line().ask(httpx.URL(site.url())).body == b"steppe"
    assert proxy.seen == []
