"""Elements of formulas by their names, whatever namespace they are in."""

from __future__ import annotations

from likewise.reading.package import Element


def name_of(element: Element) -> str:
    return element.tag.rpartition("}")[2].rpartition(":")[2]


def children_of(element: Element) -> list[Element]:
    return [child for child in element if isinstance(child.tag, str)]


def child_of(element: Element | None, name: str) -> Element | None:
    children = () if element is None else children_of(element)
    return next((child for child in children if name_of(child) == name), None)


def attribute_of(element: Element, name: str, otherwise: str = "") -> str:
    """An attribute, with or without the namespace of its element."""
    value = element.get(element.tag.rpartition("}")[0] + "}" + name) if "}" in element.tag else None
    value = element.get(name) if value is None else value
    return otherwise if value is None else value


def property_of(element: Element, properties: str, name: str, otherwise: str) -> str:
    """What a property of an element of Word is set to."""
    found = child_of(child_of(element, properties), name)
    return otherwise if found is None else attribute_of(found, "val")


def is_on(found: Element | None) -> bool:
    return found is not None and attribute_of(found, "val", "1") not in ("0", "off", "false")
