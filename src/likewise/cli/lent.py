"""Fingerprints that other institutions lend to a check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.library import PartnerLibrary


def lent_libraries(also: list[Path] | None, key_files: list[Path] | None) -> list[PartnerLibrary]:
    """What others lend, opened before the long work."""
    if not also:
        if key_files:
            raise BadInput("cli.option_belongs", option="--key-file", owner="--also")
        return []
    if not key_files:
        raise BadInput("cli.also_needs_key")
    if len(key_files) not in (1, len(also)):
        raise BadInput("cli.keys_do_not_fit", files=len(also), keys=len(key_files))
    from likewise.library import open_fingerprints, read_key

    keys = [read_key(path) for path in key_files]
    if len(keys) == 1:
        keys *= len(also)
    return [open_fingerprints(path, key) for path, key in zip(also, keys, strict=True)]
