"""What one would take instead of the library, each filled and asked as its documentation says.

All get the words that the library compares, so that no language work tells them apart. The inverted
indexes (SetSimilaritySearch, tantivy) hold the very fingerprints that the library keeps; the
sketches (datasketch) are made of all shingles. None of them keeps the texts.
"""

from __future__ import annotations

import gc
import pickle
import resource
import tempfile
from collections.abc import Callable, Iterable
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.speed.library import BLOCK, CHECKS, checked
from bench.speed.library_texts import KINDS, Texts, planted_cases
from bench.speed.meter import Reading, peak_mb
from likewise.kernels import ENGINE, shingle_runs, winnow
from likewise.language import Lexicon
from likewise.settings import Settings
from likewise.sketch import build_sets
from likewise.sketch.batches import Batch, sketched

SLOTS = 128
USUAL_JACCARD = 0.5
LOW_JACCARD = 0.02  # about what a short passage makes of two documents of 300 words
ANY_SHARED = 0.001  # of a text's fingerprints: one is enough
MOST_ANSWERS = 100  # as the library gives

Hashes = NDArray[np.uint64]


class Peer(Protocol):
    """An index of numbered texts."""

    def add(self, first: int, texts: list[str]) -> None:
        """Take texts in, numbered from the first."""

    def finish(self) -> None:
        """Do what must be done before it is asked."""

    def ask(self, text: str) -> Iterable[int]:
        """The numbers of texts that share something with this one."""

    def disk_bytes(self) -> int | None:
        """What it takes on a disk, None where it cannot be kept there."""


def library_peer_job(
    folder: Path,
    peer: str,
    documents: int,
    words: int,
    limit: int | None = None,
    checks: int = CHECKS,
) -> dict[str, Any]:
    """Fill an index, then ask it what the library is asked."""
    documents = min(documents, limit or documents)
    texts = Texts(folder, words)
    with tempfile.TemporaryDirectory(prefix="likewise-bench-") as place:
        index = LIBRARY_PEERS[peer](Path(place))
        empty = memory_mb()
        cpu = wall = 0.0
        for first in range(0, documents, BLOCK):
            end = min(first + BLOCK, documents)
            block = [texts.text(number) for number in range(first, end)]
            start = Reading.now()
            index.add(first, block)
            if end == documents:
                index.finish()
            spent = start.spent()
            cpu, wall = cpu + spent["cpu_s"], wall + spent["wall_s"]
        del block
        gc.collect()
        taken = memory_mb() - empty
        figures = {
            kind: checked(index.ask, planted_cases(texts, documents, checks, kind))
            for kind in KINDS
        }
        return {
            "kernels": ENGINE,
            "version": version(PACKAGES[peer]),
            "documents": documents,
            "words": words,
            "add_cpu_s": round(cpu, 3),
            "add_wall_s": round(wall, 3),
            "memory_mb": round(taken, 1),
            "peak_mb": peak_mb(),
            "disk_bytes": index.disk_bytes(),
            **figures,
        }


class _Words:
    """Texts to what is compared, by the settings that a library has unless it is told others."""

    def __init__(self) -> None:
        self._settings = Settings()
        self._lexicon = Lexicon(self._settings)

    def shingles(self, texts: list[str]) -> list[Hashes]:
        sets = build_sets(texts, self._settings, self._lexicon)
        return [sets[i] for i in range(len(sets))]

    def fingerprints(self, texts: list[str]) -> list[Hashes]:
        def winnowed(batch: Batch) -> list[Hashes]:
            runs, ends = shingle_runs(*batch, self._settings.shingle)
            places, found = winnow(runs, ends, self._settings.window)
            bounds = found.tolist()
            chosen = runs[places]
            return [np.unique(chosen[a:b]) for a, b in pairwise(bounds)]

        made = sketched(texts, self._settings, self._lexicon, winnowed)
        return [one for batch in made for one in batch]


class _Datasketch:
    """MinHashLSH in memory; its other storages, Redis and Cassandra, are servers."""

    def __init__(self, threshold: float) -> None:
        from datasketch import MinHash, MinHashLSH

        self._words = _Words()
        self._minhash = MinHash
        self._index = MinHashLSH(threshold=threshold, num_perm=SLOTS)

    def _sketches(self, texts: list[str]) -> list[Any]:
        # The shingles are hashed already: 32 bits of that are what it wants of a hash function.
        sets = [(s & np.uint64(0xFFFFFFFF)).tolist() for s in self._words.shingles(texts)]
        return list(self._minhash.bulk(sets, num_perm=SLOTS, hashfunc=_as_it_is))

    def add(self, first: int, texts: list[str]) -> None:
        with self._index.insertion_session() as session:
            for number, sketch in enumerate(self._sketches(texts), first):
                session.insert(number, sketch, check_duplication=False)

    def finish(self) -> None:
        pass

    def ask(self, text: str) -> Iterable[int]:
        found: list[int] = self._index.query(self._sketches([text])[0])
        return found

    def disk_bytes(self) -> int | None:
        """Pickled whole, the way to keep one without a server."""
        with tempfile.TemporaryFile() as file:
            pickle.dump(self._index, file, protocol=pickle.HIGHEST_PROTOCOL)
            return file.tell()


