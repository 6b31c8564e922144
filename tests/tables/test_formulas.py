"""Formulas are compared by template, then by content."""

import io
import zipfile

from likewise.reading import read_bytes
from likewise.tables.cells import read_cell
from likewise.tables.formulas import formulas_in, read_formula

TEX = r"$\frac{a}{b}+\sqrt{c}$"
MATHML = "<math><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>+</mo><msqrt><mi>c</mi></msqrt></math>"
OMML = (
    "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den>"
    "</m:f><m:r><m:t>+</m:t></m:r><m:rad><m:e><m:r><m:t>c</m:t></m:r></m:e></m:rad></m:oMath>"
)


def test_a_formula_is_the_same_in_every_markup():
    tex = read_formula(TEX)
    assert tex.likeness(read_formula(MATHML)) == "same"
    assert tex.likeness(read_formula(OMML)) == "same"
    assert (
        read_formula("$x^2$").likeness(
            read_formula("<math><msup><mi>x</mi><mn>2</mn></msup></math>")
        )
        == "same"
    )


def test_other_names_leave_the_template_alone():
    assert read_formula(TEX).likeness(read_formula(r"$\frac{p}{q}+\sqrt{r}$")) == "template"
    assert read_formula(TEX).likeness(read_formula(r"$\frac{a}{b}-\sqrt{c}$")) == "other"


def test_symbols_that_everybody_uses_do_not_tell_formulas_apart():
    assert read_formula("$S=ax+b$").likeness(read_formula("$S=ay+b$")) == "same"


def test_prices_are_no_formulas():
    assert formulas_in("from $5 to $10") == []


def test_damaged_markup_is_read_as_far_as_it_goes():
    assert read_formula("<math><mfrac><mi>a</mi></math>").content == ("a",)
    read_formula("<math>" * 5000 + "x" + "</math>" * 5000)


def word_cell(formula: str) -> str:
    """The first cell of a table in a Word document, in which this formula stands."""
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    m = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    cells = (f"<w:tc><w:p>{inside}</w:p></w:tc>" for inside in (formula, ""))
    table = f"<w:tbl><w:tr>{''.join(cells)}</w:tr></w:tbl>"
    body = f'<w:document xmlns:w="{w}" xmlns:m="{m}"><w:body>{table}</w:body></w:document>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", body)
    return read_bytes(file.getvalue(), "a.docx", cache=False).tables[0].rows[0][0]


def test_a_formula_in_a_table_of_word_is_compared_as_one():
    ours, renamed = OMML, OMML
    for letter, other in zip("abc", "pqr", strict=True):
        renamed = renamed.replace(f"<m:t>{letter}<", f"<m:t>{other}<")
    cell, other_cell = read_cell(word_cell(ours)), read_cell(word_cell(renamed))
    assert cell.kind == other_cell.kind == "formula"
    assert cell.formulas[0].likeness(read_formula(TEX)) == "same"
    assert cell.formulas[0].likeness(other_cell.formulas[0]) == "template"
    doubled = OMML.replace("<m:oMath>", "<m:oMath><m:r><m:t>2</m:t></m:r>")
    assert read_cell(word_cell(doubled)).kind == "formula"
