"""The compiled kernels. Everything else about the package is in pyproject.toml.

Each is optional: where it cannot be compiled, the package installs without it and the NumPy
twin of the kernel gives the same answers more slowly.
"""

import sys
from pathlib import Path

from setuptools import Extension, setup

# No -march=native: a wheel must run on machines older than the one that built it. No fused
# multiply-add either: it rounds once where NumPy rounds twice, and twins agree to the bit.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]

# Handed over as .pyx, because cythonize() forgets that an extension is optional.
setup(
    ext_modules=[
        Extension(
            f"likewise.kernels.{source.stem}",
            [source.as_posix()],
            depends=["src/likewise/kernels/runs.h"],
            extra_compile_args=FLAGS,
            optional=True,
        )
        for source in sorted(Path("src/likewise/kernels").glob("_*.pyx"))
    ]
)
