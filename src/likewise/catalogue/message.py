"""What there is to tell, as data: a key of the catalogue, and what stands in its places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Union

Value = Union[str, int, float, "Message", tuple["Value", ...]]

VERBATIM = "core.verbatim"  # somebody else's words, or those of a Likewise without keys


@dataclass(frozen=True, slots=True)
class Message:
    """A key of the catalogue with the values of its places; words are put in at the edges alone.

    >>> message = Message("reading.first_pages", {"n": 1000, "all": 1200})
    >>> str(message)
    'Only the first 1,000 of 1,200 pages were read.'
    >>> Message.from_plain(message.plain()) == message
    True
    """

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def verbatim(cls, text: str) -> Message:
        """Words that no catalogue has: those of the system, of another program or of before.

        >>> str(Message.verbatim("Permission denied"))
        'Permission denied'
        """
        return cls(VERBATIM, {"text": text})

    @classmethod
    def from_plain(cls, plain: Any) -> Message:
        """From `plain`, or from the sentence that a Likewise of before kept in its place."""
        if isinstance(plain, str):
            return cls.verbatim(plain)
        values = {name: _from_plain(value) for name, value in plain["values"].items()}
        message = cls(_current_key(plain["key"]), values)
        if rest := plain.get("then"):  # a sentence after it, in results of before
            return cls("core.sentences", {"first": message, "rest": cls.from_plain(rest)})
        return message

    def plain(self) -> dict[str, Any]:
        """Dictionaries, lists and values, ready for JSON."""
        return {
            "key": self.key,
            "values": {name: _plain(value) for name, value in self.values.items()},
        }

    def __str__(self) -> str:
        """In English, as the command line says it."""
        from likewise.catalogue.words import PLAIN_ENGLISH

        return PLAIN_ENGLISH.say(self)

    def __hash__(self) -> int:
        return hash((self.key, *sorted((name, str(value)) for name, value in self.values.items())))


def _plain(value: Value) -> Any:
    if isinstance(value, Message):
        return value.plain()
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _from_plain(value: Any) -> Value:
    if isinstance(value, dict):
        return Message.from_plain(value)
    if isinstance(value, list):
        return tuple(_from_plain(each) for each in value)
    given: Value = value
    return given


def _current_key(key: str) -> str:
    """Until schema 3 of results, all keys of readers began with `said.`."""
    group, _, name = key.partition(".")
    if group != "said":
        return key
    from likewise.catalogue.words import GROUPS, texts

    keys = [f"{each}.{name}" for each in GROUPS]
    keys.append(f"internet.{name.removeprefix('web_')}")
    return next((k for k in keys if k in texts("en")), key)
