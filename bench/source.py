"""How the source is built, in figures: `python -m bench.source [ROOT]`.

For every tree (src, ui, tests, bench): files, lines, the median file, the share of lines that
import, and the lines that stand in a block of eight which stands somewhere else too. For src
besides: the longest chain of imports, names that are past participles, `dict[str, Any]`, and with
--types what mypy does not know. `--draw 20 --seed 1` prints lines drawn at random without their
files (with --answers where they stand): whoever has the names of folders and files, and nothing
else, says for each in which file it is.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

TREES = {"src": "*.py", "ui": "*.vue *.ts", "tests": "*.py", "bench": "*.py"}
BLOCK = 8
PARTICIPLES = frozenset(
    "found kept asked told said shown lent given made taken seen wanted chosen held gone".split()
)
GENERATED = re.compile(r"generated|made by ui/shapes\.py", re.IGNORECASE)


def source_files(root: Path, tree: str) -> list[Path]:
    """The files under version control that people write."""
    patterns = [f"{tree}/**/{ending}" for ending in TREES[tree].split()]
    patterns += [f"{tree}/{ending}" for ending in TREES[tree].split()]
    names = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--", *patterns],
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split("\0")
    paths = [root / name for name in sorted(set(names)) if name]
    return [path for path in paths if not GENERATED.search(path.read_text()[:300])]


def import_lines(text: str) -> int:
    """How many lines of a Python file belong to import statements."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def repeated_lines(files: Iterable[Path]) -> int:
    """Lines of code in a block of eight lines that stands elsewhere as well; imports, blank lines
    and comments do not count.
    """
    places: defaultdict[tuple[str, ...], list[tuple[Path, tuple[int, ...]]]] = defaultdict(list)
    for path in files:
        code = list(_lines_of_code(path.read_text()))
        for start in range(len(code) - BLOCK + 1):
            block = code[start : start + BLOCK]
            places[tuple(line for _, line in block)].append((path, tuple(n for n, _ in block)))
    lines = {
        (path, number)
        for where in places.values()
        if len(where) > 1
        for path, numbers in where
        for number in numbers
    }
    return len(lines)


def _lines_of_code(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines()):
        bare = line.strip()
        if len(bare) > 2 and not bare.startswith(("#", "//", "import ", "from ", "*", "/*")):
            yield number, bare


def participle_names(files: Iterable[Path]) -> Counter[str]:
    """Identifiers that end in a past participle: `found`, `all_found`, `Found`."""
    names: Counter[str] = Counter()
    for path in files:
        for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
            if token.type == tokenize.NAME:
                words = re.findall(r"[A-Z]?[a-z]+", token.string)
                if words and words[-1].lower() in PARTICIPLES:
                    names[words[-1].lower()] += 1
    return names


def longest_import_chain(root: Path) -> list[str]:
    """The longest way along imports at module level, from a module to one that imports nothing."""
    source = root / "src"
    modules = {}
    for path in source_files(root, "src"):
        parts = path.relative_to(source).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    imports = {name: _imports_of(name, path, modules) for name, path in modules.items()}
    longest: dict[str, list[str]] = {}

    def chain(name: str, above: frozenset[str]) -> list[str]:
        if name not in longest:
            below = [chain(n, above | {name}) for n in imports[name] if n not in above]
            longest[name] = [name, *max(below, key=len, default=[])]
        return longest[name]

    return max((chain(name, frozenset()) for name in sorted(modules)), key=len)


def _imports_of(name: str, path: Path, modules: dict[str, Path]) -> list[str]:
    names: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {one if one in modules else node.module for one in inner}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return sorted(one for one in names if one in modules and one != name)


def any_expressions(root: Path) -> tuple[int, int]:
    """Of how many expressions mypy knows no type, and how many there are."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "mypy", "-p", "likewise", "--any-exprs-report", folder],
            cwd=root,
            capture_output=True,
        )
        table = Path(folder, "any-exprs.txt").read_text()
    total = next(line for line in table.splitlines() if line.split()[:1] == ["Total"])
    unknown, everything = (int(n) for n in total.split()[1:3])
    return unknown, everything


def draw_lines(root: Path, count: int, seed: int) -> list[tuple[str, str]]:
    """Lines of code of src, drawn at random: (place, line)."""
    lines = [
        (f"{path.relative_to(root)}:{number + 1}", line)
        for path in source_files(root, "src")
        for number, line in _lines_of_code(path.read_text())
        if len(line) > 20 and '"""' not in line
    ]
    return random.Random(seed).sample(lines, count)


def figures(root: Path, types: bool = False) -> dict[str, object]:
    """Everything but the drawn lines."""
    result: dict[str, object] = {}
    for tree in TREES:
        files = source_files(root, tree)
        texts = [path.read_text() for path in files]
        counts = [text.count("\n") for text in texts]
        one: dict[str, object] = {
            "files": len(files),
            "lines": sum(counts),
            "median file": int(statistics.median(counts)),
            "repeated lines": repeated_lines(files),
        }
        if TREES[tree] == "*.py":
            share = sum(import_lines(text) for text in texts) / sum(counts)
            one["import lines, %"] = round(100 * share, 1)
        result[tree] = one
    files = source_files(root, "src")
    names = participle_names(files)
    result["longest import chain"] = len(longest_import_chain(root))
    result["participle names"] = {"all": names.total(), **dict(names.most_common())}
    result["dict[str, Any]"] = sum(path.read_text().count("dict[str, Any]") for path in files)
    if types:
        unknown, everything = any_expressions(root)
        result["expressions of type Any"] = f"{unknown:,} of {everything:,}"
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--types", action="store_true", help="ask mypy too (a minute)")
    parser.add_argument("--draw", type=int, metavar="N", help="draw N lines of src instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers", action="store_true", help="with the place of each line")
    options = parser.parse_args()
    if options.draw:
        for n, (place, line) in enumerate(draw_lines(options.root, options.draw, options.seed), 1):
            print(f"{n:3} {place + '  ' if options.answers else ''}{line}")
    else:
        print(json.dumps(figures(options.root, options.types), indent=2))


if __name__ == "__main__":
    main()
