"""The pictures of the guides are made from a running server, in the language of the guide."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
SCRIPT = [sys.executable, "-m", "docs.site.pictures"]


@pytest.mark.browser
def test_every_picture_of_the_guides_is_made(tmp_path: Path, own_cache: Path) -> None:
    asked = [*SCRIPT, str(tmp_path), "--language", "kk"]
    made = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert made.returncode == 0, made.stderr
    told = subprocess.run([*SCRIPT, "--list"], cwd=ROOT, capture_output=True, text=True)
    names = {name for group in json.loads(told.stdout).values() for name in group}
    assert {path.stem for path in tmp_path.glob("kk/*.png")} == names
    for name in names:
        with Image.open(tmp_path / "kk" / f"{name}.png") as picture:
            assert picture.width > 400, name
            assert len(picture.convert("L").getcolors() or ()) > 50, name


def test_without_a_browser_the_site_is_built_without_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = tmp_path / "kk" / "report.png"
    stale.parent.mkdir()
    stale.touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    asked = [*SCRIPT, str(tmp_path)]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 0
    assert "no chromium" in told.stderr
    assert not list(tmp_path.glob("*/*.png"))
