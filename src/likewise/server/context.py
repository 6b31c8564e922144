"""What a server process holds: the library, and what administrators decide for everybody."""

from __future__ import annotations

import json
import threading
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Annotated, Any, TypeVar
from weakref import WeakKeyDictionary

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from sqlalchemy import Connection, select, text

from likewise.library import Library, schema
from likewise.library.registry import write_value
from likewise.library.store import Store, now
from likewise.server.config import Config

_KEY = "server.settings"
_CHANGING = 0x5E77  # the lock under which settings are changed on PostgreSQL
_FRESH_SECONDS = 5.0  # how long another server's change may go unnoticed

Days = Annotated[int, Field(ge=1, le=36_500)]
LEAST_AUDIT_DAYS = 90  # what was done a term ago can still be asked about


def _seen(text: str) -> str:
    """It stands on pages and in reports, where what cannot be seen does harm."""
    return "".join(c for c in text if unicodedata.category(c)[0] != "C").strip()


class SiteSettings(BaseModel):
    """What administrators decide; None is no limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    institution: Annotated[str, AfterValidator(_seen)] = Field(default="", max_length=200)
    most_upload_bytes: int = Field(default=100_000_000, ge=1_000, le=10_000_000_000)
    most_files: int = Field(default=1_000, ge=1, le=100_000, description="in one upload or archive")
    # Of one person: what nobody meets who teaches, and what a stolen password is held to.
    most_documents: int | None = Field(default=200_000, ge=0, description="of one person")
    most_bytes: int | None = Field(default=50_000_000_000, ge=0, description="of one person")
    most_checks_a_day: int | None = Field(default=5_000, ge=0, description="of one person")
    most_uploads_at_once: int = Field(default=32, ge=1, le=1_000, description="of one person")
    most_uploads_an_hour: int | None = Field(default=5_000, ge=0, description="of one person")
    keep_originals: bool = True
    keep_checks_days: Days | None = None
    keep_jobs_days: Days = 30
    keep_audit_days: Days = 730  # at least LEAST_AUDIT_DAYS, which a change is refused for
    keep_cache_days: Days = Field(default=90, description="what reading made of files")
    least_password_length: int = Field(default=10, ge=8, le=128)
    passwords_allowed: bool = Field(
        default=True, description="whether people log in by passwords, or by providers alone"
    )
    lock_after: int = Field(default=5, ge=1, le=100, description="wrong passwords before a wait")
    lock_minutes: int = Field(
        default=15, ge=1, le=1440, description="in which an address has ten times as many"
    )
    may_ask_internet: bool = Field(
        default=False, description="whether words of a document may be sent to search engines"
    )
    classes_may_ask_internet: bool = Field(
        default=False, description="and of all documents of a class, with so many more queries"
    )
    link_days: int = Field(
        default=30, ge=1, le=730, description="how long a link to a report is good, if nobody says"
    )
    most_link_days: int = Field(default=180, ge=1, le=730, description="and at most")
    min_share: float = Field(default=0.0, ge=0, le=1, description="of a source that is shown")
    notice_share: float = Field(
        default=0.2, ge=0, le=1, description="similar share from which a text is worth a look"
    )
    high_share: float = Field(
        default=0.4, ge=0, le=1, description="similar share from which it is high; above the other"
    )

    @model_validator(mode="after")
    def _thresholds_in_order(self) -> SiteSettings:
        if not 0 < self.notice_share < self.high_share:
            raise ValueError("notice_share lies above 0 and below high_share")
        return self


_NAMES = frozenset(SiteSettings.model_fields)


class ServerContext:
    """The open library of a server, and its settings."""

    def __init__(self, library: Library, config: Config | None = None) -> None:
        self.library = library
        self.config = config or Config()
        self.workers_since: float | None = None  # when this process began to start workers
        self.health_problems: tuple[str, ...] = ()  # when it was last asked
        self.readiness_problems: tuple[str, ...] = ()  # likewise
        self._settings: SiteSettings | None = None
        self._read_at = 0.0
        self._lock = threading.Lock()

    @property
    def store(self) -> Store:
        return self.library.store

    @property
    def settings(self) -> SiteSettings:
        """As they are in the database, at most a few seconds ago."""
        with self._lock:
            if self._settings is None or time.monotonic() - self._read_at > _FRESH_SECONDS:
                with self.store.reading() as connection:
                    self._settings = read_settings(connection)
                self._read_at = time.monotonic()
            return self._settings

    def change_settings(self, connection: Connection, settings: SiteSettings) -> None:
        """In the transaction of whoever changes them; this process asks anew afterwards."""
        write_value(connection, _KEY, settings.model_dump_json())
        with self._lock:
            self._settings = None


def read_settings(connection: Connection) -> SiteSettings:
    column = schema.key_values.c
    stored = connection.execute(select(column.value).where(column.key == _KEY)).scalar()
    if stored is None:
        return SiteSettings()
    # A newer Likewise, which was given up again, may have known more settings.
    settings = {name: value for name, value in json.loads(stored).items() if name in _NAMES}
    if "keep_audit_days" in settings:  # an older version allowed a single day
        settings["keep_audit_days"] = max(settings["keep_audit_days"], LEAST_AUDIT_DAYS)
    return SiteSettings.model_validate(settings)


def lock_settings(connection: Connection) -> SiteSettings:
    """The same, for whoever is going to change them; others who are wait."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_CHANGING})"))
    return read_settings(connection)


def utc_now() -> datetime:
    """As it is stored: in UTC, without saying so."""
    return now()


T = TypeVar("T")

_MOST = 2_000  # answers
_MANY_CHANGES = 100_000  # of a library, from which on counting it takes a while
_STALE_SECONDS = 10.0  # how old an answer about so large a library may be that need not be exact


class AnswerCache:
    """The newest answers; each holds for one number of changes of the library."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, tuple[int, float, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def of(
        self, question: Hashable, changes: int, answer: Callable[[], T], *, exact: bool = True
    ) -> T:
        """An answer from before, else a new one.

        One about a large library that need not be exact is given for some seconds more, so that a
        library which grows all the time is not counted all the time. How long an answer took does
        not decide it: on a busy machine, a small library would tell of yesterday.
        """
        with self._lock:
            stored = self._answers.get(question)
            if stored is not None:
                changes_then, at, value = stored
                is_fresh = changes >= _MANY_CHANGES and time.monotonic() - at < _STALE_SECONDS
                if changes_then == changes or (is_fresh and not exact):
                    self._answers.move_to_end(question)
                    answered: T = value
                    return answered
        answer_value = answer()
        with self._lock:
            self._answers[question] = changes, time.monotonic(), answer_value
            self._answers.move_to_end(question)
            while len(self._answers) > _MOST:
                self._answers.popitem(last=False)
        return answer_value


_by_context: WeakKeyDictionary[ServerContext, AnswerCache] = WeakKeyDictionary()
_making = threading.Lock()


def answers_of(context: ServerContext) -> AnswerCache:
    """What this process remembers about a site's library."""
    with _making:
        return _by_context.setdefault(context, AnswerCache())
