"""A folder of plain text files: each one is a document, called by its relative path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import ClassVar

from likewise.corpus.packing import unreadable
from likewise.corpus.shard import WHOLE_FILE, NewFile, Numbered, Shard, Survey, Verdict
from likewise.model import Message
from likewise.progress import Count


class PlainText(Shard):
    """A text file in UTF-8, the only document in it."""

    __slots__ = ()
    brings_ids: ClassVar[bool] = False

    def documents(self, survey: Survey, progress: Count | None) -> Iterator[Numbered]:
        if WHOLE_FILE in survey.rows_left_out(self):
            return
        data = self._content()
        if progress:
            progress(len(data))
        text, reason = text_in(data)
        if reason is not None:
            survey.complain(self, WHOLE_FILE, reason)
            return
        yield 1, self.name, text

    def write(
        self, new_file: NewFile, verdict: Verdict, survey: Survey, progress: Count | None
    ) -> None:
        if WHOLE_FILE in survey.rows_left_out(self):
            return
        data = self._content()
        decision = verdict(lambda: data.decode("utf-8-sig"))
        if decision is not False:
            with new_file() as target:
                target.write(data if decision is True else str(decision).encode())
        if progress:
            progress(len(data))

    def _content(self) -> bytes:
        try:
            with self.path.open("rb") as file:
                self.make_sure_unchanged(os.fstat(file.fileno()))
                return file.read()
        except OSError as error:
            raise unreadable(self.path, error) from error


def text_in(data: bytes) -> tuple[str, Message | None]:
    """The text of a file, or why it has none.

    >>> text_in(b"\\xef\\xbb\\xbfone"), str(text_in(b"a\\xff")[1])
    (('one', None), 'not text in UTF-8 (byte 2 is not); convert it first')
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "", Message("corpus.is_utf16")
        return "", Message("corpus.not_utf8", {"n": error.start + 1})
    if "\0" in text:
        return "", Message("corpus.zero_bytes")
    return text, None
