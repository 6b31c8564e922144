"""Whether tag, package and changelog name one version: `python3 release/version.py v0.1.0`.

Needs nothing but Python, since it runs before anything is installed.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """What does not fit, as sentences; nothing, if all is well."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    citation = (root / "CITATION.cff").read_text("utf-8")
    sentences = []
    if tag != f"v{version}":
        sentences.append(f"the tag is {tag}, and the package's version is {version}")
    if not re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE
    ):
        sentences.append(f"CHANGELOG.md has no part `## [{version}] - YYYY-MM-DD`")
    if not re.search(rf"^version: {re.escape(version)}$", citation, re.MULTILINE):
        sentences.append(f"CITATION.cff does not say version: {version}")
    return sentences


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 release/version.py TAG")
    sys.exit("\n".join(problems(sys.argv[1])) or 0)
