"""Logging in by a provider and with a second factor, as people see it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime

import pypdfium2
import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from likewise.library import Library
from likewise.server.database import tables
from likewise.server.people.one_time_codes import code_of, step_of
from tests.server.openid import AIGUL, CLIENT, SECRET, OpenIdProvider, running_provider

from .conftest import Visit
from .live_server import LiveServer
from .speech import Language
from .test_every_page import faults
from .visitor import Visitor


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenIdProvider]:
    with running_provider() as running:
        monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", running.host)
        running.knows("sub-aigul", **AIGUL)
        running.knows("sub-dean", **AIGUL | {"email": "dean@campus.kz", "roles": ["deans"]})
        yield running


def keeps_nobody_out(visitor: Visitor, name: str) -> None:
    """What axe-core sees, wide and on a phone, light and dark; nothing is wider than the phone."""
    page = visitor.page
    size = page.viewport_size
    assert faults(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    visitor.picture(f"{name}-phone")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size)


def go_through(visitor: Visitor, sub: str) -> None:
    """What one does at the provider."""
    expect(visitor.page.get_by_role("heading", name="Campus log in")).to_be_visible()
    visitor.page.get_by_label("Person").fill(sub)
    visitor.page.get_by_role("button", name="Log in").click()


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_an_administrator_sets_a_provider_up_and_people_come_in_by_it(
    live_server: LiveServer, visit: Visit, language: Language, provider: OpenIdProvider
) -> None:
    live_server.people(dean="administrator")
    live_server.start()
    dean = visit(live_server, language)
    dean.log_in("dean", at="/administration/login")
    dean.sees("loginproviders.none")
    dean.press("loginproviders.new")
    dean.fill("loginproviders.field.name", "Campus")
    dean.fill("loginproviders.field.issuer", provider.issuer)
    dean.fill("loginproviders.field.client_id", CLIENT)
    dean.fill("loginproviders.field.client_secret", SECRET)
    dean.page.get_by_label(dean.words("loginproviders.field.adds_people")).check()
    dean.fill("loginproviders.field.domains", "campus.kz")
    dean.fill("loginproviders.field.role_claim", "roles")
    dean.page.locator("[name=role-teacher]").fill("staff")
    dean.page.locator("[name=role-administrator]").fill("deans")
    dean.picture("form")
    keeps_nobody_out(dean, "form")
    dean.page.get_by_role("dialog").locator("button.strong").click()
    card = dean.page.get_by_role("article")
    expect(card).to_contain_text(provider.issuer)
    dean.page.get_by_role("button", name=dean.words("providers.test.of", name="Campus")).click()
    expect(card.get_by_role("status")).to_contain_text(dean.words("loginproviders.works", n=1))
    card.locator("summary").click()
    dean.picture("card")
    keeps_nobody_out(dean, "card")

    dean.press("loginproviders.passwords.switch_off")
    dialog = dean.page.get_by_role("dialog")
    dialog.locator("button.strong").click()
    expect(dialog.get_by_role("alert")).to_be_visible()  # no administrator could come in
    dean.page.keyboard.press("Escape")

    dean.page.goto("/profile")
    link = dean.words("identities.link.of", name="Campus")
    dean.page.get_by_role("button", name=link).click()
    go_through(dean, "sub-dean")
    dean.is_at("/profile")
    end = dean.words("identities.end.of", name="Campus")
    expect(dean.page.get_by_role("button", name=end)).to_be_visible()
    dean.picture("profile")
    keeps_nobody_out(dean, "profile")

    aigul = visit(live_server, language)
    aigul.page.goto("/checks?q=essay")
    expect(aigul.button("login.by", name="Campus")).to_be_visible()
    aigul.picture("log-in")
    keeps_nobody_out(aigul, "log-in")
    aigul.press("login.by", name="Campus")
    go_through(aigul, "sub-aigul")
    expect(aigul.account()).to_contain_text("Aigul Nur")
    aigul.is_at(r"/checks\?q=essay")

    # In the middle of something the session ends: the page stays, and a window beside it logs in.
    aigul.page.goto("/profile")
    aigul.fill("profile.shown_name", "Айгуль")
    with Library(live_server.place) as library, library.store.beside() as connection:
        own = select(tables.users.c.id).where(tables.users.c.name == "aigul").scalar_subquery()
        of_aigul = tables.sessions.update().where(tables.sessions.c.user_id == own)
        connection.execute(of_aigul.values(ended_on=datetime(2020, 1, 1)))
    aigul.page.locator("#main").get_by_role("button", name=aigul.words("app.save")).click()
    expired = aigul.page.get_by_role("dialog", name=aigul.words("login.expired"))
    with aigul.page.expect_popup() as opened:
        expired.get_by_role("button", name=aigul.words("login.by", name="Campus")).click()
    beside = Visitor(opened.value, language, "beside")
    go_through(beside, "sub-aigul")
    expect(beside.account()).to_be_visible()
    expect(expired).to_have_count(0)
    expect(aigul.account()).to_contain_text("Айгуль")
    beside.page.close()
    aigul.log_out()
    aigul.is_at("/login")

    dean.page.goto("/administration/login")
    dean.press("loginproviders.passwords.switch_off")
    dean.page.get_by_role("dialog").locator("button.strong").click()
    dean.sees("loginproviders.passwords.off")
    aigul.page.reload()
    aigul.sees("login.no_passwords")
    expect(aigul.field("login.password")).to_have_count(0)
    aigul.picture("no-passwords")
    aigul.press("login.by", name="Campus")
    go_through(aigul, "nobody it knows")
    expect(aigul.page.get_by_role("alert")).to_be_visible()
    aigul.picture("refused")
    aigul.follow("login.anew")
    aigul.is_at("/login")


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_a_second_factor_is_set_up_used_and_taken_away_by_the_keyboard(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(dean="administrator", aigul="teacher")
    live_server.start()
    aigul = visit(live_server, language)
    aigul.log_in("aigul", at="/profile")
    aigul.press("factor.begin")
    dialog = aigul.page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name=aigul.words("factor.scan.alt"))).to_be_visible()
    dialog.locator("summary").press("Enter")
    secret = dialog.locator(".secret").inner_text().replace(" ", "")
    aigul.picture("begun")
    keeps_nobody_out(aigul, "begun")
    code = dialog.locator("[name=code]")
    code.fill("000000")
    code.press("Enter")
    expect(dialog.get_by_role("alert")).to_be_visible()
    step = step_of(time.time())
    code.fill(code_of(secret, step))
    code.press("Enter")
    codes = aigul.page.get_by_role("dialog").get_by_role("listitem")
    expect(codes).to_have_count(10)
    recovery = codes.first.inner_text().strip()
    aigul.picture("codes")
    # They are shown this once: a key that is pressed once too often does not take them away.
    expect(dialog.get_by_role("list")).to_be_focused()
    for key in ("Enter", "Escape", "Escape"):
        aigul.page.keyboard.press(key)
    expect(codes).to_have_count(10)
    expect(codes.first).to_be_visible()
    # On paper they stand once, with whose they are and where.
    with pypdfium2.PdfDocument(aigul.page.pdf(format="A4")) as paper:
        (sheet,) = [page.get_textpage().get_text_bounded() for page in paper]
    assert sheet.count(recovery) == 1 and "aigul" in sheet
    assert live_server.address.removeprefix("http://") in sheet
    assert aigul.words("profile.end_others") not in sheet
    keeps_nobody_out(aigul, "codes")
    aigul.press("factor.codes.kept")
    aigul.sees("factor.on")

    guest = visit(live_server, language)
    guest.page.goto("/login")
    guest.fill("login.name", "aigul")
    guest.fill("login.password", "wormwood after rain")
    guest.page.keyboard.press("Enter")
    expect(guest.field("login.code")).to_be_focused()
    guest.picture("code")
    keeps_nobody_out(guest, "code")
    guest.page.keyboard.type(code_of(secret, step))  # used already
    guest.page.keyboard.press("Enter")
    expect(guest.page.get_by_role("alert")).to_be_visible()
    expect(guest.field("login.code")).to_be_focused()
    guest.page.keyboard.type(recovery)
    guest.page.keyboard.press("Enter")
    expect(guest.account()).to_be_visible()

    aigul.page.reload()
    aigul.sees("factor.codes.left", n=9)
    aigul.press("profile.end_others")
    aigul.sees("profile.ended_others")
    aigul.picture("sessions")

    dean = visit(live_server, language)
    dean.log_in("dean", at="/administration/users")
    dean.press("users.factor")
    dean.picture("taken-away")
    dean.page.get_by_role("dialog").locator("button.strong").click()
    expect(dean.button("users.factor")).to_have_count(0)
    other = visit(live_server, language)
    other.log_in("aigul")
    expect(other.account()).to_be_visible()
