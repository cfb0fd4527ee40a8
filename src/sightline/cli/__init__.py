"""The command line: arguments to function calls, errors to one clear line and an exit code.

    0  done                          2    a wrong argument, or a path that does not exist
    1  no event file was found       130  stopped with Ctrl+C

Each sub-command is one module; it is imported when it is called, so that ``--help`` is quick.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from sightline.cli.arguments import parse_arguments
from sightline.model.errors import SightlineError

EXIT_NOTHING_FOUND = 1
EXIT_USER_ERROR = 2
EXIT_INTERRUPTED = 128 + 2
EXIT_BROKEN_PIPE = 128 + 13


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names in logs are any Unicode, terminals and locales are not: show escapes rather than fail.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = parse_arguments(argv)
        code: int = arguments.command(arguments)
        sys.stdout.flush()
        return code
    except SightlineError as error:
        print(f"sightline: {error}", file=sys.stderr)
        return EXIT_USER_ERROR
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain about it at exit: give it a sink.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
