"""What only a whole process shows: help, streams, signals, and errors nobody foresaw."""

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from likewise.cli.shared import progress as bars
from likewise.reading.confinement import Confinement

from .conftest import CARAVAN, EXAMPLES, ROOT, start, write

ESSAYS = EXAMPLES / "essays"
VERBS = ("find", "cross", "compare", "dedup", "doctor")


def test_help_lists_every_verb_with_a_sentence(likewise):
    ran = likewise("--help")
    assert ran.status == 0
    for verb in VERBS:
        assert re.search(rf"{verb} +[A-Z][\w-]+ .*\.", ran.out)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(likewise, verb):
    ran = likewise(verb, "--help")
    assert ran.status == 0
    assert f"likewise {verb}" in ran.out
    assert verb == "doctor" or ran.out.count(f"likewise {verb} ") >= 3, "usage and examples"
    assert likewise(verb, "-h").out == ran.out


def test_without_arguments_there_is_help(likewise):
    ran = likewise()
    assert "Commands" in ran.out
    assert ran.err == ""


def loaded_by(*arguments: object) -> set[str]:
    """The modules in memory after a command."""
    script = (
        "import sys; from likewise.cli import main; main(sys.argv[1:]);"
        "print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    return set(ran.stderr.split())


def test_help_loads_nothing_heavy():
    loaded = loaded_by("find", "--help")
    assert "likewise.cli.find" in loaded
    assert loaded.isdisjoint({"numpy", "pyarrow", "zstandard", "Stemmer"})
    assert loaded.isdisjoint({"likewise.front", "likewise.search", "likewise.corpus"})


def test_json_needs_no_tables():
    loaded = loaded_by("compare", ESSAYS / "ilya-aral.txt", ESSAYS / "vera-aral.txt", "--json")
    assert "numpy" in loaded
    assert "rich.table" not in loaded


def test_the_version_is_told(likewise):
    assert re.fullmatch(r"likewise \S.*\n", likewise("--version").out)


@pytest.mark.parametrize("arguments", [["--help"], ["find", ESSAYS, "-t", "0.2"]])
def test_output_is_utf8_whatever_the_locale(process, arguments):
    plain = {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    ran = process(*arguments, env=plain)
    assert ran.status == 0, ran.err
    assert re.search("[─━]", ran.out)


def test_piped_output_has_no_colours_and_fits_a_page(process):
    ran = process("find", ESSAYS, "-t", "0.2", env={"COLUMNS": "300", "TERM": "xterm-256color"})
    assert "\x1b" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100
    assert ran.err == ""


def test_a_reader_that_leaves_is_no_error(tmp_path):
    for i in range(200):
        write(tmp_path / f"{i}.txt", CARAVAN)
    started = start("find", tmp_path, "--json")
    assert started.stdout.readline().startswith(b'{"type": "pair"')
    started.stdout.close()
    with started.stderr:
        assert started.stderr.read() == b""
    assert started.wait(30) == 141


def test_a_full_disk_behind_standard_output_is_told(process):
    with Path("/dev/full").open("w") as full:
        ran = process("find", ESSAYS, "-t", "0.2", stdout=full)
    assert ran.status == 2
    assert ran.err == "likewise: No space left on device\n"


def test_closed_standard_output_is_no_error(process):
    ran = process("find", ESSAYS, preexec_fn=lambda: os.close(1))
    assert (ran.status, ran.err) == (0, "")


def test_ctrl_c_ends_with_one_line(tmp_path):
    for i in range(300):
        write(tmp_path / f"{i}.txt", CARAVAN)
    # What runs in the background is born deaf to it, and so are its children.
    hearing = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    # 44,850 pairs: it waits for us to read them
    started = start("find", tmp_path, "--json", preexec_fn=hearing)
    assert started.stdout.readline()
    started.send_signal(signal.SIGINT)
    time.sleep(0.2)
    _, err = started.communicate(timeout=30)
    assert started.returncode == 130
    assert err == b"likewise: stopped\n"


def test_an_unforeseen_error_is_one_line_without_its_words(likewise, monkeypatch):
    def fail(*_, **__):
        raise ValueError("the secret text of a document")

    monkeypatch.setattr("likewise.front.pairs.find_in", fail)
    ran = likewise("find", ESSAYS)
    assert (ran.status, ran.out) == (70, "")
    assert re.fullmatch(r"likewise: unexpected ValueError; LIKEWISE_DEBUG=1 .*\n", ran.err)

    monkeypatch.setenv("LIKEWISE_DEBUG", "1")
    ran = likewise("find", ESSAYS)
    assert ran.status == 70
    assert "Traceback" in ran.err


def test_too_little_memory_is_told(likewise, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr("likewise.front.pairs.find_in", fail)
    ran = likewise("find", ESSAYS)
    assert ran.status == 2
    assert "not enough memory" in ran.err


def test_an_unknown_verb_is_one_line(likewise):
    ran = likewise("fnd")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("likewise: No such command 'fnd'")


# Progress.


class Screen:
    """Standard error that takes itself for a terminal."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return True


@pytest.fixture
def screen(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(bars, "PATIENCE_SECONDS", 0)
    return Screen()


def watch(screen, monkeypatch, **options) -> bool:
    """Whether progress is wanted; if so, some is made."""
    monkeypatch.setattr(sys, "stderr", screen)
    with bars.progress(**options) as tell:
        if tell is None:
            return False
        for done in range(1, 6):
            tell("reading", done * 1_000_000, 10_000_000)
            time.sleep(0.1)
        tell("joining", 0, 0)
        time.sleep(0.2)
    return True


def test_long_work_shows_rate_and_time_left(screen, monkeypatch):
    assert watch(screen, monkeypatch, quiet=False, as_json=False)
    assert re.search(r"reading.*\d+ %  \d+\.\d MB/s  0:00 left", screen.text)
    assert "joining" in screen.text


def test_short_work_shows_nothing(screen, monkeypatch):
    monkeypatch.setattr(bars, "PATIENCE_SECONDS", 60)
    assert watch(screen, monkeypatch, quiet=False, as_json=False)
    assert screen.text == ""


def test_quiet_is_quiet(screen, monkeypatch):
    assert not watch(screen, monkeypatch, quiet=True, as_json=False)


def test_nothing_is_shown_where_nobody_looks(screen, monkeypatch):
    monkeypatch.setattr(screen, "isatty", lambda: False)
    assert not watch(screen, monkeypatch, quiet=False, as_json=False)


def test_json_into_a_pipe_is_alone(screen, monkeypatch):
    read, into = os.pipe()
    with os.fdopen(read), os.fdopen(into, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert not watch(screen, monkeypatch, quiet=False, as_json=True)
        assert watch(screen, monkeypatch, quiet=False, as_json=False)


def test_doctor_says_what_there_is(likewise):
    ran = likewise("doctor")
    assert ran.status == 0
    for name in ("Likewise", "Python", "NumPy", "kernels", "Unicode table", "pyarrow", "cores"):
        assert re.search(rf"^{name} +\S+", ran.out, re.MULTILINE)
    (found,) = likewise("doctor", "--json").lines
    assert {"name", "value", "state", "cost"} == set(found["findings"][0])


def test_doctor_says_what_slow_kernels_cost(process):
    ran = process("doctor", env={"LIKEWISE_KERNELS": "numpy"})
    assert re.search(r"kernels +NumPy +slower +some twelve times slower, same answers", ran.out)


def test_doctor_says_what_is_missing(likewise, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = likewise("doctor")
    assert re.search(r"pyarrow +- +missing +Parquet files cannot be read", ran.out)


def test_doctor_says_how_readers_are_confined(likewise, monkeypatch):
    findings = {f["name"]: f for f in likewise("doctor", "--json").lines[0]["findings"]}
    assert (findings["sandbox"]["value"], findings["sandbox"]["state"]) == ("complete", "ok")
    bare = Confinement(("audit",), (("landlock", "the kernel has none"),))
    monkeypatch.setattr("likewise.reading.sandbox.reader_confinement", lambda: bare)
    findings = {f["name"]: f for f in likewise("doctor", "--json").lines[0]["findings"]}
    assert findings["sandbox"]["state"] == "missing"
    assert "landlock: the kernel has none" in findings["sandbox"]["cost"]


def test_doctor_tells_the_truth_where_language_data_are_missing(likewise, monkeypatch, tmp_path):
    monkeypatch.setattr("likewise.reading.image.engine._PLACES", (str(tmp_path),))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    findings = {f["name"]: f for f in likewise("doctor", "--json").lines[0]["findings"]}
    assert findings["OCR"]["state"] == "missing"
    assert "scans and photographs are not read" in findings["OCR"]["cost"]
    assert "apt-get install tesseract-ocr-kaz tesseract-ocr-rus" in findings["OCR"]["cost"]
