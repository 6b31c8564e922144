"""`python -m likewise.cli`."""

import sys

from likewise.cli import main

if __name__ == "__main__":
    sys.exit(main())
