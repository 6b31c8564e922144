"""Pages that were fetched, kept so that servers are asked for what changed and nothing else.

Anything in the folder may be deleted at any time. A page is written aside and renamed, so that
nobody sees half of one; one that cannot be understood counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import zstandard

from likewise.reading.cache import cache_folder
from likewise.reading.file_cache import MOST_BYTES, MOST_DAYS, FileCache

_USUALLY = timedelta(hours=1)
_LONGEST = timedelta(days=1)
_AGE = re.compile(r"\bmax-age\s*=\s*\"?(\d{1,9})")


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page as it was when it was fetched."""

    url: str
    final_url: str
    fetched_on: datetime
    body: bytes = field(repr=False)
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""
    cache_control: str = ""
    by_leave: tuple[str, ...] = ()  # places on its way that an administrator allowed

    @property
    def is_fresh(self) -> bool:
        """Whether it need not be asked for again: for an hour, or as its server says, up to a day.

        >>> CachedPage("u", "u", datetime.now(UTC), b"", cache_control="no-cache").is_fresh
        False
        """
        if "no-cache" in self.cache_control:
            return False
        stated = _AGE.search(self.cache_control)
        lasts = timedelta(seconds=int(stated[1])) if stated else _USUALLY
        age = datetime.now(UTC) - self.fetched_on
        return timedelta(0) <= age < min(lasts, _LONGEST)

    @property
    def validators(self) -> Mapping[str, str]:
        """What to ask a server with, so that it answers only with what is new."""
        validators = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in validators.items() if value}

    def renewed(self) -> CachedPage:
        """The same page, confirmed by its server now."""
        return replace(self, fetched_on=datetime.now(UTC))


class PageCache:
    """Pages in a folder, the least recently used given up first."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._files = FileCache(folder, most_bytes)

    def get(self, url: str) -> CachedPage | None:
        """The page under a URL, if there is one."""
        path = self._files.path(_key(url))
        page = _read(path)
        if page is None or page.url != url:
            return None
        with contextlib.suppress(OSError):
            self._files.use(path)
        return page

    def put(self, page: CachedPage) -> None:
        """Keep a page; a cache that cannot be written to is no reason to fail."""
        if "no-store" in page.cache_control:
            return
        fields = asdict(replace(page, body=b""))
        del fields["body"]
        fields["fetched_on"] = page.fetched_on.isoformat()
        packed = zstandard.compress(json.dumps(fields).encode() + b"\n" + page.body)
        self._files.put(_key(page.url), packed)

    def tidy(self) -> None:
        """Give up the least recently used pages until the rest fits."""
        self._files.tidy()

    def purge(self, sha256s: Collection[str] | None = None) -> int:
        """Delete pages whose bodies have these hashes, or all; how many there were.

        A page that cannot be understood may be any page, and goes too.
        """
        if sha256s is None:
            return self._files.purge()
        unwanted = frozenset(sha256s)

        def is_unwanted(path: Path) -> bool:
            page = _read(path)
            return page is None or hashlib.sha256(page.body).hexdigest() in unwanted

        return self._files.purge(is_unwanted)

    def purge_older(self, days: float = MOST_DAYS) -> int:
        """Delete pages that were fetched longer ago than some days; how many there were."""
        return self._files.purge_older(days)


def page_cache() -> PageCache:
    """The pages that this user's checks have fetched."""
    return PageCache(cache_folder() / "pages")


def _read(path: Path) -> CachedPage | None:
    """The page in a file, if it can be understood."""
    try:
        head, _, body = zstandard.decompress(path.read_bytes()).partition(b"\n")
        fields = json.loads(head)
        fields["fetched_on"] = datetime.fromisoformat(fields["fetched_on"])
        fields["by_leave"] = tuple(fields["by_leave"])
        page = CachedPage(body=body, **fields)
    except (OSError, ValueError, TypeError, KeyError, zstandard.ZstdError):
        return None
    return None if page.fetched_on.tzinfo is None else page


def _key(url: str) -> str:
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()
