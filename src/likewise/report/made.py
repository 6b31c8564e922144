"""What made a report: version, date and settings."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from likewise.report.view import MadeView
from likewise.settings import Settings
from likewise.version import version


def made_view(settings: Settings, date: str | None = None) -> MadeView:
    """What made a report; its date is now, unless one is given or SOURCE_DATE_EPOCH is set."""
    return MadeView(
        version=version(),
        date=date or _now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        recipe=settings.recipe(),
        settings=settings.as_dict(),
    )


def _now() -> datetime:
    """The moment that reproducible builds are told, else the present one."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(told), UTC) if told.isdigit() else datetime.now(UTC)
