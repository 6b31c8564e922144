"""How many files and connections the system lets this process hold open."""

from __future__ import annotations

from likewise.server.logs import log

RESERVED = 200  # for the database, temporary files, workers and what the system needs
_PER_CONNECTION = 2  # its socket, and the temporary file of what it uploads


def connections_within_file_limit(wanted: int) -> int:
    """As many connections as descriptors allow; the soft limit is raised as far as they need."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = descriptors_for(wanted)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    raised = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if raised > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        except (OSError, ValueError):  # refused, whatever the hard limit says
            raised = soft
    raised = max(raised, soft)
    fit = connections_for(raised)
    if fit >= wanted:
        return wanted
    log("warning", "the file limit allows fewer connections", files=raised, connections=fit)
    return fit


def descriptors_for(connections: int) -> int:
    """
    >>> descriptors_for(1000)
    2200
    """
    return RESERVED + _PER_CONNECTION * connections


def connections_for(descriptors: int) -> int:
    """What is left for connections; a few in any case.

    >>> connections_for(2200), connections_for(1024), connections_for(64)
    (1000, 412, 10)
    """
    return max(10, (descriptors - RESERVED) // _PER_CONNECTION)
