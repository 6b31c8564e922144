"""What is registered under a key and listed in an order of its own: measures, languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Entries by their keys, listed by the numbers that they give themselves, of equals by key.

    >>> words = Registry[str](key=lambda word: word[0], place=len, duplicate="two begin with {!r}")
    >>> [words.add(word) for word in ("steppe", "river", "sky")]
    Traceback (most recent call last):
    ValueError: two begin with 's'
    >>> words.add("ant")
    'ant'
    >>> words.entries(), words.keys(), words.get("x")
    (('ant', 'river', 'steppe'), ('a', 'r', 's'), None)
    """

    def __init__(
        self, *, key: Callable[[Entry], str], place: Callable[[Entry], int], duplicate: str
    ) -> None:
        self._key, self._place = key, place
        self._duplicate = duplicate  # what is said of a second entry with the same key
        self._entries: dict[str, Entry] = {}

    def add(self, entry: Entry) -> Entry:
        """List one more entry from now on."""
        key = self._key(entry)
        if key in self._entries:
            raise ValueError(self._duplicate.format(key))
        entries = {**self._entries, key: entry}
        # Bound anew, not changed: who walks over the entries in another thread is not disturbed.
        self._entries = dict(sorted(entries.items(), key=lambda kv: (self._place(kv[1]), kv[0])))
        return entry

    def remove(self, key: str) -> None:
        """List it no more; a `KeyError` where there is no such entry."""
        entries = dict(self._entries)
        del entries[key]
        self._entries = entries

    def get(self, key: str) -> Entry | None:
        """The entry of a key, None where nobody has registered one."""
        return self._entries.get(key)

    def entries(self) -> tuple[Entry, ...]:
        """All entries, in their order."""
        return tuple(self._entries.values())

    def keys(self) -> tuple[str, ...]:
        """Their keys, in the same order."""
        return tuple(self._entries)
