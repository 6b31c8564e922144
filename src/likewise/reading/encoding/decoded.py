"""What decoding gives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the encoding it was in, and what a person should know about that."""

    text: str
    encoding: str
    note: str | None = None

    def with_note(self, said: str | None) -> Decoded:
        """The same, and one sentence more before what was noted."""
        if not said:
            return self
        return Decoded(self.text, self.encoding, f"{said} {self.note}" if self.note else said)


def decode_known(data: bytes, encoding: str) -> Decoded:
    """Data in a known encoding; what is not valid in it is replaced, and counted.

    >>> decode_known(b"caf\\xe9", "utf-8")
    Decoded(text='caf\ufffd', encoding='utf-8', note='1 character is damaged: not valid in utf-8.')
    """
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        faults = text.count("\ufffd")
        what = "1 character is" if faults == 1 else f"{faults:,} characters are"
        return Decoded(text, encoding, f"{what} damaged: not valid in {encoding}.")
