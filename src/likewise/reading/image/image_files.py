"""The pixels of a picture's pages, whatever its file stores them as."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageFile, ImageOps

from likewise.errors import ReadingError
from likewise.model import Message

Array = np.ndarray[Any, np.dtype[Any]]

# Pillow opens dozens of formats, some by other programs; these are the ones that people send.
_FORMATS = ("BMP", "GIF", "JPEG", "PNG", "TIFF", "WEBP")
_MOVING = ("GIF", "PNG", "WEBP")  # their frames are one picture that moves
_LONGEST_SIDE = 8_000  # pixels; an A3 sheet at 500 dpi


@dataclass(frozen=True, slots=True)
class PagePicture:
    """One page: its pixels (RGB, or grey), or why there are none."""

    pixels: Array | None
    is_cut_off: bool = False


@dataclass(frozen=True, slots=True)
class PagePictures:
    """A picture file that was opened; `is_moving` where only its first frame is a page.

    Of `frames` that the file holds, `pages` are read.
    """

    image: Image.Image
    frames: int
    pages: int
    is_moving: bool
    pixels: int

    def __iter__(self) -> Iterator[PagePicture]:
        for number in range(self.pages):
            yield self._page(number)

    def _page(self, number: int) -> PagePicture:
        try:
            with _quietly():
                self.image.seek(number)
                if self.image.width * self.image.height > self.pixels:
                    return PagePicture(None)
                try:
                    self.image.load()
                    is_cut_off = False
                except OSError:
                    self._load_what_is_there(number)
                    is_cut_off = True
                return PagePicture(_as_pixels(self.image), is_cut_off)
        except MemoryError:
            raise
        except Exception:  # Pillow's plug-ins raise whatever their format's damage makes them raise
            return PagePicture(None, is_cut_off=True)

    def _load_what_is_there(self, number: int) -> None:
        ImageFile.LOAD_TRUNCATED_IMAGES = True
        try:
            self.image.seek(number)
            self.image.load()
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = False


def open_pictures(data: bytes, pixels: int, pages: int) -> PagePictures:
    """The pages of a picture file, of so many pixels and so many pages at most."""
    with _quietly():
        try:
            image = Image.open(io.BytesIO(data), formats=_FORMATS)
            is_moving = image.format in _MOVING and getattr(image, "is_animated", False)
            frames = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
        except Image.DecompressionBombError as error:
            raise ReadingError(_too_large(pixels)) from error
        except MemoryError:
            raise
        except Exception as error:  # as above
            raise ReadingError("reading.picture_damaged") from error
    if frames == 1 and image.width * image.height > pixels:
        raise ReadingError(
            "reading.too_many_pixels",
            width=image.width,
            height=image.height,
            why=_too_large(pixels),
        )
    return PagePictures(image, frames, min(frames, pages), is_moving, pixels)


def _too_large(pixels: int) -> Message:
    return Message("reading.picture_too_large", {"most": round(pixels / 1e6)})


@contextmanager
def _quietly() -> Iterator[None]:
    """Without Pillow's warnings: what is wrong with a picture is seen from what it shows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _as_pixels(image: Image.Image) -> Array:
    """The picture the right way up, in 8 bits, on white, not larger than is of use."""
    if image.mode in {"I", "F"} or image.mode.startswith("I;16"):
        image = _in_eight_bits(image)
    try:
        image = ImageOps.exif_transpose(image)
    except Exception:  # nonsense where cameras write how they were held; the pixels are fine
        image = image.copy()
    if image.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in image.info:
        image = _on_paper(image.convert("RGBA"))
    elif image.mode == "1":
        image = image.convert("L")
    elif image.mode not in {"L", "RGB"}:
        image = image.convert("RGB")
    longest = max(image.size)
    if longest > _LONGEST_SIDE:
        size = [max(1, round(side * _LONGEST_SIDE / longest)) for side in image.size]
        image = image.resize((size[0], size[1]), Image.Resampling.BOX)
    return np.asarray(image)


def _in_eight_bits(image: Image.Image) -> Image.Image:
    values = np.asarray(image, np.float32)
    lowest, highest = np.percentile(np.nan_to_num(values[::4, ::4]), (0.1, 99.9))
    stretched = (np.nan_to_num(values) - lowest) * (255 / max(highest - lowest, 1e-6))
    orientation = image.getexif()
    grey = Image.fromarray(np.clip(stretched, 0, 255).astype(np.uint8))
    grey.info["exif"] = orientation.tobytes()
    return grey


def _on_paper(image: Image.Image) -> Image.Image:
    """The picture on white; on black if it would be white on white."""
    small = np.asarray(image.resize((64, 64), Image.Resampling.BOX), np.float32)
    cover = small[..., 3]
    brightness = float((small[..., :3].mean(axis=2) * cover).sum() / max(float(cover.sum()), 1))
    is_light = brightness > 200 and float(cover.mean()) < 128
    paper = Image.new("RGBA", image.size, "black" if is_light else "white")
    return Image.alpha_composite(paper, image).convert("RGB")
