"""A store that speaks S3, as a process of its own: moto's server."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

BUCKET = "campus"


class S3Server:
    """moto's server, which may be stopped and started again on its port."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.place = f"s3://{BUCKET}/files?endpoint={self.endpoint}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Empty, but for the bucket."""
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.1)
        self.client.create_bucket(Bucket=BUCKET)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It takes no connections for a while; what it holds stays."""
        import signal

        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @property
    def client(self) -> Any:
        """Somebody who looks into it past Likewise."""
        import boto3

        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def objects(self) -> dict[str, bytes]:
        """Everything in the bucket."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
        keys = [one["Key"] for page in pages for one in page.get("Contents", ())]
        return {key: self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in keys}

    def clear(self) -> None:
        for key in self.objects():
            self.client.delete_object(Bucket=BUCKET, Key=key)
