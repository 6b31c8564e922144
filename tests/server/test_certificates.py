"""Certificates: what departments file, and where anybody sees that one is genuine."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from sqlalchemy import select

from likewise.catalogue import LANGUAGES
from likewise.library import Library
from likewise.library.backup import back_up, restore
from likewise.report.view import SharesView, WordingsView
from likewise.server.caller import Caller
from likewise.server.certificates import service
from likewise.server.certificates.codes import ALPHABET, code_from, grouped, new_code
from likewise.server.certificates.shapes import IssueCertificate
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.reports.certificate import (
    MOST_SOURCES,
    CertificateFacts,
    CertifiedCheck,
    CertifiedSource,
)
from likewise.server.reports.certificate_pdf import certificate_pdf
from tests.server.checking import MARKET, OWN, RIVER, checked, post, small_library, thesis

SAID = {
    "author": "Bekzat Zhusip",
    "title": "Water, prices and fruit",
    "supervisor": "S. Omarova",
    "institution": "Al-Farabi University",
}

ASKED = {"language": "en", **SAID}


@pytest.fixture
def id(context, teacher, work_off):
    small_library(context)
    return checked(teacher, work_off)


def issue(client, id, **given):
    answer = client.post(f"/checks/{id}/certificates", json={**ASKED, **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


def listed(client, id):
    return client.get(f"/checks/{id}/certificates").json()


def verified(client, code):
    answer = client.get(f"/certificates/{code}/verify")
    assert answer.status_code == 200, answer.text
    return answer.json()


def page_of(data: bytes) -> tuple[int, str]:
    """How many pages, and what stands there."""
    pdf = pypdfium2.PdfDocument(data)
    text = " ".join(page.get_textpage().get_text_bounded() for page in pdf)
    count = len(pdf)
    pdf.close()
    return count, " ".join(text.split())


def pdf_of(client, code):
    answer = client.get(f"/certificates/{code}.pdf")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return answer.content


def qr_code_of(data: bytes) -> str:
    """What a telephone reads from the printed page."""
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    pdf = pypdfium2.PdfDocument(data)
    picture = numpy.array(pdf[0].render(scale=3).to_pil().convert("L"))
    pdf.close()
    text: str = cv2.QRCodeDetector().detectAndDecode(picture)[0]
    return text


# Codes


def test_a_code_is_read_however_it_is_typed_and_cannot_be_guessed():
    code = new_code()
    assert len(ALPHABET) ** len(code) >= 2**60
    assert len({new_code() for _ in range(1_000)}) == 1_000
    for typed in (code, code.lower(), grouped(code), f" {grouped(code).lower()} "):
        assert code_from(typed) == code
    assert not set("0O1IL5S2Z8B6GUV") & set(ALPHABET) - set("2568V")  # one of each that look alike
    assert code_from("АССЕН-23456-ЕНКМТ") == "ACCEH23456EHKMT"  # with a Russian keyboard
    for wrong in ("", "A", code[:-1], code + "A", "'; drop table", "0" * 15):
        assert code_from(wrong) is None


# Issuing


def test_a_certificate_says_what_the_report_says_and_is_genuine(anybody, teacher, id):
    made = issue(teacher, id)
    result = teacher.get(f"/checks/{id}/result").json()
    assert (made["number"], made["issued_by"], made["revoked_on"]) == (1, "aigul", None)
    assert {name: made[name] for name in SAID} == SAID
    pages, text = page_of(pdf_of(teacher, made["id"]))
    assert pages == 1
    similar = f"{100 * result['shares']['similar']:.1f}%"
    for wanted in (*SAID.values(), made["code"], "No. 1", "aigul", "river.txt", similar):
        assert wanted in text, wanted
    told = verified(anybody, made["code"])
    assert told == {
        "state": "genuine",
        "code": made["code"],
        "number": 1,
        "issued_on": made["issued_on"],
        **{name: SAID[name] for name in ("institution", "author", "title")},
        "shares": told["shares"],
    }
    for name, share in told["shares"].items():
        assert share == pytest.approx(result["shares"][name], abs=0.001)
    assert listed(teacher, id)["items"] == [made]


def test_whoever_holds_a_code_learns_no_source_and_no_text(anybody, teacher, id):
    made = issue(teacher, id)
    answer = anybody.get(f"/certificates/{made['code']}/verify")
    for secret in ("river", "market", "thesis.txt", "aigul", "Omarova", RIVER[:20], OWN[:20]):
        assert secret not in answer.text, secret
    for path in (f"/certificates/{made['id']}.pdf", f"/checks/{id}/certificates"):
        assert anybody.get(path).status_code == 401
    unknown = verified(anybody, new_code())
    assert unknown == verified(anybody, "nonsense") == {"state": "unknown"}


def test_what_is_known_is_proposed_and_can_be_corrected(
    context, administrator, teacher, work_off, id
):
    administrator.patch("/settings", json={"institution": "KazNU"})
    assert listed(teacher, id)["proposed"] == {
        "institution": "KazNU",
        "author": "",
        "title": "",
        "supervisor": "",
    }
    about = {"author": "A. Nur", "advisor": "S. Omarova"}
    post(teacher, "/documents", {"essay.txt": thesis(OWN, MARKET)}, metadata=about)
    work_off()
    (found,) = teacher.get("/documents", params={"search": "essay"}).json()["items"]
    started = post(teacher, "/checks", {}, document=found["id"]).json()["id"]
    work_off()
    proposed = listed(teacher, started)["proposed"]
    assert (proposed["author"], proposed["supervisor"]) == ("A. Nur", "S. Omarova")
    made = teacher.post(
        f"/checks/{started}/certificates", json={"language": "en", "author": "Aizhan Nur"}
    ).json()
    assert (made["author"], made["supervisor"]) == ("Aizhan Nur", "S. Omarova")
    assert made["institution"] == "KazNU"


def test_numbers_go_up_by_one_and_a_check_may_have_several(teacher, id):
    made = [issue(teacher, id, language=language) for language in LANGUAGES]
    assert [one["number"] for one in made] == [1, 2, 3]
    assert [one["number"] for one in listed(teacher, id)["items"]] == [3, 2, 1]
    assert len({one["id"] for one in made}) == 3


def _issue_five(place: str, check: str, user: str) -> list[int]:
    """In a process of its own, as another server over the same database does."""
    with Library(place) as library:
        context = ServerContext(library, Config(workers=0))
        caller = Caller(user, "aigul", "teacher", "127.0.0.1")
        request = IssueCertificate(**ASKED)
        return [service.issue(context, caller, check, request).number for _ in range(5)]


def test_eight_processes_give_numbers_without_gaps_or_doubles(place, teacher, id):
    user = teacher.get("/me").json()["id"]
    processes = [(place, id, user)] * 8
    with get_context("spawn").Pool(8) as pool:
        given = pool.starmap(_issue_five, processes)
    assert sorted(number for some in given for number in some) == list(range(1, 41))


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_what_is_not_done_or_too_long_gets_no_certificate(teacher, work_off, id):
    waiting = post(teacher, "/checks", {"later.txt": thesis()}).json()["id"]
    refused = teacher.post(f"/checks/{waiting}/certificates", json=ASKED)
    assert (refused.status_code, refused.json()["kind"]) == (409, "not ready")
    for wrong in ({"author": "x" * 301}, {"language": "de"}, {"number": 7}, {"language": None}):
        answer = teacher.post(f"/checks/{id}/certificates", json=ASKED | wrong)
        assert answer.status_code == 422, wrong
    assert issue(teacher, id, author=" A.\n\tNur\u202e ")["author"] == "A. Nur"


# Who may


def test_a_check_that_is_shared_is_certified_by_its_owner_or_an_administrator(
    administrator, teacher, log_in, id
):
    colleague = log_in("bolat")
    made = issue(teacher, id)
    for other in (colleague, administrator):
        assert other.get(f"/checks/{id}/certificates").status_code == 404
        assert other.get(f"/certificates/{made['id']}.pdf").status_code == 404
        assert other.post(f"/checks/{id}/certificates", json=ASKED).status_code == 404
    teacher.post(f"/checks/{id}/share", json={"shared": True})
    assert pdf_of(colleague, made["id"]) == pdf_of(teacher, made["id"])
    assert not listed(colleague, id)["may_issue"] and listed(administrator, id)["may_issue"]
    assert colleague.post(f"/checks/{id}/certificates", json=ASKED).status_code == 403
    assert issue(administrator, id)["issued_by"] == "dean"
    why = {"reason": "not mine"}
    assert colleague.post(f"/certificates/{made['id']}/revoke", json=why).status_code == 403


def test_a_revoked_certificate_stays_known_and_says_so(anybody, teacher, id):
    made = issue(teacher, id)
    before = pdf_of(teacher, made["id"])
    assert (
        teacher.post(f"/certificates/{made['id']}/revoke", json={"reason": " "}).status_code == 422
    )
    revoked = teacher.post(
        f"/certificates/{made['code']}/revoke", json={"reason": "A wrong name"}
    ).json()
    assert revoked["revoked_on"] and revoked["reason"] == "A wrong name"
    assert not revoked["may_revoke"]
    told = verified(anybody, made["code"])
    assert (told["state"], told["number"]) == ("revoked", 1) and "wrong" not in json.dumps(told)
    again = teacher.post(f"/certificates/{made['id']}/revoke", json={"reason": "Again"})
    assert again.status_code == 409
    assert pdf_of(teacher, made["id"]) == before
    assert issue(teacher, id)["number"] == 2


def test_an_administrator_revokes_what_bears_the_name_of_the_institution(
    anybody, administrator, teacher, id
):
    made = issue(teacher, id)
    why = {"reason": "issued for somebody else"}
    assert administrator.post(f"/certificates/{made['code']}/revoke", json=why).status_code == 200
    assert verified(anybody, made["code"])["state"] == "revoked"
    acts = {one["act"] for one in administrator.get("/audit").json()["items"]}
    assert {"certificate issued", "certificate revoked"} <= acts
    assert administrator.post(f"/certificates/{new_code()}/revoke", json=why).status_code == 404


def test_many_codes_from_one_network_are_slowed_down(anybody, monkeypatch):
    monkeypatch.setattr(service, "MOST_FROM_NETWORK", 3)
    answers = [anybody.get(f"/certificates/{new_code()}/verify") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 0


# Frozen


def test_later_decisions_and_the_end_of_the_check_change_nothing(anybody, teacher, id):
    made = issue(teacher, id)
    before, told = pdf_of(teacher, made["id"]), verified(anybody, made["code"])
    taken = {"source": "river.txt", "reason": "her own notes"}
    assert teacher.post(f"/checks/{id}/exclusions", json=taken).status_code == 201
    assert pdf_of(teacher, made["id"]) == before
    after = issue(teacher, id)
    assert verified(anybody, after["code"])["shares"]["similar"] < told["shares"]["similar"]
    assert teacher.delete(f"/checks/{id}").status_code == 204
    assert verified(anybody, made["code"]) == told
    assert pdf_of(teacher, made["id"]) == before  # whoever issued it keeps it
    assert teacher.get(f"/checks/{id}/certificates").status_code == 404


# Erasing


def erase(client, work_off, **asked):
    answer = client.post("/erasures", json=asked)
    assert answer.status_code == 202, answer.text
    work_off()
    receipt = client.get(f"/erasures/{answer.json()['id']}").json()
    assert receipt["state"] == "done"
    return receipt


def facts_in(context) -> str:
    with context.store.reading() as connection:
        rows = connection.execute(select(tables.certificates)).mappings()
        return json.dumps([dict(row) for row in rows], default=str, ensure_ascii=False)


def test_an_erased_source_and_an_erased_work_lose_their_names_and_nothing_else(
    context, anybody, administrator, teacher, work_off, id
):
    about = {"author": "Frumious Bander", "advisor": "S. Omarova"}
    post(teacher, "/documents", {"frumious.txt": thesis()}, metadata=about)
    work_off()
    (work,) = teacher.get("/documents", params={"search": "frumious"}).json()["items"]
    started = post(teacher, "/checks", {}, document=work["id"]).json()["id"]
    work_off()
    made = issue(teacher, started, author="Frumious Bander", title="Of frumious things")
    told = verified(anybody, made["code"])
    (source,) = teacher.get("/documents", params={"search": "river"}).json()["items"]
    receipt = erase(administrator, work_off, documents=[source["id"]])
    assert "river.txt" not in facts_in(context) and "market.txt" in facts_in(context)
    assert verified(anybody, made["code"]) == told
    receipt = erase(administrator, work_off, documents=[work["id"]])
    assert "rumious" not in facts_in(context) and "Omarova" not in facts_in(context)
    left = verified(anybody, made["code"])
    assert (left["state"], left["author"]) == ("genuine", "erased person")
    assert left["shares"] == told["shares"]
    assert receipt["counts"]["certificates"] == 1


def test_a_person_who_is_erased_is_named_by_no_certificate(
    context, anybody, administrator, teacher, work_off, id
):
    made = issue(teacher, id, supervisor="aigul")
    erase(administrator, work_off, user="aigul")
    assert "aigul" not in facts_in(context)
    assert verified(anybody, made["code"])["state"] == "genuine"
    assert verified(anybody, made["code"])["author"] == SAID["author"]


# Copies


def test_a_restore_keeps_what_was_issued_and_revoked_since(
    context, place, anybody, teacher, id, tmp_path: Path
):
    first = issue(teacher, id)
    back_up(context.library, tmp_path / "monday.db")
    second = issue(teacher, id)
    teacher.post(f"/certificates/{first['id']}/revoke", json={"reason": "A wrong name"})
    restore(tmp_path / "monday.db", place)
    with Library(place) as library:
        other = ServerContext(library, Config(workers=0))
        states = [service.verify(other, one["code"], "127.0.0.1") for one in (first, second)]
        assert states[0] is not None and states[0].revoked_on is not None
        assert states[1] is not None and states[1].number == 2


# The page


def facts_of(
    language: str, sources: int, *, is_long: bool, verify_at: str = ""
) -> CertificateFacts:
    name = "Нұрмұхаммед-Әбдірахман Бекзатұлы Жүсіпбек-Қожахметов, " * 5 if is_long else "A. Nur"
    certified = CertifiedCheck(
        checked_on="2026-11-17T10:00:00Z",
        document="Дипломная работа (окончательная).docx" * (3 if is_long else 1),
        sha256="ab" * 32,
        is_file=True,
        author="",
        title="",
        words=21_345,
        pages=84,
        shares=SharesView(10_000, 6_000, 3_000, 700, 300),
        wordings=WordingsView(2_000, 900, 100),
        documents=5_300,
        sources=tuple(
            CertifiedSource(f"{i} {name if is_long else 'source.pdf'}", 100)
            for i in range(min(sources, MOST_SOURCES))
        ),
        all_sources=sources,
        taken_out=int(is_long),
        in_part=is_long,
        disguises=int(is_long),
        on_web=is_long,
        counting={"min_words": 12, "keep_title_page": True} if is_long else {},
        recipe="likewise 7, words, shingles of 3",
        version="0.1.0",
    )
    return CertificateFacts(
        language=language,
        institution=name[:300],
        author=name[:300],
        title=name[:300],
        supervisor=name[:300],
        issued_by=name[:200],
        issued_on="2026-11-18T21:00:00Z",
        verify_at=verify_at,
        check=certified,
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("is_long", [False, True])
def test_it_is_one_page_whatever_it_has_to_say(language: str, is_long: bool) -> None:
    code = grouped(new_code())
    for sources in (0, 1, 8, MOST_SOURCES, 137):
        facts = facts_of(language, sources, is_long=is_long)
        data = certificate_pdf(12, code, facts)
        pages, text = page_of(data)
        assert pages == 1, sources
        assert code in text
        assert data == certificate_pdf(12, code, facts)
        shown = sum(f"{number}." in text.split() for number in range(1, sources + 1))
        assert shown >= min(sources, 1)
        if 0 < shown < sources:
            assert str(sources - shown) in text.split()


def test_what_no_share_tells_stands_on_the_page_too() -> None:
    facts = facts_of("en", 0, is_long=False)
    copied = replace(facts.check, copied_tables=2, copied_pictures=1)
    _, text = page_of(certificate_pdf(1, new_code(), replace(facts, check=copied)))
    assert "2 tables stand in a source." in text
    assert "1 picture stands in a source." in text
    assert "No source was found." not in text
    short = replace(facts.check, uncounted="too_short")
    _, text = page_of(certificate_pdf(1, new_code(), replace(facts, check=short)))
    assert "too short to check" in text
    assert "%" not in text.partition("What the text is made of")[2]


def test_a_certificate_of_too_short_a_text_has_no_figures(anybody, teacher, work_off):
    sent = teacher.post("/checks", files={"file": ("note.txt", b"Three words only.")}).json()
    work_off()
    made = issue(teacher, sent["id"])
    _, text = page_of(pdf_of(teacher, made["id"]))
    assert "100.0%" not in text
    assert "shares" not in verified(anybody, made["code"])


@pytest.mark.parametrize("where", ["", "https://likewise.example.kz/certificates"])
def test_the_qr_code_is_read_from_the_page(where: str) -> None:
    code = grouped(new_code())
    data = certificate_pdf(1, code, facts_of("kk", 8, is_long=True, verify_at=where))
    expected = f"{where}/{code}" if where else code
    assert qr_code_of(data) == expected
    assert ("likewise.example.kz/certificates" in page_of(data)[1]) == bool(where)


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_the_address_in_it_is_the_configured_one(context, teacher, id):
    context.config = Config(workers=0, public_url="https://likewise.example.kz/")
    made = issue(teacher, id)
    data = pdf_of(teacher, made["id"])
    assert qr_code_of(data) == f"https://likewise.example.kz/certificates/{made['code']}"


def test_what_somebody_typed_is_never_markup_and_signs_without_a_font_are_replaced() -> None:
    facts = facts_of("en", 1, is_long=False)
    hostile: dict[str, Any] = {"author": '#read("/etc/passwd") *bold* $x$ \\', "title": "中文 A"}
    _, text = page_of(certificate_pdf(1, new_code(), replace(facts, **hostile)))
    assert '#read("/etc/passwd") *bold* $x$' in text
    assert "\ufffd\ufffd A" in text


def test_several_read_the_same_page_at_once(teacher, id):
    made = issue(teacher, id)
    with ThreadPoolExecutor(4) as readers:
        pages = set(readers.map(lambda _: pdf_of(teacher, made["id"]), range(4)))
    assert len(pages) == 1
