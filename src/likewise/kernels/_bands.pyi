# The compiled form of `bands.py`, which documents these functions; a test holds both together.

from typing import Any

from numpy.typing import NDArray

from likewise.kernels.bands import Cursor, Hashes, Numbers, Offsets

def band_keys(signatures: NDArray[Any], bands: int, rows: int) -> Hashes: ...
def group(keys: Hashes) -> tuple[Numbers, Offsets]: ...
def pairs_of_groups(
    members: Numbers, bounds: Offsets, keys: Hashes, band: int, cursor: Cursor, limit: int
) -> tuple[Numbers, Numbers, Cursor | None]: ...
