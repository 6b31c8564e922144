"""The languages that Likewise knows. Each file of this folder registers the one it is about."""

from importlib import import_module
from pkgutil import iter_modules

from likewise.languages.registry import (
    CYRILLIC,
    LATIN,
    Language,
    codes,
    language_of,
    register,
    registered,
    unregister,
)

__all__ = [
    "CYRILLIC",
    "LATIN",
    "Language",
    "codes",
    "language_of",
    "register",
    "registered",
    "unregister",
]

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
