"""From an empty server to a certificate that is filed and verified, without a mouse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from likewise.reading import read_bytes

from .conftest import Visit
from .keyboard import Keyboard
from .live_server import LiveServer
from .making import FILES
from .speech import LANGUAGES, Language, Speech
from .test_library_and_check import text_of

ESSAYS = FILES / "essays"
SOURCES = {"en": "en/steppe.docx", "ru": "ru/lake.docx", "kk": "kk/apple.docx"}
OTHERS = {"en": "en/lighthouse.docx", "ru": "ru/tram.pdf", "kk": "kk/dombra.docx"}
SECRET = "the bridge at noon 7"
AUTHOR, INSTITUTION = "Бекзат Жүсіп", "Turan University"


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", each) for each in LANGUAGES])
def test_the_keys_lead_from_an_empty_server_to_a_certificate_that_is_genuine(
    live_server: LiveServer, visit: Visit, language: Language, tmp_path: Path
) -> None:
    live_server.start()
    other = LANGUAGES[LANGUAGES.index(language) - 1]
    dean = visit(live_server, other)  # whose browser speaks another language
    page, keys = dean.page, Keyboard(dean.page)
    heading = page.get_by_role("heading", level=1)

    def arrives(path: str) -> None:
        """At another page, where the keys begin anew."""
        dean.is_at(path)
        expect(page.locator("#main")).to_be_focused()

    # The language is chosen before anything else, and the first password is changed.
    page.goto("/login")
    keys.is_on(dean.field("login.name"))
    keys.to(page.locator("select[name=language]"))
    keys.press("Home")
    for _ in range(LANGUAGES.index(language)):
        keys.press("ArrowDown")
    dean.words = words = Speech(language)
    expect(dean.button("login.go")).to_be_visible()
    dean.picture("log-in")
    keys.to(dean.field("login.name"), back=True)
    keys.type("administrator")
    keys.write(dean.field("login.password"), live_server.first_password())
    keys.press("Enter")
    arrives("/profile")
    dean.sees("profile.must_change")
    keys.write(dean.field("profile.password.old"), live_server.first_password())
    keys.write(dean.field("profile.password.new"), SECRET)
    keys.write(dean.field("profile.password.again"), SECRET)
    keys.press("Enter")
    arrives("/")

    # A document for the library.
    expect(heading).to_have_text(words("home.hello", name="administrator"))
    dean.picture("empty-server")
    keys.to(dean.button("drop.files"))
    keys.choose_file().set_files(ESSAYS / SOURCES[language])
    keys.is_on(page.get_by_role("heading", name=words("home.drop.what_one")))
    keys.go(dean.button("home.drop.library"))
    arrives("/library/add")
    keys.go(dean.button("add.start", n=1))
    see = dean.link("add.see")
    keys.is_on(see)
    dean.picture("added")
    keys.press("Enter")
    arrives("/library")
    dean.sees("library.found", n=1)

    # Another, which shares two paragraphs with it.
    keys.go(dean.link("place.checks"), back=True)
    arrives("/checks")
    keys.go(dean.link("checks.new"))
    arrives("/checks/new")
    expect(heading).to_have_text(words("check.title"))
    keys.to(dean.button("drop.file"))
    work = tmp_path / "essay.txt"
    work.write_text(essay(language), "utf-8")
    keys.choose_file().set_files(work)
    keys.go(dean.button("check.start"))
    arrives("/checks/[0-9a-f]+")
    dean.read_report()

    # Its passages, one after the other.
    panel = page.locator("aside.panel.is-open")
    position = panel.locator(".panel-at")
    keys.press("n")
    expect(position).to_contain_text("1")
    first = position.inner_text()
    keys.is_on(panel.get_by_role("heading").first)
    dean.picture("passage")
    keys.press("n")
    expect(position).not_to_have_text(first)
    keys.press("p")
    expect(position).to_have_text(first)
    keys.press("Escape")
    expect(panel).to_have_count(0)
    number = page.locator("#the-text button[data-p]").first
    keys.is_on(number)
    keys.press("Enter")
    expect(position).to_have_text(first)
    keys.press("Escape")
    keys.is_on(number)

    # The certificate.
    keys.go(dean.button("certificate.title"), back=True)
    dialog = page.get_by_role("dialog")
    expect(dean.field("certificate.author")).to_be_visible()
    keys.write(dean.field("certificate.author"), AUTHOR)
    keys.write(dean.field("certificate.institution"), INSTITUTION)
    dean.picture("certificate")
    keys.press("Enter")
    keys.is_on(dean.button("certificate.pdf.of", number="1"))
    dean.picture("issued")
    with page.expect_download() as download:
        keys.press("Enter")
    path = tmp_path / "certificate.pdf"
    download.value.save_as(path)
    paper = " ".join(text_of(path).split())
    assert AUTHOR in paper and INSTITUTION in paper
    code = re.search(r"\b[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}\b", paper)
    assert code is not None
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    keys.is_on(dean.button("certificate.title"))

    # Whoever has the paper alone verifies it.
    keys.go(dean.account(), back=True)
    keys.go(dean.button("login.leave"))
    dean.is_at("/login")
    keys.is_on(dean.field("login.name"))
    keys.go(dean.link("verify.title"))
    dean.is_at("/certificates")
    keys.is_on(dean.field("verify.code"))
    keys.type(code[0])
    keys.press("Enter")
    dean.sees("verify.genuine")
    genuine = page.locator("[data-state=genuine]")
    for wanted in (AUTHOR, INSTITUTION, code[0]):
        expect(genuine).to_contain_text(wanted)
    dean.picture("genuine")


def essay(language: Language) -> str:
    """Two paragraphs of the source, each after the half of another work."""
    source, other = (
        read_bytes(path.read_bytes(), path.name).text
        for path in (ESSAYS / SOURCES[language], ESSAYS / OTHERS[language])
    )
    first, second, *_ = (each for each in source.split("\n") if len(each) > 250)
    own = other.split()
    half = len(own) // 2
    return "\n\n".join((" ".join(own[:half]), first, " ".join(own[half:]), second))
