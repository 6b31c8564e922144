"""The second index of a library, of blocks of concepts, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.library_asked import ENGINES, adding_times_cell, length_of
from bench.page.library_releases import own_figures
from bench.page.tables import Figure, Section, good_runs, rounded, table


def second_index(section: Section | None) -> Iterator[str]:
    """What it takes on disk, and what adding and looking up by it cost."""
    runs = [good_runs(figure)[0] for figure in own_figures(section).values()]
    if not any("blocks" in run for run in runs):
        return
    yield (
        "The second index is of blocks of concepts, by which the source of a rewritten or "
        "translated text is found. *Bytes a key* are those of its rows in the database, with their "
        "indexes, and of its segments; *of the whole* is its share of the database and all "
        "segments. Documents were added in turn to a library with it and to one without, until the "
        "indexes knew them; the server's CPU counts. Memory is that of a fresh process that looks "
        "up one text by meaning: with the index on disk, and with the first index alone on disk."
    )
    yield table(
        [
            "library",
            "keys",
            "bytes a key",
            "in the database, MB",
            "segments, MB",
            "of the whole",
            "made, CPU-s",
            "added per CPU-s: with / without",
            "times as slow",
            "memory, MB: looked up / index made",
        ],
        [_row(run) for run in runs if "blocks" in run],
    )


def _row(run: Figure) -> list[object]:
    blocks, adding, memory = run["blocks"], run["adding"], run["memory"]
    added = (adding["documents"] / adding[k] for k in ("with_blocks_cpu_s", "without_cpu_s"))
    return [
        f"{ENGINES[run['engine']]}, {run['documents']:,} {length_of(run)}",
        rounded(blocks["keys"]),
        rounded(blocks["bytes_per_key"], 1),
        rounded(blocks["rows_bytes"] / 1e6),
        rounded(blocks["index_bytes"] / 1e6),
        f"{100 * blocks['disk_share']:.0f} %",
        rounded(blocks["index_cpu_s"], 1),
        " / ".join(map(rounded, added)),
        adding_times_cell(run).shown.strip("*"),  # told above, where it is asked
        " / ".join(rounded(memory[key]) for key in ("meaning_warm_mb", "meaning_cold_mb")),
    ]
