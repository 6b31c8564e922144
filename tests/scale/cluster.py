"""A real cluster on loopback: a master and workers in processes of their own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

WAIT_SECONDS = 120
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # small jobs end before optimising pays


@dataclass
class Cluster:
    """The address of a master, and its workers."""

    folder: Path
    environment: dict[str, str]
    url: str = ""
    memory: str = "1g"
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start_worker(self) -> None:
        """One more worker with one core; returns when the master knows it."""
        number = len(self.workers)
        place = self.folder / f"worker{number}"
        place.mkdir()
        arguments = ["--cores", "1", "--memory", self.memory, "--host", "127.0.0.1"]
        arguments += ["--webui-port", "0", "--work-dir", str(place), self.url]
        log = self.folder / f"worker{number}.log"
        self.workers.append(
            _start("org.apache.spark.deploy.worker.Worker", arguments, self.environment, log)
        )
        _wait_for(log, "Successfully registered with master")

    def kill_worker(self, number: int) -> None:
        """kill -9 of a worker and of the executors it had started."""
        worker = self.workers[number]
        for process in [*processes_below(worker.pid), worker.pid]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        worker.wait()


@contextmanager
def cluster_on_loopback(folder: Path, workers: int, memory: str = "1g") -> Iterator[Cluster]:
    """A cluster that is gone afterwards, with everything it started."""
    import pyspark

    source = Path(__file__).parents[2] / "src"
    environment = os.environ | {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(source),
    }
    cluster = Cluster(folder, environment, memory=memory)
    log = folder / "master.log"
    arguments = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    master = _start("org.apache.spark.deploy.master.Master", arguments, environment, log)
    try:
        cluster.url = _wait_for(log, r"Starting Spark master at (spark://\S+)")
        for _ in range(workers):
            cluster.start_worker()
        yield cluster
    finally:
        for number in range(len(cluster.workers)):
            cluster.kill_worker(number)
        master.kill()
        master.wait()


def _start(
    program: str, arguments: list[str], environment: dict[str, str], log: Path
) -> subprocess.Popen[bytes]:
    spark_class = Path(environment["SPARK_HOME"], "bin", "spark-class")
    with log.open("wb") as file:
        return subprocess.Popen(
            [str(spark_class), program, *arguments], env=environment, stdout=file, stderr=file
        )


def _wait_for(log: Path, pattern: str) -> str:
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        found = re.search(pattern, log.read_text(errors="replace"))
        if found:
            return found[found.lastindex or 0]
        time.sleep(0.1)
    raise TimeoutError(f"{pattern} is not in:\n{log.read_text(errors='replace')[-2000:]}")


def processes_below(pid: int) -> list[int]:
    """All processes below one, the deepest first, as Linux tells them."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, task.read_text().split()):
                found += [*processes_below(child), child]
    return found
