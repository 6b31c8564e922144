"""`likewise check --web`: one document against the Internet, and a library beside it."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.cli.libraries import named_documents, open_library, place_of
from likewise.errors import BadInput
from likewise.settings import Settings

if TYPE_CHECKING:
    from likewise.internet import Plan, Provider
    from likewise.library import Filters, Library
    from likewise.model import Check, Document


@dataclass(frozen=True, slots=True)
class Web:
    """What of the Internet was asked for; nothing of it unless `--web` was given."""

    is_asked: bool
    queries: int | None
    providers: list[str] | None
    keep_pages: bool

    def make_sense(self, *, is_batch: bool, against: Path | None) -> None:
        """Before anything is read."""
        if not self.is_asked:
            if self.queries is not None or self.providers or self.keep_pages:
                raise BadInput("--queries, --provider and --keep-pages belong to --web")
        elif is_batch:
            raise BadInput("--web takes one document: queries have a price, and a log of their own")
        elif against is not None:
            raise BadInput("--web goes with a library or alone, not with --against")
        else:
            chosen_providers(self.providers)


def on_web(
    document: Document,
    file: Path,
    web: Web,
    library: str | None,
    filters: Filters | None,
    settings: Settings,
    skip: list[str] | None,
    counting: dict[str, Any],
) -> Check:
    """What is sent is said before it is; the library counts if there is one."""
    from likewise.internet import Fetcher, check_on_web, plan_of
    from likewise.library import Filters, itself_in, told_of_itself

    if not document.compared_text.strip():
        raise BadInput(f"{file}: there is no text in it to compare")
    providers = chosen_providers(web.providers)
    with ExitStack() as open_until_done:
        opened = _library(library, is_needed=web.keep_pages or bool(filters), keep=web.keep_pages)
        own: tuple[int, ...] = ()
        if opened is None:
            using = settings
            counting.pop("min_share", None)
            if skip:
                raise BadInput(f"--skip {skip[0]}: there is no library to skip it in")
        else:
            open_until_done.enter_context(opened)
            if settings != Settings():
                raise BadInput("a library has its own words, given when it was made")
            using = opened.settings
            own = itself_in(opened, document, file)
            skipped = named_documents(opened, skip or ())
            counting["filters"] = replace(filters or Filters(), not_ids=(*own, *skipped))
        plan = plan_of(document, providers, budget=web.queries, settings=using, library=opened)
        _tell(plan)
        found = check_on_web(
            document,
            providers=providers,
            fetcher=Fetcher.by_environment(),
            library=opened,
            settings=using,
            plan=plan,
            keep_pages=opened if web.keep_pages else None,
            **counting,
        )
    found = told_of_itself(found, own) if own else found
    return replace(found, skipped=tuple(sorted(skip or ())))


def chosen_providers(names: list[str] | None) -> list[Provider]:
    """Those that have a key, or of them the ones named."""
    from likewise.internet import VARIABLES, available

    there = available(os.environ)
    if not there:
        ways = "\n".join(f"  {variable}: {what}" for variable, what in VARIABLES.items())
        raise BadInput(f"nobody to ask yet; set one of these in the environment:\n{ways}")
    if not names:
        return there
    known = {provider.name.casefold(): provider for provider in there}
    for name in names:
        if name.casefold() not in known:
            given = ", ".join(provider.name for provider in there)
            raise BadInput(f"--provider {name}: not among those that have a key: {given}")
    return [known[name.casefold()] for name in dict.fromkeys(names)]


def _library(asked: str | None, *, is_needed: bool, keep: bool) -> Library | None:
    """The library, or none where nobody named one and none was made yet."""
    place, is_named = place_of(asked)
    if not is_needed and not is_named and not Path(place).exists():
        return None
    return open_library(asked, create=keep, read_only=not keep)


def _tell(plan: Plan) -> None:
    from likewise.internet import NOTHING_ELSE

    for sent in plan.sent:
        print(f"likewise: sending {sent}", file=sys.stderr)
    print(f"likewise: {NOTHING_ELSE}", file=sys.stderr, flush=True)
