"""What a job may take, and the words in which pages tell of one that takes more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from likewise.server.config import Config
from likewise.server.jobs.leases import FELL_SILENT
from likewise.server.jobs.limits import (
    most_seconds,
    took_too_long,
    took_too_much_memory,
    without_file,
)
from likewise.server.run import warn_of_memory

WORDS = Path(__file__).parents[2] / "ui" / "src" / "app" / "words" / "refused"
ENGLISH = json.loads((WORDS / "en.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("key", "form", "number", "sentence"),
    [
        ("job_minutes", "one", "1", took_too_long(60)),
        ("job_minutes", "other", "1,440", took_too_long(86_400)),
        ("job_seconds", "one", "1", took_too_long(1)),
        ("job_seconds", "other", "90", took_too_long(90)),
        ("job_memory", "", "4,096", took_too_much_memory(4096)),
        ("job_silent", "", "", f"the process that did it ended twice: {FELL_SILENT}"),
    ],
)
def test_pages_know_every_sentence_about_limits(
    key: str, form: str, number: str, sentence: str
) -> None:
    known = ENGLISH[f"refused.{key}"]
    assert (known[form] if form else known).replace("{n}", number) == sentence
    for language in ("ru", "kk"):
        assert f"refused.{key}" in json.loads((WORDS / f"{language}.json").read_text("utf-8"))


def test_a_class_has_more_time_than_one_check_and_a_rebuild_most() -> None:
    config = Config()
    check, batch, rebuild = (most_seconds(config, kind) for kind in ("check", "batch", "rebuild"))
    assert 0 < check < batch < rebuild


def test_of_memory_others_read_the_sentence_without_the_name_of_the_file() -> None:
    assert without_file(took_too_much_memory(512, "confession.pdf")) == took_too_much_memory(512)
    forged = "it takes more memory than a job may use (1 MB); confession.pdf: the file is empty"
    assert without_file(forged) is None


def test_workers_that_may_use_more_memory_than_there_is_are_warned_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    warn_of_memory(Config(job_memory_mb=256), 1)
    assert not caplog.records
    warn_of_memory(Config(job_memory_mb=1 << 20), 64)
    assert [record.message for record in caplog.records] == [
        "workers may use more memory than there is"
    ]
