"""The machine and the versions a figure was measured with."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = (
    "numpy",
    "scipy",
    "datasketch",
    "rensa",
    "gaoya",
    "FastSketchLSH",
    "daft",
    "SetSimilaritySearch",
    "tantivy",
    "SQLAlchemy",
    "psycopg",
    "PyStemmer",
    "xxhash",
    "pypdfium2",
    "pdf_oxide",
    "lxml",
    "Resiliparse",
    "python-calamine",
    "tesserocr",
    "opencv-python-headless",
    "pyspark",
    "pandas",
    "pyarrow",
    "jellyfish",
    "rapidfuzz",
)


def machine() -> dict[str, object]:
    """Facts that may explain a figure."""
    from likewise.kernels import ENGINE

    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_gb": _memory_gb(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "likewise": _version("likewise") or "(not installed)",
        "kernels": ENGINE,
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory_gb() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1)
    except (AttributeError, OSError, ValueError):
        return None
