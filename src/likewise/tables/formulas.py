"""Formulas in TeX, MathML and Word's OMML: set aside, compared by template, then by content.

The five stages are those of Lizunov et al. (2016): find the formulas, make a template of each,
compare the templates, look at the content of those that agree without the symbols everybody uses,
and call those near-duplicates that agree in both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Likeness = Literal["same", "template", "other"]

# A formula ends before the next of its kind begins, so that no character is looked at for two of
# them, however many begin and never end.
_ENVIRONMENT = r"\\begin\{(equation|align|math)\*?\}"
_TEX = re.compile(
    r"\$\$[^$]+\$\$|\$[^$\n\\^_=+*/<>a-zA-Z]*+[\\^_=+*/<>a-zA-Z][^$\n]*+\$"
    r"|\\\((?:(?!\\\().)+?\\\)|\\\[(?:(?!\\\[).)+?\\\]"
    rf"|{_ENVIRONMENT}(?:(?!\\begin\{{(?:equation|align|math)\*?\}}).)+?\\end\{{\1\*?\}}",
    re.DOTALL,
)
_MARKUP = re.compile(
    r"<(?P<tag>(?:\w+:)?oMathPara)\b[^<>]*+>"
    r"[^<]*+(?:<(?!(?:\w+:)?(?:math|oMathPara)\b)[^<]*+)*?</(?P=tag)>"
    r"|<(?P<one>(?:\w+:)?(?:math|oMath))\b[^<>]*+>"
    r"[^<]*+(?:<(?!(?:\w+:)?(?:math|oMath|oMathPara)\b)[^<]*+)*?</(?P=one)>",
    re.IGNORECASE,
)
_BARE_TEX = re.compile(r"\\(?:frac|sqrt|sum|int|prod|lim|cdot|times|alpha|beta|sigma|mu|pm)\b")
_PRICE = re.compile(r"\$\s?[\d.,\s]+\$?")

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:[.,]\d+)?|[a-zA-Z\u0370-\u03ff\u0400-\u04ff]|\S")
_TAG = re.compile(r"<(/?)(?:\w++:)?(\w++)[^<>]*?(/?)>|([^<]+)")
_BOUNDARY = re.compile(r"\\(?:begin|end)\{[^{}]*+\}|\\[()\[\]]")
_SHAPE_TAGS = {
    "mfrac": "frac", "f": "frac", "msup": "^", "ssup": "^", "msub": "_", "ssub": "_",
    "msubsup": "_^", "ssubsup": "_^", "msqrt": "sqrt", "mroot": "sqrt", "rad": "sqrt",
    "munderover": "_^", "munder": "_", "mover": "^", "nary": "_^",
}  # fmt: skip
_SHAPE_WORDS = {
    "frac": "frac", "dfrac": "frac", "tfrac": "frac", "sqrt": "sqrt",
    "sum": "∑", "int": "∫", "prod": "∏", "cdot": "·", "times": "·", "le": "≤", "leq": "≤",
    "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "pm": "±", "infty": "∞", "partial": "∂",
}  # fmt: skip
_SIGNS = {"*": "·", "×": "·", "⋅": "·", "∗": "·", "−": "-", "–": "-"}
_IGNORED_WORDS = {
    "left",
    "right",
    "mathrm",
    "text",
    "displaystyle",
    "quad",
    "begin",
    "end",
    "limits",
}
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ",
    "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω",
    "theta": "θ", "eta": "η", "xi": "ξ", "psi": "ψ", "chi": "χ", "nu": "ν", "kappa": "κ",
}  # fmt: skip
# Letters that stand in every other formula say nothing about whose formula it is.
_COMMON_SYMBOLS = frozenset("xynijkπe012")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula: its template, in which names and numbers are places, and what stands in these."""

    template: str
    content: tuple[str, ...]

    def likeness(self, other: Formula) -> Likeness:
        """The same formula, the same template with other content, or another formula.

        >>> a, b = read_formula("$\\\\frac{a}{b}$"), read_formula("$\\\\frac{p}{q}$")
        >>> a.likeness(a), a.likeness(b)
        ('same', 'template')
        """
        if self.template != other.template:
            return "other"
        return "same" if self.distinctive == other.distinctive else "template"

    @property
    def distinctive(self) -> tuple[str, ...]:
        """Its content without the symbols that everybody uses, unless it has no others."""
        distinctive = tuple(symbol for symbol in self.content if symbol not in _COMMON_SYMBOLS)
        return distinctive or self.content


