"""Formulas of Word (OMML) and of web pages (MathML), written as TeX."""

from likewise.reading.formulas.mathml import annotation_tex
from likewise.reading.formulas.tex import in_dollars, tex_of, with_formulas

__all__ = ["in_dollars", "annotation_tex", "tex_of", "with_formulas"]
