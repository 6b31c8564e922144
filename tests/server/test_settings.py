"""Settings: all of them for administrators, the public part for everybody."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import docx
import pypdfium2
from fastapi.testclient import TestClient

from likewise.library.registry import write_value
from likewise.server.context import ServerContext, SiteSettings
from tests.server.checking import checked, small_library


def test_administrators_change_settings(context: ServerContext, administrator: TestClient) -> None:
    whole = administrator.get("/settings").json()
    assert whole == SiteSettings().model_dump()
    changed = administrator.patch("/settings", json={"institution": "KazNU", "most_files": 20})
    assert changed.json() == whole | {"institution": "KazNU", "most_files": 20}
    assert context.settings.most_files == 20
    replaced = administrator.put("/settings", json={"keep_checks_days": 90})
    assert replaced.json() == whole | {"keep_checks_days": 90}
    assert administrator.get("/settings").json() == replaced.json()
    line = administrator.get("/audit", params={"act": "settings changed"}).json()["items"][0]
    assert line["detail"]["most_files"] == [20, 1_000]


def test_what_is_no_setting_is_refused(administrator: TestClient) -> None:
    before = administrator.get("/settings").json()
    for bad in ({"most_files": 0}, {"nothing": 1}, {"keep_jobs_days": None}, {"min_share": 2}):
        assert administrator.patch("/settings", json=bad).status_code == 422, bad
        assert administrator.put("/settings", json=bad).status_code == 422, bad
    assert administrator.patch("/settings", json=[1]).status_code == 422
    assert administrator.get("/settings").json() == before


def test_a_number_beyond_its_bounds_is_refused_with_the_bounds(administrator: TestClient) -> None:
    bad = {"most_files": 0, "min_share": 2}
    fields = administrator.patch("/settings", json=bad).json()["details"]["fields"]
    bounds = {one["field"]: (one.get("least"), one.get("most")) for one in fields}
    assert bounds == {"most_files": (1, None), "min_share": (None, 1)}


def test_teachers_see_what_concerns_them(administrator: TestClient, teacher: TestClient) -> None:
    administrator.patch("/settings", json={"institution": "KazNU"})
    shown = teacher.get("/settings").json()
    assert shown["institution"] == "KazNU"
    assert set(shown) == {
        *("institution", "most_upload_bytes", "most_files", "keep_originals"),
        *("least_password_length", "min_share"),
    }
    assert teacher.patch("/settings", json={"institution": "x"}).status_code == 403
    assert teacher.put("/settings", json={}).status_code == 403


def test_changes_of_several_at_once_are_all_kept(administrator: TestClient) -> None:
    wanted = {"most_files": 20, "lock_after": 7, "lock_minutes": 8, "keep_jobs_days": 9}

    def change(name: str) -> int:
        return administrator.patch("/settings", json={name: wanted[name]}).status_code

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(change, wanted)) == [200] * 4
    kept = administrator.get("/settings").json()
    assert {name: kept[name] for name in wanted} == wanted


def test_the_institution_is_a_name_that_can_be_seen(administrator: TestClient) -> None:
    answer = administrator.patch("/settings", json={"institution": " Kaz\x00NU\u202e\x01 "})
    assert answer.json()["institution"] == "KazNU"


def test_settings_that_only_a_newer_server_knows_are_passed_over(
    context: ServerContext, administrator: TestClient
) -> None:
    kept = SiteSettings(most_files=7).model_dump() | {"of_tomorrow": True}
    with context.store.beside() as connection:
        write_value(connection, "server.settings", json.dumps(kept))
    assert administrator.get("/settings").json()["most_files"] == 7


def test_the_institution_is_named_to_everybody_and_heads_reports(
    context: ServerContext,
    anybody: TestClient,
    administrator: TestClient,
    teacher: TestClient,
    work_off: Callable[[], int],
) -> None:
    assert anybody.get("/institution").json() == {"name": ""}
    administrator.patch("/settings", json={"institution": "Al-Farabi University"})
    assert anybody.get("/institution").json() == {"name": "Al-Farabi University"}
    small_library(context)
    id = checked(teacher, work_off)
    view = teacher.get(f"/checks/{id}/view").json()
    assert view["made"]["institution"] == "Al-Farabi University"
    for format in ("pdf", "docx"):
        report = teacher.get(f"/checks/{id}/report", params={"format": format}).content
        if format == "pdf":
            paper = pypdfium2.PdfDocument(report)
            said = paper[0].get_textpage().get_text_bounded()
            paper.close()
        else:
            said = docx.Document(io.BytesIO(report)).paragraphs[0].text
        assert said.startswith("Al-Farabi University"), format
