"""The face of the kernels: one name, one of two forms."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from likewise import kernels
from likewise.kernels import (
    _bands,
    _blocks,
    _join,
    _packing,
    _relations,
    _shingles,
    _signature,
    _tokens,
)

COMPILED = (_bands, _blocks, _join, _packing, _relations, _shingles, _signature, _tokens)


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


def signatures_in(path: Path) -> dict[str, str]:
    """The public functions of a file or a stub: parameters and result as they are written."""
    return {
        node.name: f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.returns and not node.name.startswith("_")
    }


@pytest.mark.parametrize("compiled", COMPILED, ids=lambda module: module.__name__)
def test_a_stub_has_the_types_of_the_readable_form(compiled: ModuleType) -> None:
    folder, name = Path(kernels.__file__).parent, compiled.__name__.rpartition(".")[2]
    source = (folder / f"{name}.pyx").read_text("utf-8")
    stub, readable = folder / f"{name}.pyi", folder / f"{name.removeprefix('_')}.py"
    typed, twins = signatures_in(stub), signatures_in(readable)
    assert list(typed) == re.findall(r"^def (\w+)\(", source, re.M)
    assert typed == {function: twins[function] for function in typed}
    for function in typed:
        here = inspect.signature(getattr(compiled, function))
        there = inspect.signature(
            getattr(sys.modules[f"likewise.kernels.{readable.stem}"], function)
        )
        assert list(here.parameters) == list(there.parameters)
    # What the annotations name is the readable form's own.
    tree = ast.parse(stub.read_text("utf-8"))
    origins = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert origins <= {
        "collections.abc",
        "typing",
        "numpy.typing",
        f"likewise.kernels.{readable.stem}",
    }
