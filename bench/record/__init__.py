"""What every result carries: the machine, the versions, the date and the command."""

from bench.record.files import RESULTS, keep, read_results
from bench.record.machine import machine

__all__ = ["RESULTS", "keep", "machine", "read_results"]
