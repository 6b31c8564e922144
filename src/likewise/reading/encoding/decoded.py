"""What decoding gives."""

from __future__ import annotations

from dataclasses import dataclass

from likewise.catalogue import Value
from likewise.model import Message


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the encoding it was in, and what a person should know about that."""

    text: str
    encoding: str
    note: Message | None = None

    def with_note(self, note: Message | None) -> Decoded:
        """The same, and one sentence more before what was noted."""
        if not note:
            return self
        if self.note:
            note = Message("core.sentences", {"first": note, "rest": self.note})
        return Decoded(self.text, self.encoding, note)


def decode_known(data: bytes, encoding: str) -> Decoded:
    """Data in a known encoding; what is not valid in it is replaced, and counted.

    >>> decoded = decode_known(b"caf\\xe9", "utf-8")
    >>> decoded.text, decoded.encoding, str(decoded.note)
    ('caf\ufffd', 'utf-8', '1 character is damaged: not valid in utf-8.')
    """
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        faults = text.count("\ufffd")
        values: dict[str, Value] = {"n": faults, "encoding": encoding}
        return Decoded(text, encoding, Message("reading.characters_damaged", values))
