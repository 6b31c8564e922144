"""Measures of two sets from three whole numbers: the elements shared, and those of each."""


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
