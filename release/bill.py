"""The bill of materials in CycloneDX 1.6: Python packages, bundled JavaScript, sources of data.

https://cyclonedx.org/docs/1.6/json/
"""

from __future__ import annotations

import base64
import hashlib
import json
import tomllib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

from release.licences import licence_of
from release.resolving import Package

Component = dict[str, Any]


def bill_of_materials(
    version: str,
    packages: Sequence[Package],
    required: Iterable[str],
    direct: Iterable[str],
    package_folder: Path,
    lock: Path,
    seconds: int,
) -> dict[str, Any]:
    """What a release consists of and stands on; the same for the same commit and archives.

    `required` are the packages installed without any extra, `direct` those we ask for ourselves.
    """
    python = [_python(package, set(required)) for package in packages]
    bundled = bundled_packages(package_folder)
    javascript = [_javascript(each, lock) for each in bundled]
    data = _data(package_folder / "licences" / "data.toml")
    root = {
        "type": "application",
        "bom-ref": f"pkg:pypi/likewise@{version}",
        "name": "likewise",
        "version": version,
        "purl": f"pkg:pypi/likewise@{version}",
        "licenses": _licences("Apache-2.0"),
    }
    refs = {package.key: _purl(package) for package in packages}
    contained = [component["bom-ref"] for component in javascript + data]
    asked = sorted(refs[key] for key in set(direct) if key in refs)
    dependencies = [{"ref": root["bom-ref"], "dependsOn": asked + contained}]
    dependencies += [
        {"ref": refs[package.key], "dependsOn": [refs[key] for key in package.needs if key in refs]}
        for package in packages
    ]
    components = python + javascript + data
    content = json.dumps([root, components, dependencies], sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": root,
        },
        "components": components,
        "dependencies": dependencies,
    }


def bundled_packages(package_folder: Path) -> list[Mapping[str, str]]:
    """What the bundler found in the built pages, each package once."""
    found: dict[str, Mapping[str, str]] = {}
    for part in ("report", "server"):
        listing = package_folder / part / "static" / "licences.json"
        for package in json.loads(listing.read_text("utf-8")):
            found[f"{package['name']}@{package['version']}"] = package
    return [found[name] for name in sorted(found)]


def _python(package: Package, required: set[str]) -> Component:
    return {
        "type": "library",
        "bom-ref": _purl(package),
        "name": package.name,
        "version": package.version,
        "scope": "required" if package.key in required else "optional",
        "hashes": [{"alg": "SHA-256", "content": package.sha256}],
        "licenses": _licences(_licence(package)),
        "purl": _purl(package),
        "properties": [{"name": "likewise:archive", "value": package.archive}],
    }


def _purl(package: Package) -> str:
    return f"pkg:pypi/{package.key}@{quote(package.version)}"


def _licence(package: Package) -> str:
    """As the installed package says: ./dev installs the very versions that are released."""
    try:
        installed = metadata.metadata(package.name)
    except metadata.PackageNotFoundError:
        return "unknown"
    return licence_of(installed) if installed["Version"] == package.version else "unknown"


def _javascript(package: Mapping[str, str], lock: Path) -> Component:
    scope, _, name = package["name"].rpartition("/")
    path = f"{quote(scope, safe='')}/{name}" if scope else name
    purl = f"pkg:npm/{path}@{package['version']}"
    locked = json.loads(lock.read_text("utf-8"))["packages"]
    algorithm, _, digest = locked[f"node_modules/{package['name']}"]["integrity"].partition("-")
    assert algorithm == "sha512", algorithm
    return {
        "type": "library",
        "bom-ref": purl,
        **({"group": scope} if scope else {}),
        "name": name,
        "version": package["version"],
        "scope": "required",
        "hashes": [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}],
        "licenses": _licences(package["licence"]),
        "purl": purl,
    }


def _data(listing: Path) -> list[Component]:
    """The work of others that our data was made from."""
    listed = tomllib.loads(listing.read_text("utf-8"))
    components = []
    for source in listed["source"]:
        files = [file["path"] for file in listed["file"] if source["name"] in file["sources"]]
        if source["notice"]:
            components.append(
                {
                    "type": "data",
                    "bom-ref": f"data:{quote(source['name'].lower().replace(' ', '-'))}",
                    "name": source["name"],
                    "copyright": source["notice"],
                    "licenses": _licences(source["licence"]),
                    "externalReferences": [{"type": "website", "url": source["address"]}],
                    "properties": [{"name": "likewise:file", "value": path} for path in files],
                }
            )
    return components


def _licences(expression: str) -> list[dict[str, Any]]:
    if expression.startswith("unknown"):
        return [{"license": {"name": expression}}]
    is_one = " " not in expression
    return [{"license": {"id": expression}} if is_one else {"expression": expression}]


def check_sums(paths: Iterable[Path]) -> str:
    """Lines for `sha256sum --check`."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(paths)
    )
