# The compiled form of `relations.py`, which documents these functions; a test holds both together.

from likewise.kernels.relations import Numbers, Partners, Prior, Usual

def fit_stretch(
    words: Numbers,
    ends: Numbers,
    core: tuple[int, int],
    others: Numbers,
    partners: Partners,
    usual: Usual,
    prior: Prior,
    most_loss: int,
) -> tuple[int, int, int]: ...
