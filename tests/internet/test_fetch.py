"""Pages from sites of every kind, good and bad; each failure is one sentence."""

import gzip
import re
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import brotli
import pytest
import typst
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.internet.fetch import Fetcher
from likewise.internet.model import FetchLimits
from tests.internet.loopback import ARTICLE, CERTIFICATE, Site, answer, html, redirect, serving

MB = 1 << 20
LIMITS = FetchLimits(received_bytes=MB, unpacked_bytes=2 * MB, seconds=2.0, connect_seconds=1.0)
RUSSIAN = "Широкая степь лежала до самого горизонта, и небо над ней было высоким и ясным. " * 8
KAZAKH = "Ұлы дала туралы ән айтып, көк аспанға қарап тұрған қойшы күнін өткізді. " * 8


@pytest.fixture
def fetcher_of(tmp_path):
    def make(*sites: Site, **options) -> Fetcher:
        allowed = [*(site.place for site in sites), *options.pop("also", ())]
        usual = {"limits": LIMITS, "cache": tmp_path / "pages", "delay_seconds": 0.0}
        return Fetcher(**usual | options, allowed_hosts=allowed)

    return make


@pytest.fixture
def fetched(fetcher_of):
    """What comes of one page of a site that has it at `/page`."""

    def fetch(page, path="/page", **others):
        with serving({"/page": page} | others) as site:
            return fetcher_of(site).fetch(site.url(path))

    return fetch


def pdf(text: str) -> bytes:
    return bytes(typst.compile(text.encode()))


# What is read


def test_the_main_text_of_a_web_page(fetcher_of):
    menu = b"<body><nav><a href=/>Home</a> <a href=/a>Buy our things</a></nav>"
    with serving({"/a": answer(html().replace(b"<body>", menu), content_type="text/html")}) as site:
        got = fetcher_of(site).fetch(site.url("/a#part"))
    assert got.problem is None
    assert "Sentence number 7 tells of the steppe" in got.document.text
    assert "Buy our things" not in got.document.compared_text
    assert got.document.name == got.url == got.final_url == site.url("/a")
    assert got.bytes > 1000 and not got.from_cache
    assert timedelta(0) <= datetime.now(UTC) - got.fetched_on < timedelta(minutes=1)


def test_a_pdf_whatever_its_server_calls_it(fetched):
    got = fetched(answer(pdf(ARTICLE), content_type="text/html; charset=utf-8"))
    assert "Sentence number 3 tells of the steppe" in got.document.text


def test_plain_text_and_pages_that_say_they_are_something_else(fetched):
    for body, said in ((ARTICLE.encode(), "application/pdf"), (html(), "image/png")):
        assert "Sentence number 3 tells" in fetched(answer(body, content_type=said)).document.text


@pytest.mark.parametrize(
    ("text", "encoding", "said"),
    [
        (RUSSIAN, "cp1251", "text/html; charset=windows-1251"),
        (RUSSIAN, "koi8-r", 'text/html; charset="KOI8-R"'),
        (RUSSIAN, "cp1251", "text/html; charset=utf-8"),  # wrong
        (RUSSIAN, "utf-8", "text/html; charset=iso-8859-1"),  # wrong
        (RUSSIAN, "cp1251", "text/html; charset=klingon"),
        (RUSSIAN, "cp1251", ""),
        (RUSSIAN, "utf-16", "text/html"),
        (KAZAKH, "kz1048", "text/html; charset=kz-1048"),
        (KAZAKH, "utf-8", "text/html; charset=\xff\x01"),
    ],
)
def test_encodings_stated_rightly_wrongly_and_not_at_all(fetched, text, encoding, said):
    page = f"<!DOCTYPE html><html><body><article><p>{text}</p></article></body></html>"
    header = {"content_type": said} if said.isascii() else {}
    got = fetched(answer(page.encode(encoding), **header))
    assert text.split(".")[0] in got.document.text


def test_packed_pages(fetched):
    for coding, pack in (("gzip", gzip.compress), ("br", brotli.compress)):
        got = fetched(answer(pack(html()), content_encoding=coding))
        assert "Sentence number 3" in got.document.text


