"""The tables of a library, for SQLite and PostgreSQL: documents, and everything they are found by.

What is long stands apart from what is listed: `documents` holds what a person asks for, `texts`,
`originals` and `sketches` hold bytes. Numbers of documents are given out by the `library` row and
never again, so that an index may remember them; the same numbers hold on both engines. Hosts add
tables of their own to `metadata`: see `registry`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

VERSION = "7"  # the newest revision in `migrations`

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


def _of_document() -> Column[int]:
    """The document that a row belongs to, and goes with."""
    document = ForeignKey("documents.id", ondelete="CASCADE")
    return Column("document_id", Number, document, primary_key=True, autoincrement=False)


def _by_recipe() -> Column[int]:
    """The recipe that hashes were made by."""
    recipe = ForeignKey("recipes.id", ondelete="CASCADE")
    return Column("recipe_id", Integer, recipe, primary_key=True, autoincrement=False)


def _by_change() -> Column[int]:
    """The change that an index hears of a row by: one a second would be enough for 68 years."""
    return Column("change", Integer, nullable=False)


# Indexes that one engine alone has.
ENGINE_INDEXES: dict[str, str] = {}


def _in_order(table: str, *parts: str) -> tuple[PrimaryKeyConstraint, Index, Index]:
    """How rows are found by their document, and read in the order of changes.

    The rows of some changes are told from others by their documents, read from an index alone. Both
    engines do that in as few bytes as each can: PostgreSQL keeps a key that many rows share once,
    and the change beside the primary key, where it takes what would be left empty.
    """
    names = f"ix_{table}_in_order", f"ix_{table}_change"
    ENGINE_INDEXES.update(zip(names, ("sqlite", "postgresql"), strict=True))
    return (
        PrimaryKeyConstraint("document_id", "recipe_id", *parts, postgresql_include=["change"]),
        Index(names[0], "recipe_id", "change", "document_id", *parts).ddl_if("sqlite"),
        Index(names[1], "recipe_id", "change").ddl_if("postgresql"),
    )


# How the fingerprints of a library are made: the settings, and the recipe they gave at that time.
recipes = Table(
    "recipes",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=False),
    Column("recipe", Text, nullable=False, unique=True),
    Column("settings", Text, nullable=False),  # JSON
)

# One row. Whoever writes changes it first, and so waits for those who write already.
library = Table(
    "library",
    metadata,
    Column("id", SmallInteger, CheckConstraint("id = 1", "one_row"), primary_key=True),
    Column("uid", Text, nullable=False),  # tells this library from every other
    Column("made_on", DateTime, nullable=False),
    Column("changes", Number, nullable=False),  # grows with everything an index must hear of
    Column("last_document", Number, nullable=False),  # the last number given to a document
    Column("recipe_id", Number, ForeignKey("recipes.id"), nullable=False),  # used by checks
    Column("next_recipe_id", Number, ForeignKey("recipes.id")),  # asked for, until rebuilt
)

documents = Table(
    "documents",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=False),
    # Documents of one collection know nothing of the others: the same bytes may be in several.
    Column("collection", Text, nullable=False, server_default=""),
    Column("name", Text, nullable=False),
    Column("sha256", LargeBinary(32), nullable=False),  # of the bytes
    Column("is_file", Boolean, nullable=False),  # else the bytes are those of the packed text
    Column("text_hash", LargeBinary(16), nullable=False, index=True),
    # The first document with the same text: it alone has fingerprints.
    Column("copy_of", Number, ForeignKey("documents.id"), index=True),
    Column("owner", Text),
    Column("added_on", DateTime, nullable=False),
    Column("path", Text),
    Column("language", Text),
    Column("type", Text),
    Column("organisation", Text),
    Column("author", Text),
    Column("advisor", Text),
    Column("year", SmallInteger),
    Column("month", SmallInteger),
    Column("words", Integer, nullable=False),
    Column("chars", Integer, nullable=False),
    Column("searched", Text, nullable=False),  # name and people in small letters, to be searched
    UniqueConstraint("sha256", "collection"),
    Index("ix_documents_name", "name"),
    Index("ix_documents_added_on", "added_on"),
    Index("ix_documents_collection", "collection"),
    # A page of a long list is read in the order that was asked for, not sorted.
    *(
        Index(f"ix_documents_{name}", name, "id")
        for name in (
            *("owner", "author", "advisor", "organisation"),
            *("language", "type", "year", "words"),
        )
    ),
)

# The same bytes handed in again: by whom, when, under which name.
document_references = Table(
    "document_references",
    metadata,
    _of_document(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("owner", Text),
    Column("author", Text),
    Column("added_on", DateTime, nullable=False),
    Column("path", Text),
    Index("ix_document_references_owner", "owner"),
    Index("ix_document_references_author", "author"),
)

tags = Table(
    "tags",
    metadata,
    _of_document(),
    Column("tag", Text, primary_key=True),
    Index("ix_tags_tag", "tag"),
)

# Everything that reading made of a file, packed.
texts = Table(
    "texts",
    metadata,
    _of_document(),
    Column("packed", LargeBinary, nullable=False),
)

originals = Table(
    "originals",
    metadata,
    _of_document(),
    Column("packed", LargeBinary, nullable=False),
)

# The fingerprints of a text by one recipe, or of several texts: see `sketch_rows`. Those of an old
# recipe stay until all are renewed.
sketches = Table(
    "sketches",
    metadata,
    _of_document(),
    _by_recipe(),
    _by_change(),
    Column("shingles", Integer, nullable=False),  # 0 where that is not known, as of several
    Column("fingerprints", Integer, nullable=False),
    Column("others", BigInteger),  # a bit for each number behind `document_id` that shares the row
    Column("hashes", LargeBinary, nullable=False),  # distinct, ascending: `sketches.hashes_to`
    *_in_order("sketches"),
    # Of rows that are shared alone: whose they are is read from it, and by which changes they came.
    Index(
        "ix_sketches_others",
        *("document_id", "recipe_id", "change", "others"),
        postgresql_where=text("others IS NOT NULL"),
        sqlite_where=text("others IS NOT NULL"),
    ),
)

# Documents that are gone, so that every index hears of it.
removals = Table(
    "removals",
    metadata,
    Column("document_id", Number, primary_key=True, autoincrement=False),
    Column("change", Number, nullable=False, index=True),
)

# What each table inside a document is found by. Copies have their own: the same text may be a table
# in one file and none in another.
document_tables = Table(
    "document_tables",
    metadata,
    _of_document(),
    _by_recipe(),
    Column("number", Integer, primary_key=True, autoincrement=False),  # in the document, from 0
    _by_change(),
    Column("tokens", Integer, nullable=False),
    Column("hashes", LargeBinary, nullable=False),  # distinct, ascending: `sketches.hashes_to`
    *_in_order("document_tables", "number"),
)

# What each block of a text is about, by the recipe of `library.concept_index`. Copies have their
# own: whoever may not read the first document of a text may read another.
concept_blocks = Table(
    "concept_blocks",
    metadata,
    _of_document(),
    _by_recipe(),
    _by_change(),
    Column("blocks", Integer, nullable=False),
    Column("concepts", LargeBinary, nullable=False),  # `concept_blocks.pack_blocks`
    *_in_order("concept_blocks"),
)

stop_words = Table(
    "stop_words",
    metadata,
    Column("language", Text, primary_key=True),
    Column("word", Text, primary_key=True),
)

# Free for those who build on a library.
key_values = Table(
    "key_values",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

# What was erased on request: how much, and where; never what it said or who wrote it.
erasures = Table(
    "erasures",
    metadata,
    Column("id", Text, primary_key=True),
    Column("made_on", DateTime, nullable=False, index=True),
    Column("user_id", Text, index=True),  # who asked for it, if a host knows people by ids
    Column("user_name", Text),
    Column("receipt", Text, nullable=False),  # JSON
)
