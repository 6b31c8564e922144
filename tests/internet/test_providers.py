"""Every provider against a server that speaks as its documentation says, faults included."""

import base64
import json
import logging
import socket
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.errors import BadSettings
from likewise.internet.errors import ProviderFailed
from likewise.internet.model import FetchLimits, Result
from likewise.internet.providers import VARIABLES, available, search_all
from likewise.internet.providers.arxiv import ArXiv
from likewise.internet.providers.registry import KINDS
from tests.internet.loopback import Site, answer, serving

KEY = "K3y/with+signs="
QUERY = "grass of the open steppe"
LIMITS = FetchLimits(received_bytes=1 << 20, unpacked_bytes=1 << 20, seconds=1.0)
PAGES = [(f"https://example.org/{n}", f"Page {n}", f"The steppe, part {n}") for n in range(1, 4)]

YANDEX = """<?xml version="1.0" encoding="utf-8"?><yandexsearch version="1.0">
<response date="20260928T103130">{}</response></yandexsearch>"""
ATOM = """<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">
<title type="html">ArXiv Query</title>{}</feed>"""


def told(value: object, status: int = 200, **headers: str) -> bytes:
    return answer(json.dumps(value), status, content_type="application/json", **headers)


def yandex(inside: str) -> bytes:
    return told({"rawData": base64.b64encode(YANDEX.format(inside).encode()).decode()})


def atom(inside: str) -> bytes:
    return answer(ATOM.format(inside), content_type="application/atom+xml")


