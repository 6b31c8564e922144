"""The tables of logging in by others, of second factors, and of what people are told by mail."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from likewise.library.schema import Number, metadata
from likewise.server.database.columns import id_column, owner_column

# Who else may say who somebody is, by OpenID Connect.
login_providers = Table(
    "login_providers",
    metadata,
    id_column(),
    Column("name", Text, nullable=False),  # on the button
    Column("issuer", Text, nullable=False),
    Column("client_id", Text, nullable=False),
    Column("client_secret", LargeBinary),  # encrypted
    Column("options", Text, nullable=False),  # JSON: scopes, claims, roles, domains
    Column("is_active", Boolean, nullable=False),
    Column("position", Integer, nullable=False),
    Column("made_on", DateTime, nullable=False),
)

# An account, as a provider knows it.
identities = Table(
    "identities",
    metadata,
    id_column(),
    owner_column("users", "user_id", index=True),
    owner_column("login_providers", "provider_id"),
    Column("subject", Text, nullable=False),
    Column("made_on", DateTime, nullable=False),
    Column("used_on", DateTime, nullable=False),
    UniqueConstraint("provider_id", "subject"),
)

# Log-ins on their way through a provider: by the hash of what the provider gives back.
login_requests = Table(
    "login_requests",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),
    owner_column("login_providers", "provider_id", index=True),
    Column("request", Text, nullable=False),  # JSON: nonce, proof of the key, where to go on
    Column("made_on", DateTime, nullable=False),
    Column("ends_on", DateTime, nullable=False),
    Column("used_on", DateTime),
)

second_factors = Table(
    "second_factors",
    metadata,
    owner_column("users", "user_id", is_key=True),
    Column("secret", LargeBinary, nullable=False),  # encrypted
    Column("made_on", DateTime, nullable=False),
    Column("confirmed_on", DateTime),  # since when it is asked for
    Column("last_step", Number),  # of time: no code is good twice
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),
    owner_column("users", "user_id", index=True),
    Column("made_on", DateTime, nullable=False),
    Column("used_on", DateTime),
)

# Mail that waits, or could not be sent.
mail_queue = Table(
    "mail_queue",
    metadata,
    id_column(),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), index=True),
    Column("to", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("language", Text),
    Column("values", Text, nullable=False),  # JSON; never text of a document
    Column("key", Text, unique=True),  # what it is about: nobody is told twice
    Column("made_on", DateTime, nullable=False),
    Column("not_before", DateTime, nullable=False, index=True),
    Column("attempts", Integer, nullable=False),
    Column("sent_on", DateTime),
    Column("failed_on", DateTime),
    Column("error", Text),
)

# By which number the audit log names a person or an address. It goes with them, the log stays.
audit_people = Table(
    "audit_people",
    metadata,
    Column("number", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), unique=True),
    # Of whoever has no account, and of addresses; of accounts a secret that numbers are made with.
    Column("name", Text),
)

# Each behind those it belongs to.
ACCOUNT_TABLES = (
    *(login_providers, identities, login_requests, second_factors, recovery_codes),
    *(mail_queue, audit_people),
)
