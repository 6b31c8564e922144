"""Scans and photographs of pages to a draft, by recognition of their text."""

from likewise.reading.image.reader import OCR_MISSING, read_image

__all__ = ["OCR_MISSING", "read_image"]
