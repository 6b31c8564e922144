"""A hash of what a picture shows, so that a copied figure is recognised."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

import numpy as np

from likewise.model import Picture, Span

if TYPE_CHECKING:
    from PIL.Image import Image

SMALLEST_SIDE = 24  # pixels; below are bullets, lines and icons
SAME_BITS = 8  # of 64: resized, compressed and recoloured pictures differ in fewer
_SIDE = 32
_LOW_FREQUENCIES = 8
_NOISE = 64 << 28  # so that frequencies that are absent, as in a circle, never count as present
_FLAT = 2.0  # grey levels of deviation; an even surface has no features to hash


def picture_in(data: bytes, at: int, pixels: int, page: int | None = None) -> Picture | None:
    """The picture in some bytes, standing at a place in the text; None where none can be seen.

    Nothing is noted where a drawing format is unknown: the text of the document is not affected.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pictures near Pillow's limit: we have our own
            with Image.open(io.BytesIO(data)) as image:
                width, height = image.size
                if min(width, height) < SMALLEST_SIDE or width * height > pixels:
                    return None
                image.draft("L", (4 * _SIDE, 4 * _SIDE))  # a JPEG is decoded small at once
                hashed = perceptual_hash(image)
    except Exception:  # Pillow's plug-ins raise whatever their format's damage makes them raise
        return None
    return None if hashed is None else Picture(Span(at, at), hashed, width, height, page)


def perceptual_hash(image: Image) -> int | None:
    """63 bits: which of the lowest frequencies of the brightness are above their median.

    The cosine transform of a 32 x 32 thumbnail, in integers so that every machine gives the same
    bits; None for an even surface.
    """
    from PIL import Image as Images

    if image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info:
        image = image.convert("RGBA")
        image = Images.alpha_composite(Images.new("RGBA", image.size, "white"), image)
    thumbnail = image.convert("L").resize((_SIDE, _SIDE), Images.Resampling.BOX)
    grey = np.asarray(thumbnail, dtype=np.int64)
    if grey.std() < _FLAT:
        return None
    low = (_COSINES @ grey @ _COSINES.T).ravel()[1:]  # without the mean brightness
    bits = low > np.sort(low)[len(low) // 2] + _NOISE
    return int("".join("1" if bit else "0" for bit in bits), 2)


# The first rows of the cosine transform: row k is cos(pi k (2 i + 1) / 2 n), times 2**14.
_ANGLES = np.pi / (2 * _SIDE) * np.outer(np.arange(_LOW_FREQUENCIES), 2 * np.arange(_SIDE) + 1)
_COSINES = np.rint(np.cos(_ANGLES) * (1 << 14)).astype(np.int64)
