"""The pages of the server in a browser, beside what was asked."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.library_asked import cell_of
from bench.page.tables import Section, provenance, table

LOG_IN_KB, INTERACTIVE_CPU_S, LONGEST_TASK_MS, REPORT_MS = 120, 1.5, 100, 1_500
ANSWER_MS, OF_ALL_MS = 500, 30_000


def browser_page(sections: dict[str, Section]) -> Iterator[str]:
    """Size, cost and smoothness, if they were measured."""
    section = sections.get("pages")
    if section is None:
        return
    figures = section["figures"]
    library = figures["library"]
    measured = [
        ("log-in, kB on the wire", LOG_IN_KB, figures["log_in"]["kb"]),
        ("log-in until it can be used, CPU-s", INTERACTIVE_CPU_S, figures["log_in"]["cpu_s"]),
        *(
            (f"longest task, {what}, CPU-ms", LONGEST_TASK_MS, library[key]["cpu_ms"])
            for key, what in _SCROLLED.items()
        ),
        *(
            (f"largest paint of a report, {what}, ms", REPORT_MS, figures["report"][key])
            for key, what in _OPENED.items()
        ),
    ]
    yield "## Pages in the browser"
    yield (
        f"A library of {figures['documents']:,} documents behind `likewise serve`, seen in "
        "Chromium: the page of the log-in opened by somebody who was never there, and the table of "
        "the library scrolled by the wheel and thrown about by its bar. CPU is that of all "
        "processes of the browser; tasks are those of the page's main thread, by their own CPU "
        "time, since on a crowded machine the clock runs while others have the core. A report is "
        "opened over a network of 1.6 Mbit/s whose every answer takes 150 ms, with the processor "
        "slowed to a quarter; until its largest text is painted, by the clock, the best of five."
    )
    yield table(
        ["what", "at most", "measured"],
        [
            [what, f"{most:g}", cell_of(f"{value:g}", value <= most).shown]
            for what, most, value in measured
        ],
    )
    by_the_clock = " and ".join(str(library[key]["ms"]) for key in _SCROLLED)
    yield (
        f"The very first opening took {figures['log_in']['first_cpu_s']:g} CPU-s; opening the "
        f"table {library['open_cpu_s']:g}. By the clock the longest tasks took {by_the_clock} ms. "
        f"Of all rows {library['rows_in_the_page']} are in the page at a time."
    )
    yield provenance(section)
    if lists := sections.get("lists"):
        yield from _lists(lists)


def _lists(section: Section) -> Iterator[str]:
    figures = section["figures"]
    longest, answered = figures["longest_task"], figures["server_cpu_ms"]
    yield "### Asked, chosen, acted on"
    yield (
        f"The same table of {figures['documents']:,} rows is searched, sorted by each column and "
        "chosen as a whole in the browser; the server is asked for its rows as the page asks, "
        "and then to change and to remove all documents, in one request each."
    )
    rows = [
        ("longest task, searched, sorted, chosen, CPU-ms", LONGEST_TASK_MS, longest["cpu_ms"]),
        *(
            (f"server, {what}, CPU-ms", most, answered[key])
            for key, (what, most) in _ANSWERED.items()
        ),
    ]
    yield table(
        ["what", "at most", "measured"],
        [
            [what, f"{most:g}", cell_of(f"{value:g}", value <= most).shown]
            for what, most, value in rows
        ],
    )
    yield f"By the clock the longest task took {longest['ms']} ms."
    yield provenance(section)


_SCROLLED = {"longest_task_wheel": "by the wheel", "longest_task_thrown": "thrown about"}
_ANSWERED = {
    "opened": ("first rows", ANSWER_MS),
    "searched": ("searched", ANSWER_MS),
    "filtered": ("filtered", ANSWER_MS),
    "sorted": ("sorted", ANSWER_MS),
    "at_the_end": ("last rows", ANSWER_MS),
    "all_changed": ("all changed", OF_ALL_MS),
    "all_removed": ("all removed", OF_ALL_MS),
}
_OPENED = {
    "first_largest_paint_ms": "by somebody who was never there",
    "again_largest_paint_ms": "opened again",
}
