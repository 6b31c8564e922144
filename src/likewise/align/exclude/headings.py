"""The headings that begin and end parts of a work, in English, Russian and Kazakh.

All as `lines.heading` gives them: without numbers and capitals.
"""

from __future__ import annotations

import re


def _phrases(*lines: str) -> frozenset[str]:
    return frozenset(phrase.strip() for line in lines for phrase in line.split(","))


BIBLIOGRAPHY = _phrases(
    "references, reference list, list of references, references cited, cited references",
    "references and notes, notes and references, bibliographic references",
    "bibliography, selected bibliography, select bibliography, annotated bibliography",
    "references and bibliography, works cited, works consulted, literature, literature cited",
    "cited literature, list of literature, sources, list of sources, sources and literature",
    "bibliography and sources, further reading, references and further reading",
    "список литературы, список использованной литературы, список использованных источников",
    "список используемой литературы, список используемых источников, список источников",
    "список использованных источников и литературы, список использованной литературы и источников",
    "список источников и литературы, список литературы и источников, список цитируемой литературы",
    "список цитированной литературы, список цитируемых источников, список рекомендуемой литературы",
    "список рекомендованной литературы, список литературных источников, список библиографии",
    "литература, литература и источники, использованная литература, используемая литература",
    "цитируемая литература, цитированная литература, рекомендуемая литература",
    "основная литература, дополнительная литература, использованные источники",
    "используемые источники, источники, источники и литература, литературные источники",
    "перечень использованных источников, перечень литературы, библиография",
    "библиографический список, библиографические ссылки, библиографический указатель",
    "примечания и ссылки, ссылки и примечания, список использованных источников информации",
    "пайдаланылған әдебиеттер, пайдаланылған әдебиеттер тізімі, пайдаланған әдебиеттер",
    "пайдаланған әдебиеттер тізімі, пайдаланылған әдебиет, пайдаланылған әдебиет тізімі",
    "қолданылған әдебиеттер, қолданылған әдебиеттер тізімі, қолданылған әдебиет",
    "қолданылған әдебиет тізімі, әдебиеттер, әдебиеттер тізімі, әдебиет, әдебиет тізімі",
    "пайдаланылған дереккөздер, пайдаланылған дереккөздер тізімі, пайдаланылған көздер",
    "пайдаланылған көздер тізімі, пайдаланылған дереккөздер мен әдебиеттер",
    "пайдаланылған дереккөздер мен әдебиеттер тізімі",
    "пайдаланылған әдебиеттер мен дереккөздер, пайдаланылған әдебиеттер мен дереккөздер тізімі",
    "қолданылған дереккөздер, қолданылған дереккөздер тізімі, дереккөздер, дереккөздер тізімі",
    "пайдаланылған деректер тізімі, ұсынылатын әдебиеттер, ұсынылатын әдебиеттер тізімі",
    "негізгі әдебиеттер, қосымша әдебиеттер, библиографиялық тізім, библиографиялық сілтемелер",
)  # fmt: skip

CONTENTS = _phrases(
    "contents, content, table of contents, list of contents, list of figures, list of tables",
    "list of illustrations, list of figures and tables",
    "содержание, оглавление, содержание работы, содержание отчета, содержание отчёта, план",
    "план работы, список рисунков, список таблиц, список иллюстраций, перечень рисунков",
    "перечень таблиц, мазмұны, мазмұн, жоспар, жоспары, суреттер тізімі, кестелер тізімі",
)

# What a work begins with once its title page and contents are over.
OPENING = _phrases(
    "introduction, abstract, summary, preface, foreword, acknowledgements, acknowledgments",
    "acknowledgement, dedication, declaration, executive summary, keywords, background",
    "введение, аннотация, предисловие, резюме, благодарности, нормативные ссылки",
    "определения, обозначения и сокращения, перечень сокращений, цель работы",
    "кіріспе, аңдатпа, алғы сөз, алғысөз, түйін, түйіндеме, нормативтік сілтемелер, анықтамалар",
    "белгілеулер мен қысқартулар, жұмыстың мақсаты",
)

# What may follow inside a work or after its list of literature.
CLOSING = _phrases(
    "conclusion, conclusions, glossary, index, acknowledgements, acknowledgments, about the author",
    "about the authors, author information, author contributions, supplementary material",
    "supplementary materials, supporting information, endnotes, notes",
    "заключение, выводы, глоссарий, предметный указатель, алфавитный указатель, благодарности",
    "сведения об авторах, сведения об авторе, об авторах, информация об авторах",
    "примечания, словарь терминов, терминологический словарь",
    "қорытынды, глоссарий, авторлар туралы мәлімет, автор туралы мәлімет, авторлар туралы",
    "терминдер сөздігі, ескертпелер, алғыс",
)

_PART = re.compile(
    r"(?:chapter|section|part|глава|раздел)\s+(?:\d{1,2}|[ivxlc]{1,6}|one|two|three|перв\w+|втор\w+)\b"
    r"|(?:(?:\d{1,2}|[ivx]{1,4})[- ]?(?:ші|шы|нші|ншы)?\s*)?(?:тарау|бөлім)\b"
)
_APPENDIX = re.compile(
    r"(?:appendix|appendices|annex|annexes|приложени[ея]|қосымша|қосымшалар)"
    r"(?:\s+(?:№\s?)?(?:[\w.]{1,4}))?(?:\s*[.:)–—-]\s*\S.*)?"
    r"|(?:№\s?)?[\w]{1,3}[- ]қосымша(?:\s*[.:)–—-]?\s*\S.*)?"
)


def is_appendix(said: str) -> bool:
    """Whether a heading is that of an appendix.

    >>> is_appendix("приложение а"), is_appendix("приложение установлено"), is_appendix("annexes")
    (True, False, True)
    """
    return _APPENDIX.fullmatch(said) is not None


def begins_a_part(said: str) -> bool:
    """Whether a heading begins another part of a work.

    >>> begins_a_part("глава 2 методы"), begins_a_part("введение"), begins_a_part("иванов и. и.")
    (True, True, False)
    """
    return (
        said in OPENING
        or said in CLOSING
        or said in CONTENTS
        or _PART.match(said) is not None
        or is_appendix(said)
    )
