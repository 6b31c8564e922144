"""Rules that hold for every test."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from sqlalchemy import URL

    from tests.library.object_store import S3Server
    from tests.library.recorded_tables import RecordedTables
    from tests.library.schemas import SchemaPool

# A busy machine is not a bug. The rest of the profile is Hypothesis's own for this place:
# under continuous integration it tries the same examples every time.
settings.register_profile("likewise", settings(settings.default, deadline=None))
settings.load_profile("likewise")
QUICK_EXAMPLES = 10
# Where their number costs most; elsewhere tests keep it, and with it the examples that they know.
MANY_EXAMPLES = tuple(f"tests/{name}/" for name in ("kernels", "reading", "results", "search"))

# What the tests read is nobody else's business, nor the other way round.
_cache = tempfile.TemporaryDirectory(prefix="likewise-tests-")
os.environ["LIKEWISE_CACHE"] = _cache.name


ROOT = Path(__file__).parent.parent

# What a test needs is told by its fixtures and by the engine that it is run with; the few that ask
# for something in another way are marked where they stand.
FIXTURES = {"browser": "browser", "server": "postgres", "spark": "spark"}
# Whole files and folders. --quick does not even import them: what they need may not be there.
PATHS = {
    "src/likewise/reading/image": "ocr",
    "src/likewise/scale/daemon.py": "spark",
    "tests/bench": "slow",
    "tests/cli/test_check_web.py": "slow",
    "tests/cli/test_library.py": "slow",
    "tests/cli/test_library_recipe.py": "slow",
    "tests/cli/test_process.py": "slow",
    "tests/files/making": "ocr",
    "tests/library/test_batch.py": "slow",
    "tests/library/test_check.py": "slow",
    "tests/library/test_erase.py": "slow",
    "tests/library/test_faults.py": "slow",
    "tests/library/test_index.py": "slow",
    "tests/library/test_originals.py": "slow",
    "tests/library/test_promise.py": "slow",
    "tests/library/test_tables.py": "slow",
    "tests/pages/test_built.py": "bundles",
    "tests/pages/test_gallery.py": "bundles",
    "tests/reading/test_fuzz.py": "slow",
    "tests/reading/test_image.py": "ocr",
    "tests/reading/test_ocr_script.py": "ocr",
    "tests/reading/test_page_cleaning.py": "ocr",
    "tests/reading/test_page_finder.py": "ocr",
    "tests/reading/test_page_splitting.py": "ocr",
    "tests/reading/test_page_straightening.py": "ocr",
    "tests/reading/test_sandbox.py": "slow",
    "tests/reading/test_tricks_pdf.py": "slow",
    "tests/reading/test_verify.py": "slow",
    "tests/scale/test_command.py": "spark",
    "tests/scale/test_deduplication.py": "spark",
    "tests/scale/test_spark_session.py": "spark",
    "tests/security": "slow",
    "tests/server/test_adding.py": "slow",
    "tests/server/test_app.py": "slow",
    "tests/server/test_batches.py": "slow",
    "tests/server/test_checks.py": "slow",
    "tests/server/test_connections.py": "slow",
    "tests/server/test_documents.py": "slow",
    "tests/server/test_erasures.py": "slow",
    "tests/server/test_exclusions.py": "slow",
    "tests/server/test_faults.py": "slow",
    "tests/server/test_headers.py": "slow",
    "tests/server/test_health.py": "slow",
    "tests/server/test_jobs.py": "slow",
    "tests/server/test_load.py": "slow",
    "tests/server/test_login_accounts.py": "slow",
    "tests/server/test_login_providers.py": "slow",
    "tests/server/test_login_throttle.py": "slow",
    "tests/server/test_login_tokens.py": "slow",
    "tests/server/test_openapi.py": "slow",
    "tests/server/test_password_resets.py": "slow",
    "tests/server/test_passwords_off.py": "slow",
    "tests/server/test_queue.py": "slow",
    "tests/server/test_originals.py": "slow",
    "tests/server/test_quotas.py": "slow",
    "tests/server/test_readers.py": "slow",
    "tests/server/test_recipe.py": "slow",
    "tests/server/test_reports.py": "slow",
    "tests/server/test_security.py": "slow",
    "tests/server/test_serve.py": "slow",
    "tests/server/test_similar.py": "slow",
    "tests/server/test_stop_words.py": "slow",
    "tests/server/test_supervisor.py": "slow",
    "tests/server/test_users.py": "slow",
    "tests/server/test_web.py": "slow",
    "tests/server/test_worker.py": "slow",
}
# The markers of pyproject.toml; what bears none of them is quick.
MARKERS = ("browser", "bundles", "libreoffice", "ocr", "postgres", "slow", "spark")


# The longest files, which begin the run: one that begins last keeps a core idle at its end. Those
# that wait for clocks and for others stand between those that compute.
LONGEST = (
    "tests/server/test_load.py",
    "tests/pages/test_every_page.py",
    "tests/server/test_supervisor.py",
    "tests/bench/test_attacks.py",
    "tests/test_recipes.py",
    "tests/scale/test_deduplication.py",
    "tests/server/test_openapi.py",
    "tests/scale",
    "tests/bench",
    "tests/pages",
    "tests/server",
    "tests/security",
    "tests/report",
    "tests/library",
    "tests/cli",
    "tests/reading",
)


# Every window has an address bar, though nobody sees it, and two pages that wait for somebody to
# type there: half of what it takes to open one. Of two such switches the last holds, so those that
# Playwright gives are given again.
FEATURES_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "AimEnabled"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out what needs more than Python and pip's packages, and what is slow",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("quick"):
        settings.register_profile("quick", settings.default, max_examples=QUICK_EXAMPLES)
        settings.load_profile("quick")
        config.option.ignore = [*(config.option.ignore or []), *PATHS]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for marker in markers_of_needs(item):
            item.add_marker(marker)
    items.sort(key=place_in_run)  # stable: inside a file the order stays
    if config.getoption("quick"):
        for item in items:
            try_fewer_examples(item)
        left_out = {item for item in items if any(map(item.get_closest_marker, MARKERS))}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Nine thousand tests and all their modules stay to the end: nobody need look at them again.

    The collector of garbage did, a tenth of the time of tests that start no other process.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def try_fewer_examples(item: pytest.Item) -> None:
    """Hypothesis has no upper bound for the numbers that tests choose themselves."""
    test, name = getattr(item, "obj", None), "_hypothesis_internal_use_settings"
    own = getattr(test, name, None) if name_of(item).startswith(MANY_EXAMPLES) else None
    if own and own.max_examples > QUICK_EXAMPLES:
        setattr(test, name, settings(own, max_examples=QUICK_EXAMPLES))


def place_in_run(item: pytest.Item) -> int:
    name = name_of(item)
    return next((i for i, path in enumerate(LONGEST) if name.startswith(path)), len(LONGEST))


def name_of(item: pytest.Item) -> str:
    return item.path.relative_to(ROOT).as_posix() if item.path.is_relative_to(ROOT) else ""


def markers_of_needs(item: pytest.Item) -> set[str]:
    fixtures = FIXTURES.keys() & set(getattr(item, "fixturenames", ()))
    markers = {FIXTURES[fixture] for fixture in fixtures}
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    if any(isinstance(value, str) and value == "postgresql" for value in parameters.values()):
        markers.add("postgres")
    if parameters.get("ending") == ".html":  # a report that is written
        markers.add("bundles")
    name = name_of(item)
    return markers | {marker for path, marker in PATHS.items() if name.startswith(path)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, of the system where there is one; closed before others need an event loop."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", f"--disable-features={','.join(FEATURES_OFF)}"]
        opened = playwright.chromium.launch(executable_path=found, args=arguments)
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


@pytest.fixture(scope="session")
def recorded_tables() -> Iterator[RecordedTables]:
    """The tables of libraries are made of statements that were put together once."""
    from tests.library.recorded_tables import tables_from_statements

    with tables_from_statements() as tables:
        yield tables


@pytest.fixture(scope="session")
def schemas(server: URL, recorded_tables: RecordedTables) -> Iterator[SchemaPool]:
    """Where libraries can be made on the server; their tables serve one test after another."""
    from tests.library.schemas import SchemaPool

    with SchemaPool(server) as schemas:
        recorded_tables.schemas = schemas
        yield schemas
        recorded_tables.schemas = None


@pytest.fixture
def place(
    engine_name: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    recorded_tables: RecordedTables,
) -> Iterator[str]:
    """Where a library can be made: an empty file or schema, gone after the test."""
    if engine_name == "sqlite":
        yield str(tmp_path / "library.db")
        return
    # A schema is made in a moment, a database in a tenth of a second.
    schemas: SchemaPool = request.getfixturevalue("schemas")
    with schemas.schema() as own:
        yield own.render_as_string(hide_password=False)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for this test alone."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIKEWISE_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """One store that speaks S3 for all tests."""
    from tests.library.object_store import S3Server

    server = S3Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def s3(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    """The store, empty, and chosen for original files."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("LIKEWISE_ORIGINALS", s3_server.place)
    s3_server.clear()
    return s3_server


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
