"""Office documents that are packages of parts: what they are, and what is in them."""

from likewise.reading.package.kind import kind_of_package, kind_of_xml
from likewise.reading.package.xml import Element, from_base64, parse_or_rescue, parse_xml
from likewise.reading.package.zip import Package, Parts

__all__ = [
    "Element",
    "Package",
    "Parts",
    "from_base64",
    "kind_of_package",
    "kind_of_xml",
    "parse_xml",
    "parse_or_rescue",
]
