"""What letters say: sentences of the catalogue, as plain text and as a page of HTML.

The page loads nothing, runs nothing, and everything in it that is not ours is escaped. Neither
holds a text of a document or the name of a file: mail lies about on many machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from likewise.catalogue import Words
from likewise.languages import codes
from likewise.server.mail.kinds import MailKind
from likewise.server.shapes import clean_line

LONGEST_SUBJECT = 200


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter in words: both parts say the same."""

    subject: str
    text: str
    html: str
    language: str


@dataclass(frozen=True, slots=True)
class Template:
    """Keys of the catalogue: what stands above the link, and below it; a `?` needs its number."""

    subject: str
    above: tuple[str, ...]
    below: tuple[str, ...] = ()
    is_chosen: bool = False  # people may do without it, and are told where


TEMPLATES: dict[MailKind, Template] = {
    "reset link": Template(
        "mail.reset_link_subject",
        ("mail.reset_link_who", "mail.reset_link_minutes"),
        ("mail.reset_link_not_you",),
    ),
    "password reset": Template(
        "mail.password_reset_subject", ("mail.password_reset_who", "mail.password_reset_why")
    ),
    "password changed": Template(
        "mail.password_changed_subject", ("mail.password_changed_how", "mail.tell_administrator")
    ),
    "address changed": Template(
        "mail.address_changed_subject", ("mail.address_changed_who", "mail.not_wanted")
    ),
    "invitation": Template(
        "mail.invitation_subject",
        ("mail.invitation_who", "mail.invitation_name", "mail.invitation_days"),
        ("mail.invitation_not_you",),
    ),
    "report link": Template(
        "mail.report_link_subject",
        ("mail.report_link_who", "mail.report_link_until"),
        ("mail.report_link_yours",),
    ),
    "link ending": Template(
        "mail.link_ending_subject",
        ("mail.link_ending_when",),
        ("mail.link_ending_then",),
        is_chosen=True,
    ),
    "decision": Template(
        "mail.decision_subject", ("mail.decision_who",), ("mail.decision_why",), is_chosen=True
    ),
    "finished": Template(
        "mail.finished_subject",
        ("mail.finished_count", "mail.finished_failed"),
        is_chosen=True,
    ),
    "failed jobs": Template(
        "mail.failed_jobs_subject", ("mail.failed_jobs_count",), is_chosen=True
    ),
    "deletion ahead": Template(
        "mail.deletion_ahead_subject",
        (
            *("mail.deletion_ahead_documents", "mail.deletion_ahead_submissions"),
            *("mail.deletion_ahead_first", "mail.deletion_ahead_see"),
        ),
        ("mail.deletion_ahead_keep",),
    ),
}
# Sentences that are left out where there is nothing to count.
_COUNTED = {
    "mail.finished_failed": "failed",
    "mail.deletion_ahead_documents": "documents",
    "mail.deletion_ahead_submissions": "submissions",
}
_PAGE = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><title>{subject}</title></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1f2933">
{body}
</body>
</html>
"""


def compose_mail(
    kind: MailKind,
    language: str | None,
    values: Mapping[str, Any],
    *,
    public_url: str,
    institution: str = "",
) -> Letter:
    """The letter in the language of a person, in English where the person has none of ours.

    >>> letter = compose_mail("password reset", "ru", {"name": "aigul", "by": "dean",
    ...     "link": "https://a.kz/profile"}, public_url="https://a.kz")
    >>> letter.subject
    'Ваш пароль для Likewise сброшен'
    """
    own_language = language if language in codes() else "en"
    words, template = Words(own_language), TEMPLATES[kind]
    known = {name: _clean(value) for name, value in values.items()}

    def sentence(key: str) -> str:
        count = _COUNTED.get(key)
        return words(key, **(known | {"n": known[count]} if count else known))

    def sentences(keys: tuple[str, ...]) -> list[str]:
        return [sentence(key) for key in keys if key not in _COUNTED or known.get(_COUNTED[key])]

    above, below = sentences(template.above), sentences(template.below)
    url = public_url.rstrip("/")
    if template.is_chosen:
        below.append(words("mail.chosen", address=f"{url}/profile"))
    below.append(words("mail.from", name=clean_line(institution, 200) or "Likewise", address=url))
    subject = clean_line(words(template.subject, **known), LONGEST_SUBJECT)
    link = known.get("link")
    return Letter(
        subject=subject,
        text="\n\n".join([*above, *([str(link)] if link else []), *below]) + "\n",
        html=_PAGE.format(
            language=own_language,
            subject=escape(subject),
            body="\n".join([*map(_paragraph, above), *_link(link), *map(_paragraph, below)]),
        ),
        language=own_language,
    )


def _clean(value: Any) -> Any:
    """Names as the eye sees them, in one line: none adds a line, or a header, of its own."""
    return clean_line(value, 500) if isinstance(value, str) else value


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _link(link: Any) -> list[str]:
    if not link:
        return []
    address = escape(str(link), quote=True)
    return [f'<p><a href="{address}">{address}</a></p>']
