"""Yandex Search API, version 2: JSON outside, XML in it."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, ClassVar

from likewise.errors import BadSettings
from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.errors import ProviderFailed
from likewise.internet.model import FetchLimits
from likewise.internet.providers.parsing import SearchHit, read_json, read_xml, text_at, text_of
from likewise.internet.providers.provider import LIMITS, Provider, Request

_NOTHING_FOUND = "15"
_QUOTA = "32"
_KEY = frozenset({"31", "33", "42", "44", "48"})


class Yandex(Provider):
    """yandex.cloud/docs/search-api: up to 400 characters and 40 words, ten queries a second."""

    name: ClassVar[str] = "Yandex"
    home: ClassVar[str] = "https://searchapi.api.cloud.yandex.net"
    key_name: ClassVar[str] = "LIKEWISE_YANDEX_KEY"
    most_words: ClassVar[int] = 40
    most_results: ClassVar[int] = 100
    seconds_between: ClassVar[float] = 0.1

    def __init__(
        self,
        key: str,
        folder: str,
        *,
        url: str = "",
        contact: str = "",
        limits: FetchLimits = LIMITS,
        resolve: Resolver = system_resolver,
    ) -> None:
        if not folder.strip():
            raise BadSettings("internet.yandex_folder", name="LIKEWISE_YANDEX_FOLDER")
        super().__init__(key, url=url, contact=contact, limits=limits, resolve=resolve)
        self._folder = folder.strip()

    def _request(self, query: str, count: int) -> Request:
        payload = {
            "query": {
                "searchType": "SEARCH_TYPE_RU",
                "queryText": query,
                "familyMode": "FAMILY_MODE_NONE",
                "fixTypoMode": "FIX_TYPO_MODE_OFF",
            },
            "groupSpec": {
                "groupMode": "GROUP_MODE_FLAT",
                "groupsOnPage": str(count),
                "docsInGroup": "1",
            },
            "maxPassages": "4",
            "folderId": self._folder,
            "responseFormat": "FORMAT_XML",
        }
        headers = {"Authorization": f"Api-Key {self._key}", "Content-Type": "application/json"}
        return Request("/v2/web/search", {}, headers, json.dumps(payload).encode())

    def _results(self, body: bytes) -> list[SearchHit]:
        try:
            root = read_xml(base64.b64decode(text_at(read_json(body), "rawData"), validate=True))
        except binascii.Error as error:
            raise ValueError("no XML inside") from error
        for fault in root.iter("error"):
            if fault.get("code") == _NOTHING_FOUND:
                return []
            raise self._failure(fault)
        return [
            SearchHit(text_of(document, "url"), text_of(document, "title"), _snippet(document))
            for document in root.iter("doc")
        ]

    def _failure(self, fault: Any) -> ProviderFailed:
        code = fault.get("code", "")
        if code == _QUOTA:
            return self._quota_reached()
        if code in _KEY:
            return self._wrong_key()
        return ProviderFailed("internet.refuses_code", code=code[:10])


def _snippet(document: Any) -> str:
    passages = ["".join(passage.itertext()) for passage in document.iter("passage")]
    return " … ".join(passages) or text_of(document, "headline")
