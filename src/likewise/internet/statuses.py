"""What a server's refusal means."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from likewise.internet.line import Answer
from likewise.model import Message

_MEANINGS = {
    401: "internet.wants_password",
    402: "internet.wants_money",
    403: "internet.no_programs",
    404: "internet.gone",
    410: "internet.gone",
    429: "internet.wants_later",
    451: "internet.legal",
    503: "internet.out_of_service",
}
_LONGEST_REST = 3600.0
_USUAL_REST = 60.0


def why_refused(status: int) -> Message:
    """
    >>> str(why_refused(404)), str(why_refused(206))
    ('there is no such page any more (404)',
    'the site answers with something else than a page (206)')
    """
    key = "internet.no_page"
    if status >= 400:
        usual = "internet.refused" if status < 500 else "internet.fault"
        key = _MEANINGS.get(status, usual)
    return Message(key, {"status": status})


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
