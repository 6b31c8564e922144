"""What a server's refusal means."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from likewise.internet.line import Answer

_MEANINGS = {
    401: "the site asks for a password",
    402: "the site asks for money",
    403: "the site does not let programs in",
    404: "there is no such page any more",
    410: "there is no such page any more",
    429: "the site asks to come back later",
    451: "the site may not show it, for legal reasons",
    503: "the site is out of service for now",
}
_LONGEST_REST = 3600.0
_USUAL_REST = 60.0


def why_refused(status: int) -> str:
    """
    >>> why_refused(404), why_refused(500), why_refused(206)
    ('there is no such page any more (404)', 'the site has a fault (500)',
    'the site answers with something else than a page (206)')
    """
    if status in _MEANINGS:
        return f"{_MEANINGS[status]} ({status})"
    if 400 <= status < 500:
        return f"the site refuses to show it ({status})"
    if status >= 500:
        return f"the site has a fault ({status})"
    return f"the site answers with something else than a page ({status})"


def rest_seconds(answer: Answer) -> float:
    """How long a server wants to be left alone; 0 where it did not say."""
    if answer.status not in (429, 503):
        return 0.0
    asked = answer.headers.get("retry-after", "").strip()
    if asked.isdigit():
        return min(float(asked[:9]), _LONGEST_REST)
    try:
        until = parsedate_to_datetime(asked)
        seconds = (until - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return _USUAL_REST if answer.status == 429 else 0.0
    return max(0.0, min(seconds, _LONGEST_REST))
