"""The page of evidence: whole, with no dead link, and in step with the results on file."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.evidence import DOCS, render
from bench.page.contents import headings
from bench.page.leftovers import all_results
from bench.page.shortfalls import listed, shortfalls
from bench.page.tables import provenance, table
from bench.papers import EXPERIMENTS, MissingCorpus, corpus
from bench.record import RESULTS, keep

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield render(RESULTS, tmp_path_factory.mktemp("docs"))


def test_the_committed_page_is_what_the_results_on_file_give(rendered: Path) -> None:
    committed = (DOCS / "evidence.md").read_text("utf-8")
    is_same = committed == rendered.read_text("utf-8")
    assert is_same, "results or pages have changed: run ./dev evidence --render"


def test_every_link_leads_somewhere(rendered: Path) -> None:
    page = rendered.read_text("utf-8")
    addresses = {heading.address for heading in headings(page.split("\n\n"))}
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert links
    for link in links:
        if link.startswith("#"):
            assert link[1:] in addresses, link
        else:
            assert (rendered.parent / link).is_file(), link


def test_the_committed_page_has_its_plots(rendered: Path) -> None:
    named = set(re.findall(r"\]\(plots/([^)]+)\)", (DOCS / "evidence.md").read_text("utf-8")))
    assert named <= {path.name for path in (DOCS / "plots").iterdir()}
    assert named == {path.name for path in (rendered.parent / "plots").iterdir()}


def test_the_same_results_give_the_same_bytes(rendered: Path, tmp_path: Path) -> None:
    again = render(RESULTS, tmp_path)
    assert again.read_bytes() == rendered.read_bytes()
    for plot in (rendered.parent / "plots").iterdir():
        assert (tmp_path / "plots" / plot.name).read_bytes() == plot.read_bytes(), plot.name


def test_every_section_on_file_is_shown_with_its_command_date_and_version(rendered: Path) -> None:
    page = rendered.read_text("utf-8")
    for sections in all_results(RESULTS).values():
        for name, section in sections.items():
            told = provenance(section)
            assert told in page, name
            assert section["command"] in told
            assert section["date"] in told
            assert str(section["machine"]["likewise"]) in told


def test_results_without_a_page_of_their_own_are_shown_too(tmp_path: Path) -> None:
    figures = [{"size": 10, "times": {"first": 0.25}}, {"size": 20, "times": {"first": 0.5}}]
    keep(tmp_path / "novel.json", "a new thing", "./dev bench novel", figures)
    page = render(tmp_path, tmp_path / "docs").read_text("utf-8")
    assert "### Novel: a new thing" in page
    assert "| size | times first |" in page
    assert "`./dev bench novel`" in page


def test_without_results_the_page_says_what_it_is(tmp_path: Path) -> None:
    page = render(tmp_path, tmp_path / "docs").read_text("utf-8")
    assert page.startswith("# Evidence")
    assert "|" not in page


def test_what_falls_short_is_listed_with_a_link() -> None:
    page = [
        "## Speed",
        "### Asked and measured",
        table(
            ["what", "asked", "measured", "reached"],
            [["help", "1 s", "2 s", "no"], ["find", "1 s", "1 s", "yes"]],
        ),
        "## Server: hurt",
        "### Asked and measured",
        table(["what", "SQLite", "PostgreSQL"], [["list", "**9** ms", "**12** ms"]]),
        "**Not reached:** the disk.",
    ]
    assert listed(shortfalls(page)).splitlines() == [
        "- [Speed, Asked and measured](#asked-and-measured): help (asked: 1 s): **2 s**",
        "- [Server, Asked and measured](#asked-and-measured-1): "
        "list: SQLite **9** ms, PostgreSQL **12** ms; **Not reached:** the disk.",
    ]


def test_pages_of_a_browser_and_of_a_hurt_server_are_rendered_once_they_are_measured(
    tmp_path: Path,
) -> None:
    task = {"ms": 90, "cpu_ms": 120}
    browser = {
        "first_view_gzip_kb": 181.5,
        "documents": 100_000,
        "log_in": {"cpu_s": 0.9, "first_cpu_s": 1.3},
        "library": {
            "open_cpu_s": 0.5,
            "longest_task_wheel": task,
            "longest_task_thrown": task,
            "rows_in_the_page": 60,
        },
    }
    hurt = {
        "engine": "sqlite",
        "kills": 2,
        "by_work": {"add": 1, "check": 1},
        "by_tenth": [1, 1] + [0] * 8,
        "crowds": 0,
        "broken": [{"work": "check", "broken": "a job never ended"}],
        "missed": 0,
        "servers_killed": 5,
        "others": [{"work": "disk", "megabytes": 48, "refused": {"full": 3}, "jobs": {"done": 2}}],
    }
    keep(tmp_path / "pages.json", "pages", "./dev bench pages", browser)
    keep(tmp_path / "server_faults.json", "sqlite", "./dev bench server_faults", hurt)
    page = render(tmp_path, tmp_path / "docs").read_text("utf-8")
    assert "| longest task, by the wheel, CPU-ms | 100 | **120** |" in page
    assert "| first view, kB gzipped | 400 | 181.5 |" in page
    assert "**1 (check: a job never ended)**" in page
    assert "Other results on file" not in page


def test_a_missing_corpus_is_named_with_the_place_for_it(tmp_path: Path) -> None:
    with pytest.raises(MissingCorpus, match=r"nsf-2008\.jsonl is not in .*: unpack it there"):
        corpus(tmp_path, "nsf-2008.jsonl")


def test_without_corpora_an_experiment_is_left_out_and_said_so(tmp_path: Path) -> None:
    ran = papers("paper-002", "--corpus", str(tmp_path), "--output", str(tmp_path))
    assert ran.returncode == 3
    assert "unpack one of them there" in ran.stderr
    assert str(tmp_path) in ran.stderr
    assert not (tmp_path / "paper-002.json").exists()


def test_an_experiment_is_found_by_its_name_and_its_results_are_kept(tmp_path: Path) -> None:
    ran = papers("004", "--small", "--output", str(tmp_path))
    assert ran.returncode == 0, ran.stderr
    sections = all_results(tmp_path)["paper-004"]
    assert sections["worked table"]["command"] == "./dev bench papers paper-004 --small"
    page = render(tmp_path, tmp_path / "docs").read_text("utf-8")
    assert "The small version" in page
    assert papers("paper-005").returncode == 2


def test_every_experiment_has_its_small_version_tested() -> None:
    for name in EXPERIMENTS:
        assert (ROOT / "tests" / "bench" / f"test_{name}.py").is_file(), name


def papers(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.papers", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
