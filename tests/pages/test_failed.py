"""What came to nothing is said so, and can be deleted where it is said."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import docx
import pytest
from playwright.sync_api import expect

from .campus import _locked, ended, post
from .conftest import Visit
from .live_server import LiveServer
from .making import thesis
from .speech import Language


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_a_failed_check_and_a_failed_class_are_deleted_from_their_pages(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.start(workers=1)
    with live_server.client("aigul") as client:
        failed = [post(client, path, {"a.pdf": _locked()}) for path in ("/checks", "/batches")]
        done = post(client, "/checks", {"thesis.docx": thesis()})
        for one in (*failed, done):
            ended(client, one["job"])
    teacher = visit(live_server, language, timezone_id="Asia/Almaty")
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul")
    for list_page, one, noun in zip(
        ("/checks", "/classes"), failed, ("checked", "class"), strict=True
    ):
        page.goto(f"{list_page}/{one['id']}")
        teacher.sees(f"{noun}.failed")
        teacher.press(f"{noun}.remove")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(words(f"{noun}.remove.failed"))
        teacher.picture(noun)
        dialog.get_by_role("button", name=words("app.no"), exact=True).click()
        expect(dialog).to_have_count(0)
        teacher.press(f"{noun}.remove")
        dialog.get_by_role("button", name=words(f"{noun}.remove"), exact=True).click()
        teacher.is_at(list_page)
        page.goto(f"{list_page}/{one['id']}")
        expect(page.get_by_role("alert")).to_be_visible()
    # What was cancelled has lost its files: nobody is told to try it again.
    live_server.kill()
    live_server.start(workers=0)
    with live_server.client("aigul") as client:
        one = post(client, "/checks", {"thesis.docx": thesis()})
        assert client.post(f"/jobs/{one['job']}/cancel").status_code == 200
    page.goto(f"/checks/{one['id']}")
    teacher.sees("checked.cancelled")
    teacher.sees("job.files_gone")
    expect(teacher.button("app.retry")).to_have_count(0)
    expect(page.get_by_text(words("checked.cancelled.more"))).to_have_count(0)
    teacher.press("checked.remove")
    dialog.get_by_role("button", name=words("checked.remove"), exact=True).click()
    teacher.is_at("/checks")

    with live_server.client("aigul") as client:
        assert client.get("/batches").json()["total"] == 0
        assert client.get("/checks").json()["total"] == 1

    # Exports and pages tell the time of the browser's clock.
    page.goto(f"/checks/{done['id']}")
    teacher.read_report()
    expect(page.get_by_text("(UTC+5)").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name=words("checked.export.as", format="DOCX")).click()
    footer = docx.Document(str(download.value.path())).sections[0].footer.paragraphs[0].text
    assert "(UTC+5)" in footer
    assert f"{datetime.now(UTC).astimezone(ZoneInfo('Asia/Almaty')):%Y}" in footer


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_failed_jobs_need_the_attention_of_an_administrator_until_they_are_dismissed(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher", dean="administrator")
    live_server.start(workers=1)
    with live_server.client("aigul") as client:
        for one in [post(client, "/checks", {"a.pdf": _locked()}) for _ in range(2)]:
            ended(client, one["job"])
    dean = visit(live_server, language)
    page = dean.page
    dean.log_in("dean")
    for n in (2, 1):
        dean.follow("home.needs.jobs", n=n)
        dismiss = dean.button("jobs.dismiss")
        expect(dismiss).to_have_count(n)  # exactly these
        expect(page.get_by_text("a.pdf")).to_have_count(0)  # it is a teacher's
        dean.picture(f"failed-{n}")
        dismiss.first.click()
        expect(dismiss).to_have_count(n - 1)
        dean.follow("place.home")
    dean.sees("home.first")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", name=dean.words("home.needs"))).to_have_count(0)
