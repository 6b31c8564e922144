"""Sources outside of the library: the Internet (`--web`) and partner libraries (`--also`)."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.cli.shared.library import open_library, resolve_place
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.internet import Plan, Provider
    from likewise.library import Library, PartnerLibrary


@dataclass(frozen=True, slots=True)
class Web:
    """What of the Internet was asked for; nothing of it unless `--web` was given."""

    is_on: bool
    queries: int | None
    providers: list[str] | None
    other_languages: bool
    keep_pages: bool

    def ensure_consistent(self, *, is_batch: bool, against: Path | None) -> None:
        """Before anything is read."""
        if not self.is_on:
            options = (self.queries, self.providers, self.other_languages, self.keep_pages)
            if any(options):
                raise BadInput("cli.web_options")
        elif is_batch:
            raise BadInput("cli.web_takes_one")
        elif against is not None:
            raise BadInput("cli.web_against")
        else:
            select_providers(self.providers)


def select_providers(names: list[str] | None) -> list[Provider]:
    """Those that have a key, or of them the ones named."""
    from likewise.internet import VARIABLES, available

    providers = available(os.environ)
    if not providers:
        ways = "".join(f"\n  {variable}: {what}" for variable, what in VARIABLES.items())
        raise BadInput("cli.no_provider", ways=ways)
    if not names:
        return providers
    by_name = {provider.name.casefold(): provider for provider in providers}
    for name in names:
        if name.casefold() not in by_name:
            available_names = tuple(provider.name for provider in providers)
            raise BadInput("cli.unknown_provider", name=name, names=available_names)
    return [by_name[name.casefold()] for name in dict.fromkeys(names)]


def library_beside(
    place_option: str | None, *, is_needed: bool, keep: bool
) -> AbstractContextManager[Library | None]:
    """The library, or none where nobody named one and none was made yet."""
    place, is_explicit = resolve_place(place_option)
    if not is_needed and not is_explicit and not Path(place).exists():
        return nullcontext()
    return open_library(place_option, create=keep, read_only=not keep)


def announce(plan: Plan) -> None:
    """What is sent is said before it is."""
    from likewise.internet import NOTHING_ELSE

    for disclosure in plan.disclosures:
        print(f"likewise: sending {disclosure}", file=sys.stderr)
    print(f"likewise: {NOTHING_ELSE}", file=sys.stderr, flush=True)


def open_partner_libraries(
    also: list[Path] | None, key_files: list[Path] | None
) -> list[PartnerLibrary]:
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
