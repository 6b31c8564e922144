"""What is read of a file changes only together with the version that the cache looks at.

    python tests/reading/test_golden.py

prints the digest anew, after `READER_VERSION` was raised.
"""

import hashlib
from pathlib import Path

from likewise.reading.cache import READER_VERSION
from likewise.reading.formats import read_as, sniff
from likewise.reading.request import Request
from likewise.reading.serialization import pack

FILES = Path(__file__).parent.parent / "files"
FOLDERS = ("essays", "docx", "odt", "doc", "rtf", "sheet", "html", "text", "pdf", "misnamed")
SEEN = (6, "f4df62336a945431f632e1bb")


def digest() -> str:
    """Of everything that is read of the small documents, pictures aside."""
    made = hashlib.blake2b(digest_size=12)
    for path in sorted(path for folder in FOLDERS for path in (FILES / folder).rglob("*.*")):
        try:
            data = path.read_bytes()
            form = sniff(data, path.name)
            if form == "archive" or form == "image":
                continue
            packed = pack(read_as(form, data, Request(path.name, ocr=())))
        except Exception as error:
            packed = type(error).__name__.encode()
        made.update(path.relative_to(FILES).as_posix().encode() + b"\0" + packed)
    return made.hexdigest()


def test_files_are_read_as_this_version_reads_them() -> None:
    assert (READER_VERSION, digest()) == SEEN, "raise READER_VERSION, then see above"


if __name__ == "__main__":
    print(READER_VERSION, digest())
