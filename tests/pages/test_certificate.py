"""A certificate: issued for a check, filed on paper, verified by somebody who has no account."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .live_server import LiveServer
from .making import EXAMPLES, payload, thesis
from .speech import Language
from .test_library_and_check import text_of

INSTITUTION = "Әл-Фараби атындағы университет"
AUTHOR, TITLE = "Бекзат Жүсіп", "Реки и рынки: a study of water and prices"


def code_on(path: Path) -> str:
    """What a telephone reads from the paper."""
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    pdf = pypdfium2.PdfDocument(path)
    picture = numpy.array(pdf[0].render(scale=3).to_pil().convert("L"))
    assert len(pdf) == 1
    pdf.close()
    code: str = cv2.QRCodeDetector().detectAndDecode(picture)[0]
    return code


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "en"), ("postgresql", "kk")])
def test_a_certificate_is_issued_and_anybody_verifies_it_with_the_code_on_the_paper(
    live_server: LiveServer, visit: Visit, language: Language, tmp_path: Path
) -> None:
    live_server.people(aigul="teacher:Айгүл Нұрланқызы", dean="administrator:Сәуле Омарова")
    texts = {p.name: p.read_text("utf-8") for p in (EXAMPLES / "archive").glob("*.txt")}
    live_server.texts("dean", texts)
    live_server.start()

    # The institution is named once, and stands on the page that logs people in.
    dean = visit(live_server, language)
    dean.log_in("dean", at="/administration/settings")
    dean.fill("institution.name", INSTITUTION)
    dean.press("app.save")
    dean.sees("app.saved")
    dean.picture("institution")

    aigul = visit(live_server, language)
    aigul.page.goto("/login")
    expect(aigul.page.get_by_text(INSTITUTION)).to_be_visible()
    aigul.picture("log-in")
    aigul.log_in("aigul", at="/checks/new")
    aigul.give(payload("thesis.docx", thesis()))
    aigul.press("check.start")
    aigul.read_report()

    # What is known is filled in; the rest is typed.
    aigul.press("certificate.title")
    expect(aigul.field("certificate.institution")).to_have_value(INSTITUTION)
    aigul.fill("certificate.author", AUTHOR)
    aigul.fill("certificate.work", TITLE)
    aigul.picture("certificate")
    aigul.press("certificate.issue")
    pdf = aigul.button("certificate.pdf.of", number="1")
    expect(pdf).to_be_focused()
    aigul.picture("issued")
    with aigul.page.expect_download() as download:
        pdf.click()
    path = tmp_path / "certificate.pdf"
    download.value.save_as(path)
    paper = " ".join(text_of(path).split())
    for wanted in (INSTITUTION, AUTHOR, TITLE, "Айгүл Нұрланқызы", "thesis.docx"):
        assert wanted in paper, wanted

    # Somebody without an account comes from the log in, with the code from the paper.
    stranger = visit(live_server, language)
    stranger.page.goto("/login")
    stranger.follow("verify.title")
    expect(stranger.field("verify.code")).to_be_focused()
    stranger.fill("verify.code", "K7M3X-9QRTD-4HWPN")
    stranger.press("verify.go")
    stranger.sees("verify.unknown")
    stranger.picture("unknown")
    stranger.fill("verify.code", code_on(path).lower())
    stranger.press("verify.go")
    stranger.sees("verify.genuine")
    answer = stranger.page.locator("[data-state=genuine]")
    for wanted in (INSTITUTION, AUTHOR, TITLE, code_on(path)):
        expect(answer).to_contain_text(wanted)
    stranger.picture("genuine")

    # It is revoked with a reason, which the stranger does not learn.
    aigul.press("certificate.revoke.of", number="1")
    aigul.fill("certificate.reason", "The name is wrong")
    aigul.picture("revoke")
    aigul.button("certificate.revoke").last.click()
    aigul.sees("certificate.revoked", number="1")
    expect(aigul.page.get_by_text("The name is wrong")).to_be_visible()
    stranger.press("verify.go")
    stranger.sees("verify.revoked")
    expect(stranger.page.get_by_text("The name is wrong")).to_have_count(0)
    stranger.picture("revoked")
    stranger.page.get_by_label(stranger.words("look.language")).select_option("ru")
    expect(stranger.page.get_by_text("Справка отозвана.")).to_be_visible()
