"""The server goes away in the middle of an upload."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.library.texts import invented

from .conftest import Visit
from .live_server import LiveServer
from .making import payload, zipped
from .speech import Language

SLOWLY = {"offline": False, "latency": 5, "downloadThroughput": -1, "uploadThroughput": 150_000}
FILES = 24


@pytest.mark.parametrize(("engine_name", "language"), [("postgresql", "kk")])
def test_an_upload_goes_on_when_the_server_is_killed_and_started_anew_and_nothing_is_doubled(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at="/library/add")
    texts = {f"essay-{i}.txt": invented(2_500, seed=i) for i in range(FILES)}
    teacher.give(payload("essays.zip", zipped(texts)), payload("last.txt", invented(90, seed=99)))
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", SLOWLY)
    teacher.press("add.start", n=2)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.file progress')].some(each => each.value > 0.2)"
    )
    teacher.picture("sending")
    live_server.kill()
    network.send("Network.emulateNetworkConditions", SLOWLY | {"uploadThroughput": -1})
    expect(page.get_by_text(words("add.state.sending")).first).to_be_visible()
    live_server.start()
    teacher.sees("add.inside", n=FILES)
    teacher.picture("added")
    expect(page.get_by_role("link", name="last.txt")).to_be_visible()

    found = live_server.found("aigul", "/documents", limit=100)
    names = [one["name"].rpartition("/")[2] for one in found["items"]]
    assert sorted(names) == sorted([*texts, "last.txt"])
    assert all(one["handed_in"] == 1 for one in found["items"])

    # Killed while it reads: the page waits for the job that others finish.
    teacher.press("add.clear")
    more = {f"more-{i}.txt": invented(2_500, seed=500 + i) for i in range(FILES)}
    teacher.give(payload("more.zip", zipped(more)))
    teacher.press("add.start", n=1)
    expect(page.get_by_text(words("add.state.reading")).first).to_be_visible()
    live_server.kill()
    live_server.start()
    teacher.sees("add.inside", n=FILES)
    assert live_server.found("aigul", "/documents")["total"] == 2 * FILES + 1
