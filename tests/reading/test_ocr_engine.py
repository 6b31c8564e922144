"""Where language data are looked for."""

import numpy as np
import pytest

from likewise.errors import ReadingError
from likewise.reading.image.engine import language_data, missing, recognise, usable


def test_the_environment_names_the_folder_or_the_one_around_it(tmp_path, monkeypatch):
    folder = tmp_path / "tessdata"
    folder.mkdir()
    (folder / "eng.traineddata").write_bytes(b"")
    for asked in (folder, tmp_path):
        monkeypatch.setenv("TESSDATA_PREFIX", str(asked))
        assert language_data() == folder
    monkeypatch.setattr("likewise.reading.image.engine.find_spec", lambda _module: object())
    assert usable() == ("en",)


def test_what_is_missing_comes_with_the_command_that_installs_it(tmp_path, monkeypatch):
    (tmp_path / "eng.traineddata").write_bytes(b"")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    monkeypatch.setattr("likewise.reading.image.engine.find_spec", lambda _module: object())
    assert missing(("en",)) is None
    assert str(missing(("ru", "en"))) == (
        "language data are not installed: apt-get install tesseract-ocr-rus tesseract-ocr-osd"
    )


@pytest.mark.ocr
def test_damaged_language_data_are_named(tmp_path, monkeypatch):
    pytest.importorskip("tesserocr")
    (tmp_path / "eng.traineddata").write_bytes(b"nonsense")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    with pytest.raises(ReadingError, match=r"language data eng in .* are damaged"):
        recognise(np.full((50, 50), 255, np.uint8), ("en",))
