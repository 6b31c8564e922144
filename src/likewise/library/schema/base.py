"""What all tables of a library share."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, MetaData

VERSION = "3"  # the newest revision in `migrations`

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite's own row number is an INTEGER; anything else would need an index of its own.
Number = BigInteger().with_variant(Integer, "sqlite")
