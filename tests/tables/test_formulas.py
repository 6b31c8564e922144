"""Formulas are compared by template, then by content."""

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
