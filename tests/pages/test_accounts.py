"""A forgotten password by mail, the password once more before what cannot be undone, notices."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from likewise.library import Library
from likewise.server.database import tables
from tests.server.smtp_listener import SmtpListener, plain_of

from .conftest import Visit
from .live_server import PASSWORD, LiveServer
from .speech import Language

NEW = "seven camels at the ford"


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_a_forgotten_password_is_replaced_by_a_link(
    place: str,
    live_server: LiveServer,
    visit: Visit,
    language: Language,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live_server.people(aigul="teacher")
    with Library(place) as library, library.store.beside() as connection:
        connection.execute(update(tables.users).values(email="aigul@example.kz"))
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
        guest = visit(live_server, language)
        guest.page.goto("/login")
        guest.follow("login.forgotten")
        guest.fill("forgotten.name", "aigul")
        guest.picture("forgotten")
        guest.press("forgotten.go")
        guest.sees("forgotten.sent")
        ((_, letter),) = listener.wait_for(1)
        found = re.search(r"/new-password#\S+", plain_of(letter))
        assert found
        guest.page.goto(found[0])
        guest.fill("profile.password.new", NEW)
        guest.fill("profile.password.again", NEW)
        guest.picture("new-password")
        guest.press("profile.password.change")
        guest.is_at("/login")
        guest.log_in("aigul", NEW)
        expect(guest.page.get_by_role("status", name=guest.words("notices.title"))).to_be_visible()
        guest.picture("noticed")


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_a_password_is_asked_for_once_more_and_the_act_goes_on(
    place: str, live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(dean="administrator", aigul="teacher")
    live_server.start()
    dean = visit(live_server, language)
    dean.page.goto("/login")
    expect(dean.page.get_by_text(dean.words("login.lost"))).to_be_visible()
    dean.log_in("dean", at="/administration/users")
    with Library(place) as library, library.store.beside() as connection:
        long_ago = datetime(2020, 1, 1)
        connection.execute(update(tables.sessions).values(authenticated_on=long_ago))
    row = dean.page.get_by_role("row").filter(has_text="aigul")
    row.get_by_role("button", name=dean.words("users.reset")).click()
    dean.page.get_by_role("dialog").locator("button.strong").click()
    asked = dean.page.get_by_role("dialog", name=dean.words("authenticate.title"))
    expect(asked).to_be_visible()
    dean.picture("asked")
    asked.get_by_label(dean.words("login.password")).fill("wrong")
    asked.get_by_role("button", name=dean.words("authenticate.go")).click()
    expect(asked.get_by_role("alert")).to_be_visible()
    asked.get_by_label(dean.words("login.password")).fill(PASSWORD)
    dean.page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    expect(dean.page.get_by_role("dialog")).to_contain_text("aigul")
    dean.picture("reset")
