# The compiled form of `packing.py`, which documents these functions; a test holds both together.

from likewise.kernels.packing import Bytes, Counts, Hashes, Numbers

def pack_gaps(hashes: Hashes) -> bytes: ...
def unpack_gaps(data: bytes) -> Hashes: ...
def find_ranges(
    hashes: Hashes,
    lower: Bytes,
    buckets: Bytes,
    ended: Counts,
    bucket_bits: int,
    number_bits: int,
) -> tuple[Numbers, Numbers]: ...
def read_bits(data: Bytes, places: Numbers, width: int) -> Hashes: ...