# What is not read, and why


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (answer("gone", 404), "there is no such page any more (404)"),
        (answer("no", 403), "the site does not let programs in (403)"),
        (answer("no", 401), "the site asks for a password (401)"),
        (answer("no", 500), "the site has a fault (500)"),
        (answer("no", 418), "the site refuses to show it (418)"),
        (answer(status=204), "the site answers with something else than a page (204)"),
        (answer(status=304), "the site answers with something else than a page (304)"),
        (answer(b""), "the file is empty"),
        (answer(b"\0" * 50, content_type="video/mp4"), "video data, not a document"),
        (answer(b"\x7fELF" + bytes(500)), "a program"),
        (answer(bytes(range(256)) * 20), "binary data, not text"),
        (answer(b"\x1f\x8b" + bytes(100)), "a gzip archive; unpack it first"),
        (answer(status=302), "it redirects to nowhere"),
        (redirect("http://[::1"), "it redirects to a URL that is not valid"),
        (answer(html(), content_encoding="gzip"), "it is packed, and damaged"),
        (
            answer(gzip.compress(bytes(50 * MB)), content_encoding="gzip"),
            "unpacked it is longer than 2 MB; not read",
        ),
        (
            answer(gzip.compress(gzip.compress(bytes(50 * MB))), content_encoding="gzip, gzip"),
            "unpacked it is longer than 2 MB; not read",
        ),
        (answer(b"a" * (MB + 1)), "longer than 1 MB; not read"),
    ],
)
def test_each_failure_is_one_sentence(fetched, page, why):
    got = fetched(page)
    assert (got.document, str(got.problem)) == (None, why)


@pytest.mark.parametrize(
    "page",
    [
        b"<!DOCTYPE html><html><body><div id='root'></div><script src=a></script></body></html>",
        b"<!DOCTYPE html><html><body><div id=app>Loading</div><script>go()</script></body></html>",
        b"<!DOCTYPE html><html><body><noscript>Please enable JavaScript.</noscript>"
        b"<script src=/a.js></script></body></html>",
        "<!DOCTYPE html><html><body><noscript>Включите скрипты в браузере.</noscript>"
        "<script src=/a.js></script></body></html>".encode(),
        b"<!DOCTYPE html><html><head><script src=/a.js></script></head><body></body></html>",
    ],
)
def test_pages_that_need_scripts_are_named(fetched, page):
    problem = fetched(answer(page, content_type="text/html")).problem
    assert str(problem) == "its text is made by scripts, which are not run; not read"


def test_a_page_with_text_and_scripts_is_read(fetched):
    page = html().replace(b"<body>", b"<body><div id=root></div><script src=/a.js></script>")
    assert "Sentence number 3" in fetched(answer(page)).document.text


def test_a_short_page_with_a_counter_on_it_is_read(fetched):
    page = b"<!DOCTYPE html><html><body><p>A short note.</p><script>c()</script></body></html>"
    assert "A short note." in fetched(answer(page)).document.text


def test_a_server_that_hangs(fetched):
    def silent(seen, send):
        time.sleep(4)

    assert str(fetched(silent).problem) == "no answer within 2 seconds"


# Where it does not go


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "LOCALHOST.", "127.1", "2130706433", "0x7f000001", "0x7f.1"),
        *("0177.0.0.1", "017700000001", "0.0.0.0", "0", "[::1]", "[::ffff:127.0.0.1]", "[::]"),
        *("[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[::127.0.0.1]", "127.0.0.1.", "１２７.0.0.1"),
        *("10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
        *("[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[ff02::1]", "255.255.255.255"),
    ],
)
def test_private_hosts_are_not_reached_in_any_spelling(fetcher_of, host):
    for scheme in ("http", "https"):
        got = fetcher_of().fetch(f"{scheme}://{host}/")
        assert got.document is None
        # Some systems know fewer spellings of an address, and some are no valid host.
        assert re.search("not on the public Internet|no host called|not valid", str(got.problem))


def test_a_server_on_this_machine_sees_nothing_of_us_until_it_is_allowed(fetcher_of):
    with serving({"/a": answer(html())}) as site:
        for host in ("127.0.0.1", "localhost", "2130706433"):
            assert "only ports 80 and 443" in str(fetcher_of().fetch(site.url("/a", host)).problem)
        assert site.seen == []
        assert fetcher_of(site).fetch(site.url("/a")).document


def test_a_public_name_that_leads_to_a_private_address(fetcher_of):
    private = fetcher_of(resolve=lambda _host, _port: ["127.0.0.1"])
    assert "inside.test is not on the public" in str(private.fetch("http://inside.test/").problem)