def formulas_in(text: str) -> list[tuple[int, int]]:
    """Where formulas stand in a text.

    >>> formulas_in("costs $5 or $6")
    []
    >>> [(a, b)] = formulas_in("energy $E=mc^2$ of a body"); (a, b)
    (7, 15)
    """
    if "\\" not in text and "$" not in text and "<" not in text:
        return []
    markup = [match.span() for match in _MARKUP.finditer(text)]
    formulas = list(markup)
    at = 0  # both stand in order
    for match in _TEX.finditer(text):
        while at < len(markup) and markup[at][1] <= match.start():
            at += 1
        inside = at < len(markup) and markup[at][0] < match.end()
        if not inside and not _PRICE.match(text, match.start()):
            formulas.append(match.span())
    if not formulas and _BARE_TEX.search(text):
        formulas.append((0, len(text)))
    return sorted(formulas)


def read_formula(text: str) -> Formula:
    """The formula that a text writes in TeX, MathML or OMML."""
    tokens = _markup_tokens(text) if _MARKUP.search(text) else _tex_tokens(text)
    template, content = [], []
    for token in tokens:
        if token[0].isdigit():
            template.append("n")
            content.append(token.replace(",", "."))
        elif len(token) == 1 and token.isalpha():
            template.append("v")
            content.append(token)
        else:
            template.append(token)
    return Formula(" ".join(template), tuple(content))


def _tex_tokens(text: str) -> list[str]:
    tokens = []
    for token in _TOKEN.findall(_BOUNDARY.sub(" ", text)):
        word = token.removeprefix("\\")
        if token in "{}$&" or word in _IGNORED_WORDS or token in ("\\,", "\\;", "\\!", "\\\\"):  # noqa: S105 - a token of a grammar
            continue
        if token.startswith("\\"):
            tokens.append(_SHAPE_WORDS.get(word) or _GREEK.get(word) or word)
        else:
            tokens.append(_SIGNS.get(token, token))
    return tokens


def _markup_tokens(text: str) -> list[str]:
    """In TeX's order: a fraction or root is named before its parts, ^ and _ between theirs."""
    root: list[object] = []
    stack: list[tuple[str, list[object]]] = [("", root)]
    for closing, tag, empty, words in _TAG.findall(text):
        if words:
            stack[-1][1].extend(_tex_tokens(words))
        elif closing:
            if len(stack) > 1 and stack[-1][0] == tag.casefold():
                name, parts = stack.pop()
                stack[-1][1].append(_in_order(name, parts))
        elif not empty and len(stack) < 200:
            stack.append((tag.casefold(), []))
    while len(stack) > 1:
        name, parts = stack.pop()
        stack[-1][1].append(_in_order(name, parts))
    return list(_flat(root))


def _in_order(tag: str, parts: list[object]) -> list[object]:
    shape = _SHAPE_TAGS.get(tag)
    parts = [part for part in parts if part != []]
    if shape in ("^", "_", "_^") and len(parts) > 1:
        marks = iter(shape)
        joined: list[object] = [parts[0]]
        for part in parts[1:]:
            joined += [next(marks, ""), part]
        return joined
    return [shape, *parts] if shape in ("frac", "sqrt") else parts


def _flat(parts: list[object]) -> list[str]:
    flat: list[str] = []
    for part in parts:
        if isinstance(part, list):
            flat += _flat(part)
        elif part:
            flat.append(str(part))
    return flat
