"""How alike two signatures are: an estimate of Jaccard (paper 003, 3.2)."""

from likewise.measure.profile import ProfilePair
from likewise.measure.registry import Measure, register
from likewise.sketch import estimate


def signature_similarity(pair: ProfilePair) -> float:
    """The share of slots that agree, corrected for chance; nothing resembles an empty text."""
    if not pair.size_a or not pair.size_b:
        return 0.0
    return estimate(pair.a.signature, pair.b.signature, pair.settings.bits)


register(
    Measure(
        "signature",
        signature_similarity,
        place=50,
        agrees_as="signature",
        description="MinHash",
        is_always_there=True,
    )
)
