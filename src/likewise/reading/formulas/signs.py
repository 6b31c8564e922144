"""Letters and signs of formulas, as TeX writes them."""

from __future__ import annotations

import re
import unicodedata

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
    text = _ALPHABETS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return text.translate(_AS_TEX)
