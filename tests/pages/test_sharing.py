"""A report shown by a link: to a commission, to a colleague, and no longer; and mail about it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import insert, select, update

from likewise.library import Library
from likewise.server.database import tables
from tests.server.smtp_listener import SmtpListener, plain_of

from .conftest import Visit
from .live_server import LiveServer
from .making import EXAMPLES, payload, thesis
from .speech import Language
from .test_every_page import faults
from .visitor import Visitor

WHO = "Әдеп комиссиясы <b>№ 1"
WHY = "Two passages are not the author’s; the student is to say so"


def check_of(live_server: LiveServer, visit: Visit, language: Language) -> Visitor:
    """The report of a teacher's check."""
    live_server.people(aigul="teacher:Айгүл Нұрланқызы", bolat="teacher", dean="administrator")
    texts = {p.name: p.read_text("utf-8") for p in (EXAMPLES / "archive").glob("*.txt")}
    live_server.texts("dean", texts)
    live_server.start()
    aigul = visit(live_server, language)
    aigul.log_in("aigul", at="/checks/new")
    aigul.give(payload("thesis.docx", thesis()))
    aigul.press("check.start")
    aigul.read_report()
    return aigul


def address_in(visitor: Visitor) -> str:
    """The address that is shown once."""
    secret = visitor.page.locator(".secret")
    expect(secret).to_be_visible()
    text: str = secret.inner_text()
    return text


