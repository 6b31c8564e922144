"""What `likewise dedup` found, as lists: the same lines for programs whichever engine it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NotRequired, Protocol, TypedDict

from likewise.errors import BadInput

MANY_COPIES = 100  # beyond so many, copies are one list and not all their pairs


class PairRecord(TypedDict):
    """Two records and how alike they are."""

    a: str
    b: str
    jaccard: float
    containment_a: float
    containment_b: float


class MeaningRecord(TypedDict):
    """Two records that stay, and how much of each the other says in other words."""

    a: str
    b: str
    meaning_a: float
    meaning_b: float


class ClusterRecord(TypedDict):
    """The ids of a cluster; those of another corpus stand apart, since ids may be the same."""

    threshold: float
    members: list[str]
    against: NotRequired[list[str]]
    weakest: float


class KeptRecord(TypedDict):
    """An id that stays."""

    threshold: float
    id: str


class ThresholdFigures(TypedDict):
    """What came of one threshold."""

    threshold: float
    pairs: int
    clusters: int
    kept: int
    removed: int


class Results(Protocol):
    """What either engine can tell, one record at a time."""

    def groups(self) -> Iterator[list[str]]:
        """Ids of very many records with the same words, a group each."""

    def pairs(self) -> Iterator[PairRecord]:
        """Of the lowest threshold, which has those of all others."""

    def clusters(self) -> Iterator[ClusterRecord]:
        """Of every threshold."""

    def kept_ids(self) -> Iterator[KeptRecord]:
        """The ids that stay, of every threshold."""

    def pairs_by_meaning(self) -> Iterator[MeaningRecord]:
        """What was rewritten or translated among those that stay, or between them and OLD.

        The largest share first; held against another corpus, `b` is a record of that.
        """

    def bad(self) -> Iterator[Mapping[str, object]]:
        """The first records that could not be used."""

    def summary(self) -> Mapping[str, object]:
        """All figures."""


class ResultFiles:
    """The lists that were asked for as files."""

    def __init__(
        self,
        pairs: Path | None,
        clusters: Path | None,
        kept_ids: Path | None,
        by_meaning: Path | None = None,
    ) -> None:
        self.pairs, self.clusters, self.kept_ids = pairs, clusters, kept_ids
        self.by_meaning = by_meaning

    def ensure_writable(
        self, folders: Sequence[Path], inputs: Sequence[Path], thresholds: int
    ) -> None:
        """Better said now than after an hour of work."""
        paths_in_use = {path.resolve() for path in inputs}
        for option, path in (
            ("--pairs", self.pairs),
            ("--clusters", self.clusters),
            ("--kept", self.kept_ids),
            ("--pairs-by-meaning", self.by_meaning),
        ):
            if path is None:
                continue
            if path.is_dir():
                raise BadInput("cli.list_is_folder", about=path, option=option)
            for folder in folders:
                if folder.is_dir() and path.resolve().is_relative_to(folder.resolve()):
                    raise BadInput("cli.list_in_corpus", about=path)
            if not path.resolve().parent.is_dir():
                raise BadInput("cli.list_no_folder", about=path, folder=str(path.parent))
            if path.resolve() in paths_in_use and (path.is_file() or not path.exists()):
                raise BadInput("cli.list_overwrites", about=path, option=option)
            paths_in_use.add(path.resolve())
        if self.kept_ids and thresholds > 1 and not _is_jsonl(self.kept_ids):
            raise BadInput("cli.list_of_thresholds", about=self.kept_ids)

    def write(self, results: Results) -> None:
        from likewise.cli.shared.json_lines import encode_record
        from likewise.corpus import write_lines

        if self.pairs:
            write_lines(self.pairs, map(encode_record, _groups_and_pairs(results)))
        if self.clusters:
            write_lines(self.clusters, map(encode_record, results.clusters()))
        if self.by_meaning:
            write_lines(self.by_meaning, map(encode_record, results.pairs_by_meaning()))
        if self.kept_ids and _is_jsonl(self.kept_ids):
            write_lines(self.kept_ids, map(encode_record, results.kept_ids()))
        elif self.kept_ids:
            write_lines(
                self.kept_ids, (_one_line(row["id"], self.kept_ids) for row in results.kept_ids())
            )


def print_json(results: Results, with_pairs: bool) -> None:
    """JSON on standard output, one object a line."""
    from likewise.cli.shared import json_lines

    if with_pairs:
        for group in results.groups():
            json_lines.write_record({"type": "copies", "members": group})
        for pair in results.pairs():
            json_lines.write_record({"type": "pair", **pair})
    for cluster in results.clusters():
        json_lines.write_record({"type": "cluster", **cluster})
    for record in results.bad():
        json_lines.write_record({"type": "bad", **record})
    json_lines.write_record({"type": "summary", **results.summary()})


def _groups_and_pairs(results: Results) -> Iterator[Mapping[str, object]]:
    for group in results.groups():
        yield {"copies": group}
    yield from results.pairs()


def _is_jsonl(path: Path) -> bool:
    """Whether a name is of a file of JSON lines, packed or not.

    >>> _is_jsonl(Path("kept.jsonl.gz")), _is_jsonl(Path("kept.txt"))
    (True, False)
    """
    return any(suffix.lower() in (".jsonl", ".ndjson") for suffix in path.suffixes)


def _one_line(id: str, path: Path) -> str:
    if "\n" in id or "\r" in id:
        raise BadInput("cli.id_line_break", about=path)
    return id
