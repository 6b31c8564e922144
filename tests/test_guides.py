"""The guides name what is on the pages, in each language alike, and have the same pictures."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from likewise.catalogue import LANGUAGES, texts

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WORDS = ROOT / "ui" / "src" / "app" / "words"
GUIDES = ("teachers", "administrators", "students")
PICTURE = re.compile(r"^<!-- picture: ([\w-]+) \| (.+) -->$", re.MULTILINE)


def guide(name: str, language: str) -> str:
    return (DOCS / name / f"{language}.md").read_text("utf-8")


def labels(text: str) -> list[str]:
    """What is set in bold, wherever its lines end."""
    return [" ".join(each.split()) for each in re.findall(r"\*\*(.+?)\*\*", text, re.DOTALL)]


@cache
def said_on_pages(language: str) -> list[re.Pattern[str]]:
    """Every text of the catalogue that has words of its own, with anything in its places."""
    own = [json.loads(path.read_text("utf-8")) for path in WORDS.glob(f"*/{language}.json")]
    every = [each for group in (texts(language), *own) for each in group.values()]
    forms = [
        form for each in every for form in ([each] if isinstance(each, str) else each.values())
    ]
    parts = [re.split(r"\{[^}]+\}", form) for form in forms]
    return [
        re.compile(".+".join(map(re.escape, each)))
        for each in parts
        if any(re.search(r"\w", part) for part in each)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GUIDES)
def test_what_a_guide_sets_in_bold_stands_on_a_page(name: str, language: str) -> None:
    named = labels(guide(name, language))
    assert len(named) > 25
    for each in set(named):
        assert any(said.fullmatch(each) for said in said_on_pages(language)), each


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_says_the_same_in_each_language(name: str) -> None:
    def outline(language: str) -> list[tuple[int, int, int, list[str]]]:
        """Of each section: its depth, how many labels and steps it has, and its pictures."""
        sections = re.split(r"^(?=#+ )", guide(name, language), flags=re.MULTILINE)[1:]
        return [
            (
                len(section) - len(section.lstrip("#")),
                len(labels(section)),
                len(re.findall(r"^(?:- |\d+\. )", section, re.MULTILINE)),
                [picture for picture, _ in PICTURE.findall(section)],
            )
            for section in sections
        ]

    english = outline("en")
    for language in LANGUAGES:
        assert outline(language) == english, language


@pytest.mark.parametrize("name", GUIDES)
def test_links_between_guides_lead_to_places_that_there_are(name: str) -> None:
    for language in LANGUAGES:
        for link in re.findall(r"\]\(([^)]+)\)", guide(name, language)):
            path, _, place = link.partition("#")
            target = (DOCS / name / path).resolve()
            assert target.is_file(), link
            headings = re.findall(r"^#+ (.+)", target.read_text("utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w]+", "-", each.lower()).strip("-") for each in headings}
            assert not place or place in slugs, link


def test_every_picture_of_a_guide_is_made_and_every_picture_made_is_in_a_guide() -> None:
    asked = [sys.executable, "-m", "docs.site.pictures", "--list"]
    said = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    made = json.loads(said)
    for name in GUIDES:
        named = [picture for picture, _ in PICTURE.findall(guide(name, "en"))]
        assert len(named) == len(set(named))
        assert set(named) == set(made.pop(name))
    assert not made
