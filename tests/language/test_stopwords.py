"""The shipped stop words and those of users."""

from importlib.resources import files
from pathlib import Path

import pytest

from likewise.errors import BadInput
from likewise.language.stopwords import from_file, shipped


@pytest.mark.parametrize("language", ["en", "ru", "kk"])
def test_a_shipped_list_is_sorted_lower_case_and_without_repetition(language: str) -> None:
    text = files("likewise.languages").joinpath(f"stopwords/{language}.txt").read_text("utf-8")
    words = [line for line in text.splitlines() if not line.startswith("#")]
    assert words == sorted(set(words))
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert shipped(language) == frozenset(words)
    assert 150 <= len(words) <= 300


def test_function_words_are_in_and_content_words_are_not() -> None:
    assert {"the", "of", "is", "don", "t", "ll"} <= shipped("en")
    assert {"и", "не", "его", "которых", "всё"} <= shipped("ru")
    assert {"және", "мен", "бірақ", "үшін", "оның"} <= shipped("kk")
    assert shipped("en").isdisjoint({"work", "result", "university"})
    assert shipped("ru").isdisjoint({"работа", "год", "человек"})
    assert shipped("kk").isdisjoint({"жұмыс", "адам", "қала"})


def test_an_unknown_language_has_no_stop_words() -> None:
    assert shipped("fr") == frozenset()
    assert shipped("../en") == frozenset()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_users_list_is_read_with_and_without_a_byte_order_mark(
    tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# ours\r\nКафедра\r\n\r\n  Abstract \r\n", encoding=encoding)
    assert from_file(path) == {"кафедра", "abstract"}


def test_a_missing_list_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"absent\.txt"):
        from_file(tmp_path / "absent.txt")


def test_a_list_in_another_encoding_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes("кафедра".encode("cp1251"))
    with pytest.raises(BadInput, match=r"old\.txt.*UTF-8"):
        from_file(path)
