"""The command line: arguments to function calls, errors to one clear line and an exit code.

    0  done                          2    a wrong argument or path, or output that cannot be written
    1  no event file was found       130  stopped with Ctrl+C (141: whoever read the output has gone)

Each sub-command is one module; it is imported when it is called, so that ``--help`` is quick.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence

from sightline.cli.arguments import parse_arguments
from sightline.model.errors import SightlineError

EXIT_USER_ERROR = 2
EXIT_INTERRUPTED = 128 + 2
EXIT_BROKEN_PIPE = 128 + 13


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    if sys.stdout is None:  # the shell's >&- leaves a program without
        print("sightline: Standard output is closed", file=sys.stderr)
        return EXIT_USER_ERROR
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names in logs are any Unicode, terminals and locales are not: show escapes rather than fail.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return _run(argv)
    except SightlineError as error:
        print(f"sightline: {error}", file=sys.stderr)
        _discard_output()
        return getattr(error, "exit_code", EXIT_USER_ERROR)
    except BrokenPipeError:  # the reader (head, less) has seen enough
        _discard_output()
        return EXIT_BROKEN_PIPE
    except OSError as error:
        if error.filename is not None:  # our own streams have no name; this is about something else
            raise
        print(f"sightline: Cannot write to standard output ({error.strerror or error})", file=sys.stderr)
        _discard_output()
        return EXIT_USER_ERROR
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = parse_arguments(argv)
    except SystemExit:  # --help and --version
        sys.stdout.flush()
        raise
    module, _, function = arguments.command.partition(".")
    code: int = getattr(importlib.import_module(f"{__name__}.{module}"), function)(arguments)
    sys.stdout.flush()
    return code


def _discard_output() -> None:
    """Python would complain at exit about output that cannot be written: give that a sink."""
    try:
        sys.stdout.flush()
    except OSError:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
