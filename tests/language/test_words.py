"""Text to words: what counts as a word, and where it stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.language import Lexicon, canonical_text, scan, settle, words_of
from likewise.model import Document, Span
from likewise.settings import Settings

JOINING = Settings.plain(join_hyphens=True)
WITHOUT_URLS = Settings.plain(drop_urls=True)
WITH_SIGNS = Settings.plain(drop_symbols=False)


def written(text: str, chosen: Settings | None = None) -> list[str]:
    """The canonical words of a text."""
    return canonical_text(text, Lexicon(chosen or Settings.plain()), {}).split()


def standing(text: str, chosen: Settings | None = None) -> list[str]:
    """The characters each word covers in the text."""
    words = words_of(text, Lexicon(chosen or Settings.plain()))
    return [text[a:b] for a, b in zip(words.start.tolist(), words.end.tolist(), strict=True)]


def same_words(a: str, b: str, chosen: Settings | None = None) -> bool:
    lexicon = Lexicon(chosen or Settings.plain())
    return words_of(a, lexicon).hash.tolist() == words_of(b, lexicon).hash.tolist()


def test_words_are_runs_of_letters_and_digits() -> None:
    assert written("To be, or not to be: 42 times!") == "to be or not to be 42 times".split()
    assert written("") == written(" \n\t…") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("STEPPE", "steppe"),
        ("СТЕПЬ", "степь"),
        ("ҚАЗАҚ ТІЛІ", "қазақ тілі"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("ＷＩＤＥ", "wide"),
        ("ÉTÉ", "été"),
    ],
)
def test_case_and_width_do_not_matter(one: str, other: str) -> None:
    assert same_words(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("ﬁnding", "finding"),
        ("cafe\u0301", "café"),
        ("ёлка", "елка"),
        ("й", "и\u0306"),
        ("Ⅷ", "viii"),
    ],
)
def test_compatibility_forms_are_made_plain_by_the_lexicon(one: str, other: str) -> None:
    rules = Settings(stem=False, stop_words=False)
    assert same_words(one, other, rules)
    assert written(one, rules) == written(other, rules) != []


@pytest.mark.parametrize(
    "mark", ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\xad", "\ufe0f"]
)
@pytest.mark.parametrize("word", ["steppe", "степь", "𝔸steppe"])
def test_invisible_characters_inside_words_do_not_matter(mark: str, word: str) -> None:
    assert same_words(f"{mark}{mark.join(word)}{mark} end", f"{word} end")
    assert standing(f"{mark}{word[0]}{mark}{word[1:]}{mark} end") == [
        f"{word[0]}{mark}{word[1:]}",
        "end",
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "  \n", "\t\r\n", "\n    ", "\f", "\v"])
@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011", "\xad", "\u200b-"])
@pytest.mark.parametrize(("head", "tail"), [("co", "operate"), ("сте", "пной"), ("қаза", "қтың")])
def test_a_word_hyphenated_over_a_line_end_is_one_word(
    head: str, tail: str, hyphen: str, line_end: str
) -> None:
    broken = f"{head}{hyphen}{line_end}{tail}"
    assert written(f"{broken} end", JOINING) == [head + tail, "end"]
    assert standing(f"{broken} end", JOINING) == [broken, "end"]
    assert written(broken) == [head, tail]


def test_a_word_may_be_broken_over_several_lines() -> None:
    assert written("in-\ncom-\r\npre-\n hensible", JOINING) == ["incomprehensible"]


@pytest.mark.parametrize(
    "text",
    [
        "well-known",
        "well -\nknown",
        "well-\n\nknown",
        "well-\nKnown",
        "1914-\n1918",
        "1914-\nknown",
        "well-\n1918",
        "well\u2014\nknown",
        "well--\nknown",
        "well- known",
    ],
)
def test_other_hyphens_separate(text: str) -> None:
    assert len(written(text, JOINING)) == 2


def test_a_hyphen_at_the_end_of_a_text_joins_nothing() -> None:
    lexicon = Lexicon(JOINING)
    hashes, offsets = settle(scan(["one-\n", "two"], lexicon), lexicon)
    assert offsets.tolist() == [0, 1, 2]
    assert hashes.tolist() == words_of("one two", lexicon).hash.tolist()


@pytest.mark.parametrize("apostrophe", ["'", "\u2019"])
def test_apostrophes_separate_words(apostrophe: str) -> None:
    assert written(f"don{apostrophe}t") == ["don", "t"]


def test_underscores_separate_words() -> None:
    assert written("snake_case __init__") == ["snake", "case", "init"]


def test_a_footnote_mark_does_not_stick_to_its_word() -> None:
    assert written("steppe¹ wide² слово³ end") == ["steppe", "wide", "слово", "end"]


def test_digits_of_other_scripts_are_digits() -> None:
    assert written("١٩٩١ १९९१ １９９１ 𝟏𝟗𝟗𝟏") == ["1991"] * 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("漢字かな", list("漢字かな")),
        ("ภาษา", list("ภาษา")),
        ("𠀀𠀁", ["𠀀", "𠀁"]),
        ("汉x字", ["汉", "x", "字"]),
        ("北京 2008年", ["北", "京", "2008", "年"]),
    ],
)
def test_scripts_without_spaces_are_a_character_a_word(text: str, words: list[str]) -> None:
    assert written(text) == standing(text) == words


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a-b?c=d#e",
        "HTTPS://Example.org",
        "ftp://x",
        "www.example.kz/жол",
        "http://漢字.jp/字",
    ],
)
def test_urls_are_dropped_up_to_the_next_blank(url: str) -> None:
    assert written(f"see {url} there", WITHOUT_URLS) == ["see", "there"]
    assert written(f"see ({url}) there", WITHOUT_URLS) == ["see", "there"]
    assert written(f"see {url}\u3000there", WITHOUT_URLS) == ["see", "there"]
    assert written(url, WITHOUT_URLS) == []
    assert len(written(f"see {url} there")) > 2


@pytest.mark.parametrize(
    "text", ["http", "www", "http is a protocol", "ahttp://b", "www is", "http:/ x", "httpx://y"]
)
def test_what_only_resembles_a_url_stays(text: str) -> None:
    assert written(text, WITHOUT_URLS) == written(text)


def test_mathematical_signs_are_words_only_where_asked() -> None:
    assert written("a ≥ b ± 5") == ["a", "b", "5"]
    assert written("a ≥ b ± 5", WITH_SIGNS) == ["a", "≥", "b", "±", "5"]


def test_spans_point_at_the_characters_of_each_word() -> None:
    text = "«Дала» 😀 wide,\nthe_end 漢字"
    assert standing(text) == ["Дала", "wide", "the", "end", "漢", "字"]
    words = words_of(text, Lexicon(Settings.plain()))
    assert words.start.dtype == words.end.dtype == np.uint32
    assert len(words) == 6


def test_dropped_words_have_no_spans() -> None:
    assert standing("The steppe is wide", Settings()) == ["steppe", "wide"]


def test_what_a_document_leaves_out_is_not_read_and_moves_nothing() -> None:
    text = "Page 7 of 9\nThe steppe is wide. HIDDEN white text. So is the sky."
    hidden = Span(text.index("HIDDEN"), text.index("So is"))
    document = Document("a", text, left_out=((Span(0, 11), "running header"), (hidden, "hidden")))
    words = words_of(document.compared_text, Lexicon(Settings.plain()))
    found = [text[a:b] for a, b in zip(words.start.tolist(), words.end.tolist(), strict=True)]
    assert found == "The steppe is wide So is the sky".split()


def test_junk_is_read_without_complaint() -> None:
    assert written("a\x00b \ud800c \udfff d\uffff\U0010ffff") == ["a", "b", "c", "d"]


WORDS = "steppe Steppes the кошками қалалар coc сос кoт x1 漢 ≥ 9 ё 😀 é".split()
texts = st.lists(
    st.sampled_from([*WORDS, "re-\nturn", " ", "\n", ", ", "http://a.b ", "\u200b"]), max_size=25
).map(" ".join)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(texts, texts, texts)
def test_a_run_of_words_has_the_same_hashes_wherever_it_stands(a: str, b: str, c: str) -> None:
    """And whatever the lexicon read before."""
    fresh = words_of(b, Lexicon(Settings())).hash.tolist()
    lexicon = Lexicon(Settings())
    lead = len(words_of(f"{a} ", lexicon))
    found = words_of(f"{a} \n {b} \n {c}", lexicon).hash.tolist()
    assert found[lead : lead + len(fresh)] == fresh


@settings(derandomize=True, deadline=None, max_examples=100)
@given(texts)
def test_written_words_are_the_words_that_were_hashed(text: str) -> None:
    rules = Settings()
    words = words_of(text, Lexicon(rules))
    plain = Lexicon(Settings.plain(drop_symbols=False))
    assert len(words) == len(written(text, rules))
    assert words.hash.tolist() == words_of(" ".join(written(text, rules)), plain).hash.tolist()


@settings(derandomize=True, deadline=None, max_examples=60)
@given(texts)
def test_a_lexicon_that_knows_the_words_gives_the_same_answer(text: str) -> None:
    lexicon = Lexicon(Settings())
    first, second = words_of(text, lexicon), words_of(text, lexicon)
    for name in ("hash", "start", "end"):
        assert getattr(first, name).tolist() == getattr(second, name).tolist()


def test_words_remembered_between_texts_are_written_alike() -> None:
    lexicon, forms = Lexicon(Settings()), {}
    assert canonical_text("Running steppes", lexicon, forms) == "run stepp"
    assert canonical_text("the steppes ran", lexicon, forms) == "stepp ran"
    assert set(forms.values()) == {"run", "stepp", "", "ran"}
