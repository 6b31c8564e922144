"""A formula while it is written as TeX, element by element."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping

from likewise.reading.package import Element

_DEEPEST = 60  # elements inside each other; what stands deeper is passed over
_MOST_ELEMENTS = 3_000
LONGEST = 4_000  # characters; a longer formula is a page, and stays words
# What was deleted, what stands in for something that was read, what is not shown.
_SILENT = frozenset("del moveFrom Fallback annotation annotation-xml mphantom none".split())
_ATOM = re.compile(r"\\[a-zA-Z]+ ?|\d+|.", re.DOTALL)


Action = Callable[["Writer", Element], str]


class TooLongError(Exception):
    """A formula has more elements, or longer TeX, than anybody writes."""


class Writer:
    """A formula while it is written, and how much of it may still come.

    `actions` says what is written for which element; of any other one, what stands in it.
    """

    def __init__(self, actions: Mapping[str, Action]) -> None:
        self._actions = actions
        self._remaining_elements = _MOST_ELEMENTS
        self._depth = 0

    def of(self, element: Element | None) -> str:
        """The TeX of one element."""
        if element is None or self._depth > _DEEPEST:
            return ""
        name = name_of(element)
        self._remaining_elements -= 1
        if self._remaining_elements < 0:
            raise TooLongError
        if name in _SILENT or name.endswith("Pr"):
            return ""
        self._depth += 1
        tex = self._actions.get(name, every)(self, element)
        self._depth -= 1
        if len(tex) > LONGEST:
            raise TooLongError
        return tex

    def all(self, elements: Iterable[Element]) -> str:
        """The TeX of some elements, one after the other."""
        return "".join(map(self.of, elements))

    def child(self, element: Element, name: str) -> str:
        """The TeX of the first child of this name."""
        return self.of(child_of(element, name))

    def parts(self, element: Element, count: int) -> list[str]:
        """The TeX of the children, at least so many."""
        parts = [self.of(child) for child in children_of(element)]
        return parts + [""] * (count - len(parts))


def every(writer: Writer, element: Element) -> str:
    """Everything in an element, in order."""
    return writer.all(children_of(element))


def element_text(_writer: Writer, element: Element) -> str:
    """Words in a formula."""
    text = "".join(element.itertext())
    words = plain_characters(" ".join(text.split()))
    return f"\\text{{{words}}}" if words else ""


def scripted(base: str, below: str, above: str) -> str:
    """Something with what stands below and above it.

    >>> scripted("x", "", "2"), scripted("a+b", "i", "2")
    ('x^{2}', '{a+b}_{i}^{2}')
    """
    tex = grouped(base) if below or above else base
    tex = f"{tex.rstrip()}_{{{below}}}" if below else tex
    return f"{tex.rstrip()}^{{{above}}}" if above else tex


def grouped(tex: str) -> str:
    """In braces, unless it is one letter, name or number."""
    return tex if tex == "{}" or _ATOM.fullmatch(tex) else f"{{{tex}}}"


def symbol(text: str) -> str:
    """What one sign or name is: a function that TeX knows, or its characters."""
    return f"\\{text.strip()} " if text.strip() in FUNCTIONS else characters(text)


def framed(opening: str, parts: Iterable[str], between: str, closing: str) -> str:
    """Parts between brackets of whatever kind."""
    inside = characters(between).join(parts)
    return f"{characters(opening)}{inside}{characters(closing)}"


def in_rows(rows: Iterable[str]) -> str:
    """Rows below each other."""
    return "\\begin{matrix} " + " \\\\ ".join(rows) + " \\end{matrix}"


def fraction(over: str, under: str, *, has_bar: bool = True) -> str:
    return f"\\{'frac' if has_bar else 'binom'}{{{over}}}{{{under}}}"


def root(base: str, degree: str = "") -> str:
    return f"\\sqrt[{degree}]{{{base}}}" if degree else f"\\sqrt{{{base}}}"


# Letters and signs of formulas, as TeX writes them.

_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩϕϵϑϱ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho "
        "varsigma sigma tau upsilon varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma "
        "Upsilon Phi Psi Omega phi epsilon vartheta varrho".split(),
        strict=True,
    )
)
_SIGNS = dict(
    zip(
        "∑∏∫∬∭∮∞∂∇√×·⋅÷±∓≤≥≠≈≡∼~→←⇒⇔↔∈∉⊂⊆∪∩∀∃∅∝…⋯′°$⌊⌋⌈⌉⟨⟩‖∗",
        "sum prod int iint iiint oint infty partial nabla surd times cdot cdot div pm mp le ge ne "
        "approx equiv sim sim to leftarrow Rightarrow Leftrightarrow leftrightarrow in notin "
        "subset subseteq cup cap forall exists emptyset propto ldots cdots prime circ textdollar "
        "lfloor rfloor lceil rceil langle rangle Vert ast".split(),
        strict=True,
    )
)
_AS_TEX = str.maketrans(
    {sign: f"\\{name} " for sign, name in (_GREEK | _SIGNS).items()}
    | {"−": "-", "–": "-", "²": "^{2}", "³": "^{3}", "%": "\\%", "#": "\\#", "&": "\\&"}
    | dict.fromkeys("\u200b\u2061\u2062\u2063\u2064\ufeff")
)
_BRACES = str.maketrans({"{": "\\{", "}": "\\}"})
ACCENTS = {
    "\u0302": "hat", "^": "hat", "ˆ": "hat", "\u0303": "tilde", "~": "tilde", "˜": "tilde",
    "\u0304": "bar", "\u0305": "bar", "¯": "bar", "‾": "bar", "―": "bar",
    "\u20d7": "vec", "→": "vec", "\u0307": "dot", "˙": "dot", "\u0308": "ddot", "¨": "ddot",
}  # fmt: skip
FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf "
    "det dim ker gcd arg deg".split()
)
_ALPHABETS = re.compile("[\U0001d400-\U0001d7ff]+")  # letters whose slant or weight is a character
_OTHER_LETTERS = re.compile(r"(?:(?![\x00-\x7f])[^\W\d_])+")


def characters(text: str) -> str:
    r"""Signs and letters as TeX, a blank after every name; letters TeX has no name for as words.

    >>> characters("α≤x"), characters("v²"), characters("путь")
    ('\\alpha \\le x', 'v^{2}', '\\text{путь}')
    """
    return _OTHER_LETTERS.sub(r"\\text{\g<0>}", plain_characters(text))


def plain_characters(text: str) -> str:
    """The same, but every letter that TeX has no name for as it is."""
    if "\\" not in text:  # where there is one, somebody typed TeX
        text = text.translate(_BRACES)
    text = _ALPHABETS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return text.translate(_AS_TEX)


# Elements of formulas by their names, whatever namespace they are in.


def name_of(element: Element) -> str:
    return element.tag.rpartition("}")[2].rpartition(":")[2]


def children_of(element: Element) -> list[Element]:
    return [child for child in element if isinstance(child.tag, str)]


def child_of(element: Element | None, name: str) -> Element | None:
    children = () if element is None else children_of(element)
    return next((child for child in children if name_of(child) == name), None)


def attribute_of(element: Element, name: str, otherwise: str = "") -> str:
    """An attribute, with or without the namespace of its element."""
    value = element.get(element.tag.rpartition("}")[0] + "}" + name) if "}" in element.tag else None
    value = element.get(name) if value is None else value
    return otherwise if value is None else value


def property_of(element: Element, properties: str, name: str, otherwise: str) -> str:
    """What a property of an element of Word is set to."""
    value_element = child_of(child_of(element, properties), name)
    return otherwise if value_element is None else attribute_of(value_element, "val")


def is_on(switch: Element | None) -> bool:
    return switch is not None and attribute_of(switch, "val", "1") not in ("0", "off", "false")
