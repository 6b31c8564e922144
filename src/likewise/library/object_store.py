"""A store that speaks S3: objects of bytes under keys, put, got and deleted.

boto3 talks to it, because credentials are found in a dozen ways (variables, files, roles of
machines and clusters) and every store of this kind is tried with it. It is an extra, `[s3]`, and is
imported where such a store is used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

from likewise.errors import BadInput, BadSettings
from likewise.library.errors import LibraryError

_CONNECT_SECONDS, _READ_SECONDS = 5, 60
_ATTEMPTS = 3
_MISSING = ("NoSuchKey", "404", "NotFound")


class StoreAway(LibraryError):
    """The store does not answer, or refuses; what was to be put there is where it was."""


class ObjectMissing(LibraryError):
    """There is no such object."""


@dataclass(frozen=True, slots=True)
class StorePlace:
    """Where objects are put: a bucket, what their keys begin with, and whose store it is.

    >>> StorePlace.parse("s3://campus/likewise?endpoint=https://minio.example.kz")
    StorePlace(bucket='campus', prefix='likewise/', endpoint='https://minio.example.kz')
    """

    bucket: str
    prefix: str = ""
    endpoint: str | None = None

    @classmethod
    def parse(cls, address: str) -> StorePlace:
        try:
            parts = urlsplit(address)
            query = parse_qs(parts.query, strict_parsing=bool(parts.query))
            endpoints = query.pop("endpoint", [])
            is_fit = parts.scheme == "s3" and bool(parts.netloc) and not query
            is_fit &= not parts.fragment and "@" not in parts.netloc and len(endpoints) <= 1
            is_fit &= all(one.startswith(("http://", "https://")) for one in endpoints)
        except ValueError:
            is_fit = False
        if not is_fit:
            raise BadSettings("library.originals_place", example="s3://bucket/prefix")
        prefix = parts.path.strip("/")
        return cls(parts.netloc, f"{prefix}/" if prefix else "", next(iter(endpoints), None))


class ObjectStore:
    """The objects of one bucket."""

    def __init__(self, bucket: str, endpoint: str | None) -> None:
        self.name = f"s3://{bucket}"
        self._bucket, self._client = bucket, _client(endpoint)

    def put(self, key: str, data: bytes) -> None:
        with self._explained():
            self._client.put_object(
                Bucket=self._bucket, Key=key, Body=data, ContentType="application/octet-stream"
            )

    def get(self, key: str) -> bytes:
        with self._explained():
            answer = self._client.get_object(Bucket=self._bucket, Key=key)
            data: bytes = answer["Body"].read()
        return data

    def delete(self, key: str) -> None:
        """With all its versions, where the bucket keeps them; one that is gone is no error."""
        with self._explained():
            answer = self._client.delete_object(Bucket=self._bucket, Key=key)
            if "VersionId" not in answer and not answer.get("DeleteMarker"):
                return
            pages = self._client.get_paginator("list_object_versions")
            for page in pages.paginate(Bucket=self._bucket, Prefix=key):
                for one in (*page.get("Versions", ()), *page.get("DeleteMarkers", ())):
                    if one["Key"] == key:
                        self._client.delete_object(
                            Bucket=self._bucket, Key=key, VersionId=one["VersionId"]
                        )

    def ensure(self) -> None:
        """Refuse where the bucket cannot be reached."""
        with self._explained():
            self._client.head_bucket(Bucket=self._bucket)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from boto3.exceptions import Boto3Error
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            yield
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            if code in _MISSING and error.operation_name == "GetObject":
                raise ObjectMissing("library.original_missing", about=self.name) from error
            raise StoreAway("library.originals_away", about=self.name, why=code) from error
        except (BotoCoreError, Boto3Error, OSError) as error:
            why = type(error).__name__
            raise StoreAway("library.originals_away", about=self.name, why=why) from error


@cache
def _client(endpoint: str | None) -> Any:
    """One for each store: threads may share it."""
    try:
        import boto3
        from botocore.config import Config
    except ImportError as error:
        raise BadInput("library.originals_package", command="pip install 'likewise[s3]'") from error
    session = boto3.session.Session()
    config = Config(
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
        # Not every store of this kind knows the newer checksums; ours is in each address.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        s3={"addressing_style": "path" if endpoint else "auto"},
    )
    region = session.region_name or os.environ.get("AWS_REGION") or "us-east-1"
    return session.client("s3", endpoint_url=endpoint, region_name=region, config=config)