def test_redirects_to_private_places_are_not_followed(fetcher_of):
    targets = [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "//10.0.0.1/",
        "http://2130706433/",
    ]
    with serving({f"/{n}": redirect(target) for n, target in enumerate(targets)}) as site:
        fetcher = fetcher_of(site)
        for number, target in enumerate(targets):
            got = fetcher.fetch(site.url(f"/{number}"))
            assert got.document is None
            assert "not on the public Internet" in str(got.problem), target


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("file:///etc/passwd", "only http and https"),
        ("ftp://example.org/", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("https://me:secret@example.org/", "user name or password"),
        ("http://example.org:22/", "on port 22"),
        ("http://127.0.0.1:1/", "on port 1"),
        ("/a b", "not valid|blanks|no such page"),
    ],
)
def test_redirects_to_forbidden_urls_are_not_followed(fetched, target, why):
    got = fetched(redirect(target))
    assert got.document is None
    assert re.search(why, str(got.problem))
    assert "secret" not in str(got.problem) + got.final_url


def test_a_redirect_between_two_sites_through_one_that_is_not_allowed(fetcher_of):
    with serving({}) as inside, serving({}) as site:
        site.pages = {"/a": redirect(inside.url("/secret"))}
        inside.pages = {"/secret": answer(html())}
        assert "on port" in str(fetcher_of(site).fetch(site.url("/a")).problem)
        assert inside.seen == []
        got = fetcher_of(site, inside).fetch(site.url("/a"))
        assert got.document and got.final_url == inside.url("/secret")


def test_redirects_are_followed_one_by_one_and_not_for_ever(fetcher_of):
    chain = {f"/{n}": redirect(f"/{n + 1}", 301 + n % 2) for n in range(20)}
    chain |= {"/loop": redirect("/loop"), "/20": answer(html()), "/17": redirect("18", 308)}
    with serving(chain) as site:
        fetcher = fetcher_of(site)
        got = fetcher.fetch(site.url("/16"))
        assert got.document and got.final_url == site.url("/20") and got.url == site.url("/16")
        assert "more than 5 times" in str(fetcher.fetch(site.url("/1")).problem)
        assert "more than 5 times" in str(fetcher.fetch(site.url("/loop")).problem)
        assert site.paths().count("/loop") == 6


def test_a_redirect_from_a_secure_connection_to_an_open_one(fetcher_of, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with serving({"/a": answer(html())}) as plain, serving({}, secure=True) as secure:
        secure.pages = {
            "/down": redirect(plain.url("/a")),
            "/page": answer(html()),
        }
        fetcher = fetcher_of(
            plain,
            also=[f"steppe.test:{secure.port}"],
            resolve=lambda _h, _p: ["127.0.0.1"],
        )
        assert fetcher.fetch(secure.url("/page", "steppe.test", "https")).document
        got = fetcher.fetch(secure.url("/down", "steppe.test", "https"))
        assert (
            str(got.problem) == "it redirects from a secure connection to an open one; not followed"
        )
        assert plain.seen == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("file:///etc/passwd", "only http and https"),
        ("https://me:secret@example.org/", "user name or password"),
        ("http://example.org:6379/", "on port 6379"),
        ("nonsense", "only http and https"),
        ("http://a.org/\r\nX: y", "blanks or control"),
    ],
)
def test_urls_that_are_not_asked_for(fetcher_of, url, why):
    got = fetcher_of().fetch(url)
    assert why in str(got.problem)
    assert "secret" not in repr(got)


# What the site asks for


def test_what_robots_txt_forbids_is_not_fetched(fetcher_of):
    rules = answer("User-agent: Likewise\nDisallow: /private\nAllow: /private/but-this")
    pages = {path: answer(html()) for path in ("/private", "/private/but-this", "/a")}
    with serving(pages | {"/robots.txt": rules, "/to": redirect("/private")}) as site:
        fetcher = fetcher_of(site)
        why = "the site's robots.txt asks programs not to fetch it"
        assert str(fetcher.fetch(site.url("/private?x=1")).problem) == why
        assert str(fetcher.fetch(site.url("/to")).problem) == why
        assert fetcher.fetch(site.url("/private/but-this")).document
        assert fetcher.fetch(site.url("/a")).document
    assert "/private" not in site.paths()
    assert site.paths().count("/robots.txt") == 1


