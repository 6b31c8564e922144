"""The compiled kernels and the report page. Everything else is in pyproject.toml.

Each kernel is optional: where it cannot be compiled, the package installs without it and the NumPy
twin of the kernel gives the same answers more slowly. So is the page: without it every other kind
of report is written, and the one as a page says what to do.
"""

import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py


class BuildWithPage(build_py):
    """Builds the page first, so that it is packed with everything else."""

    def run(self) -> None:
        script = Path(__file__).resolve().parent / "ui" / "build.py"
        if script.is_file():  # a source archive may hold the page already built
            subprocess.run([sys.executable, str(script)])
        super().run()


# No -march=native: a wheel must run on machines older than the one that built it. No fused
# multiply-add either: it rounds once where NumPy rounds twice, and twins agree to the bit.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]

# Handed over as .pyx, because cythonize() forgets that an extension is optional.
setup(
    cmdclass={"build_py": BuildWithPage},
    ext_modules=[
        Extension(
            f"likewise.kernels.{source.stem}",
            [source.as_posix()],
            depends=["src/likewise/kernels/runs.h"],
            extra_compile_args=FLAGS,
            optional=True,
        )
        for source in sorted(Path("src/likewise/kernels").glob("_*.pyx"))
    ],
)
