"""The pages of evidence: whole, with no dead link, and in step with the results on file."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.evidence import DOCS, render
from bench.page.headings import headings
from bench.page.leftovers import all_results
from bench.page.shortfalls import listed, shortfalls
from bench.page.tables import provenance, table
from bench.papers import EXPERIMENTS, MissingCorpus, corpus
from bench.record import RESULTS, keep

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield render(RESULTS, tmp_path_factory.mktemp("docs"))


def pages(docs: Path) -> dict[str, str]:
    """The summary and every subject's page, by their paths under docs/."""
    paths = [docs / "evidence.md", *sorted((docs / "evidence").glob("*.md"))]
    return {str(path.relative_to(docs)): path.read_text("utf-8") for path in paths}


def test_the_committed_pages_are_what_the_results_on_file_give(rendered: Path) -> None:
    is_same = pages(DOCS) == pages(rendered.parent)
    assert is_same, "results or pages have changed: run ./dev evidence --render"


def test_the_summary_can_be_read_in_one_go(rendered: Path) -> None:
    summary = rendered.read_text("utf-8")
    assert len(summary.split()) <= 1500
    assert len(re.findall(r"^\| ---", summary, re.MULTILINE)) == 10
    assert summary.count("](plots/") == 4


def test_every_figure_of_the_summary_stands_on_its_subjects_page(rendered: Path) -> None:
    for part in rendered.read_text("utf-8").split("\n## ")[1:]:
        subject = re.search(r"\[The whole\]\((.+)\)", part)
        if subject is None:
            continue
        whole = (rendered.parent / subject[1]).read_text("utf-8")
        for line in part.splitlines():
            if line.startswith("| ") and "---" not in line:
                for cell in line[1:-1].split("|"):
                    assert f"|{cell}|" in whole, (subject[1], cell)


def test_every_link_leads_somewhere(rendered: Path) -> None:
    addresses = {
        (rendered.parent / name).resolve(): {
            heading.address for heading in headings(text.split("\n\n"))
        }
        for name, text in pages(rendered.parent).items()
    }
    for name, text in pages(rendered.parent).items():
        page = (rendered.parent / name).resolve()
        links = re.findall(r"\]\(([^)]+)\)", text)
        assert links, name
        for link in links:
            path, _, address = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.is_file(), (name, link)
            assert not address or address in addresses[target], (name, link)


def test_the_committed_pages_have_their_plots(rendered: Path) -> None:
    text = "\n".join(pages(DOCS).values())
    named = set(re.findall(r"\]\((?:\.\./)?plots/([^)]+)\)", text))
    assert named <= {path.name for path in (DOCS / "plots").iterdir()}
    assert named == {path.name for path in (rendered.parent / "plots").iterdir()}


def test_the_same_results_give_the_same_bytes(rendered: Path, tmp_path: Path) -> None:
    render(RESULTS, tmp_path)
    assert pages(tmp_path) == pages(rendered.parent)
    for plot in (rendered.parent / "plots").iterdir():
        assert (tmp_path / "plots" / plot.name).read_bytes() == plot.read_bytes(), plot.name


def test_every_section_on_file_is_shown_with_its_command_date_and_version(rendered: Path) -> None:
    text = "\n".join(pages(rendered.parent).values())
    for sections in all_results(RESULTS).values():
        for name, section in sections.items():
            line = provenance(section)
            assert line in text, name
            assert section["command"] in line
            assert section["date"] in line
            assert str(section["machine"]["likewise"]) in line


def test_results_without_a_page_of_their_own_are_shown_too(tmp_path: Path) -> None:
    figures = [{"size": 10, "times": {"first": 0.25}}, {"size": 20, "times": {"first": 0.5}}]
    keep(tmp_path / "novel.json", "a new thing", "./dev bench novel", figures)
    render(tmp_path, tmp_path / "docs")
    page = (tmp_path / "docs" / "evidence" / "other.md").read_text("utf-8")
    assert "## Novel: a new thing" in page
    assert "| size | times first |" in page
    assert "`./dev bench novel`" in page


def test_without_results_the_page_says_what_it_is(tmp_path: Path) -> None:
    page = render(tmp_path, tmp_path / "docs").read_text("utf-8")
    assert page.startswith("# Evidence")
    assert "|" not in page


def test_what_falls_short_is_listed_with_a_link() -> None:
    speed = [
        "# Speed",
        "## Asked and measured",
        table(
            ["what", "asked", "measured", "reached"],
            [["help", "1 s", "2 s", "no"], ["find", "1 s", "1 s", "yes"]],
        ),
    ]
    server = [
        "# Server: hurt",
        "## Asked and measured",
        table(["what", "SQLite", "PostgreSQL"], [["list", "**9** ms", "**12** ms"]]),
        "**Not reached:** the disk.",
    ]
    assert listed(shortfalls({"speed": speed, "server": server})).splitlines() == [
        "- [Speed, Asked and measured](speed.md#asked-and-measured): help (asked: 1 s): **2 s**",
        "- [Server, Asked and measured](server.md#asked-and-measured): "
        "list: SQLite **9** ms, PostgreSQL **12** ms; **Not reached:** the disk.",
    ]


def test_pages_of_a_browser_and_of_a_hurt_server_are_rendered_once_they_are_measured(
    tmp_path: Path,
) -> None:
    task = {"ms": 90, "cpu_ms": 120}
    browser = {
        "documents": 100_000,
        "log_in": {"kb": 181.5, "cpu_s": 0.9, "first_cpu_s": 1.3},
        "report": {"first_largest_paint_ms": 1400, "again_largest_paint_ms": 1700},
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
    render(tmp_path, tmp_path / "docs")
    page = "\n".join(pages(tmp_path / "docs").values())
    assert "| longest task, by the wheel, CPU-ms | 100 | **120** |" in page
    assert "| log-in, kB on the wire | 120 | **181.5** |" in page
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
    render(tmp_path, tmp_path / "docs")
    assert "The small version" in pages(tmp_path / "docs")["evidence/paper-004.md"]
    assert papers("paper-005").returncode == 2


def test_every_experiment_has_its_small_version_tested() -> None:
    for name in EXPERIMENTS:
        assert (ROOT / "tests" / "bench" / f"test_{name}.py").is_file(), name


def papers(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.papers", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
