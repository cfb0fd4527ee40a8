"""Where commands write data, and in which format: -o FILE and --format."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sightline.model.errors import BadArgumentError, NoSuchPathError, UserError
from sightline.query.export import new_file


def format_of(arguments: argparse.Namespace, formats: Sequence[str]) -> str:
    """What --format says, or the ending of the file's name; the first one where nothing does."""
    if arguments.format is not None:
        return str(arguments.format)
    ending = Path(arguments.output).suffix.removeprefix(".").lower() or formats[0]
    if ending not in formats:
        raise BadArgumentError(
            f"No format is called {ending!r}: say --format {', '.join(formats[:-1])} or {formats[-1]}, "
            f"or end the name in one of them: {arguments.output}"
        )
    return ending


def target_of(arguments: argparse.Namespace, format: str) -> Path | None:
    """The file to write; None: standard output. Raises UserError for everything that can be known to be wrong
    before the log is read."""
    if arguments.output == "-":
        if format == "parquet":
            raise BadArgumentError("Parquet is not for a terminal or a pipe: name a file with -o FILE")
        return None
    target = Path(arguments.output)
    if target.is_dir():
        raise BadArgumentError(f"-o names a file, and this is a directory: {target}")
    if not target.parent.is_dir():
        raise NoSuchPathError(str(target.parent), "The directory for the output does not exist")
    return target


@contextmanager
def opened_output(target: Path | None, format: str) -> Iterator[IO[Any]]:
    """Takes bytes for Parquet, text otherwise. A file appears when all of it is written, or not at all."""
    try:
        if target is not None:
            with new_file(target, is_text=format != "parquet") as out:
                yield out
            return
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="")  # data, whatever the locale of the terminal
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"Cannot write ({error.strerror or error}): {name_of(target)}") from error


def name_of(target: Path | None) -> str:
    return "standard output" if target is None else str(target)
