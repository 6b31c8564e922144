"""A new administrator sets up and invites a teacher, who begins."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .live_server import LiveServer
from .speech import Language
from .visitor import Visitor


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk"), ("postgresql", "ru")])
def test_an_administrator_sets_up_and_invites_a_teacher_who_chooses_a_password(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.start()
    dean = visit(live_server, language)
    dean.log_in("administrator", live_server.first_password())
    dean.is_at("/profile")
    dean.sees("profile.must_change")
    dean.picture("first-log-in")
    dean.fill("profile.password.old", live_server.first_password())
    dean.fill("profile.password.new", "the bridge at noon 7")
    dean.fill("profile.password.again", "the bridge at noon")
    dean.sees("profile.password.different")
    dean.fill("profile.password.again", "the bridge at noon 7")
    dean.press("profile.password.change")
    dean.is_at("/")
    dean.follow("place.administration")
    dean.is_at("/administration/users")
    decide_on_passwords(dean)
    offer_types(dean)
    dean.follow("administration.users")
    dean.press("users.new")
    dean.fill("login.name", "Aigul.Nur")
    dean.fill("profile.shown_name", "Айгүл Нұрланқызы")
    dean.picture("invites")
    dean.press("app.save")
    secret = dean.page.locator(".secret")
    expect(secret).to_be_visible()
    dean.picture("password-to-hand-over")
    password = secret.inner_text()
    dean.press("app.close")
    row = dean.page.get_by_role("row").filter(has_text="Айгүл")
    expect(row).to_contain_text(dean.words("users.must_change"))

    teacher = visit(live_server, language)
    teacher.page.goto("/library?sort=name")
    teacher.is_at(r"/login\?to=/library%3Fsort%3Dname|/login\?to=/library\?sort=name")
    teacher.fill("login.name", "aigul.nur")
    teacher.fill("login.password", "not this one")
    teacher.press("login.go")
    teacher.sees("problem.wrong name or password")
    teacher.fill("login.password", password)
    teacher.press("login.go")
    teacher.sees("profile.must_change")
    teacher.sees("profile.password.hint", n=12)  # as this site has it, not as most have
    teacher.fill("profile.password.old", password)
    teacher.fill("profile.password.new", "apples under the snow")
    teacher.fill("profile.password.again", "apples under the snow")
    teacher.press("profile.password.change")
    teacher.is_at(r"/library\?sort=name")  # as it was asked for
    teacher.follow("place.home")
    expect(teacher.page.get_by_role("heading", level=1)).to_have_text(
        teacher.words("home.hello", name="Айгүл Нұрланқызы")
    )
    teacher.picture("first-view")
    expect(teacher.link("place.administration")).to_have_count(0)
    teacher.log_out()
    expect(teacher.button("login.go")).to_be_visible()
    teacher.log_in("aigul.nur", "apples under the snow")

    # What an administrator does not hand over by mistake: the page is not there for teachers.
    teacher.page.goto("/administration/users")
    teacher.sees("missing.title")


def decide_on_passwords(dean: Visitor) -> None:
    """What is refused is marked where it stands, and the page goes there."""
    dean.follow("administration.settings")
    shortest = dean.field("settings.least_password_length")
    shortest.fill("3")
    dean.press("app.save")
    expect(shortest).to_be_focused()
    expect(shortest).to_be_in_viewport()
    expect(shortest).to_have_accessible_description(dean.words("settings.at_least", n=8))
    expect(dean.page.get_by_role("alert")).to_have_text(dean.words("settings.refused"))
    expect(dean.page.get_by_role("alert")).to_be_in_viewport()
    dean.picture("refused")
    shortest.fill("12")
    expect(dean.page.get_by_role("alert")).to_have_count(0)
    dean.press("app.save")
    dean.sees("app.saved")


def offer_types(dean: Visitor) -> None:
    """A refusal belongs to the question after which it came, not to the next one."""
    dean.follow("administration.types")
    for name in ("Эссе", "Реферат"):
        dean.fill("types.new", name)
        dean.press("types.add")
        expect(dean.page.get_by_role("row").filter(has_text=name)).to_be_visible()
    dean.page.route("**/document-types/*", lambda route: route.abort())
    dialog = dean.page.get_by_role("dialog")
    for name in ("Эссе", "Реферат"):
        row = dean.page.get_by_role("row").filter(has_text=name)
        row.get_by_role("button", name=dean.words("types.remove")).click()
        expect(dialog).to_have_accessible_name(dean.words("types.remove.ask", name=name))
        expect(dialog.get_by_role("alert")).to_have_count(0)
        dialog.get_by_role("button", name=dean.words("types.remove"), exact=True).click()
        expect(dialog.get_by_role("alert")).to_be_visible()
        dean.press("app.no")
    dean.page.unroute("**/document-types/*")
