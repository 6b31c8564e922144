"""A reader on a system that has nothing to confine it with."""

from likewise.reading import worker
from likewise.reading.confinement import REQUIRED, Confinement

if __name__ == "__main__":
    missing = tuple((name, "not on this system") for name in REQUIRED)
    worker.confine = lambda limits: Confinement(("audit",), missing)  # type: ignore[attr-defined]
    worker.main()
