# The compiled form of `relations.py`, which documents these functions; a test holds both together.

from likewise.kernels.relations import Numbers

def related_mass(
    own: Numbers, others: Numbers, closeness: Numbers, counts: Numbers, size: int
) -> Numbers: ...
def best_stretch(
    words: Numbers,
    evidence: Numbers,
    available: Numbers,
    repeated: int,
    ends: Numbers,
    core: tuple[int, int],
    most_loss: int,
) -> tuple[int, int, int]: ...
