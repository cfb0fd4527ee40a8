"""The flags of ``sightline serve`` as a table: TensorBoard's, spelled as there, and our own.

All of them are ``None`` when not given, so that settings can fill in. Those with an ``idle`` text are
accepted because guides and scripts have them; the text tells who used one why there is nothing to do.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

TRUE_WORDS = ("true", "1", "yes", "on", "t", "y")
FALSE_WORDS = ("false", "0", "no", "off", "f", "n")


def truth(text: str) -> bool:
    if text.lower() in TRUE_WORDS:
        return True
    if text.lower() in FALSE_WORDS:
        return False
    raise argparse.ArgumentTypeError(f"true or false, not {text!r}")


def truth_or_auto(text: str) -> bool | str:
    return "auto" if text.lower() == "auto" else truth(text)


def port_number(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"a number from 0 to 65535, not {text!r}")
    return int(text)


@dataclass(frozen=True)
class Flag:
    """One flag; ``name`` without the dashes in front."""

    name: str
    metavar: str
    help: str
    type: Callable[[str], Any] = str
    is_repeatable: bool = False
    idle: str = ""
    """Why it changes nothing; empty for flags that do something."""

    @property
    def option(self) -> str:
        return f"--{self.name}"

    @property
    def key(self) -> str:
        """Its name in the parsed arguments."""
        return self.name.replace("-", "_")


LOG_FLAGS = (
    Flag(
        "logdir",
        "PATH",
        "as PATH; comma lists, globs and name:path work; repeatable",
        is_repeatable=True,
    ),
    Flag("logdir_spec", "NAME:PATH,…", "the same, as TensorBoard spells it with names", is_repeatable=True),
    Flag("config", "FILE", "settings: a .toml or .json file (default: sightline.toml, if there)"),
    Flag("include", "GLOB", "read only runs that match; repeatable", is_repeatable=True),
    Flag("exclude", "GLOB", "do not read runs that match; repeatable", is_repeatable=True),
    Flag("no-cache", "[BOOL]", "neither use nor write the cache", type=truth),
    Flag("reload_interval", "SECONDS", "0: read once, do not follow; else changes show at once", float),
)

SERVER_FLAGS = (
    Flag("port", "N", "default 6006, or the next free one; 0: any free one", port_number),
    Flag("host", "ADDRESS", "listen there (default: only this machine)"),
    Flag("bind_all", "[BOOL]", "listen on all network interfaces", truth),
    Flag("path_prefix", "/PATH", "all addresses begin with this, behind a reverse proxy"),
    Flag("window_title", "TEXT", "title of the page"),
    Flag("open", "[BOOL]", "open the page in a browser", truth),
    Flag("token", "TOKEN", "who connects must know it (better: the variable SIGHTLINE_TOKEN)"),
    Flag("no-token", "[BOOL]", "ask for no token, though others can connect", truth),
    Flag("allowed-hosts", "NAMES", "more names of this server, comma separated", is_repeatable=True),
    Flag("allow-delete", "[BOOL]", "let the page move runs to the trash, beside the logs", truth),
    Flag("reuse_port", "[BOOL]", "share the port with other processes (SO_REUSEPORT)", truth),
)

INSPECT_FLAGS = (
    Flag("inspect", "[BOOL]", "print what is in the log and end; see sightline inspect", truth),
    Flag("tag", "TAG", "with --inspect: only this tag"),
    Flag("event_file", "FILE", "with --inspect: only this file"),
)

_ALL_KEPT = "every point is kept"
_ONE_READER = "there is one reader"
_ALL_FILES = "all files of a run are always read and followed"
_THREADS = "all processors read, in the background"
_NO_DATABASE = "logs are read from files"

IDLE_FLAGS = (
    Flag("load_fast", "[auto|BOOL]", "", truth_or_auto, idle=_ONE_READER),
    Flag("samples_per_plugin", "NAME=N,…", "", idle=_ALL_KEPT),
    Flag("max_reload_threads", "N", "", int, idle=_THREADS),
    Flag("reload_multifile", "[BOOL]", "", truth, idle=_ALL_FILES),
    Flag("reload_multifile_inactive_secs", "N", "", int, idle=_ALL_FILES),
    Flag("reload_task", "NAME", "", idle=_THREADS),
    Flag("purge_orphaned_data", "[BOOL]", "", truth, idle="superseded points stay, the page can show them"),
    Flag("detect_file_replacement", "[BOOL]", "", truth, idle="replaced files are always noticed"),
    Flag("generic_data", "[auto|BOOL]", "", truth_or_auto, idle=_ONE_READER),
    Flag("extra_data_server_flags", "TEXT", "", idle=_ONE_READER),
    Flag("grpc_data_provider", "ADDRESS", "", idle=_ONE_READER),
    Flag("grpc_creds_type", "NAME", "", idle=_ONE_READER),
    Flag("master_tpu_unsecure_channel", "ADDRESS", "", idle="profiles are read from files"),
    Flag("db", "URI", "", idle=_NO_DATABASE),
    Flag("db_import", "[BOOL]", "", truth, idle=_NO_DATABASE),
    Flag("verbosity", "N", "", idle="messages are few"),
)

ALL_FLAGS = (*LOG_FLAGS, *SERVER_FLAGS, *INSPECT_FLAGS, *IDLE_FLAGS)


def add_flags(group: argparse._ActionsContainer, flags: Iterable[Flag]) -> None:
    for flag in flags:
        group.add_argument(
            flag.option,
            metavar=flag.metavar,
            dest=flag.key,
            type=flag.type,
            default=None,
            action="append" if flag.is_repeatable else "store",
            # Percent signs are argparse's; nobody's help has one.
            help=flag.help or f"no effect: {flag.idle}",
        )


def with_one_spelling(words: Iterable[str], parser: argparse.ArgumentParser) -> list[str]:
    """The same command line with flags spelled as the parser knows them.

    ``--path-prefix`` and ``--no_cache`` become ``--path_prefix`` and ``--no-cache``; flags that are true or
    false get their value attached, so that in ``--bind_all runs`` the directory is not taken for it.
    """
    actions = {option: action for action in parser._actions for option in action.option_strings}
    spellings = {_plain(option): option for option in actions}
    left = list(words)
    out: list[str] = []
    while left:
        word = left.pop(0)
        if word == "--":
            return [*out, word, *left]
        name, attached, value = word.partition("=")
        if not name.startswith("--"):
            out.append(word)
            continue
        name = spellings.get(_plain(name), name)
        read = actions[name].type if name in actions else None
        if not attached and (read is truth or read is truth_or_auto):
            value = left.pop(0) if left and _is_readable(left[0], read) else "true"
            attached = "="
        out.append(name + attached + value)
    return out


def _plain(option: str) -> str:
    return option.replace("_", "-")


def _is_readable(word: str, read: Callable[[str], object]) -> bool:
    try:
        read(word)
    except argparse.ArgumentTypeError:
        return False
    return True
