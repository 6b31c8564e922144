"""The English corpus: Debian's documentation, cut into documents, with edited copies planted."""

from __future__ import annotations

import gzip
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.making.cutting import cut, first_chars, visible_text
from bench.making.planting import plant

BASE_CHARS = 80_000_000
SHARE_OF_COPIES = 0.15
SEED = 7


class Source(NamedTuple):
    """Which files of a package are read."""

    package: str
    files: str
    but_not: str = r"$^"


SOURCES = (
    Source("linux-doc-6.1", "**/*.html", r"/translations/|genindex"),
    Source("python3.11-doc", "**/*.rst.txt"),
    Source("postgresql-doc-15", "**/*.html"),
    Source("perl-doc", "**/*.pod"),
    Source("sqlite3-doc", "**/*.html"),
    Source("libreoffice-help-en-us", "**/*.html"),
    Source("octave-doc", "**/*.html"),
    Source("r-doc-html", "**/*.html"),
    Source("maxima-doc", "**/*.html", r"/(de|es|ja|pt|pt_BR)/"),
    Source("apache2-doc", "**/*.html", r"^(?!.*(/en/|\.en\.html))"),
    Source("git-doc", "**/*.txt"),
    Source("debian-policy", "**/*.txt*"),
    Source("debian-handbook", "**/*.html", r"^(?!.*/en-US/)"),
    Source("anarchism", "**/*.md*"),
    Source("fortunes", "**/games/fortunes/*", r"\.(dat|u8)$"),
    Source("dict-foldoc", "**/*.dz"),
    Source("dict-jargon", "**/*.dz"),
    Source("dict-wn", "**/*.dz"),
    Source("dict-gcide", "**/*.dz"),
)


def english(folder: Path) -> Iterator[dict[str, object]]:
    """The records of the corpus, in random order, the same in every run with the same packages."""
    dice = random.Random(SEED)
    texts: list[str] = []
    for source in SOURCES:
        for text in texts_of_package(source, folder / "packages"):
            texts += cut(_ascii(text), dice)
    dice.shuffle(texts)
    base = first_chars(texts, BASE_CHARS)
    return with_copies(base, round(SHARE_OF_COPIES * len(base)), dice)


def with_copies(
    base: list[str], copies: int, dice: random.Random, low: float = 0.3, high: float = 0.95
) -> Iterator[dict[str, object]]:
    """The documents and edited copies of some of them, shuffled."""
    records: list[dict[str, object]] = [{"text": text, "of": None} for text in base]
    for copy in plant(base, copies, low, high, dice):
        records.append(
            {"text": copy.text, "of": copy.of, "edit": copy.edit, "jaccard": copy.jaccard}
        )
    order = list(range(len(records)))
    dice.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    for new, old in enumerate(order):
        record = records[old]
        of = record["of"]
        yield {"id": new, **record, "of": place[of] if isinstance(of, int) else None}


def texts_of_package(source: Source, packages: Path) -> Iterator[str]:
    """The texts of a Debian package, which is downloaded unless it is there."""
    root = _unpacked(source.package, packages)
    if root is None:
        return
    unwanted = re.compile(source.but_not)
    for path in sorted(root.glob(source.files)):
        if path.is_file() and not path.is_symlink() and not unwanted.search(str(path)):
            text = _read(path)
            yield visible_text(text) if path.suffix == ".html" else text


def _unpacked(package: str, packages: Path) -> Path | None:
    root = packages / package
    if root.is_dir():
        return root
    if not shutil.which("apt-get"):
        raise SystemExit(
            "the English corpus is made from Debian's packages, and there is no apt-get here;\n"
            "copy a docs.jsonl into the folder 'english' of the corpora instead"
        )
    packages.mkdir(parents=True, exist_ok=True)
    if not any(packages.glob(f"{package}_*.deb")):
        subprocess.run(["apt-get", "-q", "download", package], cwd=packages)
    archive = next(packages.glob(f"{package}_*.deb"), None)
    if archive is None:
        print(f"{package} cannot be downloaded: left out")
        return None
    subprocess.run(["dpkg-deb", "-x", archive, root], check=True)
    return root


def _read(path: Path) -> str:
    data = path.read_bytes()
    if path.suffix in (".gz", ".dz"):
        data = gzip.decompress(data)
    return data.decode("utf-8", "replace")


_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})


def _ascii(text: str) -> str:
    return text.translate(_PLAIN).encode("ascii", "ignore").decode("ascii")
