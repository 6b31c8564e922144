"""Whose a file is, by the names that learning platforms give to what they pack.

A path tells a program everything and a person too much: of
"Emma Clarke_231502_assignsubmission_file_/essay.docx" a teacher reads the name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

# Moodle: "Full Name_12345_assignsubmission_file_/essay.docx", or the same without a folder.
MOODLE = re.compile(r"(?<![^/])(?P<author>[^/]+?)_(?P<id>\d++)_assignsubmission_[a-z]+(?:_|/|$)")
# Canvas: "lastnamefirstname_12345_67890_essay.docx", with LATE after the name of who was late.
CANVAS = re.compile(
    r"(?<![^\d_/])(?P<author>[^\W\d_][^\d_/]*+)(?:_LATE)?_(?P<id>\d{3,}+)_\d{3,}+_(?P<file>[^/]+)"
)
# Blackboard: "Assignment_username_attempt_2026-11-18-10-00-00_essay.docx"; one without a file is
# what was typed there.
_BLACKBOARD = re.compile(
    r"[^/]+_(?P<author>[^/_]+)_attempt_(?P<id>\d{4}(?:-\d\d){5})(?:_(?P<file>[^/]+)|\.\w+)"
)
_ARCHIVE = re.compile(r"\.(zip|7z|rar|tar|tgz|tar\.gz)$", re.I)
NAMELESS = "?"


@dataclass(frozen=True, slots=True)
class Submission:
    """Who handed a file in, what tells namesakes apart, and what the file itself is called."""

    student: str
    id: str
    file: str


def display_names(paths: Sequence[str]) -> tuple[str, ...]:
    """What to call files that were handed in together: their students, told apart where need be.

    >>> display_names(["Asel Nur_701_assignsubmission_file_/a.docx"])
    ('Asel Nur',)
    >>> display_names(["Asel Nur/essay.docx", "Asel Nur/table.xlsx", "Dana Lee/essay.docx"])
    ('Asel Nur · essay.docx', 'Asel Nur · table.xlsx', 'Dana Lee')
    """
    submissions = _submissions(paths)
    namesakes: dict[str, list[Submission]] = defaultdict(list)
    for one in submissions:
        namesakes[one.student.casefold()].append(one)
    names = [_told_apart(one, namesakes[one.student.casefold()]) for one in submissions]
    return _unique(names, paths)


def display_name(path: str) -> str:
    """What to call a file among others that were not handed in with it.

    >>> display_name("Asel Nur_701_assignsubmission_file_/essay.docx")
    'Asel Nur · essay.docx'
    >>> display_name("library/essay.docx")
    'library/essay.docx'
    """
    one = _by_platform(path)
    if one is None:
        return path if path.strip() else NAMELESS
    return f"{one.student} · {one.file}"


def submissions_of(paths: Sequence[str]) -> tuple[Submission, ...]:
    """Whose each of some files is that were handed in together.

    >>> [(one.student, one.id) for one in submissions_of(["Asel Nur_701_assignsubmission_file_/a"])]
    [('Asel Nur', '701')]
    >>> [one.student for one in submissions_of(["week 3/Asel Nur/a.docx", "week 3/Dana Lee.docx"])]
    ['Asel Nur', 'Dana Lee']
    """
    return tuple(
        replace(one, student=_stem(one.student)) if one.student == one.file else one
        for one in _submissions(paths)
    )


def is_marked_late(path: str) -> bool:
    """Whether a platform's name says that it came late.

    >>> is_marked_late("nurasel_LATE_4711_90210_essay.docx"), is_marked_late("LATE.docx")
    (True, False)
    """
    file = path.rpartition("/")[2]
    match = CANVAS.fullmatch(file)
    return match is not None and file[match.end("author") :].startswith("_LATE_")


def _stem(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return stem.strip() if dot and stem.strip() and ending.isalnum() and len(ending) <= 5 else name


def submission_key(path: str) -> tuple[str, ...] | None:
    """What tells a file from those of all other students; nothing where its path tells of none.

    >>> submission_key("week 3/Asel Nur_701_assignsubmission_file_/essay.docx")
    ('Asel Nur', '701', 'essay.docx')
    >>> submission_key("class/Asel Nur/essay.docx"), submission_key("essay.docx")
    (('Asel Nur', 'essay.docx'), None)
    """
    if one := _by_platform(path):
        return one.student, one.id, one.file
    *folders, file = [part for part in path.split("/") if part.strip()] or [path]
    if match := CANVAS.fullmatch(file):
        return match["author"], match["id"], match["file"]
    return (folders[-1], file) if folders else None


def _submissions(paths: Sequence[str]) -> list[Submission]:
    by_platform = [_by_platform(path) for path in paths]
    if paths and not any(by_platform):  # Canvas's names are like others': all of them, or none
        canvas = [CANVAS.fullmatch(path.rpartition("/")[2]) for path in paths]
        if all(canvas):
            by_platform = [
                _submission(match["author"], match["id"], match["file"])
                for match in canvas
                if match
            ]
    others = [path for path, one in zip(paths, by_platform, strict=True) if one is None]
    shared = _shared_folders(others)
    return [one or _by_folder(path, shared) for path, one in zip(paths, by_platform, strict=True)]


def _by_platform(path: str) -> Submission | None:
    if match := MOODLE.search(path):
        return _submission(match["author"], match["id"], path[match.end() :].lstrip("/"))
    if match := _BLACKBOARD.fullmatch(path.rpartition("/")[2]):
        return _submission(match["author"], match["id"], match["file"] or match["id"])
    return None


def _submission(student: str, id: str, file: str) -> Submission | None:
    name = " ".join(student.replace("_", " ").split())
    return Submission(name, id, " ".join(file.split()) or id) if name else None


def _by_folder(path: str, shared: int) -> Submission:
    """A folder for each student; a file beside the folders has its own name alone."""
    parts = [part for part in path.split("/") if part.strip()][shared:]
    if not parts:
        return Submission(path if path.strip() else NAMELESS, "", path)
    student = _ARCHIVE.sub("", parts[0]) if len(parts) > 1 else parts[0]
    return Submission(student.strip() or parts[0], "", "/".join(parts[1:]) or parts[0])


def _shared_folders(paths: Sequence[str]) -> int:
    """In how many folders all of them lie together, of which no student has the name."""
    folders = [[part for part in path.split("/") if part.strip()][:-1] for path in paths]
    if not folders:
        return 0
    first, last = min(folders), max(folders)
    together = 0
    while together < min(len(first), len(last)) and first[together] == last[together]:
        together += 1
    return together


def _told_apart(one: Submission, namesakes: Sequence[Submission]) -> str:
    name = one.student
    if len({other.id for other in namesakes}) > 1:
        name = f"{name} ({one.id})" if one.id else name
    if sum(other.id == one.id for other in namesakes) > 1:
        name = f"{name} · {one.file}"
    return name


def _unique(names: list[str], paths: Sequence[str]) -> tuple[str, ...]:
    """Where two are still called alike, their paths tell them apart."""
    while True:
        of_name: dict[str, set[str]] = defaultdict(set)
        for name, path in zip(names, paths, strict=True):
            of_name[name].add(path)
        told = [
            path if len(of_name[name]) > 1 and path.strip() else name
            for name, path in zip(names, paths, strict=True)
        ]
        if told == names:
            return tuple(names)
        names = told
