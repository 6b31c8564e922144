"""Measures of two sets from three whole numbers: the elements shared, and those of each."""

from likewise.measure.registry import Measure, register


def jaccard(shared: int, a: int, b: int) -> float:
    """The share of the union that both hold; nothing resembles an empty set.

    >>> jaccard(10, 16, 16)
    0.45454545454545453
    """
    return shared / (a + b - shared) if shared else 0.0


def dice(shared: int, a: int, b: int) -> float:
    """Twice the shared over the sum. What paper 003 calls Jaccard in its worked examples is this.

    >>> dice(10, 16, 16), round(dice(4, 6, 6), 4)
    (0.625, 0.6667)
    """
    return 2 * shared / (a + b) if shared else 0.0


def containment(shared: int, a: int) -> float:
    """The share of one that stands in the other.

    >>> containment(3, 4)
    0.75
    """
    return shared / a if shared else 0.0


register(
    Measure(
        "jaccard",
        lambda pair: jaccard(pair.shared, pair.size_a, pair.size_b),
        place=10,
        agrees_as="shingles",
        row=30,
        description="of the shingles; `shingles` in the interval",
        is_always_there=True,
    )
)
register(
    Measure(
        "containment_a",
        lambda pair: containment(pair.shared, pair.size_a),
        place=20,
        row=10,
        description="of the checked document's shingles",
        is_always_there=True,
    )
)
register(
    Measure(
        "containment_b",
        lambda pair: containment(pair.shared, pair.size_b),
        place=30,
        row=20,
        description="of the source's shingles",
        is_always_there=True,
    )
)
register(
    Measure(
        "dice",
        lambda pair: dice(pair.shared, pair.size_a, pair.size_b),
        place=40,
        row=40,
        is_always_there=True,
    )
)
