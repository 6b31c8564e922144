"""A release: `./dev release` writes all of it into dist/.

likewise-VERSION.tar.gz and the wheel for this machine, built from the commit; requirements with the
hashes of every archive, for a server and with Spark; a bill of materials in CycloneDX; check sums.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release import bill, building, resolving

ROOT = Path(__file__).resolve().parent.parent
OF_A_SERVER = ("internet", "ocr", "postgres", "s3", "server")
OF_ALL = (*OF_A_SERVER, "spark")
HEADING = """\
Likewise {version}: the archives that it was released with{extras}.
Found for this machine and for {systems}; Python {pythons}.

    pip install --require-hashes --requirement {name}
    pip install --no-deps likewise-{version}-….whl
"""


def main() -> int:
    """Make everything, or say why not."""
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--this-system-only", action="store_true", help="no hashes of other systems' archives"
    )
    arguments = parser.parse_args()
    try:
        made = release(arguments.output, () if arguments.this_system_only else resolving.SYSTEMS)
    except (building.CannotBuild, resolving.CannotResolve) as problem:
        print(f"dev: no release: {problem}", file=sys.stderr)
        return 1
    for path in made:
        print(f"{path.stat().st_size / 1000:10,.0f} kB  {path}")
    return 0


def release(output: Path, systems: tuple[str, ...]) -> list[Path]:
    """Build, resolve, describe; in this order, because a build fails more often."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version: str = project["version"]
    seconds = building.commit_seconds(ROOT)
    with tempfile.TemporaryDirectory(prefix="likewise-release-") as folder:
        scratch = Path(folder)
        source = scratch / "source"
        building.export(ROOT, source)
        constraints = ROOT / "constraints.txt"
        made = building.build(source, output, scratch, constraints, seconds)
    packages = resolving.resolve(requirements(project, OF_ALL), constraints)
    packages, lacking = resolving.with_other_systems(packages, systems)
    for missing in lacking:
        print(f"dev: there is no archive of {missing}", file=sys.stderr)
    made += write_requirements(output, project, packages, systems)
    described = bill.bill_of_materials(
        version,
        packages,
        resolving.closure(packages, names(requirements(project, ()))),
        names(requirements(project, OF_ALL)),
        ROOT / "src" / "likewise",
        ROOT / "ui" / "package-lock.json",
        seconds,
    )
    made.append(output / f"likewise-{version}.cdx.json")
    made[-1].write_text(json.dumps(described, indent=1) + "\n", "utf-8")
    sums = output / "SHA256SUMS"
    sums.write_text(bill.check_sums(made), "utf-8")
    return [*made, sums]


def write_requirements(
    output: Path,
    project: dict[str, Any],
    packages: list[resolving.Package],
    systems: tuple[str, ...],
) -> list[Path]:
    """One file for a server, one with Spark."""
    version = project["version"]
    written = []
    for ending, extras in (("", OF_A_SERVER), ("-spark", OF_ALL)):
        path = output / f"requirements-{version}{ending}.txt"
        wanted = resolving.closure(packages, names(requirements(project, extras)))
        heading = HEADING.format(
            version=version,
            extras=f", with {', '.join(extras)}",
            systems=", ".join(systems) or "no other",
            pythons=", ".join(resolving.PYTHONS) if systems else ".".join(_python()),
            name=path.name,
        )
        chosen = [package for package in packages if package.key in wanted]
        path.write_text(resolving.hashed_requirements(chosen, heading), "utf-8")
        written.append(path)
    return written


def requirements(project: dict[str, Any], extras: tuple[str, ...]) -> list[str]:
    """What pyproject.toml asks for, with these extras."""
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(name for extra in extras for name in optional[extra])]


def names(asked: list[str]) -> set[str]:
    return {str(canonicalize_name(Requirement(each).name)) for each in asked}


def _python() -> tuple[str, str]:
    return str(sys.version_info.major), str(sys.version_info.minor)


if __name__ == "__main__":
    sys.exit(main())