def test_robots_txt_is_kept_for_a_day(fetcher_of):
    with serving({"/robots.txt": answer("", 404), "/a": answer(html())}) as site:
        for _ in range(2):
            assert fetcher_of(site).fetch(site.url("/a")).document
    assert site.paths() == ["/robots.txt", "/a"]


def test_a_site_that_cannot_give_its_rules_is_left_alone(fetcher_of):
    with serving({"/robots.txt": answer("", 503), "/a": answer(html())}) as site:
        assert "robots.txt" in str(fetcher_of(site).fetch(site.url("/a")).problem)
    assert "/a" not in site.paths()


def test_rules_behind_redirects_count_and_private_places_are_none(fetcher_of):
    with serving({"/a": answer(html()), "/rules": answer("User-agent: *\nDisallow: /")}) as site:
        site.pages = dict(site.pages) | {"/robots.txt": redirect("/rules")}
        assert "robots.txt asks" in str(fetcher_of(site).fetch(site.url("/a")).problem)
    assert "/a" not in site.paths()
    with serving({"/a": answer(html()), "/robots.txt": redirect("http://10.0.0.1/")}) as site:
        assert "robots.txt asks" in str(fetcher_of(site).fetch(site.url("/a")).problem)
    assert "/a" not in site.paths()


def test_endless_rules_are_read_as_far_as_the_standard_says(fetcher_of):
    rules = b"User-agent: *\nDisallow: /private\n" + b"# steppe\n" * 100_000
    with serving({"/robots.txt": answer(rules), "/a": answer(html())}) as site:
        fetcher = fetcher_of(site)
        assert "robots.txt" in str(fetcher.fetch(site.url("/private")).problem)
        assert fetcher.fetch(site.url("/a")).document


def test_a_site_that_asks_to_come_back_later_is_left_alone(fetcher_of):
    with serving({"/busy": answer("", 429, retry_after="60"), "/a": answer(html())}) as site:
        fetcher = fetcher_of(site)
        assert (
            str(fetcher.fetch(site.url("/busy")).problem)
            == "the site asks to come back later (429)"
        )
        assert "come back later" in str(fetcher.fetch(site.url("/a")).problem)
    assert "/a" not in site.paths()


def test_a_site_that_cannot_be_reached_is_tried_once(fetcher_of):
    looked_up = []

    def resolve(host, port):
        looked_up.append(host)
        raise OSError("no such host")

    got = fetcher_of(resolve=resolve).fetch_many([f"http://gone.test/{n}" for n in range(9)])
    assert {str(page.problem) for page in got} == {"there is no host called gone.test"}
    assert looked_up == ["gone.test"]


def test_all_hops_together_take_no_longer_than_the_limit(fetcher_of):
    def slow(seen):
        time.sleep(0.8)
        return redirect(f"{seen.path}0")

    with serving({"/1": slow, "/10": slow, "/100": slow, "/1000": answer(html())}) as site:
        problem = fetcher_of(site).fetch(site.url("/1")).problem
    assert str(problem) == "no answer within 2 seconds"


def test_crawl_delays_are_kept_up_to_a_limit(fetcher_of):
    times = []

    def page(seen):
        times.append(time.monotonic())
        return answer(html())

    with serving({"/robots.txt": answer("User-agent: *\nCrawl-delay: 9"), "/a": page}) as site:
        fetcher = fetcher_of(site, longest_delay_seconds=0.3)
        fetcher.fetch_many([site.url(f"/a?{n}") for n in range(3)])
    assert len(times) == 3
    assert all(later - earlier >= 0.29 for earlier, later in pairwise(times))


# The cache


def test_a_fresh_page_is_not_asked_for_again(fetcher_of):
    with serving({"/a": answer(html()), "/b": redirect("/a")}) as site:
        first = fetcher_of(site).fetch(site.url("/b"))
        again = fetcher_of(site).fetch(site.url("/b"))
    assert again.from_cache and not first.from_cache
    assert again.bytes == 0
    assert again.document.text == first.document.text
    assert (again.final_url, again.fetched_on) == (site.url("/a"), first.fetched_on)
    assert site.paths() == ["/robots.txt", "/b", "/a"]


