"""Results on file that no other part of the page shows: as they are, so that nothing is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.page.tables import Section, machine_name, provenance, table
from bench.record import read_results


def leftovers_page(results: Path, page: str) -> Iterator[str]:
    """Sections whose command and date stand nowhere on the page."""
    unshown = [
        (f"{name}: {title}", section)
        for name, sections in all_results(results).items()
        for title, section in sections.items()
        if provenance(section) not in page
    ]
    if unshown:
        yield "## Other results on file"
    for title, section in unshown:
        yield f"### {title[:1].upper() + title[1:]}"
        yield plainly(section["figures"])
        yield provenance(section)


def machines_page(results: Path) -> Iterator[str]:
    """What the figures were measured on."""
    machines = {
        machine_name(section["machine"]): section["machine"]
        for sections in all_results(results).values()
        for section in sections.values()
    }
    if not machines:
        return
    yield "## Machines and versions"
    yield (
        "One machine, shared with other work, on which more and more was installed; so figures of "
        "one run are compared with each other, and times are CPU times unless said otherwise."
        if len({machine["cpu"] for machine in machines.values()}) == 1
        else "Figures of one run are compared with each other, never over machines."
    )
    yield table(
        ["machine", "processor", "cores", "GB", "system", "Python", "kernels", "packages"],
        [
            [
                name,
                *(machine[key] for key in _FACTS),
                ", ".join(f"{k} {v}" for k, v in machine["packages"].items() if v),
            ]
            for name, machine in machines.items()
        ],
    )


_FACTS = "cpu cores memory_gb system python kernels".split()


def all_results(results: Path) -> dict[str, dict[str, Section]]:
    """Every section on file, by the name of its file."""
    names = sorted(path.stem for path in results.glob("*.json"))
    return {name: read_results(results, name) for name in names}


def plainly(figures: Any) -> str:
    """Whatever it is as a table.

    >>> print(plainly([{"a": 1, "b": {"c": 2.0, "d": "x"}}]))
    | a | b c | b d |
    | --- | ---: | ---: |
    | 1 | 2 | x |
    """
    if isinstance(figures, dict) and not any(isinstance(v, list) for v in figures.values()):
        return table(["what", "figure"], [[k, _told(v)] for k, v in _flat(figures).items()])
    if isinstance(figures, dict):
        figures = [{"what": name, "figure": value} for name, value in figures.items()]
    rows = [_flat(one) if isinstance(one, dict) else {"figure": one} for one in figures]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return table(columns, [[_told(row.get(key, "")) for key in columns] for row in rows])


def _flat(one: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in one.items():
        name = f"{before} {key}".strip().replace("_", " ")
        flat |= _flat(value, name) if isinstance(value, dict) else {name: value}
    return flat


def _told(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        simple = all(isinstance(one, str | int | float) for one in value)
        return ", ".join(map(_told, value)) if simple and len(value) <= 8 else f"({len(value)})"
    return str(value).replace("|", "\\|")
