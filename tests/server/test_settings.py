"""Settings: all of them for administrators, the public part for everybody."""

from __future__ import annotations

from fastapi.testclient import TestClient

from likewise.server.site import Site, SiteSettings


def test_administrators_change_settings(site: Site, administrator: TestClient) -> None:
    whole = administrator.get("/settings").json()
    assert whole == SiteSettings().model_dump()
    changed = administrator.patch("/settings", json={"institution": "KazNU", "most_files": 20})
    assert changed.json() == whole | {"institution": "KazNU", "most_files": 20}
    assert site.settings.most_files == 20
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
