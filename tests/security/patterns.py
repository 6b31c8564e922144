"""Every regular expression of the source, how it is used, and inputs that try its patience."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import likewise

SOURCE = Path(likewise.__file__).parent
FROM_ONE_PLACE = frozenset({"match", "fullmatch"})
_CALLS = frozenset("compile search match fullmatch sub subn split findall finditer".split())

# Expressions made of what a function is given. Each says by what else it is covered.
NOT_EVALUATED = {
    ("likewise.align.exclude.lines", "any_of"): "called for constants of modules, which are found",
}
# Expressions that are asked from a place of the text, but not from every one.
ASKED_ONCE = {
    "likewise.reading.package.xml._DOCTYPE": "where the first one stands in a file",
    "likewise.reading.pdf.writing._REST": "at the beginning of a page",
}
# Expressions that see only so many characters at a time.
BOUNDED = {
    "likewise.align.exclude.listings._STATEMENT": 160,  # a longer line is no line of a listing
    "likewise.tables.numbers._SEPARATED": 80,  # the beginning of a cell
}
# Expressions of a function's own variables, with values that they have.
_LOCAL_VALUES: dict[str, dict[str, Any]] = {
    "likewise.reading.rtf.text": {"count": 3},
}


@dataclass
class Expression:
    """A regular expression, where it stands and the methods that are called on it."""

    pattern: str | bytes
    flags: int
    where: set[str] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)

    @property
    def most_chars(self) -> int | None:
        """How many characters it sees at most, if its callers see to that."""
        return next((BOUNDED[place] for place in self.where if place in BOUNDED), None)

    @property
    def compiled(self) -> re.Pattern[Any]:
        return re.compile(self.pattern, self.flags)

    @property
    def method(self) -> str:
        """What it is tried with: any place of the text, unless only one is ever asked for."""
        if self.where & ASKED_ONCE.keys():
            return "match"
        if self.methods == {"fullmatch"}:
            return "fullmatch"
        return "match" if self.methods and self.methods <= FROM_ONE_PLACE else "finditer"

    def __str__(self) -> str:
        return f"{', '.join(sorted(self.where))}: {self.pattern!r} ({self.method})"


@cache
def modules() -> dict[str, types.ModuleType]:
    """Every module of the source, imported."""
    names = [info.name for info in pkgutil.walk_packages([str(SOURCE)], "likewise.")]
    return {
        name: importlib.import_module(name)
        for name in ["likewise", *names]
        if not name.endswith(".__main__")
    }


@cache
def expressions() -> tuple[tuple[Expression, ...], tuple[str, ...]]:
    """All expressions of the tree, and the places of those that nobody could evaluate."""
    found: dict[tuple[str | bytes, int], Expression] = {}
    missed: list[str] = []
    trees = {name: _tree(module) for name, module in modules().items()}
    usages = {name: _usages(tree) for name, tree in trees.items()}

    def note(pattern: re.Pattern[Any], where: str, methods: set[str]) -> None:
        kept = found.setdefault(
            (pattern.pattern, pattern.flags), Expression(pattern.pattern, pattern.flags)
        )
        kept.where.add(where)
        kept.methods |= methods

    for name, module in modules().items():
        for attribute, value in list(vars(module).items()):
            if isinstance(value, types.ModuleType):
                continue
            if isinstance(value, type | types.FunctionType) and value.__module__ != name:
                continue
            for pattern in _patterns_in(value, set()):
                if isinstance(value, re.Pattern):
                    methods = usages[name].get(attribute, set())
                elif isinstance(value, types.BuiltinMethodType):
                    methods = {value.__name__}
                else:
                    methods = {"finditer"}
                note(pattern, f"{name}.{attribute}", methods)
        for where, call, calls_at_import in _calls(trees[name]):
            try:
                pattern, used = _evaluated(call, module)
            except Exception:
                if not calls_at_import and (name, where) not in NOT_EVALUATED:
                    missed.append(f"{name}:{call.lineno} ({where}): {ast.unparse(call)}")
            else:
                note(pattern, f"{name}:{call.lineno}", used)
    return tuple(found.values()), tuple(missed)


def _tree(module: types.ModuleType) -> ast.Module:
    path = Path(str(module.__file__))
    return ast.parse(path.read_text("utf-8") if path.suffix == ".py" else "")  # or compiled


def _patterns_in(value: Any, seen: set[int]) -> Iterator[re.Pattern[Any]]:
    """Patterns in containers, classes, closures, defaults and our own objects."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield value
        return
    inner: list[Any] = []
    if isinstance(value, types.BuiltinMethodType):
        inner = [value.__self__] if isinstance(value.__self__, re.Pattern) else []
    elif isinstance(value, dict | types.MappingProxyType):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner = list(value)
    elif isinstance(value, types.FunctionType):
        inner = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        inner += [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)]
    elif isinstance(value, type):
        inner = list(vars(value).values())
    elif type(value).__module__.startswith("likewise"):
        inner = list(getattr(value, "__dict__", {}).values())
        inner += [getattr(value, name, None) for name in getattr(type(value), "__slots__", ())]
    for each in inner:
        yield from _patterns_in(each, seen)


