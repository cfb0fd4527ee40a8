"""Every command and flag of the command line, with its help; docs/cli.md is checked against this module.

Serving is what the program is for, so a command line that does not begin with the name of a command is one of
``serve``: ``sightline runs`` and ``sightline --logdir runs`` work as they would with TensorBoard.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from sightline.cli.serve_flags import (
    IDLE_FLAGS,
    INSPECT_FLAGS,
    LOG_FLAGS,
    SERVER_FLAGS,
    add_flags,
    with_one_spelling,
)

PATH_HELP = (
    "log directory or event file; also name:path, comma lists of those (as TensorBoard's --logdir_spec), "
    "globs, and URLs like s3://bucket/runs"
)

DEFAULT_COMMAND = "serve"


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The arguments; ``command`` in them names a module and a function of this package, which are imported
    when they are called: --help and mistakes need none. Exits with 2, after a line, on nonsense."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser, commands = _make_parsers()
    if words and words[0] in ("-h", "--help", "--version"):
        return parser.parse_args(words)  # does not return
    if not words or words[0] not in commands.choices:
        _check_first_word(parser, words, known=list(commands.choices))
        words = [DEFAULT_COMMAND, *words]
    name = words[0]
    own = commands.choices[name]
    if name in ("serve", "demo"):
        return _parse_mixed(own, words[1:])
    arguments, unknown = parser.parse_known_args([name, *with_one_spelling(words[1:], own)])
    if unknown:
        # Told by the parser of the command, whose help says what it does know.
        _refuse(arguments.parser, unknown)
    return arguments


def make_parser() -> argparse.ArgumentParser:
    return _make_parsers()[0]


def package_version() -> str:
    # Our parent is loaded already. Importing names from it here would turn the layers around.
    return str(sys.modules["sightline"].__version__)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as all our errors do."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"sightline: {message}  (see {self.prog} --help)\n")


_Commands = argparse._SubParsersAction  # the type has no public name


def _make_parsers() -> tuple[argparse.ArgumentParser, _Commands[_Parser]]:
    parser = _Parser(
        prog="sightline",
        usage="sightline [COMMAND] [PATH …] [flags]",
        description="Shows the logs of training runs in a browser while they are written. Reads what "
        "TensorBoard reads: every point, every kind, damage reported.",
        epilog="sightline PATH … is short for sightline serve PATH …  Start with: sightline demo, or: "
        "sightline runs",
    )
    parser.add_argument("--version", action="version", version=_version_text())
    parser.set_defaults(command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="sightline")
    _add_serve(commands)
    _add_demo(commands)
    _add_inspect(commands)
    _add_export(commands)
    _add_cache(commands)
    return parser, commands


def _version_text() -> str:
    return f"sightline {package_version()}"


# ── reading the words ───────────────────────────────────────────────────────────────────────────────────


def _parse_mixed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Paths may stand between the flags, and anything may follow ``--``."""
    spelled = with_one_spelling(words, parser)
    end = spelled.index("--") if "--" in spelled else len(spelled)
    arguments, unknown = parser.parse_known_intermixed_args(spelled[:end])
    if unknown:
        _refuse(parser, unknown)
    arguments.paths = [*arguments.paths, *spelled[end + 1 :]]
    return arguments


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings]


def _refuse(parser: argparse.ArgumentParser, unknown: Sequence[str]) -> NoReturn:
    by_name = {option.replace("-", "_"): option for option in _options(parser)}
    meant = _nearest(unknown[0].partition("=")[0].replace("-", "_"), list(by_name))
    hint = f". Did you mean {by_name[meant]}?" if meant else ""
    parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")


def _check_first_word(parser: argparse.ArgumentParser, words: Sequence[str], *, known: list[str]) -> None:
    """A directory may be named that does not exist yet; a command with a typo must not be taken for one."""
    if not words or not words[0].isidentifier() or os.path.lexists(words[0]):
        return
    if words[0] == "dev":
        parser.error("TensorBoard.dev was shut down on December 31, 2023: there is nothing to upload to")
    meant = _nearest(words[0], known)
    if meant:
        parser.error(
            f"no command and no path is named {words[0]!r}. Did you mean {meant!r}? "
            f"A directory that is made later: ./{words[0]}"
        )


def _nearest(word: str, known: Sequence[str]) -> str:
    """What was meant, perhaps; empty when nothing is near."""
    import difflib  # only when something went wrong

    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=0.75)), "")


# ── commands ────────────────────────────────────────────────────────────────────────────────────────────


def _add_serve(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser(
        "serve",
        help="show logs in a browser; the default command",
        usage="sightline [serve] [PATH …] [flags]",
        description="Show logs in a browser, and follow them while they are written.",
        epilog="Flags are understood with - and with _. True-or-false flags may stand alone. Ctrl+C ends.",
        allow_abbrev=False,
    )
    parser.add_argument("paths", metavar="PATH", nargs="*", help=PATH_HELP)
    add_flags(parser.add_argument_group("logs"), LOG_FLAGS)
    add_flags(parser.add_argument_group("server"), SERVER_FLAGS)
    look = parser.add_argument_group("without a page")
    add_flags(look, INSPECT_FLAGS)
    look.add_argument("--version", "--version_tb", action="version", version=_version_text())
    add_flags(parser.add_argument_group("flags of TensorBoard that have no effect"), IDLE_FLAGS)
    parser.set_defaults(command="serve.serve", parser=parser)


def _add_demo(commands: _Commands[_Parser]) -> None:
    parser = commands.add_parser(
        "demo",
        help="write a demo log directory and show it, one run growing while you watch",
        usage="sightline demo [DIR] [flags]",
        description="Write a demo log directory and show it: several experiments with every kind of data, "
        "runs in trouble, and one that is being written while you watch.",
        epilog="Without DIR the logs are in a temporary directory, which is removed at the end.",
        allow_abbrev=False,
    )
    parser.add_argument("paths", metavar="DIR", nargs="*", help="where to write; kept at the end")
    parser.add_argument("--no-live", action="store_true", help="no run that is being written")
    parser.add_argument("--write-only", action="store_true", help="write to DIR and end")
    add_flags(parser.add_argument_group("server"), SERVER_FLAGS)
    parser.set_defaults(command="demo.demo", parser=parser)


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
    parser.set_defaults(command="inspect.inspect", parser=parser)


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
    parser.set_defaults(command="export.export", parser=parser)


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
    parser.set_defaults(parser=parser)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    info = actions.add_parser("info", help="show where it is, how big, and what is in it")
    info.set_defaults(command="cache.show_info", parser=info)
    clear = actions.add_parser("clear", help="remove everything in it")
    clear.set_defaults(command="cache.clear", parser=clear)
