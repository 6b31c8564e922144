"""Empty places for libraries, beside the one that a test has anyway."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from tests.library.schemas import SchemaPool

_numbers = count(1)


@contextmanager
def empty_place(engine: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A path or a URL where there is nothing yet."""
    if engine == "sqlite":
        yield str(folder / f"elsewhere-{next(_numbers)}.db")
        return
    schemas: SchemaPool = request.getfixturevalue("schemas")
    with schemas.schema() as own:
        yield own.render_as_string(hide_password=False)
