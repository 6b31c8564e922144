"""The parts of a Word document: where they are, how they refer to each other, what they say."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from likewise.catalogue import Value
from likewise.reading.office.blocks import is_caption_style
from likewise.reading.package import Element, Parts, from_base64

_PKG = "{http://schemas.microsoft.com/office/2006/xmlPackage}"


@dataclass(frozen=True, slots=True)
class Relation:
    """What one part says about another: the kind of relation, and the other part's name."""

    kind: str
    target: str
    external: bool


Relations = Mapping[str, Relation]


def relations_of(parts: Parts, part: str) -> Relations:
    """The relations of a part by their identifiers; those of the package where `part` is empty."""
    folder, name = posixpath.split(part)
    root = parts.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
    relations: dict[str, Relation] = {}
    for element in () if root is None else root:
        target = (element.get("Target") or "").replace("\\", "/")
        external = element.get("TargetMode") == "External"
        if not external:
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        kind = (element.get("Type") or "").rpartition("/")[2]
        relations[element.get("Id") or ""] = Relation(kind, target, external)
    return relations


def main_part(parts: Parts, of_package: Relations) -> str | None:
    """The name of the part that holds the body."""
    names = {name.lower() for name in parts.names}
    targets = [r.target for r in of_package.values() if r.kind == "officeDocument"]
    usual = [name for name in parts.names if name.lower().endswith("word/document.xml")]
    return next((name for name in [*targets, *usual] if name.lower() in names), None)


def related(relations: Relations, kind: str) -> str:
    """The name of the first part in a relation of this kind; empty without one."""
    return next((r.target for r in relations.values() if r.kind == kind and not r.external), "")


def caption_styles(styles: Element | None, w: str) -> frozenset[str]:
    """The identifiers of the styles for captions. Word keeps their English names everywhere."""
    style_ids = {"Caption"}
    for style in () if styles is None else styles.iter(w + "style"):
        name = style.find(w + "name")
        if name is not None and is_caption_style(name.get(w + "val") or ""):
            style_ids.add(style.get(w + "styleId") or "")
    return frozenset(style_ids - {""})


class FlatParts:
    """The parts of a Word document that is one XML file ("flat OPC")."""

    def __init__(self, root: Element) -> None:
        self.damage: list[Value] = []
        self._parts = {
            (part.get(_PKG + "name") or "").lstrip("/").lower(): part
            for part in root.iter(_PKG + "part")
        }

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._parts)

    def xml(self, name: str) -> Element | None:
        part = self._parts.get(name.lower())
        data = None if part is None else part.find(_PKG + "xmlData")
        return None if data is None else next(iter(data), None)

    def read(self, name: str) -> bytes | None:
        part = self._parts.get(name.lower())
        data = None if part is None else part.find(_PKG + "binaryData")
        return None if data is None else from_base64(data.text or "")