def memory_mb() -> float:
    """The memory this process has now, in MB of 10⁶ bytes; the most it had where Linux is not."""
    pages = Path("/proc/self/statm")
    if not pages.is_file():
        return peak_mb()
    return int(pages.read_text().split()[1]) * resource.getpagesize() / 1e6


def _as_it_is(number: int) -> int:
    return number


class _SetSimilaritySearch:
    """Its containment index, made once of all sets: it takes no more afterwards."""

    def __init__(self) -> None:
        self._words = _Words()
        self._sets: list[list[int]] = []
        self._index: Any = None

    def add(self, first: int, texts: list[str]) -> None:
        self._sets += [hashes.tolist() for hashes in self._words.fingerprints(texts)]

    def finish(self) -> None:
        from SetSimilaritySearch import SearchIndex

        self._index = SearchIndex(self._sets, "containment", ANY_SHARED)
        self._sets = []

    def ask(self, text: str) -> Iterable[int]:
        asked = self._words.fingerprints([text])[0].tolist()
        return [number for number, _ in self._index.query(asked)]

    def disk_bytes(self) -> int | None:
        return None


class _Tantivy:
    """An index on disk, committed after every block, with one thread."""

    def __init__(self, folder: Path, tokenizer: str, index_option: str) -> None:
        import tantivy

        self._folder = folder
        self._tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", fast=True)
        builder.add_text_field("text", tokenizer_name=tokenizer, index_option=index_option)
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema, path=str(folder))
        self._writer = self._index.writer(num_threads=1)
        self._searcher: Any = None

    def add(self, first: int, texts: list[str]) -> None:
        for number, text in enumerate(self._terms(texts), first):
            self._writer.add_document(self._tantivy.Document(number=number, text=text))
        self._writer.commit()

    def finish(self) -> None:
        self._writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def ask(self, text: str) -> Iterable[int]:
        hits = self._searcher.search(self._query(text), MOST_ANSWERS, count=False).hits
        found: list[int] = self._searcher.fast_field_values("number", [at for _, at in hits])
        return found

    def disk_bytes(self) -> int | None:
        return sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file())

    def _terms(self, texts: list[str]) -> list[str]:
        raise NotImplementedError

    def _query(self, text: str) -> Any:
        raise NotImplementedError


class _TantivyOfFingerprints(_Tantivy):
    """Fingerprints are its terms; any of a text's may be shared."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "whitespace", "basic")
        self._words = _Words()

    def _terms(self, texts: list[str]) -> list[str]:
        return [" ".join(map(_term, one.tolist())) for one in self._words.fingerprints(texts)]

    def _query(self, text: str) -> Any:
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        terms = map(_term, self._words.fingerprints([text])[0].tolist())
        return query.boolean_query(
            [(should, query.term_query(self._schema, "text", term, "basic")) for term in terms]
        )


def _term(number: int) -> str:
    return f"{number:x}"


class _TantivyOfWords(_Tantivy):
    """Words are its terms, stemmed by itself; asked for more like the text, by its rarest words."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "en_stem", "freq")

    def _terms(self, texts: list[str]) -> list[str]:
        return texts

    def _query(self, text: str) -> Any:
        # Each word counts, though it be in one document or once in the text.
        return self._tantivy.Query.more_like_this_document_fields_query(
            self._schema, {"text": text}, min_doc_frequency=1, min_term_frequency=1
        )


LIBRARY_PEERS: dict[str, Callable[[Path], Peer]] = {
    "datasketch": lambda _folder: _Datasketch(USUAL_JACCARD),
    "datasketch_low": lambda _folder: _Datasketch(LOW_JACCARD),
    "set_similarity_search": lambda _folder: _SetSimilaritySearch(),
    "tantivy": _TantivyOfFingerprints,
    "tantivy_words": _TantivyOfWords,
}
PACKAGES = {
    "datasketch": "datasketch",
    "datasketch_low": "datasketch",
    "set_similarity_search": "SetSimilaritySearch",
    "tantivy": "tantivy",
    "tantivy_words": "tantivy",
}