# For each: its variables, the path that is asked, a good answer, one without results, a refusal of
# the key and a spent quota, each as its documentation gives them.
SPEAKS = {
    "SEARXNG": (
        {},
        "/search",
        told(
            {
                "query": QUERY,
                "results": [
                    {"url": url, "title": title, "content": text, "engine": "x", "score": 1.0}
                    for url, title, text in PAGES
                ],
                "unresponsive_engines": [],
            }
        ),
        told({"query": QUERY, "results": [], "unresponsive_engines": []}),
        answer("Forbidden", 403),
        answer("Too Many Requests", 429),
    ),
    "BRAVE": (
        {},
        "/v1/web/search",
        told(
            {
                "type": "search",
                "web": {
                    "type": "search",
                    "results": [
                        {"url": url, "title": title, "description": f"<strong>{text}</strong>"}
                        for url, title, text in PAGES
                    ],
                },
            }
        ),
        told({"type": "search", "query": {"original": QUERY}}),
        told(
            {
                "type": "ErrorResponse",
                "error": {
                    "code": "SUBSCRIPTION_TOKEN_INVALID",
                    "detail": "The provided subscription token is invalid.",
                    "status": 422,
                },
            },
            422,
        ),
        told(
            {
                "type": "ErrorResponse",
                "errors": [{"code": "QUOTA_LIMITED", "detail": "Request quota limit exceeded."}],
            },
            429,
        ),
    ),
    "GOOGLE": (
        {"LIKEWISE_GOOGLE_ENGINE": "engine"},
        "/customsearch/v1",
        told(
            {
                "kind": "customsearch#search",
                "items": [
                    {"link": url, "title": title, "snippet": text} for url, title, text in PAGES
                ],
            }
        ),
        told({"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}}),
        told(
            {"error": {"code": 400, "message": f"API key not valid: {KEY}. Pass a valid API key."}},
            400,
        ),
        told(
            {
                "error": {
                    "code": 429,
                    "message": "Quota exceeded for quota metric 'Queries'",
                    "status": "RESOURCE_EXHAUSTED",
                }
            },
            429,
        ),
    ),
    "YANDEX": (
        {"LIKEWISE_YANDEX_FOLDER": "folder"},
        "/v2/web/search",
        yandex(
            "<results><grouping>"
            + "".join(
                f"<group><doc><url>{url}</url><title>{title}</title><passages><passage>"
                f"{text.replace('steppe', '<hlword>steppe</hlword>')}</passage></passages></doc>"
                "</group>"
                for url, title, text in PAGES
            )
            + "</grouping></results>"
        ),
        yandex('<error code="15">No results found for your word combination</error>'),
        told({"code": 16, "message": f"Unknown api key '{KEY}'", "details": []}, 401),
        yandex('<error code="32">Limit on the number of queries exceeded</error>'),
    ),
    "BING": (
        {},
        "/v7.0/search",
        told(
            {
                "_type": "SearchResponse",
                "webPages": {
                    "value": [
                        {"url": url, "name": title, "snippet": text} for url, title, text in PAGES
                    ]
                },
            }
        ),
        told({"_type": "SearchResponse", "rankingResponse": {}}),
        told(
            {
                "_type": "ErrorResponse",
                "errors": [{"code": "InvalidAuthorization", "message": "Authorization required."}],
            },
            401,
        ),
        told({"_type": "ErrorResponse", "errors": [{"message": "Out of call volume quota."}]}, 403),
    ),
    "OPENALEX": (
        {},
        "/works",
        told(
            {
                "meta": {"count": 3},
                "results": [
                    {
                        "id": "https://openalex.org/W1",
                        "title": title,
                        "best_oa_location": {"pdf_url": url},
                        "abstract_inverted_index": {
                            word: [at] for at, word in reversed(list(enumerate(text.split())))
                        },
                    }
                    for url, title, text in PAGES
                ],
            }
        ),
        told({"meta": {"count": 0}, "results": []}),
        told({"error": "Invalid API key", "message": f"API key {KEY} not found"}, 401),
        told({"error": "Too Many Requests", "message": "Rate limit exceeded"}, 429),
    ),
    "CORE": (
        {},
        "/v3/search/works/",
        told(
            {
                "totalHits": 3,
                "results": [
                    {"downloadUrl": url, "title": title, "abstract": text}
                    for url, title, text in PAGES
                ],
            }
        ),
        told({"totalHits": 0, "results": []}),
        told({"message": "The API Key you provided is not valid."}, 401),
        told({"message": "You have exceeded the rate limit."}, 429),
    ),
    "CROSSREF": (
        {},
        "/works",
        told(
            {
                "status": "ok",
                "message": {
                    "items": [
                        {
                            "URL": "https://doi.org/10.1/1",
                            "title": [title],
                            "abstract": f"<jats:p>{text}</jats:p>",
                            "link": [{"URL": url, "content-type": "application/pdf"}],
                        }
                        for url, title, text in PAGES
                    ]
                },
            }
        ),
        told({"status": "ok", "message": {"items": []}}),
        answer("Unauthorized", 401),
        answer("Too many requests", 429),
    ),
    "ARXIV": (
        {},
        "/api/query",
        atom(
            "".join(
                f"<entry><id>http://arxiv.org/abs/1</id><title>{title}</title>"
                f"<summary>\n  {text}\n</summary><link title='pdf' href='{url}'/></entry>"
                for url, title, text in PAGES
            )
        ),
        atom(""),
        answer("Forbidden", 403),
        answer("Rate exceeded.", 429),
    ),
}
KEYED = [name for name in SPEAKS if name not in ("SEARXNG", "CROSSREF", "ARXIV")]


def provider_at(name: str, site: Site, base: str = ""):
    environment = {f"LIKEWISE_{name}_URL": site.url(base)}
    if name in ("CROSSREF", "ARXIV"):
        environment["LIKEWISE_MAILTO"] = "me@example.org"
    elif name in KEYED:
        environment[f"LIKEWISE_{name}_KEY"] = KEY
    found = available(environment | SPEAKS[name][0], limits=LIMITS)
    return next(provider for provider in found if provider.host == "127.0.0.1")


def failure(name: str, page) -> ProviderFailed:
    with serving({SPEAKS[name][1]: page}) as site, pytest.raises(ProviderFailed) as raised:
        provider_at(name, site).search(QUERY)
    assert KEY not in str(raised.value)
    return raised.value


@pytest.mark.parametrize("name", SPEAKS)
def test_a_provider_finds_pages(name):
    _, path, good, _, _, _ = SPEAKS[name]
    with serving({path: good}) as site:
        provider = provider_at(name, site)
        found = provider.search(QUERY, 10)
    assert found == [
        Result(url, title, text, provider.name, rank)
        for rank, (url, title, text) in enumerate(PAGES, 1)
    ]
    (seen,) = site.seen
    assert all(word in (seen.target + seen.body.decode()) for word in ("grass", "steppe"))
    assert seen.headers["user-agent"].startswith("Likewise/")


@pytest.mark.parametrize("name", SPEAKS)
def test_no_more_than_were_asked_for(name):
    _, path, good, _, _, _ = SPEAKS[name]
    with serving({path: good}) as site:
        assert len(provider_at(name, site).search(QUERY, 2)) == 2


@pytest.mark.parametrize("name", SPEAKS)
def test_nothing_found_is_no_failure(name):
    _, path, _, nothing, _, _ = SPEAKS[name]
    with serving({path: nothing}) as site:
        assert provider_at(name, site).search(QUERY) == []


@pytest.mark.parametrize("name", SPEAKS)
def test_a_base_url_may_have_a_path(name):
    _, path, good, _, _, _ = SPEAKS[name]
    with serving({f"/under/it{path}": good}) as site:
        assert provider_at(name, site, "/under/it/").search(QUERY)


@pytest.mark.parametrize("name", KEYED)
def test_a_wrong_key_is_named_and_not_tried_again(name):
    error = failure(name, SPEAKS[name][4])
    assert f"does not accept the key; is LIKEWISE_{name}_KEY right?" in str(error)
    assert error.is_final


@pytest.mark.parametrize("name", [name for name in SPEAKS if name != "SEARXNG"])
def test_a_spent_quota_is_named_and_not_tried_again(name):
    error = failure(name, SPEAKS[name][5])
    assert "quota of queries is reached" in str(error)
    assert error.is_final


def test_searxng_without_json_says_what_to_do():
    assert "search.formats" in str(failure("SEARXNG", SPEAKS["SEARXNG"][4]))
    assert "limiter" in str(failure("SEARXNG", SPEAKS["SEARXNG"][5]))


def test_searxng_whose_engines_are_silent_is_a_failure():
    silent = told({"results": [], "unresponsive_engines": [["google", "timeout"]]})
    assert "none of the engines" in str(failure("SEARXNG", silent))


def test_who_takes_no_key_is_not_said_to_refuse_one():
    for name in ("CROSSREF", "ARXIV"):
        assert "it does not let this machine in" in str(failure(name, SPEAKS[name][4]))


def test_openalex_asked_too_fast_is_asked_again_later():
    error = failure("OPENALEX", told({"error": "Forbidden", "message": "slow down"}, 403))
    assert "too many queries a second" in str(error) and not error.is_final


def test_arxiv_says_what_it_does_not_like():
    entry = "<entry><id>http://arxiv.org/api/errors#x</id><summary>max_results</summary></entry>"
    assert "refuses the query (max_results" in str(failure("ARXIV", atom(entry)))


def test_brave_is_asked_again_where_it_was_asked_too_fast():
    answers = iter(
        [told({"error": {"code": "RATE_LIMITED", "status": 429}}, 429), SPEAKS["BRAVE"][2]]
    )
    with serving({"/v1/web/search": lambda seen: next(answers)}) as site:
        assert len(provider_at("BRAVE", site).search(QUERY)) == 3
    assert len(site.seen) == 2


@pytest.mark.parametrize("name", SPEAKS)
@pytest.mark.parametrize(
    ("page", "why"),
    [
        (answer("down", 502), "it has a fault (502)"),
        (answer("<html>Sign in to the hotel</html>"), "it answers with nonsense"),
        (answer(b"\xff\xfe\x00"), "it answers with nonsense"),
        (answer(b"[" * 100_000), "it answers with nonsense"),
        (answer("null"), "it answers with nonsense"),
        (answer("{}"), "it answers with nonsense"),
        (answer("what?", 418), "it refuses the query (418)"),
        (answer(status=302, location="https://evil.example/"), "is its URL right?"),
        (b"nonsense\r\n\r\n", "it does not answer in HTTP"),
        (answer(b" " * (2 << 20)), "longer than 1 MB"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", "the connection broke"),
    ],
)
def test_faults_are_sentences(name, page, why):
    error = failure(name, page)
    assert why in str(error)
    assert "(127.0.0.1)" in str(error)


def test_a_provider_that_hangs():
    def silent(seen, send):
        time.sleep(3)

    assert "no answer within 1 seconds" in str(failure("BRAVE", silent))


def test_no_network():
    def resolve(host, port):
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    (brave,) = available({"LIKEWISE_BRAVE_KEY": KEY}, resolve=resolve)
    with pytest.raises(ProviderFailed, match=r"api\.search\.brave\.com.* is there a network\?"):
        brave.search(QUERY)


def test_a_bomb_in_xml_does_not_go_off():
    lol = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    feed = f'{lol}<feed xmlns="http://www.w3.org/2005/Atom"><title>&b;</title></feed>'
    assert "nonsense" in str(failure("ARXIV", answer(feed)))
    outside = '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/hostname">]><feed>&a;</feed>'
    assert "nonsense" in str(failure("ARXIV", answer(outside)))


def test_results_that_lead_to_no_page_are_left_out():
    urls = ["javascript:alert(1)", "file:///etc/passwd", "", None, 7, "https://a.org/ b", "//a.org"]
    results = [{"url": url, "title": "t", "content": "c"} for url in [*urls, "https://a.org/x"]]
    with serving({"/search": told({"results": [*results, None, "text"]})}) as site:
        found = provider_at("SEARXNG", site).search(QUERY)
    assert [(result.url, result.rank) for result in found] == [("https://a.org/x", 1)]


# Keys


@pytest.mark.parametrize("name", KEYED)
def test_a_key_is_sent_and_nowhere_to_be_seen(name, caplog):
    caplog.set_level(logging.DEBUG)
    _, path, good, _, _, _ = SPEAKS[name]
    with serving({path: good}) as site:
        provider = provider_at(name, site)
        _, log = search_all([provider], QUERY)
        site.pages = {path: told({"error": {"message": f"the key {KEY} is odd"}}, 400)}
        _, more = search_all([provider], QUERY)
    (seen, _) = site.seen
    assert KEY in " ".join([*seen.headers.values(), *seen.asked.values()])
    shown = " ".join([repr(provider), str(provider.disclosure), repr(log), repr(more)])
    records = " ".join(record.getMessage() for record in caplog.records)
    for text in (shown, records):
        assert KEY not in text
        assert "K3y" not in text
    assert "…" in str(more[0].problem) or "key" in str(more[0].problem)


def test_no_request_or_answer_is_repeated_with_its_key():
    error = failure("GOOGLE", told({"error": {"message": f"bad request, key={KEY}"}}, 400))
    assert "key=…" in str(error)


# Queries


def test_a_query_is_cut_at_a_word_where_a_provider_would_refuse_it():
    with serving({"/v1/web/search": SPEAKS["BRAVE"][2]}) as site:
        brave = provider_at("BRAVE", site)
        brave.search("  steppe \n" * 80)
        brave.search("a" * 1000)
    short, single = (seen.asked["q"] for seen in site.seen)
    assert short == " ".join(["steppe"] * 50)
    assert single == "a" * 400


def test_signs_that_mean_something_to_a_catalogue_are_taken_out():
    for name, field in (("OPENALEX", "search"), ("CORE", "q"), ("ARXIV", "search_query")):
        with serving({SPEAKS[name][1]: SPEAKS[name][2]}) as site:
            provider_at(name, site).search('title:(steppe) OR "sky"')
        asked = site.seen[0].asked[field].replace("all:", "")
        assert not {":", "OR"} & {*asked, *asked.split()}
        assert "steppe" in asked and "sky" in asked


def test_an_empty_query_is_not_sent():
    with serving({}) as site:
        assert provider_at("BRAVE", site).search(" \n ") == []
        assert provider_at("BRAVE", site).search("steppe", 0) == []
    assert site.seen == []


def test_the_polite_pools_get_an_address():
    for name in ("CROSSREF", "OPENALEX"):
        with serving({SPEAKS[name][1]: SPEAKS[name][2]}) as site:
            environment = {
                "LIKEWISE_MAILTO": "me@example.org",
                "LIKEWISE_OPENALEX_KEY": KEY,
                f"LIKEWISE_{name}_URL": site.url(""),
            }
            found = available(environment, limits=LIMITS)
            next(provider for provider in found if provider.host == "127.0.0.1").search(QUERY)
        assert site.seen[0].asked["mailto"] == "me@example.org"
        assert "me@example.org" in site.seen[0].headers["user-agent"]


def test_arxiv_waits_between_queries_as_it_asks():
    class Hasty(ArXiv):
        seconds_between = 0.2

    times = []

    def page(seen):
        times.append(time.monotonic())
        return SPEAKS["ARXIV"][2]

    with serving({"/api/query": page}) as site:
        arxiv = Hasty(url=site.url(""), limits=LIMITS)
        search_all([arxiv], "one")
        search_all([arxiv], "two")
    assert times[1] - times[0] >= 0.15
    assert ArXiv.seconds_between == 3.0


# Which there are


def test_nobody_is_asked_whom_nobody_named():
    assert available({}) == []
    assert available({"LIKEWISE_BRAVE_KEY": "  ", "BRAVE_KEY": "x"}) == []


def test_every_variable_switches_its_providers_on():
    addresses = {name: "https://a.example" for name in VARIABLES if name.endswith("_URL")}
    environment = (
        dict.fromkeys(VARIABLES, "value")
        | addresses
        | {
            "LIKEWISE_SEARXNG_URL": "http://10.0.0.5:8888/searxng/",
            "LIKEWISE_BING_URL": "https://bing.example.org",
            "LIKEWISE_GOOGLE_ENGINE": "engine",
            "LIKEWISE_YANDEX_FOLDER": "folder",
        }
    )
    switched_on = [(provider.name, provider.host) for provider in available(environment)]
    assert len(switched_on) == len(KINDS)
    shipped = [
        ("SearXNG", "10.0.0.5"),
        ("Brave", "api.search.brave.com"),
        ("Google", "customsearch.googleapis.com"),
        ("Yandex", "searchapi.api.cloud.yandex.net"),
        ("Bing-compatible", "bing.example.org"),
        ("OpenAlex", "api.openalex.org"),
        ("CORE", "api.core.ac.uk"),
        ("Crossref", "api.crossref.org"),
        ("arXiv", "export.arxiv.org"),
    ]
    assert [each for each in switched_on if each in shipped] == shipped


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"LIKEWISE_SEARXNG_URL": "search"}, "the URL of SearXNG"),
        ({"LIKEWISE_SEARXNG_URL": "ftp://a.org"}, "the URL of SearXNG"),
        ({"LIKEWISE_SEARXNG_URL": "http://me:secret@a.org"}, "without a password"),
        ({"LIKEWISE_GOOGLE_KEY": "x"}, "LIKEWISE_GOOGLE_ENGINE"),
        ({"LIKEWISE_YANDEX_KEY": "x"}, "LIKEWISE_YANDEX_FOLDER"),
        ({"LIKEWISE_BING_KEY": "x"}, "LIKEWISE_BING_URL"),
        ({"LIKEWISE_BRAVE_KEY": "secret\r\nX: y"}, "LIKEWISE_BRAVE_KEY holds characters"),
        ({"LIKEWISE_BRAVE_KEY": "ключ secret"}, "LIKEWISE_BRAVE_KEY holds characters"),
    ],
)
def test_half_a_setting_says_what_is_missing(environment, why):
    with pytest.raises(BadSettings, match=why) as raised:
        available(environment)
    assert "secret" not in str(raised.value)


