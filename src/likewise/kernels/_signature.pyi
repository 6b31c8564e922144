# The compiled form of `signature.py`, which documents these functions; a test holds both together.

from typing import Any

from numpy.typing import NDArray

from likewise.kernels.signature import Hashes, Offsets

def signatures(
    sets: Hashes,
    offsets: Offsets,
    documents: Offsets,
    odd: Hashes,
    slots: int,
    bits: int,
    classic: bool,
) -> NDArray[Any]: ...
