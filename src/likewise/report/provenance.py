"""What made a report: version, date and settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from likewise.model import Matches
from likewise.report.view import ProvenanceView
from likewise.settings import Settings
from likewise.version import version

# What only a search for pairs asks for: a check and a comparison look at every passage.
SEARCH_SETTINGS = frozenset(
    ("method", "filter", "recall", "bands", "agreeing_bands", "measure", "threshold")
)


def provenance_view(
    settings: Settings,
    date: str | None = None,
    counting: Mapping[str, Any] | None = None,
    *,
    is_search: bool = True,
    concepts: str = "",
) -> ProvenanceView:
    """What made a report; its date is now, unless one is given or SOURCE_DATE_EPOCH is set."""
    values = settings.as_dict()
    return ProvenanceView(
        version=version(),
        date=date or _now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        recipe=settings.recipe(),
        settings={k: v for k, v in values.items() if is_search or k not in SEARCH_SETTINGS},
        counting=dict(counting or {}),
        concepts=concepts,
    )


def provenance_of(matches: Matches, date: str | None = None) -> ProvenanceView:
    """The same of pairs with their passages."""
    counting = {} if matches.by_meaning else {"by_meaning": False}
    return provenance_view(matches.settings, date, counting, concepts=matches.concepts)


def _now() -> datetime:
    """The moment that reproducible builds are told, else the present one."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