def test_a_provider_says_what_it_will_be_sent():
    (brave,) = available({"LIKEWISE_BRAVE_KEY": KEY})
    assert str(brave.disclosure).startswith(
        "to Brave (api.search.brave.com): queries made of words"
    )


# Several at once


def test_results_of_several_are_merged_and_all_is_logged():
    other = told({"results": [{"url": PAGES[0][0] + "/", "title": "t", "content": "c"}]})
    with (
        serving({"/search": other}) as one,
        serving({"/v1/web/search": SPEAKS["BRAVE"][2]}) as two,
        serving({"/works": SPEAKS["CROSSREF"][5]}) as three,
    ):
        providers = [
            provider_at("SEARXNG", one),
            provider_at("BRAVE", two),
            provider_at("CROSSREF", three),
        ]
        found, log = search_all(providers, QUERY, 10)
        again, more = search_all(providers, "another query", 10)
    assert [result.url.rstrip("/") for result in found] == [url for url, _, _ in PAGES]
    assert found[0].snippet == PAGES[0][2]  # the longer of two
    assert [(line.provider, line.query, line.results) for line in log] == [
        ("SearXNG", QUERY, 1),
        ("Brave", QUERY, 3),
        ("Crossref", QUERY, 0),
    ]
    assert log[0].sent_to == "127.0.0.1" and log[0].on.tzinfo is not None
    assert [line.problem is None for line in log] == [True, True, False]
    assert [line.provider for line in more] == ["SearXNG", "Brave"]  # the other gave up
    assert again and len(three.seen) == 1
    assert "quota" in str(providers[2].given_up)


