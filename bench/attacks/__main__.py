"""What somebody with time tries, and what gets through: `./dev bench attacks [--only NAME]`.

Each part is a module of this package with a function `run`; its keywords are the options of the
command line. `--against FOLDER` runs the parts against the code of another checkout, and what they
find stands on the page as "before".
"""

from __future__ import annotations

import argparse
import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.corpus import say
from bench.record import RESULTS, keep

FOLDER = Path(__file__).parent
BEFORE = " before"  # behind the name of a section that is about other code

Run = Callable[..., dict[str, Any]]


def parts() -> list[str]:
    """The modules of this package that attack something."""
    files = sorted(FOLDER.glob("[!_]*.py"))
    return [file.stem for file in files if "\ndef run(" in file.read_text("utf-8")]


def main() -> int:
    """Run the parts that are asked for, keep what each found; 1 if anything got through."""
    first = argparse.ArgumentParser(prog="./dev bench attacks", add_help=False)
    first.add_argument("--only", action="append", choices=parts(), help="this part; else all")
    names = first.parse_known_args()[0].only or parts()
    runs: dict[str, Run] = {name: _part(name) for name in names}
    parser = argparse.ArgumentParser(parents=[first], prog="./dev bench attacks", epilog=_about())
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="a checkout of other code")
    parser.add_argument("--before", help=argparse.SUPPRESS)  # the commit that this process runs
    parser.add_argument("--output", type=Path, default=RESULTS / "attacks.json")
    options = {key: default for run in runs.values() for key, default in options_of(run).items()}
    for key, default in options.items():
        _add_option(parser, key, default)
    arguments = parser.parse_args()
    if arguments.against is not None:
        return _against(arguments.against)
    given = {key: value for key in options if (value := getattr(arguments, key)) is not None}
    is_held = True
    for name, run in runs.items():
        own = {key: value for key, value in given.items() if key in options_of(run)}
        say(f"attacks: {name}")
        figures = run(**own)
        is_held = is_held and holds(figures)
        section = name + BEFORE if arguments.before else name
        facts = {"code": arguments.before} if arguments.before else {}
        keep(arguments.output, section, command(name, own, arguments.before), figures, **facts)
        for row in figures.get("rows", []):
            say(f"  {row['attack']}: {row['attempts']} attempts, through: {row['got_through']}")
    return 0 if is_held or arguments.before else 1


def _part(name: str) -> Run:
    run: Run = import_module(f"bench.attacks.{name}").run
    return run


def _about() -> str:
    told = (import_module(f"bench.attacks.{name}").__doc__ or name for name in parts())
    return "Parts: " + " ".join(doc.strip().splitlines()[0] for doc in told)


def options_of(run: Run) -> dict[str, Any]:
    """The keywords of a part that the command line may set, with their defaults."""
    found = inspect.signature(run).parameters.values()
    return {one.name: one.default for one in found if one.default is not inspect.Parameter.empty}


def _add_option(parser: argparse.ArgumentParser, key: str, default: Any) -> None:
    option = f"--{key.replace('_', '-')}"
    if isinstance(default, bool):
        parser.add_argument(option, action=argparse.BooleanOptionalAction, default=None)
    else:
        kind = type(default) if isinstance(default, int | float | Path) else str
        parser.add_argument(option, type=kind, help=f"default {default}")


def command(name: str, given: dict[str, Any], before: str | None) -> str:
    """How to do it again, without the folders of a machine."""
    words = [f"--{key.replace('_', '-')} {value}" for key, value in given.items()]
    words = [word for word in words if os.sep not in word]
    against = ["--against FOLDER"] if before else []
    return " ".join(["./dev bench attacks", f"--only {name}", *words, *against])


def holds(figures: dict[str, Any]) -> bool:
    """Whether nothing got through, by what each row says of itself."""
    return all(row.get("reached", not row["got_through"]) for row in figures.get("rows", []))


def _against(folder: Path) -> int:
    """The same parts in a process that imports the package from another checkout."""
    at = arguments_without("--against", sys.argv[1:])
    git = ["git", "-c", "safe.directory=*", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True).stdout.strip() or "unknown"
    path = str((folder / "src").resolve())
    child = [sys.executable, "-m", "bench.attacks", *at, "--before", commit]
    return subprocess.run(child, env=os.environ | {"PYTHONPATH": path}).returncode


def arguments_without(option: str, arguments: list[str]) -> list[str]:
    """The arguments without an option and its value.

    >>> arguments_without("--against", ["--only", "a", "--against", "b", "--seed", "1"])
    ['--only', 'a', '--seed', '1']
    """
    if option not in arguments:
        return [one for one in arguments if not one.startswith(f"{option}=")]
    at = arguments.index(option)
    return arguments[:at] + arguments[at + 2 :]


if __name__ == "__main__":
    sys.exit(main())
