"""Processes on this machine, by their parents."""

from __future__ import annotations

from pathlib import Path


def children() -> dict[int, list[int]]:
    """The children of every process."""
    found: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                stat = (folder / "stat").read_text("utf-8", "replace")
            except OSError:  # it has ended meanwhile
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if state != "Z":
                found.setdefault(int(parent), []).append(int(folder.name))
    return found


def descendants(process: int) -> list[int]:
    """A process' children and theirs, without itself."""
    by_parent, found, front = children(), [], [process]
    while front:
        front = [child for one in front for child in by_parent.get(one, ())]
        found += front
    return found


def command_line(process: int) -> str:
    """What a process was started with; nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
