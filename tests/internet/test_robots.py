"""robots.txt as RFC 9309 reads it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.internet.robots import EVERYTHING, NOTHING, read_rules


def allowed(text: str, path: str) -> bool:
    return read_rules(text, "Likewise").allow(path)


def test_without_rules_everything_may_be_fetched():
    assert allowed("", "/a") and EVERYTHING.allow("/") and not NOTHING.allow("/a")
    assert allowed("User-agent: *\nDisallow:", "/a")


def test_rules_for_us_replace_those_for_everyone():
    text = "User-agent: *\nDisallow: /\n\nUser-agent: LIKEWISE/2.0\nDisallow: /secret"
    assert allowed(text, "/a")
    assert not allowed(text, "/secret/a")


def test_a_group_of_ours_without_rules_allows_everything():
    assert allowed("User-agent: *\nDisallow: /\n\nUser-agent: Likewise\n", "/a")


def test_rules_for_others_are_none_of_ours():
    assert allowed("User-agent: Other\nDisallow: /", "/a")


def test_groups_of_one_name_are_one_group():
    text = "User-agent: Likewise\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\n"
    text += "User-agent: Other\nUser-agent: likewise\nDisallow: /b"
    assert not allowed(text, "/a") and not allowed(text, "/b") and allowed(text, "/c")


def test_a_sitemap_between_the_names_ends_no_group():
    text = "User-agent: Other\nSitemap: https://a.org/map\nUser-agent: *\nDisallow: /a"
    assert not allowed(text, "/a")


def test_the_longest_rule_decides_and_leave_wins_a_tie():
    text = "User-agent: *\nDisallow: /a/\nAllow: /a/b/\nDisallow: /a/b/c\nAllow: /a/b/c"
    assert not allowed(text, "/a/x")
    assert allowed(text, "/a/b/x") and allowed(text, "/a/b/c")


@pytest.mark.parametrize(
    ("rule", "path", "fits"),
    [
        ("/*.pdf$", "/x/y.pdf", True),
        ("/*.pdf$", "/x/y.pdf?z", False),
        ("/a*b*c", "/axxbyyc/tail", True),
        ("/a*b*c", "/acb", False),
        ("/a$", "/a", True),
        ("/a$", "/ab", False),
        ("*", "/", True),
        ("/a?x=*&y", "/a?x=1&y=2", True),
        ("/%7Eme", "/~me/a", True),
        ("/степь", "/%D1%81%D1%82%D0%B5%D0%BF%D1%8C/a", True),
        ("/a%2fb", "/a%2Fb", True),
        ("/a%2fb", "/a/b", False),
        ("/A", "/a", False),
        ("/*ab$", "/ab", True),
        ("/ab*ab$", "/ab", False),
    ],
)
def test_patterns(rule, path, fits):
    assert allowed(f"User-agent: *\nDisallow: {rule}", path) is not fits


def test_a_delay_is_read_and_nonsense_is_none():
    def delay(value):
        return read_rules(f"User-agent: *\nCrawl-delay: {value}", "Likewise").delay_seconds

    assert delay("2.5") == 2.5
    assert [delay(value) for value in ("-1", "soon", "nan", "inf", "")] == [0.0] * 5


def test_comments_carriage_returns_marks_and_spaces_do_no_harm():
    text = "\ufeffUSER-AGENT : * # all\r\n  Disallow :  /a # not this\r\nnonsense\r\n"
    assert not allowed(text, "/a") and allowed(text, "/b")


def test_a_rule_of_many_stars_takes_no_time():
    rule = "/" + "*a" * 5000 + "$"
    # Trying all ways to fit it would take longer than the world has.
    assert allowed(f"User-agent: *\nDisallow: {rule}", "/" + "a" * 4000 + "b")


@given(st.text(max_size=300), st.text(max_size=30))
def test_any_text_is_read(text, path):
    assert read_rules(text, "Likewise").allow(path) in (True, False)