def _is_filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - asks whether there is any
    except ValueError:
        return False
    return True


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call, bool]]:
    """Calls of `re`, the function each stands in, and whether it runs when the module loads."""

    def walk(node: ast.AST, where: str, loads: bool) -> Iterator[tuple[str, ast.Call, bool]]:
        for child in ast.iter_child_nodes(node):
            inside, runs = where, loads
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                inside, runs = child.name, False
            if (
                isinstance(child, ast.Call)
                and isinstance(child.func, ast.Attribute)
                and isinstance(child.func.value, ast.Name)
                and child.func.value.id == "re"
                and child.func.attr in _CALLS
            ):
                yield inside, child, runs
            yield from walk(child, inside, runs)

    return walk(tree, "", True)


def _evaluated(call: ast.Call, module: types.ModuleType) -> tuple[re.Pattern[Any], set[str]]:
    """The expression that a call of `re` is about, and what the call does with it."""
    assert isinstance(call.func, ast.Attribute)
    method = call.func.attr
    flags_at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(method, 2)
    flags = call.args[flags_at] if len(call.args) > flags_at else None
    flags = next((word.value for word in call.keywords if word.arg == "flags"), flags)
    names = {**vars(module), **_LOCAL_VALUES.get(module.__name__, {})}

    def value(node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), "<pattern>", "eval"), names)

    pattern = re.compile(value(call.args[0]), value(flags) if flags is not None else 0)
    return pattern, set() if method == "compile" else {method}


def _usages(tree: ast.Module) -> dict[str, set[str]]:
    """By name, the methods called on it; any other use may be a search from every place."""
    usages: dict[str, set[str]] = {}
    owners: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owners.setdefault(id(node.value), node.attr)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in FROM_ONE_PLACE
            and len(node.args) > 1
        ):  # a match from a given place may be asked for at every place
            owners[id(node.func.value)] = "finditer"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            usages.setdefault(node.id, set()).add(owners.get(id(node), "finditer"))
    for name in list(usages):
        if not name.startswith("_"):
            usages[name].add("finditer")  # others may import it
    return usages


# --- inputs that try the patience of one expression ---

_parser = re._parser
_POOL = "abxzZяЯқҚ09 \n\t.,:;-_/\\<>\"'()[]{}=&%#*^+|!?$@~`¹«»“…–—’"
_POOL += "\u200b\u00ad\u00a0éəÐ中\x01\x07\u0301"
_MANY = 20  # repeats that may be more are pumped
_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_SETS = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}
_MOST_INPUTS = 90  # of each kind
_ENDS = ("", "\x01", "a")


