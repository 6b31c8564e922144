"""Results for programs: JSON, one object a line.

Numbers are written as they are and letters as letters. Half a surrogate pair, which UTF-8 does
not have, becomes its JSON escape by the error handler that `main` puts on standard output.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.errors import LikewiseError
    from likewise.model import Cluster, Match, Note, Unread
    from likewise.settings import Settings


Record = dict[str, object]  # an object of a line, by its keys


def encode_record(record: Any) -> str:
    """One object as one line, without its end."""
    from likewise.results import encode

    return encode(record, compact=False)


def write_record(record: Any) -> None:
    """One line of output."""
    sys.stdout.write(encode_record(record) + "\n")


def match_record(match: Match) -> Record:
    from likewise.results import match_result

    return match_result(match)


def found_by_record(match: Match) -> Record:
    """By what a pair was found, for who looked by meaning too."""
    share = match.meaning_share
    return {"found_by": "words" if share is None else "meaning", "meaning_share": share}


def passages_record(match: Match) -> Record:
    """Where exactly, for who asked."""
    return {
        "passages": match.passages,
        "fragments": match.fragments,
        "tables": match.tables,
        "pictures": [{"a": ours, "b": theirs} for ours, theirs in match.pictures],
    }


def cluster_record(cluster: Cluster) -> Record:
    return {"type": "cluster", "members": cluster.members, "weakest": cluster.weakest}


def unread_record(unread: Unread) -> Record:
    from likewise.results import by_name, unread_result

    return {"type": "unread"} | by_name(unread_result(unread))


def note_record(name: str, note: Note) -> Record:
    from likewise.results import by_name, note_result

    return {"type": "note"} | by_name(note_result(name, note))


def error_record(error: LikewiseError) -> Record:
    """Why there is no result."""
    fields = error.message.for_programs()
    return {"type": "error", "message": str(error), "about": error.about, **fields}


def settings_record(settings: Settings, concepts: str | None = None) -> Record:
    """What every summary carries, so that a result can be made again.

    Of passages also the lexicon of concepts, which is empty where they were looked for by words.
    """
    from likewise.version import version

    record: Record = {
        "settings": settings.as_dict(),
        "recipe": settings.recipe(),
        "version": version(),
    }
    return record if concepts is None else record | {"concepts": concepts}
