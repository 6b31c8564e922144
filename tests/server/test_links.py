"""Links to reports: made by owners, opened by whoever they are for, ended, counted, marked."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from datetime import timedelta

import docx
import pypdfium2
import pytest

from likewise.library.backup import back_up, restore
from likewise.server.app import OPEN_TO_ALL
from likewise.server.context import SiteSettings, utc_now
from likewise.server.database import tables
from likewise.server.links import opening
from tests.server.accounts import acts_of, another_server, client_of, decide, rows, turn
from tests.server.checking import APPLES, MARKET, checked, post, small_library, thesis, zipped
from tests.server.world import full, routes

WHO = "Әйгерім Commission <b>& sons"


@pytest.fixture
def id(context, teacher, work_off):
    small_library(context)
    return checked(teacher, work_off)


@pytest.fixture
def colleague(log_in):
    return log_in("bolat")


def make(client, id, noun="checks", **said):
    return client.post(f"/{noun}/{id}/links", json={"recipient": WHO} | said)


def made(client, id, noun="checks", **said):
    answer = make(client, id, noun, **said)
    assert answer.status_code == 201, answer.text
    return answer.json()


def by(token):
    return {"Link-Token": token}


def shared(client, token, path="", **asked):
    return client.get(f"/shared{path}", headers=by(token), params=asked)


def code_of(answer):
    return answer.status_code, answer.json()["code"]


# Making


def test_only_a_hash_of_the_token_is_kept_and_it_is_told_once(context, teacher, id, anybody):
    told = made(teacher, id)
    token = told["token"]
    assert len(token) >= 43 and told["address"] == ""
    (row,) = rows(context, tables.report_links)
    assert row.hash == hashlib.sha256(token.encode()).digest()
    everything = str([rows(context, table) for table in (tables.report_links, tables.audit)])
    assert token not in everything
    listed = teacher.get(f"/checks/{id}/links").json()
    assert token not in str(listed)
    assert listed["items"] == [told["link"]]
    assert (listed["usual_days"], listed["most_days"]) == (30, 180)
    assert shared(anybody, token).status_code == 200


def test_a_link_is_for_owners_alone_and_of_reports_that_are_done(
    teacher, colleague, administrator, id
):
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    for other in (colleague, administrator):
        assert code_of(make(other, id)) == (403, "server.check_owner")
        assert other.get(f"/checks/{id}/links").status_code == 403
    link = made(teacher, id)["link"]["id"]
    for other in (colleague, administrator):
        assert other.get(f"/links/{link}/openings").status_code == 404
        assert other.post(f"/links/{link}/revoke").status_code == 404
    waiting = post(teacher, "/checks", {"a.txt": thesis()}).json()["id"]
    assert make(teacher, waiting).json()["kind"] == "not ready"


def test_a_link_names_its_recipient_and_ends_within_what_the_site_allows(
    context, teacher, id, colleague
):
    assert code_of(make(teacher, id, recipient=" ")) == (422, "server.link_recipient")
    assert code_of(make(teacher, id, colleague="nobody")) == (404, "server.not_found")
    assert code_of(make(teacher, id, colleague="aigul")) == (422, "server.link_to_oneself")
    decide(context, SiteSettings(link_days=10, most_link_days=5))
    now = utc_now()
    for days, status in ((-1, 422), (7, 422), (4, 201)):
        end = (now + timedelta(days=days)).isoformat() + "Z"
        assert make(teacher, id, ends_on=end).status_code == status, days
    link = made(teacher, id)["link"]
    row = next(one for one in rows(context, tables.report_links) if one.id == link["id"])
    assert row.ends_on - row.made_on == timedelta(days=5), "the usual time, if it is allowed"
    assert make(teacher, id, recipient="x" * 101).status_code == 422
    assert make(teacher, id, recipient="a\u202eb").status_code == 422


# Opening


def test_anybody_with_the_address_reads_the_report_and_nothing_else(context, teacher, anybody, id):
    token = made(teacher, id)["token"]
    told = shared(anybody, token).json()
    assert (told["kind"], told["recipient"], told["is_personal"]) == ("check", WHO, False)
    assert (told["name"], told["shared_by"]) == ("thesis.txt", "aigul")
    view = shared(anybody, token, "/view").json()
    own = teacher.get(f"/checks/{id}/view").json()
    assert view["made"].pop("recipient") == WHO and own["made"].pop("recipient") == ""
    assert {k: v for k, v in view.items() if k != "made"} == {
        k: v for k, v in own.items() if k != "made"
    }
    for method, path in routes():
        if path.startswith("/shared") or ("{" in path and path.split("/")[1] not in ("checks",)):
            continue
        address = re.sub(r"\{\w+\}", id, path)
        answer = anybody.request(method, address, headers=by(token))
        bearing = anybody.request(method, address, headers={"Authorization": f"Bearer {token}"})
        if full(path) not in OPEN_TO_ALL:
            assert {answer.status_code, bearing.status_code} == {401}, path


def test_what_only_the_library_knows_is_not_told_by_a_link(context, teacher, anybody, work_off):
    about = {"author": "Әлия Нұр", "advisor": "B. Serik", "year": 2019}
    own = teacher.post("/collections", json={"name": "mine alone"}).json()["id"]
    assert post(teacher, "/documents", {"r.txt": thesis()}, collection=own, metadata=about)
    work_off()
    id = checked(teacher, work_off, thesis())
    assert "B. Serik" in teacher.get(f"/checks/{id}/view").text
    view = shared(anybody, made(teacher, id)["token"], "/view")
    assert view.status_code == 200 and "B. Serik" not in view.text


def test_a_link_for_a_colleague_opens_for_that_colleague_alone(
    context, teacher, colleague, administrator, anybody, id
):
    told = made(teacher, id, colleague="Bolat", recipient="somebody else")
    token, link = told["token"], told["link"]
    assert (link["recipient"], link["colleague"], link["is_personal"]) == ("bolat", "bolat", True)
    assert code_of(shared(anybody, token)) == (401, "server.link_log_in")
    for other in (administrator, teacher):
        assert code_of(shared(other, token)) == (403, "server.link_of_another")
    assert shared(colleague, token, "/view").json()["made"]["recipient"] == "bolat"
    key = colleague.post("/keys", json={"name": "mine", "scopes": ["checks:read"]}).json()["secret"]
    by_key = anybody.get("/shared", headers=by(token) | {"Authorization": f"Bearer {key}"})
    assert code_of(by_key) == (403, "server.people_only")
    (seen,) = teacher.get(f"/links/{link['id']}/openings").json()["items"]
    assert (seen["person"], seen["address"]) == ("bolat", "testclient")
    # The account is gone: the link does not become one for anybody.
    with context.store.beside() as connection:
        connection.execute(tables.users.delete().where(tables.users.c.name == "bolat"))
    for client in (anybody, teacher, colleague):
        assert shared(client, token).status_code in (401, 403)


def test_a_link_ends_is_revoked_and_says_so(context, teacher, anybody, id):
    ended, revoked, good = (made(teacher, id) for _ in range(3))
    one = tables.report_links.update().where(tables.report_links.c.id == ended["link"]["id"])
    with context.store.beside() as connection:
        connection.execute(one.values(ends_on=utc_now() - timedelta(seconds=1)))
    answer = teacher.post(f"/links/{revoked['link']['id']}/revoke").json()
    assert answer["state"] == "revoked" and answer["revoked_on"]
    assert teacher.post(f"/links/{revoked['link']['id']}/revoke").json() == answer
    for path in ("", "/view", "/report"):
        assert code_of(shared(anybody, ended["token"], path)) == (404, "server.link_ended")
        assert code_of(shared(anybody, revoked["token"], path)) == (404, "server.link_revoked")
        assert shared(anybody, good["token"], path).status_code == 200
    states = {one["id"]: one["state"] for one in teacher.get(f"/checks/{id}/links").json()["items"]}
    assert [states[each["link"]["id"]] for each in (ended, revoked, good)] == [
        *("ended", "revoked", "open")
    ]


def test_a_link_dies_with_the_right_to_make_it(context, teacher, anybody, id):
    token = made(teacher, id)["token"]
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    assert shared(anybody, token).status_code == 200
    teacher.post(f"/checks/{id}/share", json={"shared": False})
    assert code_of(shared(anybody, token)) == (404, "server.link_revoked")
    token = made(teacher, id)["token"]
    turn(context, tables.users, is_active=False)
    assert code_of(shared(anybody, token)) == (404, "server.no_link")
    turn(context, tables.users, is_active=True)
    assert shared(anybody, token).status_code == 200
    teacher.post("/checks/share", json={"ids": [id], "shared": False})
    assert code_of(shared(anybody, token)) == (404, "server.link_revoked")
    token = made(teacher, id)["token"]
    assert teacher.delete(f"/checks/{id}").status_code == 204
    assert code_of(shared(anybody, token)) == (404, "server.no_link")
    assert rows(context, tables.report_links) == []


def test_tokens_cannot_be_guessed_without_end_and_right_ones_are_never_held_up(
    teacher, anybody, id
):
    token = made(teacher, id)["token"]
    answers = [shared(anybody, f"aguess{i}").status_code for i in range(60)]
    assert answers[0] == 404 and answers[-1] == 429
    assert shared(anybody, token).status_code == 200
    assert shared(anybody, "a" * 101).status_code == 422
    assert anybody.get("/shared").status_code in (404, 429)


def test_openings_are_counted_once_for_each_reader_within_ten_minutes(
    context, teacher, anybody, administrator, id, monkeypatch
):
    told = made(teacher, id)
    for _ in range(3):
        assert shared(anybody, told["token"], "/view").status_code == 200
    (listed,) = teacher.get(f"/checks/{id}/links").json()["items"]
    assert listed["openings"] == 1 and listed["opened_on"]
    turn(context, tables.report_link_openings, on=utc_now() - timedelta(minutes=11))
    assert shared(anybody, told["token"], "/report").status_code == 200
    answer = teacher.get(f"/links/{told['link']['id']}/openings").json()
    assert answer["total"] == 2
    assert [one["person"] for one in answer["items"]] == [None, None]
    (noted, _) = acts_of(administrator, "report link opened")
    assert (noted["target"], noted["detail"], noted["user_name"]) == (
        *(id, {"link": told["link"]["id"], "owner": "aigul"}, None),
    )
    assert acts_of(administrator, "report link made")[0]["detail"]["link"] == told["link"]["id"]
    monkeypatch.setattr(opening, "MOST_READS", 1)
    monkeypatch.setattr(opening, "SPELL", timedelta(days=1))
    assert shared(anybody, told["token"], "/view").status_code == 429


def test_whose_report_is_opened_by_a_link_sees_by_whom(teacher, colleague, anybody, id):
    token = made(teacher, id)["token"]
    assert shared(anybody, token, "/view").status_code == 200
    personal = made(teacher, id, colleague="bolat")["token"]
    assert shared(colleague, personal, "/view").status_code == 200
    told = teacher.get("/me/notices", params={"kind": "reading"}).json()
    assert {(one["act"], one["by"], one["target"]) for one in told["items"]} == {
        ("report link opened", None, id),
        ("report link opened", "bolat", id),
    }
    assert teacher.get("/me/notices", params={"kind": "account"}).json()["total"] == 0
    assert colleague.get("/me/notices").json()["total"] == 0


def test_no_search_engine_and_no_other_site_learns_of_it(context, teacher, id):
    token = made(teacher, id)["token"]
    client = client_of(context)
    for answer in (shared(client, token), client.get("http://testserver/shared")):
        assert answer.headers["x-robots-tag"] == "noindex, nofollow"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert shared(client, token).headers["cache-control"] == "no-store"


def test_a_restore_opens_no_link_that_was_ended_since(
    context, place, teacher, id, work_off, tmp_path
):
    revoked, good = made(teacher, id), made(teacher, id)
    gone = checked(teacher, work_off, name="gone.txt")
    of_gone = made(teacher, gone)
    back_up(context.library, tmp_path / "monday.db")
    teacher.post(f"/links/{revoked['link']['id']}/revoke")
    teacher.delete(f"/checks/{gone}")
    restore(tmp_path / "monday.db", place)
    with another_server(place) as other:
        anybody = client_of(other)
        assert shared(anybody, good["token"]).status_code == 200
        for one in (revoked, of_gone):
            assert code_of(shared(anybody, one["token"])) == (404, "server.link_revoked")


# The watermark


def test_every_page_of_every_file_names_the_recipient(teacher, anybody, id):
    token = made(teacher, id)["token"]
    pdf = pypdfium2.PdfDocument(shared(anybody, token, "/report", format="pdf").content)
    texts = [page.get_textpage().get_text_bounded() for page in pdf]
    pdf.close()
    assert len(texts) > 1 and all(WHO in text for text in texts)
    data = shared(anybody, token, "/report", format="docx", language="kk").content
    parts = zipfile.ZipFile(io.BytesIO(data))
    header = parts.read("word/header.xml").decode()
    assert "Әйгерім Commission &lt;b&gt;&amp; sons" in header and 'alt=""' in header
    assert WHO in docx.Document(io.BytesIO(data)).sections[0].footer.paragraphs[0].text
    page = shared(anybody, token, "/report", format="html")
    assert page.headers["content-disposition"].startswith("attachment")
    for format in ("json", "csv"):
        assert shared(anybody, token, "/report", format=format).status_code == 422
    own = teacher.get(f"/checks/{id}/report", params={"format": "pdf"}).content
    pdf = pypdfium2.PdfDocument(own)
    assert not any("Commission" in page.get_textpage().get_text_bounded() for page in pdf)
    pdf.close()


# Classes


def test_a_class_is_shown_by_a_link_too(context, teacher, anybody, work_off):
    small_library(context)
    files = {"class.zip": zipped({"a.txt": thesis(), "b.txt": thesis(APPLES, MARKET)})}
    batch = post(teacher, "/batches", files, name="Group 7").json()["id"]
    work_off()
    refused = make(teacher, batch, "batches", is_commission=True)
    assert code_of(refused) == (422, "server.commission_of_check")
    told = made(teacher, batch, "batches")
    assert shared(anybody, told["token"]).json()["kind"] == "batch"
    view = shared(anybody, told["token"], "/view").json()
    assert view["made"]["recipient"] == WHO and len(view["checks"]) == 2
    pdf = shared(anybody, told["token"], "/report", format="pdf").content
    document = pypdfium2.PdfDocument(pdf)
    assert all(WHO in page.get_textpage().get_text_bounded() for page in document)
    document.close()
    member = teacher.get(f"/batches/{batch}/checks").json()["items"][0]["id"]
    of_member = made(teacher, member)
    assert teacher.post(f"/batches/{batch}/share", json={"shared": False}).status_code == 200
    for one in (told, of_member):
        assert code_of(shared(anybody, one["token"])) == (404, "server.link_revoked")
