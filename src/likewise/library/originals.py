"""Originals beside the database: each document's file as an object of a store that speaks S3.

A row of `originals` holds the packed file, or an address that says where it is. Every object has a
key of its own, which begins with the library and the hash of the file and ends at random: none is
ever written twice or shared, so that the object of a document goes with it and with nothing else.

An object that no row holds is an orphan. It is noted in a row of `key_values` with the moment from
which it may be deleted. The note is there before the object is, and goes in the transaction that
adds its row; it comes back in the transaction that removes the row. So whatever is killed at any
moment, no row lacks its object, and no object is forgotten.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, delete, func, insert, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import BigInteger

from likewise.errors import BadSettings
from likewise.library import schema
from likewise.library.encryption import (
    FEWEST_KEY_BYTES,
    DecryptionError,
    read_encrypted,
    write_encrypted,
)
from likewise.library.errors import LibraryError
from likewise.library.object_store import ObjectMissing, ObjectStore, StorePlace

VARIABLE = "LIKEWISE_ORIGINALS"
UPLOAD_TIME = timedelta(days=1)  # in which whoever puts an object also adds its row
_MARK = b"likewise original\n"  # no file packed by zstandard begins so
_SIZE_DIGITS = 15
_MOST_ADDRESS_BYTES = 2_000
_MAGIC = b"likewise object\n"
_ORPHAN = "originals.orphan:"  # and the key, in `key_values`
_values = schema.key_values.c


@dataclass(frozen=True, slots=True)
class ObjectAddress:
    """Where the file of a document is."""

    bucket: str
    key: str
    size: int  # of the packed file
    sha256: str  # of the object
    is_encrypted: bool
    endpoint: str | None = None

    def pack(self) -> bytes:
        """As it stands in a row: the size first, where SQL reads it."""
        return _MARK + f"{self.size:0{_SIZE_DIGITS}d}".encode() + json.dumps(asdict(self)).encode()

    @classmethod
    def unpack(cls, packed: bytes) -> ObjectAddress | None:
        """None where a row holds the file itself."""
        packed = bytes(packed)
        if len(packed) > _MOST_ADDRESS_BYTES or not packed.startswith(_MARK):
            return None
        try:
            return cls(**json.loads(packed[len(_MARK) + _SIZE_DIGITS :]))
        except (ValueError, TypeError):
            raise LibraryError("library.original_address") from None


class _Digits(FunctionElement[int]):
    """The number that some bytes spell; each engine reads bytes as text in its own way."""

    type = BigInteger()
    inherit_cache = True


@compiles(_Digits, "sqlite")
def _digits_on_sqlite(element: _Digits, compiler: SQLCompiler, **how: Any) -> str:
    return f"CAST(CAST({compiler.process(element.clauses, **how)} AS TEXT) AS INTEGER)"


@compiles(_Digits, "postgresql")
def _digits_on_postgresql(element: _Digits, compiler: SQLCompiler, **how: Any) -> str:
    return f"CAST(convert_from({compiler.process(element.clauses, **how)}, 'UTF8') AS BIGINT)"


def is_in_store() -> ColumnElement[bool]:
    """Rows whose file is elsewhere; only short ones are looked into."""
    packed = schema.originals.c.packed
    is_short = func.length(packed) <= _MOST_ADDRESS_BYTES
    return case((is_short, func.substr(packed, 1, len(_MARK)) == _MARK), else_=False)


def original_bytes() -> ColumnElement[int]:
    """How many bytes the file of a row takes, wherever it is."""
    packed = schema.originals.c.packed
    digits = _Digits(func.substr(packed, len(_MARK) + 1, _SIZE_DIGITS))
    return case((is_in_store(), digits), else_=func.length(packed))


def chosen_place() -> StorePlace | None:
    """Where new originals are put; None for the database."""
    address = os.environ.get(VARIABLE, "")
    return StorePlace.parse(address) if address else None


def _secret() -> bytes | None:
    """What objects are encrypted with before they leave this machine, if anything."""
    secret = os.environ.get("LIKEWISE_ORIGINALS_KEY", "").encode("utf-8", "surrogateescape")
    if not secret:
        return None
    if len(secret) < FEWEST_KEY_BYTES:
        raise BadSettings("library.originals_weak_key", n=FEWEST_KEY_BYTES)
    return hashlib.blake2b(secret, digest_size=32, person=b"originals").digest()


def ensure_store() -> None:
    """Refuse settings that cannot work: a wrong address, a weak key, a package that is missing."""
    place = chosen_place()
    _secret()
    if place is not None:
        ObjectStore(place.bucket, place.endpoint)


# Objects


def put_file(place: StorePlace, key: str, packed: bytes) -> ObjectAddress:
    """A packed file into the store, under a key that `note_orphans` has noted."""
    data, secret = packed, _secret()
    if secret is not None:
        file = io.BytesIO()
        write_encrypted(file, packed, secret, _MAGIC)
        data = file.getvalue()
    ObjectStore(place.bucket, place.endpoint).put(key, data)
    sha256 = hashlib.sha256(data).hexdigest()
    return ObjectAddress(place.bucket, key, len(packed), sha256, secret is not None, place.endpoint)


def fetch_file(address: ObjectAddress) -> bytes:
    """The packed file, as it was put."""
    data = ObjectStore(address.bucket, _endpoint_of(address.bucket, address.endpoint)).get(
        address.key
    )
    if hashlib.sha256(data).hexdigest() != address.sha256:
        raise ObjectMissing("library.original_object_differs", about=f"s3://{address.bucket}")
    if not address.is_encrypted:
        return data
    secret = _secret()
    if secret is None:
        raise LibraryError("library.originals_key_missing", variable="LIKEWISE_ORIGINALS_KEY")
    try:
        return read_encrypted(io.BytesIO(data), secret, _MAGIC)
    except DecryptionError:
        variable = "LIKEWISE_ORIGINALS_KEY"
        raise LibraryError("library.originals_key_wrong", variable=variable) from None


def _endpoint_of(bucket: str, endpoint: str | None) -> str | None:
    """Where a store has moved, the address that this process is given counts."""
    place = chosen_place()
    if place is not None and place.bucket == bucket:
        return place.endpoint
    return endpoint


def file_of(packed: bytes) -> bytes:
    """The packed file of a row, from wherever it is."""
    address = ObjectAddress.unpack(packed)
    return bytes(packed) if address is None else fetch_file(address)


def new_key(place: StorePlace, uid: str, sha256: bytes) -> str:
    return f"{place.prefix}{uid}/{sha256.hex()}/{secrets.token_hex(8)}"


# Objects that no row holds


def note_orphans(
    connection: Connection, objects: Iterable[tuple[str, str, str | None]], after: timedelta
) -> None:
    """Note objects, by bucket, key and endpoint, that may be deleted from a moment on."""
    uid = connection.execute(select(schema.library.c.uid)).scalar_one()
    due = (datetime.now(UTC).replace(tzinfo=None) + after).isoformat()
    rows = [
        {
            "key": _ORPHAN + key,
            "value": json.dumps(
                {"due": due, "uid": uid, "bucket": bucket, "endpoint": endpoint}, sort_keys=True
            ),
        }
        for bucket, key, endpoint in objects
    ]
    if rows:
        connection.execute(insert(schema.key_values), rows)


def claim(connection: Connection, addresses: Sequence[ObjectAddress]) -> set[str]:
    """Those whose objects are there for certain: from this transaction on a row holds them."""
    keys = [_ORPHAN + one.key for one in addresses]
    there = set(connection.execute(select(_values.key).where(_values.key.in_(keys))).scalars())
    for key in sorted(there):
        if not connection.execute(delete(schema.key_values).where(_values.key == key)).rowcount:
            there.discard(key)  # deleted this very moment
    return {key.removeprefix(_ORPHAN) for key in there}


def object_addresses(
    connection: Connection, numbers: Sequence[int] | None = None
) -> Iterator[tuple[int, ObjectAddress]]:
    """The documents whose files are elsewhere, all or those of some numbers."""
    original = schema.originals.c
    query = select(original.document_id, original.packed).where(is_in_store())
    if numbers is not None:
        query = query.where(original.document_id.in_(numbers))
    for number, packed in connection.execute(query.order_by(original.document_id)).all():
        address = ObjectAddress.unpack(packed)
        if address is not None:
            yield number, address


def note_orphans_of(connection: Connection, numbers: Sequence[int], after: timedelta) -> None:
    """Note the objects of documents whose rows are deleted in this transaction."""
    held = [(one.bucket, one.key, one.endpoint) for _, one in object_addresses(connection, numbers)]
    note_orphans(connection, held, after)


def read_orphans(connection: Connection) -> dict[str, Mapping[str, str | None]]:
    """The keys of objects that no row holds, with what is known of each."""
    rows = connection.execute(
        select(_values.key, _values.value).where(_values.key.startswith(_ORPHAN))
    )
    return {key.removeprefix(_ORPHAN): json.loads(value) for key, value in rows}


def forget_orphan(connection: Connection, key: str) -> bool:
    """Drop a note; whether there was one, which is this transaction's alone then."""
    one = delete(schema.key_values).where(_values.key == _ORPHAN + key)
    return connection.execute(one).rowcount == 1


def delete_object(key: str, note: Mapping[str, str | None]) -> None:
    bucket, endpoint = note["bucket"], note["endpoint"]
    assert bucket is not None
    ObjectStore(bucket, _endpoint_of(bucket, endpoint)).delete(key)
