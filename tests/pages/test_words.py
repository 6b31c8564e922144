"""The catalogue of the pages: three languages with nothing missing, nothing left over."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import likewise.server
from likewise.catalogue import texts
from likewise.model import WORDINGS
from likewise.server.assignments.shapes import StudentReport
from likewise.server.caller import Role, Scope
from likewise.server.context import SiteSettings
from likewise.server.disks import DiskUse
from likewise.server.jobs.queue import Kind as JobKind
from likewise.server.links.shapes import LinkState
from likewise.server.mail.kinds import MailKind
from likewise.server.mail.queue import MailState
from likewise.server.privacy.counts import PersonalKind
from likewise.server.privacy.retention import RuleKind
from likewise.server.problems import Kind
from likewise.server.providers.service import Outcome
from likewise.server.submissions.shapes import SubmissionState

from .speech import APP, LANGUAGES, Language, own_messages

LEAST = {"en": {"one", "other"}, "ru": {"one", "few", "many", "other"}, "kk": {"other"}}
TRANSLATED: tuple[Language, ...] = ("ru", "kk")
# Latin names that a Russian or Kazakh reader writes as we do, and what is typed as it stands.
NAMES = {
    *(
        "PDF",
        "DOCX",
        "ODT",
        "SHA",
        "UTC",
        "Word",
        "OpenDocument",
        "RTF",
        "HTML",
        "ZIP",
        "CSV",
        "Likewise",
        "API",
    ),
    *("Moodle", "Canvas", "Blackboard"),
    *("file", "author", "type", "year", "tags"),
    # As those who set a provider up find them there.
    *("OpenID", "Connect", "QR", "issuer", "client", "ID", "secret", "claim", "scopes"),
    *("redirect", "URI", "back", "channel", "auth", "time"),
}
FOLLOWED = ("", ".more")  # a heading and a sentence
# Keys that are put together while the page runs, and what they are put together of.
MADE = {
    "add.state": {"waiting", "sending", "reading", "new", "copy", "again", "known"}
    | {"unread", "refused"},
    "administration": {"users", "settings", "types", "stop-words", "recipe", "jobs", "audit"}
    | {"erasures", "internet", "login-providers", "mail", "consent"}
    | {"all-retention", "statistics"},
    "assignment": {
        f"{name}{more}" for name in ("opens_on", "due_on", "closes_on") for more in ("", ".hint")
    }
    | {"notice", "high"},
    "assignment.job": {"failed", "cancelled"},
    "assignment.student_report": set(get_args(StudentReport)),
    "audit": set(),  # a group and what the server names: see below
    "checked": {"failed", "cancelled", "failed.more", "cancelled.more"},
    "checks.whose": {"all", "mine", "shared", "waiting"},
    "class": {"failed", "cancelled"},
    "classes.show": {"all", "open", "closed"},
    "collection": {"library", "unnamed"},
    "courses.show": {"open", "closed", "all"},
    "courses.whose": {"mine", "all"},
    "document": {"words", "pages", "tables", "pictures"},
    "erasures.hint": {"documents", "person", "user"},
    "erasures.kind": {"documents", "file", "person", "user", "again"},
    "home.first": {
        f"{step}{more}" for step in ("people", "documents", "check") for more in FOLLOWED
    },
    "home.quota": {"documents", "checks_a_day"},
    "jobs.kind": set(get_args(JobKind)),
    "jobs.open": {"add", "check", "batch", "rebuild", "erase", "duplicates", "similar"},
    "keys.scope": set(get_args(Scope)),
    "language.of": {"en", "ru", "kk"},
    "level": {"notice", "high"},
    "members": {f"{act}{more}" for act in ("teaches", "studies") for more in ("", ".ask", ".more")},
    "library": {"name", "author", "type", "language", "year", "words", "organisation", "advisor"}
    | {"owner", "collection", "tags", "copy_of", "added_on"},
    "links.state": set(get_args(LinkState)),
    "mail.kind": set(get_args(MailKind)),
    "mail.state": set(get_args(MailState)),
    "mydata.kind": {f"{kind}{more}" for kind in get_args(PersonalKind) for more in FOLLOWED},
    "mydata.rights": {"correct", "erase", "stays"},
    "library.month": {str(n) for n in range(1, 13)},
    "loginproviders": {"return_address", "log_out_address", "back_channel_address"},
    "loginproviders.field": {"name", "issuer", "client_id", "adds_people", "links_by_address"},
    "loginproviders.hint": {"name", "issuer", "client_id"},
    "own.advice": {"unread", "failed"},
    "own.state": set(get_args(SubmissionState)),
    "options": {
        *("quotations", "bibliography", "contents", "titlePage", "common", "listings"),
        *("language", "type", "organisation", "tag", *WORDINGS),
    },
    "place": {"home", "courses", "submissions", "checks", "classes", "library", "administration"},
    "profile.mail.finished": {"never", "long", "always"},
    "providers": {"set", "unset", "off"},
    "providers.field": {"key", "url", "engine", "folder", "mailto"},
    "providers.outcome": set(get_args(Outcome)),
    "recipe": {"words", "chars", "shingle", "shortest_run", "stem", "drop_digits"}
    | {"min_length", "max_length"},
    "recipe.unit": {"words", "chars"},
    "retention.items": set(get_args(RuleKind)),
    "retention.kind": set(get_args(RuleKind)),
    "role": set(get_args(Role)),
    "settings": {"most_upload_bytes", "most_files", "min_share", "most_documents", "most_bytes"}
    | {"most_checks_a_day", "keep_checks_days", "keep_jobs_days", "keep_audit_days"}
    | {"most_uploads_an_hour", "most_uploads_at_once", "keep_cache_days"}
    | {"least_password_length", "lock_after", "lock_minutes", "notice_share", "high_share"}
    | {"link_days", "most_link_days", "passwords_allowed"},
    "settings.disk": set(get_args(DiskUse)),
    "settings.section": {"general", "limits", "checks", "internet", "mail", "retention", "server"},
    "settings.group": {"uploads", "quotas", "retention", "passwords"},
    "state": {"queued", "running", "done", "failed", "cancelled"},
    "submission.state": set(get_args(SubmissionState)),
    "submissions.show": {"last", "all", "late", "unread", "failed"},
    "submissions.sort": {"student", "number", "handed_in_on", "similar"},
    "users": {"reset.ask", "reset.more", "off.ask", "off.more", "factor.ask", "factor.more"},
    "users.remove": {"documents", "collections", "checks", "batches", "api_keys", "jobs"},
    "verify": {"similar", "quoted", "excluded", "original"}
    | {f"{state}{more}" for state in ("genuine", "revoked", "unknown") for more in FOLLOWED},
    "problem": {*get_args(Kind), "no connection"},
}
# What the server says: its words for things. What has no words here is shown as the server says it.
BEGUN = (
    *("job.stage.", "audit.act.", "audit.detail.", "audit.why."),
    *("notices.act.", "notices.field."),
)


@cache
def sources() -> str:
    """Everything in the pages that says words."""
    paths = [path for kind in ("*.vue", "*.ts") for path in sorted(APP.rglob(kind))]
    return "\n".join(path.read_text("utf-8") for path in paths)


def forms(language: Language) -> Iterator[tuple[str, str]]:
    """Every text with its key; one with plurals has several."""
    for key, message in own_messages(language).items():
        for text in message.values() if isinstance(message, dict) else [message]:
            yield key, text


def said() -> set[str]:
    """Keys that stand in the pages as they are; after = stands code, not a text."""
    known = "|".join(sorted({key.split(".")[0] for key in own_messages("en")}))
    found = re.findall(rf"""(?<!=)["'`]((?:{known})\.[a-z_A-Z.]+)["'`]""", sources())
    return {key for key in found if not key.endswith((".ts", ".vue", ".json"))}


def made() -> set[str]:
    return {f"{group}.{name}" for group, names in MADE.items() for name in names}


def test_every_part_has_its_words_in_every_language_and_no_key_twice() -> None:
    # `more` has no words: it says which parts are loaded behind the first page.
    parts = sorted({path.parent for path in (APP / "words").glob("*/*.json")})
    assert len(parts) > 3
    seen: Counter[str] = Counter()
    for part in parts:
        assert {path.stem for path in part.glob("*.json")} == set(LANGUAGES)
        text = (part / "en.json").read_text("utf-8")
        seen.update(key for key, _ in json.loads(text, object_pairs_hook=list))
    assert [key for key, times in seen.items() if times > 1] == []
    assert set(seen) & set(texts("en")) == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_language_has_the_keys_of_english_in_its_order(language: Language) -> None:
    assert list(own_messages(language)) == list(own_messages("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_the_places_and_every_plural_of_its_language(language: Language) -> None:
    def places(text: str) -> Counter[str]:
        return Counter(re.findall(r"\{(\w*)\}", text))

    english = own_messages("en")
    for key, message in own_messages(language).items():
        asked = english[key]
        assert isinstance(message, dict) == isinstance(asked, dict), key
        if isinstance(message, dict):
            assert set(message) >= LEAST[language], key
    for key, text in forms(language):
        asked = english[key]
        wanted = places(asked["other"] if isinstance(asked, dict) else asked)
        # A form for one alone may say so in a word.
        assert places(text) in (wanted, wanted - Counter("n")), key


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_left_in_english_and_no_word_mixes_alphabets(language: Language) -> None:
    english = {text.casefold() for _, text in forms("en") if re.search("[A-Za-z]", text)}
    for key, text in forms(language):
        bare = re.sub(r"\{\w+\}", "", text)
        assert text.casefold() not in english, key
        assert set(re.findall("[A-Za-z]+", bare)) <= NAMES, key
        assert not re.search("[A-Za-z][\u0400-\u052f]|[\u0400-\u052f][A-Za-z]", bare), key
        assert text == text.strip() and "  " not in text, key
        if language == "ru":
            assert not re.search("[әғқңөұүһі]", text.lower()), key


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_sentence_ends_as_in_english(language: Language) -> None:
    for key, text in forms(language):
        asked = own_messages("en")[key]
        asked = asked["other"] if isinstance(asked, dict) else asked
        for end in (".", "…", "?"):
            assert text.endswith(end) == asked.endswith(end), key


def test_every_key_that_the_pages_say_has_words() -> None:
    known = {*own_messages("en"), *texts("en")}
    assert len(said()) > 200  # the search itself works
    assert said() - known == set()
    assert made() - known == set()


def test_every_key_that_is_put_together_is_put_together_of_what_is_listed() -> None:
    built = set(re.findall(r"`([a-z_.]+)\.\$\{", sources()))
    listed = {*MADE, *(each.rstrip(".") for each in BEGUN)}
    groups = {key.split(".")[0] for key in own_messages("en")}
    assert {each for each in built if each.split(".")[0] in groups} - listed == set()


def test_the_log_tells_every_detail_and_every_setting_in_words() -> None:
    """What the log notes beside an act has a name in each language."""
    calls = [
        node
        for path in sorted(Path(likewise.server.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and re.search(r"record_act(_of)?$", ast.unparse(node.func))
    ]
    noted = {keyword.arg for call in calls for keyword in call.keywords if keyword.arg}
    assert len(noted) > 20  # the search itself works
    noted -= {"comment", "exclusion"}  # numbers that nobody knows, which pages leave out
    known = set(own_messages("en"))
    groups = ("audit.detail", "settings", "library", "recipe")
    for name in noted | set(SiteSettings.model_fields):
        assert any(f"{group}.{name}" in known for group in groups), name


def test_every_word_is_said_somewhere() -> None:
    unused = set(own_messages("en")) - said() - made()
    assert {key for key in unused if not key.startswith(BEGUN)} == set()