def is_marked(page: Page) -> None:
    """The name stands across the page, for the eye, and once for everybody."""
    expect(page.locator(".watermark-line")).to_contain_text(WHO)
    mark = page.locator(".watermark")
    expect(mark).to_have_attribute("aria-hidden", "true")
    expect(mark.locator("span").first).to_have_attribute("data-mark", re.compile(re.escape(WHO)))
    assert mark.evaluate("(one) => getComputedStyle(one).pointerEvents") == "none"


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "en"), ("postgresql", "kk")])
def test_a_commission_reads_by_a_link_comments_and_decides_until_it_is_revoked(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    aigul = check_of(live_server, visit, language)
    aigul.press("links.open")
    aigul.field("links.for.anybody").check()  # else one colleague
    aigul.fill("links.recipient", WHO)
    aigul.field("links.commission").check()
    aigul.picture("link")
    aigul.press("links.make")
    address = address_in(aigul)
    assert re.fullmatch(rf"{live_server.address}/shared#a[\w-]{{43}}", address)
    expect(aigul.page.locator(".made")).to_be_focused()
    aigul.picture("made")
    aigul.press("app.close")

    # Nobody is logged in, and the address keeps nothing of the token.
    member = visit(live_server, language)
    member.page.goto(address)
    member.read_report()
    member.is_at("/shared")
    is_marked(member.page)
    member.sees("shared.undecided")
    expect(member.page.get_by_role("button", name="CSV")).to_have_count(0)
    member.picture("shared")
    assert faults(member.page) == []
    member.page.keyboard.press("n")
    member.press("comments.add")
    member.fill("comments.text", "Is this the author’s?")
    member.press("comments.save")
    expect(member.page.locator(".panel .comment-text")).to_have_text("Is this the author’s?")
    member.picture("commented")
    member.press("shared.decide")
    expect(member.button("shared.record")).to_be_disabled()
    member.field("commission.revise").check()
    member.fill("shared.why", WHY)
    member.picture("deciding")
    assert faults(member.page) == []
    member.press("shared.record")
    expect(member.page.locator(".commission", has_text=WHY)).to_be_visible()
    member.page.reload()
    member.read_report()
    expect(member.page.locator(".commission", has_text=WHY)).to_be_visible()
    member.picture("decided")

    # Whoever made the link sees all of it, and ends it.
    aigul.page.reload()
    aigul.read_report()
    expect(aigul.page.locator(".commission", has_text=WHY)).to_contain_text(WHO)
    aigul.press("links.open")
    aigul.press("links.who.of", name=WHO)
    expect(aigul.page.get_by_text("127.0.0.1")).to_be_visible()
    aigul.picture("openings")
    assert faults(aigul.page) == []
    aigul.press("links.revoke.of", name=WHO)
    aigul.picture("revoke")
    aigul.page.get_by_role("dialog").last.locator("button.strong").click()
    aigul.sees("links.state.revoked")
    member.page.reload()
    expect(member.page.get_by_role("alert")).to_contain_text(
        re.compile(re.escape(member.words("server.link_revoked")), re.IGNORECASE)
    )
    member.picture("revoked")
    assert faults(member.page) == []


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_a_colleague_logs_in_to_open_a_link_that_is_for_that_colleague_alone(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    aigul = check_of(live_server, visit, language)
    aigul.press("links.open")
    aigul.fill("links.colleague", "bolat")
    aigul.press("links.make")
    address = address_in(aigul)
    bolat = visit(live_server, language, viewport={"width": 390, "height": 844})
    bolat.page.goto(address)
    bolat.sees("shared.log_in")
    bolat.picture("asked")
    bolat.follow("login.go")
    assert "#" not in bolat.page.url and "shared" in bolat.page.url
    bolat.fill("login.name", "bolat")
    bolat.fill("login.password", "wormwood after rain")
    bolat.press("login.go")
    bolat.read_report()
    bolat.is_at("/shared")
    expect(bolat.page.locator(".watermark-line")).to_contain_text("bolat")
    bolat.picture("shared")
    assert faults(bolat.page) == []
    aigul.page.goto(address)
    expect(aigul.page.get_by_role("alert")).to_be_visible()
    aigul.picture("of-another")
    # Without what an address ends in, nothing is shown.
    stranger = visit(live_server, language)
    stranger.page.goto("/shared")
    stranger.sees("shared.incomplete")


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_mail_is_chosen_sent_by_a_worker_and_looked_after(
    place: str,
    live_server: LiveServer,
    visit: Visit,
    language: Language,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live_server.people(dean="administrator")
    with Library(place) as library, library.store.beside() as connection:
        connection.execute(update(tables.users).values(email="dean@example.kz"))
        long_ago = datetime.now() - timedelta(days=2)
        failed = {"to": "gone@example.kz", "kind": "reset link", "values": "{}", "attempts": 1}
        times = {"made_on": long_ago, "not_before": long_ago, "failed_on": long_ago}
        row = {"id": "a" * 24, "error": "550 no such mailbox", **failed, **times}
        connection.execute(insert(tables.mail_queue).values(row))
    with SmtpListener() as listener:
        for name, value in {
            "PUBLIC_URL": "http://likewise.example.kz",
            "MAIL_HOST": "127.0.0.1",
            "MAIL_PORT": str(listener.port),
            "MAIL_FROM": "likewise@example.kz",
            "MAIL_TLS": "none",
        }.items():
            monkeypatch.setenv(f"LIKEWISE_{name}", value)
        live_server.start()
        dean = visit(live_server, language)
        dean.log_in("dean", at="/profile")
        dean.field("profile.mail.finished").select_option("always")
        dean.field("profile.mail.links").uncheck()
        card = dean.page.locator("section[aria-labelledby=mail]")
        card.get_by_role("button", name=dean.words("app.save")).click()
        dean.sees("app.saved")
        card.scroll_into_view_if_needed()
        dean.picture("chosen")
        dean.page.reload()
        expect(dean.field("profile.mail.finished")).to_have_value("always")
        expect(dean.field("profile.mail.links")).not_to_be_checked()
        assert faults(dean.page) == []

        dean.page.goto("/administration/users")
        dean.press("users.new")
        dean.fill("login.name", "bolat")
        dean.fill("profile.email", "bolat@example.kz")
        expect(dean.field("users.invite")).to_be_checked()
        dean.picture("invited")
        dean.press("app.save")
        ((to, letter),) = listener.wait_for(1)
        assert to == "bolat@example.kz" and "/new-password#" in plain_of(letter)

        dean.page.goto("/administration/mail")
        expect(dean.page.get_by_text("bolat@example.kz")).to_be_visible()
        expect(dean.page.get_by_text("550 no such mailbox")).to_be_visible()
        dean.picture("mail")
        assert faults(dean.page) == []
        again = f"{dean.words('app.retry')}: gone@example.kz"
        dean.page.get_by_role("button", name=again).click()
        dean.sees("mail.again")
    with Library(place) as library, library.store.reading() as connection:
        kinds = connection.execute(select(tables.users.c.mail_kinds)).scalars()
        assert any("always" in (one or "") for one in kinds)
