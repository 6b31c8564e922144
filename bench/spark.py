"""The engine on Spark beside the local one: `./dev bench spark`."""

from __future__ import annotations

import sys

from bench.speed.spark import main

if __name__ == "__main__":
    sys.exit(main())
