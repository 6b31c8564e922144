"""The face of the kernels: one name, one of two forms."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from likewise import kernels
from likewise.kernels import _bands, _join, _shingles, _signature, _tokens

COMPILED = (_bands, _join, _shingles, _signature, _tokens)


def engine(chosen: str) -> str:
    asking = subprocess.run(
        [sys.executable, "-c", "from likewise import kernels; print(kernels.ENGINE)"],
        env=os.environ | {"LIKEWISE_KERNELS": chosen},
        capture_output=True,
        text=True,
        check=True,
    )
    return asking.stdout.strip()


def test_the_compiled_form_is_used_where_it_was_built() -> None:
    assert engine("") == "compiled"


def test_the_environment_can_choose_the_readable_form() -> None:
    assert engine("numpy") == "numpy"


@pytest.mark.parametrize("name", [name for name in kernels.__all__ if name != "ENGINE"])
def test_every_kernel_has_both_forms(name: str) -> None:
    [compiled] = [module for module in COMPILED if hasattr(module, name)]
    readable = sys.modules[compiled.__name__.replace("._", ".")]
    assert callable(getattr(readable, name))
    chosen = compiled if kernels.ENGINE == "compiled" else readable
    assert getattr(kernels, name) is getattr(chosen, name)
