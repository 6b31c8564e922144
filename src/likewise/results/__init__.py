"""Results as data: one schema, one encoder and one decoder for what is stored, sent and printed."""

from likewise.results.codec import SCHEMA, DocumentList, by_name, decode, encode, plain, utf8
from likewise.results.pages import PageRange, Pages

__all__ = [
    "SCHEMA",
    "DocumentList",
    "PageRange",
    "Pages",
    "by_name",
    "decode",
    "encode",
    "plain",
    "utf8",
]
