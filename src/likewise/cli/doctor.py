"""`likewise doctor`: what is installed, what is missing, and what that costs."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass, replace
from importlib import import_module, metadata
from typing import Annotated, Literal

from likewise.cli.shared.options import flag


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `cost` says what is lost where it is not as it could be."""

    name: str
    value: str
    state: Literal["ok", "slower", "missing"] = "ok"
    cost: str = ""


def doctor(
    as_json: Annotated[bool, flag("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """What is installed, what is missing, and what that costs."""
    findings = examine()
    if as_json:
        from likewise.cli.shared import json_lines

        json_lines.write_record({"findings": [asdict(finding) for finding in findings]})
        return
    from rich.text import Text

    from likewise.cli.shared import screen

    colours = {"ok": "green", "slower": "yellow", "missing": "red"}
    console = screen.open_console()
    table = screen.new_table("", "", "", "")
    table.show_header = False
    table.columns[3].no_wrap = False
    for finding in findings:
        state = Text(finding.state, style=colours[finding.state])
        table.add_row(finding.name, Text(finding.value, style=screen.HEADING), state, finding.cost)
    console.print(table)


def examine() -> list[Finding]:
    """Everything that the commands stand on."""
    from likewise.machine import cores, memory_bytes
    from likewise.version import version

    memory = memory_bytes()
    return [
        Finding("Likewise", version()),
        Finding("Python", platform.python_version()),
        _package("NumPy", "numpy", "no command but this one works"),
        _kernels(),
        _unicode(),
        *_concepts(),
        _package("PyStemmer", "Stemmer", "the commands need --no-stem or --plain"),
        _package("pyarrow", "pyarrow", "Parquet files cannot be read or written"),
        _package("zstandard", "zstandard", "find, cross and dedup do not start"),
        _package("pypdfium2", "pypdfium2", "PDF files cannot be read"),
        _package("lxml", "lxml", "office documents cannot be read"),
        _package("python-calamine", "python_calamine", "spreadsheets cannot be read"),
        _package("Resiliparse", "resiliparse", "web pages cannot be read"),
        _package("trafilatura", "trafilatura", "web pages are read whole, not their main text"),
        _ocr(),
        _sandbox(),
        Finding("cache", _cache()),
        Finding("cores", str(cores())),
        Finding("memory", f"{memory / 1e9:.1f} GB" if memory else "unknown"),
    ]


def _package(name: str, module: str, cost: str) -> Finding:
    try:
        import_module(module)
    except ImportError:
        return Finding(name, "-", "missing", f"{cost}; pip install {name}")
    try:
        return Finding(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, "unknown version")


def _ocr() -> Finding:
    """Whether text in pictures can be read, and in which languages."""
    from likewise.reading.image.engine import missing, usable

    problem = missing()
    languages = ", ".join(usable()) or "-"
    if problem is None:
        return Finding("OCR", languages)
    cost = "scans and photographs are not read" if languages == "-" else "not in all languages"
    return Finding("OCR", languages, "missing", f"{cost}; {problem}")


def _sandbox() -> Finding:
    """How the processes that read strangers' files are confined on this system."""
    from likewise.errors import LikewiseError
    from likewise.reading.sandbox import reader_confinement

    try:
        confinement = reader_confinement()
    except LikewiseError as error:
        return Finding("sandbox", "-", "missing", f"no file can be read: {error}")
    if confinement.is_complete:
        return Finding("sandbox", "complete")
    cost = f"a hostile file that breaks a reader could look around ({confinement.lacks})"
    return Finding("sandbox", "in part", "missing", cost)


def _cache() -> str:
    from likewise.reading.cache import cache_folder

    return str(cache_folder())


def _kernels() -> Finding:
    try:
        from likewise.kernels import ENGINE
    except ImportError:
        return Finding("kernels", "-", "missing", "they stand on NumPy")
    if ENGINE == "compiled":
        return Finding("kernels", "compiled")
    cost = "some twelve times slower, same answers; install with a C compiler at hand"
    return Finding("kernels", "NumPy", "slower", cost)


def _concepts() -> list[Finding]:
    """The lexicon by which passages are found by meaning; what it covers of all our messages."""
    from likewise.errors import LikewiseError

    cost = "passages are found by their words alone"
    try:
        from likewise.catalogue.words import running_text
        from likewise.language import concepts

        size, digest = concepts.stems_head()
        stems = concepts.Concepts.shipped().stems
        shares = {
            language: concepts.coverage(running_text(language)).share
            for language in concepts.LANGUAGES
        }
    except (ImportError, LikewiseError):
        return [Finding("concepts", "-", "missing", cost)]
    languages = ", ".join(concepts.LANGUAGES)
    made_from = Finding("stems of concepts", f"{stems:,} of words {digest}")
    if digest != concepts.words_digest():
        cost = "not made of these words: python -m bench.making.concepts"
        made_from = replace(made_from, state="missing", cost=cost)
    covered = ", ".join(f"{language} {share:.0%}" for language, share in shares.items())
    return [
        Finding("concepts", f"{size:,} ({languages}), recipe {concepts.RECIPE}"),
        made_from,
        Finding("words with a concept", covered),
    ]


def _unicode() -> Finding:
    try:
        from likewise.language.alphabet import unicode_version
    except ImportError:
        return Finding("Unicode table", "-", "missing", "it stands on NumPy")
    return Finding("Unicode table", unicode_version())
