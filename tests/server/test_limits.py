"""What a job may take, and the words in which pages tell of one that takes more."""

from __future__ import annotations

import pytest

from likewise.catalogue import LANGUAGES, Message, Words
from likewise.server.config import Config
from likewise.server.jobs.leases import FELL_SILENT
from likewise.server.run import warn_of_memory
from likewise.server.workers.limits import (
    most_seconds,
    took_too_long,
    took_too_much_memory,
)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (took_too_long(60), "it took longer than 1 minute, the most"),
        (took_too_long(86_400), "it took longer than 1,440 minutes, the most"),
        (took_too_long(1), "it took longer than 1 second, the most"),
        (took_too_long(90), "it took longer than 90 seconds, the most"),
        (took_too_much_memory(4096), "it takes more memory than a job may use (4,096 MB); split"),
        (Message("server.process_ended_twice", {"why": FELL_SILENT}), "the process that did it"),
    ],
)
def test_every_sentence_about_limits_is_told_in_three_languages(
    message: Message, sentence: str
) -> None:
    assert str(message).startswith(sentence)
    told = {Words(language).say(message) for language in LANGUAGES}
    assert len(told) == 3 and message.key not in told


def test_a_class_has_more_time_than_one_check_and_a_rebuild_most() -> None:
    config = Config()
    check, batch, rebuild = (most_seconds(config, kind) for kind in ("check", "batch", "rebuild"))
    assert 0 < check < batch < rebuild


def test_workers_that_may_use_more_memory_than_there_is_are_warned_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    warn_of_memory(Config(job_memory_mb=256), 1)
    assert not caplog.records
    warn_of_memory(Config(job_memory_mb=1 << 20), 64)
    assert [record.message for record in caplog.records] == [
        "workers may use more memory than there is"
    ]
