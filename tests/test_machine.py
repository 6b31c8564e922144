"""What the machine offers us."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.machine import cgroup_bytes, memory_bytes


def limited(folder: Path, own: str, limits: dict[str, str]) -> int | None:
    (folder / "own").write_text(own)
    for name, limit in limits.items():
        file = folder / "groups" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(limit + "\n")
    return cgroup_bytes(folder / "groups", folder / "own")


@pytest.mark.parametrize(
    ("own", "limits", "expected"),
    [
        ("0::/\n", {"memory.max": "2000000000"}, 2_000_000_000),
        ("0::/\n", {"memory.max": "max"}, None),
        (
            "0::/system.slice/likewise.service\n",
            {
                "system.slice/memory.max": "3000000000",
                "system.slice/likewise.service/memory.max": "max",
            },
            3_000_000_000,
        ),
        (  # the path is that of the host, which the container does not see
            "5:cpu:/docker/17\n4:memory:/docker/17\n0::/\n",
            {"memory/memory.limit_in_bytes": "1073741824"},
            1 << 30,
        ),
        ("5:cpu:/\n", {"memory.max": "17"}, None),
    ],
)
def test_a_container_has_what_its_group_may_use(
    tmp_path: Path, own: str, limits: dict[str, str], expected: int | None
) -> None:
    assert limited(tmp_path, own, limits) == expected


def test_where_there_are_no_groups_there_is_no_limit(tmp_path: Path) -> None:
    assert cgroup_bytes(tmp_path, tmp_path / "none") is None


def test_the_memory_is_that_of_the_machine_or_less() -> None:
    there = memory_bytes()
    assert there is not None and there > 100_000_000
