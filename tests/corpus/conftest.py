"""Small corpora in every format, written and read without Likewise."""

import gzip
import json
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard


@dataclass(frozen=True)
class Format:
    """How documents are put into a file, and got out of it again."""

    name: str
    pack: Callable[[bytes], bytes] = bytes
    unpack: Callable[[bytes], bytes] = bytes

    def write(self, path: Path, documents: list[dict]) -> Path:
        if self.name == "parquet":
            pq.write_table(pa.Table.from_pylist(documents), path, compression="zstd")
        else:
            lines = "".join(json.dumps(document) + "\n" for document in documents)
            path.write_bytes(self.pack(lines.encode()))
        return path

    def read(self, path: Path) -> list[dict]:
        if self.name == "parquet":
            return pq.read_table(path).to_pylist()
        return [json.loads(line) for line in self.unpack(path.read_bytes()).splitlines()]


FORMATS = [
    Format("jsonl"),
    Format("jsonl.gz", gzip.compress, gzip.decompress),
    Format(
        "jsonl.zst",
        zstandard.compress,
        lambda data: zstandard.ZstdDecompressor().stream_reader(data).read(),
    ),
    Format("jsonl.xz", lambda data: lzma.compress(data, preset=0), lzma.decompress),
    Format("parquet"),
]


@pytest.fixture(scope="session", params=FORMATS, ids=lambda format: format.name)
def form(request) -> Format:
    return request.param


@pytest.fixture(scope="session", params=FORMATS[:4], ids=lambda format: format.name)
def lines_form(request) -> Format:
    return request.param