def test_nobody_left_to_ask():
    assert search_all([], QUERY) == ([], [])


def test_a_provider_that_fails_again_and_again_is_not_asked_for_ever():
    with serving({"/search": answer("", 500)}) as site:
        searxng = provider_at("SEARXNG", site)
        for _ in range(10):
            search_all([searxng], QUERY)
    assert len(site.seen) == 3
    assert "has a fault (500)" in str(searxng.given_up)


def test_a_failure_now_and_then_is_forgiven():
    with serving({}) as site:
        searxng = provider_at("SEARXNG", site)
        for number in range(8):
            page = answer("", 500) if number % 2 else SPEAKS["SEARXNG"][2]
            site.pages = {"/search": page}
            search_all([searxng], QUERY)
    assert len(site.seen) == 8 and searxng.given_up is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["results", "url", "title", "web", "items", "error", "errors", "message"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON, status=st.sampled_from([200, 200, 400, 422, 429]))
def test_whatever_json_comes_results_or_a_sentence_come_of_it(value, status):
    for name in ("SEARXNG", "BRAVE", "GOOGLE", "BING", "OPENALEX", "CORE", "CROSSREF"):
        with serving({SPEAKS[name][1]: told(value, status)}) as site:
            try:
                found = provider_at(name, site).search(QUERY)
            except ProviderFailed as error:
                assert str(error)
            else:
                assert all(isinstance(result, Result) for result in found)
