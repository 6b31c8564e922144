"""Licences of installed packages, as SPDX expressions, and which of them we may build on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import metadata

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Licences under which a package may be used, changed and passed on beside code under Apache-2.0.
# The Mozilla licences ask for the source of their own files alone.
ALLOWED = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 CNRI-Python HPND ISC MIT MIT-0 MIT-CMU "
    "MPL-1.1 MPL-2.0 PSF-2.0 Python-2.0 Unicode-3.0 Unlicense Zlib".split()
)
# Looked at one by one: libraries that we neither contain nor change, loaded by name, in an extra
# that is installed only where it is wanted. NOTICE says so.
EXCEPTIONS = {"psycopg": "LGPL-3.0-only", "psycopg-binary": "LGPL-3.0-only"}

# What packages write where an SPDX expression should stand; read in their licence files.
_PHRASES = {
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "bsd 3-clause license": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd-3-clause, apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "isc license": "ISC",
    "mit license": "MIT",
    "mit, bsd": "MIT AND BSD-3-Clause",
    "the bsd 2-clause license": "BSD-2-Clause",
}


def licence_of(package: metadata.PackageMetadata) -> str:
    """The licence as an SPDX expression; `unknown: …` where nobody could say."""
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in package.get_all("Classifier") or []
        if classifier.startswith("License :: ")
    ]
    given = [package["License-Expression"], (package["License"] or "").partition("\n")[0]]
    for phrase in filter(None, [*given, " AND ".join(classifiers), *classifiers]):
        phrase = phrase.strip()
        try:
            return canonicalize_license_expression(_PHRASES.get(phrase.lower(), phrase))
        except InvalidLicenseExpression:
            continue
    return f"unknown: {given[1] or classifiers}"


def is_allowed(expression: str, name: str = "") -> bool:
    """Whether a licence is on the list, or the package one of the exceptions.

    >>> is_allowed("MIT OR GPL-3.0-only"), is_allowed("MIT AND (GPL-3.0-only OR LGPL-2.1-only)")
    (True, False)
    >>> is_allowed("LGPL-3.0-only"), is_allowed("LGPL-3.0-only", "psycopg")
    (False, True)
    """
    if name in EXCEPTIONS and EXCEPTIONS[name] == expression:
        return True
    try:
        expression = canonicalize_license_expression(expression)
    except InvalidLicenseExpression:
        return False
    return _any_of(re.findall(r"[()]|[\w.+-]+(?: WITH [\w.-]+)?", expression))


def _any_of(tokens: list[str]) -> bool:
    verdict = _all_of(tokens)
    while tokens[:1] == ["OR"]:
        tokens.pop(0)
        other = _all_of(tokens)
        verdict = verdict or other
    return verdict


def _all_of(tokens: list[str]) -> bool:
    verdict = _one(tokens)
    while tokens[:1] == ["AND"]:
        tokens.pop(0)
        other = _one(tokens)
        verdict = verdict and other
    return verdict


def _one(tokens: list[str]) -> bool:
    token = tokens.pop(0)
    if token != "(":  # noqa: S105 - a token of a grammar
        return token in ALLOWED
    verdict = _any_of(tokens)
    tokens.pop(0)  # the other bracket
    return verdict


def needed(requires: Iterable[str], extras: Iterable[str] = ()) -> list[Requirement]:
    """The requirements that hold here, for a package asked for with these extras."""
    wanted = ["", *extras]
    found = map(Requirement, requires)
    return [
        each
        for each in found
        if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in wanted)
    ]


def installed_tree(requirements: Iterable[str]) -> dict[str, metadata.Distribution]:
    """Everything installed that these requirements stand on, by canonical name."""
    tree: dict[str, metadata.Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = needed(requirements)
    while waiting:
        asked = waiting.pop()
        key = canonicalize_name(asked.name), frozenset(asked.extras)
        if key not in seen:
            seen.add(key)
            tree[key[0]] = distribution = metadata.distribution(asked.name)
            waiting += needed(distribution.requires or [], asked.extras)
    return tree
