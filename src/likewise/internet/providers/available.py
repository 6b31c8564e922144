"""Which providers an environment has keys for."""

from __future__ import annotations

import os
from collections.abc import Mapping

from likewise.errors import BadSettings
from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.limits import FetchLimits
from likewise.internet.providers.arxiv import ArXiv
from likewise.internet.providers.bing import Bing
from likewise.internet.providers.brave import Brave
from likewise.internet.providers.core import CORE
from likewise.internet.providers.crossref import Crossref
from likewise.internet.providers.google import Google
from likewise.internet.providers.openalex import OpenAlex
from likewise.internet.providers.provider import LIMITS, Provider
from likewise.internet.providers.searxng import SearXNG
from likewise.internet.providers.yandex import Yandex

VARIABLES: Mapping[str, str] = {
    "LIKEWISE_SEARXNG_URL": "SearXNG: the address of your own search engine",
    "LIKEWISE_BRAVE_KEY": "Brave Search",
    "LIKEWISE_GOOGLE_KEY": "Google Programmable Search, with LIKEWISE_GOOGLE_ENGINE",
    "LIKEWISE_YANDEX_KEY": "Yandex Search API, with LIKEWISE_YANDEX_FOLDER",
    "LIKEWISE_BING_KEY": "a service that speaks as Bing did, with LIKEWISE_BING_URL",
    "LIKEWISE_OPENALEX_KEY": "OpenAlex (scholarly; the key is free)",
    "LIKEWISE_CORE_KEY": "CORE (scholarly, full texts)",
    "LIKEWISE_MAILTO": "your e-mail address: Crossref and arXiv (scholarly) ask for no key",
}


def available(
    environment: Mapping[str, str] = os.environ,
    *,
    limits: FetchLimits = LIMITS,
    resolve: Resolver = system_resolver,
) -> list[Provider]:
    """The providers that can be asked, by the variables that are set (`VARIABLES`).

    `LIKEWISE_BRAVE_URL` and the like name another place where the same API is spoken.

    >>> available({"LIKEWISE_SEARXNG_URL": "http://localhost:8888"})
    [<SearXNG at localhost>]
    """

    def value(name: str) -> str:
        return environment.get(f"LIKEWISE_{name}", "").strip()

    def options(name: str) -> dict[str, str]:
        return {"url": value(f"{name}_URL"), "contact": value("MAILTO")}

    def make(kind: type[Provider], name: str) -> Provider:
        return kind(value(f"{name}_KEY"), **options(name), limits=limits, resolve=resolve)

    found: list[Provider] = []
    if value("SEARXNG_URL"):
        found.append(make(SearXNG, "SEARXNG"))
    if value("BRAVE_KEY"):
        found.append(make(Brave, "BRAVE"))
    if value("GOOGLE_KEY"):
        key, engine = value("GOOGLE_KEY"), value("GOOGLE_ENGINE")
        found.append(Google(key, engine, **options("GOOGLE"), limits=limits, resolve=resolve))
    if value("YANDEX_KEY"):
        key, folder = value("YANDEX_KEY"), value("YANDEX_FOLDER")
        found.append(Yandex(key, folder, **options("YANDEX"), limits=limits, resolve=resolve))
    if value("BING_KEY"):
        if not value("BING_URL"):
            raise BadSettings("internet.bing_ended", name="LIKEWISE_BING_URL")
        found.append(make(Bing, "BING"))
    if value("OPENALEX_KEY"):
        found.append(make(OpenAlex, "OPENALEX"))
    if value("CORE_KEY"):
        found.append(make(CORE, "CORE"))
    if value("MAILTO"):
        found += [make(Crossref, "CROSSREF"), make(ArXiv, "ARXIV")]
    return found
