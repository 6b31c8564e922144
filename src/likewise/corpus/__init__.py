"""Corpora of many documents, read as streams and deduplicated."""

from likewise.corpus.dedup import AtThreshold, CorpusPair, Deduped, dedup_corpus
from likewise.corpus.output import Cleaned, ensure_output, write_clean, write_lines
from likewise.corpus.shard import BadRecord
from likewise.corpus.streams import Corpus, Record, Unit, open_corpus

__all__ = [
    "AtThreshold",
    "BadRecord",
    "Cleaned",
    "Corpus",
    "CorpusPair",
    "Deduped",
    "Record",
    "Unit",
    "dedup_corpus",
    "ensure_output",
    "open_corpus",
    "write_clean",
    "write_lines",
]
