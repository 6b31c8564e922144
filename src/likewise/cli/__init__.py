"""The command line: one file per verb."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from likewise.errors import LikewiseError

__all__ = ["main"]

BAD_USE = 2
UNEXPECTED = 70  # EX_SOFTWARE in sysexits.h
INTERRUPTED = 130  # what a shell says of a program that Ctrl-C ended
PIPE_CLOSED = 141  # and of one that wrote to a pipe nobody reads any more


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; whatever happens, nobody sees a traceback."""
    _use_utf8()
    # Not `list(…)`: when the verb `list` is loaded, that name is its module here.
    command_line = sys.argv[1:] if arguments is None else [*arguments]
    try:
        status = _run(command_line)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_stdout()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        _abandon_stdout()
        _print_error("stopped")
        return INTERRUPTED
    except OSError as error:
        refusal = _system_error(error)
        with suppress(OSError):  # it may be standard output that failed
            _print_json_error(refusal, command_line)
            sys.stdout.flush()
        _abandon_stdout()
        _print_error(str(refusal))
        return BAD_USE
    return status


def _run(arguments: list[str]) -> int:
    import typer

    from likewise.cli.app import command
    from likewise.errors import LikewiseError

    try:
        with command().make_context("likewise", arguments) as context:
            context.command.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except LikewiseError as error:
        return _refuse(error, arguments)
    except MemoryError:
        return _refuse(LikewiseError("cli.no_memory"), arguments)
    except OSError:
        raise
    except Exception as error:
        if (explain := getattr(error, "format_message", None)) is not None:
            return _usage_error(error, explain(), arguments)
        return _unexpected(error, arguments)
    return 0


def _refuse(error: LikewiseError, arguments: list[str]) -> int:
    """Say why there is no result."""
    _print_json_error(error, arguments)
    _print_error(str(error))
    return BAD_USE


def _print_json_error(error: LikewiseError, arguments: list[str]) -> None:
    """With `--json` an error is a line of the output too, with its code."""
    if "--json" in arguments:
        from likewise.cli.shared import json_lines

        json_lines.write_record(json_lines.error_record(error))


def _usage_error(error: Exception, message: str, arguments: list[str]) -> int:
    """What typer has to say about the arguments."""
    from likewise.errors import BadInput
    from likewise.model import Message

    if not message:  # the help has been printed instead
        return BAD_USE
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "likewise"
    words = Message.verbatim(message.rstrip("."))
    return _refuse(BadInput("cli.usage", words=words, command=command), arguments)


def _system_error(error: OSError) -> LikewiseError:
    from likewise.errors import LikewiseError
    from likewise.model import Message

    words = Message.verbatim(error.strerror or type(error).__name__)
    return LikewiseError("core.system_error", about=error.filename or None, why=words)


def _unexpected(error: Exception, arguments: list[str]) -> int:
    """Only the kind of error is told: its words could quote a document."""
    from likewise.errors import LikewiseError

    refusal = LikewiseError("cli.unexpected", kind=type(error).__name__)
    _print_json_error(refusal, arguments)
    if os.environ.get("LIKEWISE_DEBUG"):
        import traceback

        traceback.print_exception(error)
    else:
        _print_error(str(refusal))
    return UNEXPECTED


def _print_error(message: str) -> None:
    from likewise.cli.shared.printable import printable

    with suppress(OSError):
        print(f"likewise: {printable(message)}", file=sys.stderr, flush=True)


def _use_utf8() -> None:
    """UTF-8 under every locale. Half a surrogate pair is written as JSON would write it."""
    sys.stdout = sys.stdout or _null_stream()  # a closed stream is None
    sys.stderr = sys.stderr or _null_stream()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _null_stream() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123


def _abandon_stdout() -> None:
    """What could not be written is not tried again when Python closes the stream."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
