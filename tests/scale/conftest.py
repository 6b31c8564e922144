"""One session of Spark for all tests of this folder."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import likewise, process
from tests.scale.cluster import QUICK
from tests.scale.corpora import planted, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


__all__ = ["likewise", "process"]  # the command line, as its own tests run it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """PySpark leaves its own sockets to the garbage collector."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"))
            item.add_marker(
                pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
            )


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session in this process, with little of everything; what a cluster does is in killed.py."""
    from likewise.scale import session

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    made = session(
        "local[2]",
        {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.extraJavaOptions": QUICK,
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        },
    )
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()
    gc.collect()  # sockets are let go here, where a warning about them is expected


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three hundred documents in two files of JSON Lines."""
    return written(tmp_path_factory.mktemp("corpus") / "new", planted(300))


@pytest.fixture(scope="session")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A third of them under other ids."""
    records = [record | {"id": f"old-{record['id']}"} for record in planted(300)[::3]]
    return written(tmp_path_factory.mktemp("corpus") / "old", records, parts=1)
