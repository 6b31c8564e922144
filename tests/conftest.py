"""Rules that hold for every test."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from sqlalchemy import URL

# A busy machine is not a bug. The rest of the profile is Hypothesis's own for this place:
# under continuous integration it tries the same examples every time.
settings.register_profile("likewise", settings(settings.default, deadline=None))
settings.load_profile("likewise")

# What the tests read is nobody else's business, nor the other way round.
_cache = tempfile.TemporaryDirectory(prefix="likewise-tests-")
os.environ["LIKEWISE_CACHE"] = _cache.name


_numbers = count(1)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, of the system where there is one; closed before others need an event loop."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def server() -> Iterator[URL]:
    """One PostgreSQL server for all tests."""
    from tests.library.postgres import NoServer, postgres_server

    try:
        with postgres_server() as url:
            yield url
    except NoServer as problem:
        pytest.skip(f"there is no PostgreSQL server: {problem}")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(engine_name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a library can be made: an empty file or schema, gone after the test."""
    if engine_name == "sqlite":
        yield str(tmp_path / "library.db")
        return
    from tests.library.postgres import on_server

    # A schema is made in a moment, a database in a tenth of a second.
    server: URL = request.getfixturevalue("server")
    name = f"likewise_{os.getpid()}_{next(_numbers)}"
    on_server(server, f'CREATE SCHEMA "{name}"')
    own = server.update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    on_server(server, f'DROP SCHEMA "{name}" CASCADE')


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for this test alone."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIKEWISE_CACHE", str(folder))
    return folder


def skipped_reports(session: pytest.Session) -> list[pytest.TestReport | pytest.CollectReport]:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    return list(reporter.stats.get("skipped", [])) if reporter and os.environ.get("CI") else []


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything can be provided, a skipped test is a promise that nobody checked."""
    if skipped_reports(session) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = skipped_reports(terminalreporter._session)
    if skipped:
        terminalreporter.section("skipped, which counts as failed under CI", red=True)
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.line(f"{report.nodeid}: {reason}")
