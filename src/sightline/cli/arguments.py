"""Every flag of the command line, with its help; docs/cli.md is checked against this module."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

PATH_HELP = (
    "log directory or event file; also name:path, comma lists of those (as TensorBoard's --logdir_spec), "
    "globs, and URLs like s3://bucket/runs"
)


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The arguments; ``command`` in them is the function to call. Exits with 2, after a line, on nonsense."""
    parser = make_parser()
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        # Told by the parser of the command, whose help says what it does know.
        arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if arguments.command is None:
        parser.error("a command is missing: inspect, export or cache")
    return arguments


def package_version() -> str:
    # Our parent is loaded already. Importing names from it here would turn the layers around.
    return str(sys.modules["sightline"].__version__)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as all our errors do."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"sightline: {message}  (see {self.prog} --help)\n")


def make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="sightline",
        description="Read TensorBoard log directories: every point, every kind, damage reported.",
        epilog="Start with: sightline inspect runs/",
    )
    parser.add_argument("--version", action="version", version=f"sightline {package_version()}")
    parser.set_defaults(command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_inspect(commands)
    _add_export(commands)
    _add_cache(commands)
    return parser


_Commands = argparse._SubParsersAction  # the type has no public name


def _add_inspect(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser(
        "inspect",
        help="show what is in a log: runs, tags, points, steps, times, sizes, damage",
        description="Show runs, tags, kinds, points, first and last step, wall time, size and damage.",
        epilog="Exit code: 0 done, 1 nothing to read, 2 wrong path or argument, or output not writable.",
    )
    _add_selection(parser)
    rows = parser.add_mutually_exclusive_group()
    rows.add_argument("--tags", action="store_true", help="one row per series, however many there are")
    rows.add_argument(
        "--runs", action="store_true", help="one row per run (the default for more than 10 runs)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document (see docs/cli.md)")
    parser.add_argument("--watch", action="store_true", help="stay, and show changes until Ctrl+C")
    parser.set_defaults(command=_inspect, parser=parser)


def _add_export(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser(
        "export",
        help="write scalar points as CSV, JSON Lines or Parquet",
        description="Write scalar points, one row each: run, tag, step, wall_time, value.",
        epilog="Parquet needs an extra: pip install 'sightline[parquet]'",
    )
    _add_selection(parser)
    parser.add_argument(
        "--format",
        choices=["csv", "jsonl", "parquet"],
        help="default: what the name given with -o ends in, else csv",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="-", help="default: standard output (not for parquet)"
    )
    parser.add_argument(
        "--superseded",
        action="store_true",
        help="also points that a restarted job wrote again, everything in write order",
    )
    parser.set_defaults(command=_export, parser=parser)


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """What commands that read a log have in common."""
    parser.add_argument("paths", metavar="PATH", nargs="+", help=PATH_HELP)
    parser.add_argument("--tag", metavar="RE", help="only tags in which this regular expression is found")
    parser.add_argument(
        "--run", metavar="RE", help="only runs in whose name this regular expression is found"
    )
    parser.add_argument(
        "--include", metavar="GLOB", action="append", default=[], help="read only runs that match; repeatable"
    )
    parser.add_argument(
        "--exclude",
        metavar="GLOB",
        action="append",
        default=[],
        help="do not read runs that match; repeatable",
    )
    parser.add_argument("--no-cache", action="store_true", help="neither use nor write the cache")


def _add_cache(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser(
        "cache",
        help="show or clear what was kept from earlier reading",
        description="The cache makes the second start quick. Removing it costs time, never data.",
        epilog="SIGHTLINE_CACHE_DIR moves it, SIGHTLINE_CACHE_LIMIT (like 2G) bounds it.",
    )
    parser.set_defaults(command=lambda _: parser.error("say what to do: info or clear"), parser=parser)
    actions = parser.add_subparsers(title="actions", metavar="ACTION")
    info = actions.add_parser("info", help="show where it is, how big, and what is in it")
    info.set_defaults(command=_cache_info, parser=info)
    clear = actions.add_parser("clear", help="remove everything in it")
    clear.set_defaults(command=_cache_clear, parser=clear)
    for action in (info, clear):
        action.add_argument("--json", action="store_true", help="print one JSON document (see docs/cli.md)")


def _inspect(arguments: argparse.Namespace) -> int:
    from sightline.cli.inspect import inspect

    return inspect(arguments)


def _export(arguments: argparse.Namespace) -> int:
    from sightline.cli.export import export

    return export(arguments)


def _cache_info(arguments: argparse.Namespace) -> int:
    from sightline.cli.cache import show_info

    return show_info(arguments)


def _cache_clear(arguments: argparse.Namespace) -> int:
    from sightline.cli.cache import clear

    return clear(arguments)
