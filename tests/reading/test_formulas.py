"""Formulas of Word and of web pages are written as TeX."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.reading.formulas import annotation_tex, in_dollars, tex_of, with_formulas
from likewise.reading.package import parse_xml

M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def word(inside: str) -> str:
    return tex_of(parse_xml(f"<m:oMath {M} {W}>{inside}</m:oMath>".encode()))


def mathml(inside: str) -> str:
    page = f'<math xmlns="http://www.w3.org/1998/Math/MathML">{inside}</math>'
    return tex_of(parse_xml(page.encode()))


@pytest.mark.parametrize(
    ("omml", "tex"),
    [
        (f"<m:f><m:num>{r('a+b')}</m:num><m:den>{r('c')}</m:den></m:f>", r"\frac{a+b}{c}"),
        (
            f"<m:f><m:fPr><m:type m:val='lin'/></m:fPr><m:num>{r('a')}</m:num>"
            f"<m:den>{r('b')}</m:den></m:f>",
            "a/b",
        ),
        (f"<m:sSup><m:e>{r('x')}</m:e><m:sup>{r('2')}</m:sup></m:sSup>", "x^{2}"),
        (f"<m:sSub><m:e>{r('ab')}</m:e><m:sub>{r('i')}</m:sub></m:sSub>", "{ab}_{i}"),
        (
            f"<m:sSubSup><m:e>{r('σ')}</m:e><m:sub>{r('i')}</m:sub><m:sup>{r('2')}</m:sup>"
            "</m:sSubSup>",
            r"\sigma_{i}^{2}",
        ),
        (f"<m:rad><m:deg/><m:e>{r('x')}</m:e></m:rad>", r"\sqrt{x}"),
        (f"<m:rad><m:deg>{r('3')}</m:deg><m:e>{r('x')}</m:e></m:rad>", r"\sqrt[3]{x}"),
        (
            f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{r('i=1')}</m:sub>"
            f"<m:sup>{r('n')}</m:sup><m:e>{r('x')}</m:e></m:nary>",
            r"\sum_{i=1}^{n} x",
        ),
        (f"<m:nary><m:sub/><m:sup/><m:e>{r('f')}</m:e></m:nary>", r"\int f"),
        (f"<m:d><m:e>{r('a')}</m:e><m:e>{r('b')}</m:e></m:d>", "(a|b)"),
        (
            "<m:d><m:dPr><m:begChr m:val='['/><m:endChr m:val=''/></m:dPr>"
            f"<m:e>{r('a')}</m:e></m:d>",
            "[a",
        ),
        (f"<m:func><m:fName>{r('sin')}</m:fName><m:e>{r('x')}</m:e></m:func>", r"\sin x"),
        (
            f"<m:func><m:fName><m:limLow><m:e>{r('lim')}</m:e><m:lim>{r('x→0')}</m:lim></m:limLow>"
            f"</m:fName><m:e>{r('f')}</m:e></m:func>",
            r"\lim_{x\to0} f",
        ),
        (f"<m:acc><m:e>{r('y')}</m:e></m:acc>", r"\hat{y}"),
        (
            f"<m:bar><m:barPr><m:pos m:val='top'/></m:barPr><m:e>{r('x')}</m:e></m:bar>",
            r"\overline{x}",
        ),
        (
            f"<m:m><m:mr><m:e>{r('a')}</m:e><m:e>{r('b')}</m:e></m:mr>"
            f"<m:mr><m:e>{r('c')}</m:e><m:e>{r('d')}</m:e></m:mr></m:m>",
            r"\begin{matrix} a & b \\ c & d \end{matrix}",
        ),
        (f"<m:box><m:e>{r('a')}</m:e></m:box><m:new>{r('b')}</m:new>", "ab"),
        (f"{r('a')}<w:del>{r('gone')}</w:del>{r('b')}", "ab"),
        ("<m:r><m:rPr><m:nor/></m:rPr><m:t>if  so</m:t></m:r>", r"\text{if so}"),
        (r("v ≤ путь × 𝛼²"), r"v \le\text{путь} \times\alpha^{2}"),
    ],
)
def test_formulas_of_word_are_written_as_tex(omml: str, tex: str) -> None:
    assert word(omml) == tex


@pytest.mark.parametrize(
    ("inside", "tex"),
    [
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", r"\frac{a+b}{c}"),
        ("<msup><mi>x</mi><mn>10</mn></msup>", "x^{10}"),
        ("<msub><mi>x</mi><mi>i</mi></msub>", "x_{i}"),
        ("<msubsup><mo>∫</mo><mn>0</mn><mi>π</mi></msubsup>", r"\int_{0}^{\pi}"),
        ("<msqrt><mi>a</mi><mo>−</mo><mi>b</mi></msqrt>", r"\sqrt{a-b}"),
        ("<mroot><mi>a</mi><mn>3</mn></mroot>", r"\sqrt[3]{a}"),
        ("<munder><mi>max</mi><mi>x</mi></munder>", r"\max_{x}"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", r"\bar{x}"),
        ("<mover><mi>x</mi><mi>n</mi></mover>", "x^{n}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", r"\sum_{i}^{n}"),
        ("<mfenced open='['><mi>a</mi><mi>b</mi></mfenced>", "[a,b)"),
        (
            "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>",
            r"\begin{matrix} a & b \end{matrix}",
        ),
        ("<mi>Re</mi><mo>=</mo><mtext>much</mtext>", r"\mathrm{Re}=\text{much}"),
        (
            "<semantics><mi>x</mi><annotation encoding='application/x-tex'>y^2</annotation>"
            "</semantics>",
            "y^2",
        ),
        (
            "<semantics><mi>x</mi><annotation encoding='StarMath 5.0'>y</annotation></semantics>",
            "x",
        ),
        ("<mover/><mfrac/><msup/>", r"\frac{}{}"),
    ],
)
def test_formulas_of_pages_are_written_as_tex(inside: str, tex: str) -> None:
    assert mathml(inside) == tex


def test_what_is_too_long_or_too_deep_for_a_formula_is_none() -> None:
    assert mathml("<mi>x</mi>" * 5_000) == ""
    assert mathml(f"<mtext>{'long ' * 2_000}</mtext>") == ""
    assert mathml("<mrow>" * 200 + "<mi>x</mi>" + "</mrow>" * 200 + "<mi>y</mi>") == "y"
    assert annotation_tex("x" * 10_000) == ""


def test_numbers_and_words_are_no_formulas() -> None:
    assert [in_dollars(tex) for tex in ("", "12.5", "-3", r"\pm 5\%", r"\text{total}")] == [""] * 5
    assert with_formulas("a 5 b", [(2, 3, "5")]) == "a 5 b"


def test_a_formula_stands_among_the_words_around_it() -> None:
    words, formulas = "of a b and 2c.", [(3, 6, r"\frac{a}{b}"), (11, 13, "2c")]
    assert with_formulas(words, formulas) == r"of $\frac{a}{b}$ and ${2}c$."


_NAMES = (
    "mfrac msup msubsup mover munderover mroot mfenced mtable mtr semantics annotation mi mo "
    "f num den sSup e sup rad nary naryPr chr d func fName acc bar m mr r rPr nor t"
).split()
_TREES = st.recursive(
    st.text("aβ∑{$\\^ 1ж", max_size=4),
    lambda inner: st.tuples(st.sampled_from(_NAMES), st.lists(inner, max_size=4)),
    max_leaves=12,
)


def _markup(tree: object) -> str:
    if isinstance(tree, tuple):
        return f"<{tree[0]}>{''.join(map(_markup, tree[1]))}</{tree[0]}>"
    return str(tree)


@given(_TREES)
def test_elements_in_any_order_give_one_line_without_dollars(tree: object) -> None:
    tex = tex_of(parse_xml(f"<math>{_markup(tree)}</math>".encode()))
    assert "$" not in tex and "\n" not in tex and tex == tex.strip()
