"""A session of Spark, and a plain word when there can be none.

A cluster that gives no machine lets Spark wait for ever, and somebody must say so.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import BadInput
from likewise.model import Message
from likewise.scale.errors import reason_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


LEAST_JAVA = 17
PATIENCE_SECONDS = 10
REMINDER_SECONDS = 60
_INSTALL = "pip install 'likewise[spark]'"

# Spark moves few large rows here, and the work on them is done elsewhere: optimising the JVM's
# own code, compiling a program for each query and planning it anew between its steps cost more
# than they save (measured: more than half of all CPU seconds).
_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
OPTIONS = {
    # texts are long, and what is made of a batch must fit into memory
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    "spark.python.daemon.module": "likewise.scale.daemon",  # tasks that begin four times as fast
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.extraJavaOptions": _JVM,
    "spark.executor.extraJavaOptions": _JVM,
    "spark.ui.showConsoleProgress": "false",
}


def session(
    master: str | None = None,
    options: Mapping[str, str] | None = None,
    log: str | Path | None = None,
) -> SparkSession:
    """The running session, or a new one; `master` as in Spark, by default what its files say.

    What Spark itself has to say goes to the file `log`, if there is one, else to standard error.
    """
    ensure_spark()
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        at = str(running.sparkContext.master)
        if master not in (None, at):
            ensure_reachable(master)
            raise BadInput("scale.other_session", at=at, master=str(master))
        return running
    if os.environ.get("SPARK_REMOTE") or (master or "").startswith("sc://"):
        raise BadInput("scale.connect")
    ensure_java()  # the driver is a Java program, wherever the others are
    ensure_reachable(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("likewise")
    if master is not None:
        builder = builder.master(master)
    try:
        with _redirect_stderr(log):
            for name, value in _session_options(master, options or {}).items():
                builder = builder.config(name, value)
            spark = builder.getOrCreate()
            _cut_for_one_machine(spark)
    except Exception as error:
        where = Message("scale.by_settings")
        if master:
            where = Message("scale.at_master", {"master": master})
        why = reason_of(error)
        if log:
            raise BadInput("scale.not_started_log", where=where, why=why, log=str(log)) from error
        raise BadInput("scale.not_started", where=where, why=why) from error
    return spark


def _session_options(master: str | None, options: Mapping[str, str]) -> dict[str, str]:
    """Ours where nobody says otherwise: neither the options nor Spark's own files or `submit`."""
    from pyspark import SparkConf, SparkContext

    first = SparkConf(loadDefaults=False)  # what the JVM itself begins with
    java = "spark.driver.extraJavaOptions"
    for name, value in {java: OPTIONS[java], **options}.items():
        first.set(name, value)
    if master is not None:  # YARN and Kubernetes are prepared for where the JVM is started
        first.setMaster(master)
    SparkContext._ensure_initialized(conf=first)
    configured = SparkConf()
    ours = {name: value for name, value in OPTIONS.items() if not configured.contains(name)}
    return {**ours, **options}


def _cut_for_one_machine(spark: SparkSession) -> None:
    """Spark cuts every shuffle into 200 tasks; on one machine each costs more than it brings."""
    context, name = spark.sparkContext, "spark.sql.shuffle.partitions"
    if str(context.master).startswith("local") and not context.getConf().contains(name):
        spark.conf.set(name, str(2 * context.defaultParallelism))


def is_running() -> bool:
    """Whether this process has a session already."""
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() is not None


@contextmanager
def _redirect_stderr(log: str | Path | None) -> Iterator[None]:
    """Programs started here write their complaints into the log."""
    if log is None:
        yield
        return
    sys.stderr.flush()
    stderr_copy = os.dup(2)
    try:
        with Path(log).open("ab") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(stderr_copy, 2)
        os.close(stderr_copy)


def ensure_classic(spark: SparkSession) -> None:
    """Raises `BadInput` for a session of Spark Connect: it has no way to the filesystem."""
    ensure_spark()
    from pyspark.sql import SparkSession as Classic  # that of Spark Connect is another class

    if not isinstance(spark, Classic):
        raise BadInput("scale.connect")


def ensure_reachable(master: str | None) -> None:
    """Raises `BadInput` if nobody answers where a standalone master should be.

    Spark itself would try for a minute, and then fail in the middle of something else.
    """
    if master is None or not master.startswith("spark://"):
        return
    refused = Message.verbatim("")
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise BadInput("scale.master_form", about=f"--master {master}")
        try:
            socket.create_connection((host.strip("[]"), int(port)), PATIENCE_SECONDS).close()
            return
        except OSError as error:
            refused = Message.verbatim(error.strerror or str(error))
    raise BadInput("scale.master_silent", about=f"--master {master}", why=refused)


def ensure_spark() -> None:
    """Raises `BadInput` where PySpark is not installed."""
    try:
        import pandas  # type: ignore[import-untyped]  # noqa: F401 Spark's Arrow functions ask for it
        import pyspark  # noqa: F401
    except ImportError as error:
        raise BadInput(
            "scale.package_missing", package=str(error.name), command=_INSTALL
        ) from error


def ensure_java() -> None:
    """Raises `BadInput` where there is no Java for Spark, or too old a one."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java")
    how = Message("scale.install_java", {"command": "apt install openjdk-17-jre-headless"})
    if program is None:
        raise BadInput("scale.no_java", how=how)
    try:
        reply = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        why = Message.verbatim(str(error))
        if home:
            raise BadInput("scale.java_home", home=home, why=why, how=how) from error
        raise BadInput("scale.java_program", program=program, why=why, how=how) from error
    version = java_version(reply.stderr + reply.stdout)
    if version is None:
        raise BadInput("scale.java_unknown", program=program, how=how)
    if version < LEAST_JAVA:
        raise BadInput(
            "scale.java_old", program=program, version=version, least=LEAST_JAVA, how=how
        )


def java_version(output: str) -> int | None:
    """The number of a Java, from what `java -version` says.

    >>> java_version('openjdk version "17.0.21" 2026'), java_version('java version "1.8.0_392"')
    (17, 8)
    """
    match = re.search(r'version "(?:1\.)?(\d+)', output)
    return int(match[1]) if match else None


@contextmanager
def warn_without_executors(spark: SparkSession, warn: Callable[[str], None]) -> Iterator[None]:
    """Tells, now and then, that no executor is there; where all is one machine, nothing."""
    master = str(spark.sparkContext.master)
    if master.startswith("local"):
        yield
        return
    ended = threading.Event()

    def watch() -> None:
        seconds = PATIENCE_SECONDS
        while not ended.wait(seconds):
            seconds = REMINDER_SECONDS
            try:
                waiting = _executors(spark) == 0
            except Exception:  # the session is being stopped, and there is nothing to tell
                return
            if waiting and not ended.is_set():
                warn(
                    f"waiting: {master} has given no executor; are workers running, with the "
                    "memory and the cores that this job asks for?"
                )

    threading.Thread(target=watch, name="likewise-waiting", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _executors(spark: SparkSession) -> int:
    """How many executors have joined; the driver counts itself among them."""
    context: Any = spark.sparkContext._jsc
    return int(context.sc().getExecutorMemoryStatus().size()) - 1
