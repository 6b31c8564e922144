"""A job on a cluster of its own, of which a worker is killed: run by a test, in its own process."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from likewise.settings import Settings
from tests.scale.cluster import QUICK, cluster_on_loopback
from tests.scale.corpora import spark_answer

LSH = Settings(method="lsh", threshold=0.6)


def main(corpus: str, folder: str) -> None:
    """Prints the answer, and whether Spark's event log tells of a lost executor."""
    from likewise import scale

    place = Path(folder)
    for name in ("cluster", "events"):
        (place / name).mkdir()
    with cluster_on_loopback(place / "cluster", workers=2) as cluster:
        options = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": "512m",
            "spark.driver.extraJavaOptions": QUICK,
            "spark.executor.extraJavaOptions": QUICK,
            "spark.sql.shuffle.partitions": "2",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": (place / "events").as_uri(),
            "spark.executorEnv.PYTHONPATH": cluster.environment["PYTHONPATH"],
        }
        spark = scale.session(cluster.url, options)
        killed = threading.Event()

        def kill(stage: str, _done: int, _total: int) -> None:
            if stage == "buckets":
                threading.Timer(0.3, lambda: (cluster.kill_worker(0), killed.set())).start()

        result = scale.dedup(
            spark,
            corpus,
            LSH,
            work=str(place / "work"),
            keep="longest",
            sample=0,
            progress=kill,
        )
        killed.wait(60)
        answer = spark_answer(result)
        spark.stop()
    told = "".join(
        path.read_text() for path in place.joinpath("events").rglob("*") if path.is_file()
    )
    print(json.dumps({"answer": answer, "lost": "SparkListenerExecutorRemoved" in told}))


if __name__ == "__main__":
    main(*sys.argv[1:])
