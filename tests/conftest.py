"""Rules that hold for every test."""

import os
import tempfile

import pytest
from hypothesis import settings

# A busy machine is not a bug. The rest of the profile is Hypothesis's own for this place:
# under continuous integration it tries the same examples every time.
settings.register_profile("likewise", settings(settings.default, deadline=None))
settings.load_profile("likewise")

# What the tests read is nobody else's business, nor the other way round.
_cache = tempfile.TemporaryDirectory(prefix="likewise-tests-")
os.environ["LIKEWISE_CACHE"] = _cache.name


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