def test_a_page_is_asked_for_with_its_validators(fetcher_of):
    def page(seen):
        if seen.headers.get("if-none-match") == '"7"':
            return answer(status=304)
        return answer(
            html(),
            etag='"7"',
            last_modified="Fri, 01 May 2026 12:00:00 GMT",
            cache_control="no-cache",
        )

    with serving({"/a": page, "/b": redirect("/a")}) as site:
        first = fetcher_of(site).fetch(site.url("/b"))
        again = fetcher_of(site).fetch(site.url("/b"))
    assert again.from_cache and again.document.text == first.document.text
    assert again.fetched_on >= first.fetched_on
    last = site.seen[-1]
    assert last.headers["if-modified-since"] == "Fri, 01 May 2026 12:00:00 GMT"
    assert "if-none-match" not in site.seen[-2].headers  # the redirect is another page


def test_another_page_cannot_claim_to_be_the_one_in_the_cache(fetcher_of):
    first = answer(html(), etag='"7"', cache_control="no-cache")
    with serving({"/a": first, "/b": answer(status=304)}) as site:
        assert fetcher_of(site).fetch(site.url("/a")).document
        site.pages = dict(site.pages) | {"/a": redirect("/b")}
        assert "something else than a page (304)" in str(
            fetcher_of(site).fetch(site.url("/a")).problem
        )


def test_a_validator_in_strange_letters_goes_back_as_it_came(fetcher_of):
    def page(seen):
        if seen.headers.get("if-none-match"):
            return answer(status=304)
        head = b'HTTP/1.1 200 OK\r\nETag: "\xd1\xff"\r\nCache-Control: no-cache\r\n\r\n'
        return head + html()

    with serving({"/a": page}) as site:
        assert fetcher_of(site).fetch(site.url("/a")).document
        assert fetcher_of(site).fetch(site.url("/a")).from_cache
    assert site.seen[-1].headers["if-none-match"] == '"\xd1\xff"'


def test_a_page_that_changed_is_read_anew(fetcher_of):
    texts = iter([ARTICLE, ARTICLE.replace("steppe", "taiga")])

    def page(seen):
        return answer(html(next(texts)), etag='"7"', cache_control="max-age=0")

    with serving({"/a": page}) as site:
        assert "steppe" in fetcher_of(site).fetch(site.url("/a")).document.text
        assert "taiga" in fetcher_of(site).fetch(site.url("/a")).document.text


def test_a_private_page_in_the_cache_is_not_shown_once_its_host_is_not_allowed(fetcher_of):
    with serving({"/a": answer(html())}) as site:
        assert fetcher_of(site).fetch(site.url("/a")).document
        assert fetcher_of().fetch(site.url("/a")).document is None


# Many


def test_many_pages_in_the_order_they_were_asked_for(fetcher_of):
    pages = {f"/{n}": answer(html(ARTICLE.replace("steppe", f"steppe{n}"))) for n in range(6)}
    heard = []
    with serving(pages) as one, serving(pages) as two:
        urls = [site.url(f"/{n}") for n in range(6) for site in (one, two)]
        urls.insert(3, "file:///etc/passwd")
        urls.insert(5, one.url("/missing"))
        got = fetcher_of(one, two).fetch_many(urls, tell=heard.append)
    assert [page.url for page in got] == urls
    assert [page.document is None for page in got].count(True) == 2
    assert all(f"steppe{page.url[-1]}" in page.document.text for page in got if page.document)
    assert sorted(page.url for page in heard) == sorted(urls)


def test_none_of_many(fetcher_of):
    assert fetcher_of().fetch_many([]) == []


def test_by_environment():
    settings = {"LIKEWISE_PRIVATE_HOSTS": "127.0.0.1:1, b.test", "LIKEWISE_MAILTO": "me@a.org"}
    allowed = Fetcher.by_environment(settings)
    assert "refuses connections" in str(allowed.fetch("http://127.0.0.1:1/").problem)
    assert "on port" in str(Fetcher.by_environment({}).fetch("http://127.0.0.1:1/").problem)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(head=st.binary(max_size=80), body=st.binary(max_size=80))
def test_whatever_a_server_says_a_page_or_a_sentence_comes_of_it(fetcher_of, head, body):
    said = b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + body
    with serving({"/a": said, "/robots.txt": answer("")}) as site:
        got = fetcher_of(site).fetch(site.url("/a"))
    assert (got.document is None) is (got.problem is not None)
    assert "unexpected" not in str(got.problem or "")
