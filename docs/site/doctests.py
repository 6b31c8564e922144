"""Examples in docstrings as code: MkDocs takes `>>>` for a quotation. An extension of griffe, see
mkdocs.yml.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.MULTILINE)


class FencedDoctests(griffe.Extension):  # type: ignore[misc, unused-ignore]
    """Puts a fence around every example."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            text = inspect.cleandoc(obj.docstring.value)
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", text)