@dataclass(frozen=True)
class Attack:
    """A beginning, what is repeated, and an end."""

    prefix: str
    pumps: tuple[str, ...]
    suffix: str

    def text(self, length: int) -> str:
        parts = [pump * (length // len(self.pumps) // len(pump) + 1) for pump in self.pumps]
        return self.prefix + "".join(parts) + self.suffix


def attacks(expression: Expression) -> list[Attack]:
    """Inputs derived from the parts of an expression, the same ones every time.

    None for an expression without long repeats: from each place it can look only so far.
    """
    generator = _Generator(expression)
    return list(generator.attacks()) if generator.repeats else []


class _Generator:
    def __init__(self, expression: Expression) -> None:
        pattern = expression.pattern
        if isinstance(pattern, bytes):
            pattern = pattern.decode("latin-1")
        flags = (
            expression.flags & ~re.ASCII
            if isinstance(expression.pattern, bytes)
            else (expression.flags)
        )
        self.bytes = isinstance(expression.pattern, bytes)
        self.tree = _parser.parse(pattern, flags & ~re.LOCALE)
        self.folds = bool(expression.flags & re.IGNORECASE)
        self.random = random.Random(repr(expression.pattern))
        self.sets: list[Any] = []
        self.repeats: list[tuple[str, Any]] = []
        self.prefixes: list[str] = [""]
        self._collect(self.tree)
        self.letters = self._representatives()
        self._walk(list(self.tree), "")

    def attacks(self) -> Iterator[Attack]:
        bodies = [self._witness(body) or "a" for _, body in self.repeats for _ in range(2)]
        prefixes = list(dict.fromkeys(self.prefixes))
        wholes = [self._witness(list(self.tree)) for _ in range(2)]
        pumps: list[tuple[str, ...]] = [
            (p,) for p in [*self.letters, *bodies, *prefixes[1:], *wholes]
        ]
        pumps += [(p + b,) for p, _ in self.repeats for b in bodies[:4]]
        pairs = [a + b for a in self.letters for b in self.letters if a != b]
        self.random.shuffle(pairs)
        pumps += [(pair,) for pair in pairs[:60]]
        pumps += [(a, b) for a in bodies[:8] for b in bodies[:8] if a != b]
        pumps += [(a, b) for a in prefixes[1:6] for b in [*bodies[:6], *self.letters[:8]]]
        pumps = [p for p in dict.fromkeys(pumps) if all(p)]
        starts = [p for p in prefixes[1:] if len(p) < 200][:8]
        alone = [Attack("", pump, end) for pump in pumps for end in _ENDS if len(pump) == 1]
        begun = [Attack(p, (c,), e) for p in starts for c in self.letters for e in _ENDS]
        begun += [Attack(p, (b,), e) for p in starts for b in bodies for e in _ENDS]
        double = [Attack("", pump, end) for pump in pumps for end in _ENDS if len(pump) > 1]
        yield from list(dict.fromkeys(alone))[: 2 * _MOST_INPUTS]
        for made in (begun, double):
            few = list(dict.fromkeys(made))
            self.random.shuffle(few)
            yield from few[:_MOST_INPUTS]

    def _collect(self, nodes: Any) -> None:
        for op, av in nodes:
            if str(op) in _SETS:
                self.sets.append((op, av))
            for inner in _inside(op, av):
                self._collect(inner)

    def _representatives(self) -> list[str]:
        """One character for each way of belonging to the sets of the expression."""
        named = [chr(av) for op, av in self.sets if str(op) == "LITERAL"]
        for op, av in self.sets:
            if str(op) == "IN":
                for kind, member in av:
                    if str(kind) == "LITERAL":
                        named.append(chr(member))
                    elif str(kind) == "RANGE":
                        named += [chr(member[0]), chr(member[1])]
        pool = dict.fromkeys(_POOL + "".join(named))
        if self.bytes:
            pool = {letter: None for letter in pool if ord(letter) < 256}
        kinds: dict[tuple[bool, ...], str] = {}
        loose = [node for node in self.sets if str(node[0]) != "LITERAL"]
        for letter in pool:
            kinds.setdefault(tuple(self._fits(letter, node) for node in loose), letter)
        letters = list(kinds.values())
        first = [chr(av) for op, av in self.sets if str(op) == "LITERAL"][:4]
        return list(dict.fromkeys([*first, *letters]))[:24]

    def _fits(self, letter: str, node: Any) -> bool:
        op, av = str(node[0]), node[1]
        spellings = {letter, letter.lower(), letter.upper()} if self.folds else {letter}
        codes = {ord(spelling) for spelling in spellings if len(spelling) == 1}
        if op == "LITERAL":
            return av in codes
        if op == "NOT_LITERAL":
            return av not in codes
        if op == "ANY":
            return letter != "\n"
        negated = bool(av) and str(av[0][0]) == "NEGATE"
        belongs = any(_belongs(code, kind, member) for kind, member in av for code in codes)
        return belongs != negated

    def _walk(self, nodes: list[Any], prefix: str) -> None:
        for op, av in nodes:
            name = str(op)
            if name in _REPEATS:
                _, high, body = av
                if high == _parser.MAXREPEAT or high >= _MANY:
                    self.repeats.append((prefix, list(body)))
                self._walk(list(body), prefix)
            else:
                for inner in _inside(op, av):
                    self._walk(list(inner), prefix)
            prefix += self._witness([(op, av)])
            self.prefixes.append(prefix)

    def _witness(self, nodes: list[Any]) -> str:
        """Something that these parts match, but for what they look at around it."""
        text = ""
        for op, av in nodes:
            name = str(op)
            if name in _SETS:
                text += self._letter((op, av))
            elif name in _REPEATS:
                low, high, body = av
                text += "".join(self._witness(list(body)) for _ in range(max(low, min(high, 1))))
            elif name == "BRANCH":
                text += self._witness(list(self.random.choice(av[1])))
            elif name == "SUBPATTERN":
                text += self._witness(list(av[3]))
            elif name == "ATOMIC_GROUP":
                text += self._witness(list(av))
        return text

    def _letter(self, node: Any) -> str:
        if str(node[0]) == "LITERAL":
            return chr(node[1])
        fitting = [letter for letter in self.letters if self._fits(letter, node)]
        if not fitting:
            fitting = [letter for letter in _POOL if self._fits(letter, node)]
        if not fitting and str(node[0]) == "IN":
            kind, member = node[1][0]
            return chr(member if str(kind) == "LITERAL" else member[0])
        return self.random.choice(fitting) if fitting else "a"


def _inside(op: Any, av: Any) -> list[Any]:
    name = str(op)
    if name in _REPEATS:
        return [av[2]]
    if name == "BRANCH":
        return list(av[1])
    if name == "SUBPATTERN":
        return [av[3]]
    if name == "ATOMIC_GROUP":
        return [av]
    if name in ("ASSERT", "ASSERT_NOT"):
        return [av[1]]
    if name == "GROUPREF_EXISTS":
        return [part for part in av[1:] if part]
    return []


def _belongs(code: int, kind: Any, member: Any) -> bool:
    name = str(kind)
    if name == "LITERAL":
        return bool(code == member)
    if name == "RANGE":
        return bool(member[0] <= code <= member[1])
    if name == "CATEGORY":
        letter = chr(code)
        return {
            "CATEGORY_DIGIT": letter.isdecimal(),
            "CATEGORY_NOT_DIGIT": not letter.isdecimal(),
            "CATEGORY_SPACE": letter.isspace(),
            "CATEGORY_NOT_SPACE": not letter.isspace(),
            "CATEGORY_WORD": letter.isalnum() or letter == "_",
            "CATEGORY_NOT_WORD": not (letter.isalnum() or letter == "_"),
        }[str(member)]
    return False
