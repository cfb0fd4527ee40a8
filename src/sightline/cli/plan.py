"""From flags, settings and the environment to what ``serve`` is to do: no sockets, no files read, no threads.

Flags win over settings, settings over defaults. Who can connect decides about the token: when only this
machine can, none is asked for; when others can, one is made up, unless the user brings one or refuses it.
"""

from __future__ import annotations

import argparse
import glob
import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from sightline.cli.serve_flags import ALL_FLAGS, IDLE_FLAGS
from sightline.model.addresses import EVERYWHERE, LOOPBACK, ip_address_of, is_everywhere, is_loopback
from sightline.model.errors import BadArgumentError, UserError
from sightline.settings import JSON_PATH, TOML_PATH, Settings

TOKEN_VARIABLE = "SIGHTLINE_TOKEN"
DEFAULT_DIRECTORY = "runs"
DEFAULT_PORT_ATTEMPTS = 100
"""As TensorBoard; a settings file has its own number."""

_TOKEN_BYTES = 24


@dataclass(frozen=True)
class ServePlan:
    """Everything ``serve`` does, decided."""

    paths: tuple[str, ...] = ()
    is_followed: bool = True
    is_cached: bool = True
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    host: str = LOOPBACK
    """See ``model.addresses``."""
    port: int = 6006
    port_attempts: int = 1
    is_port_shared: bool = False
    path_prefix: str = ""
    window_title: str = ""
    token: str | None = field(default=None, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    histogram_interval: int | None = None
    is_delete_allowed: bool = False
    is_opening_browser: bool = False
    notices: tuple[str, ...] = ()
    """For the page: what is different from what was asked for."""
    remarks: tuple[str, ...] = ()
    """For the terminal, before the address."""
    flags: Mapping[str, object] = field(default_factory=dict)
    """What was given, by TensorBoard's names; without the token."""


def make_plan(
    arguments: argparse.Namespace, settings: Settings, environ: Mapping[str, str] = os.environ
) -> ServePlan:
    """What the arguments and settings come to. Raises UserError when they make no sense."""
    given = {
        flag.key: value
        for flag in ALL_FLAGS
        if (value := getattr(arguments, flag.key, None)) is not None
    }  # fmt: skip
    host = _host(given, settings)
    token, token_remarks = _token(given, host=host, environ=environ)
    paths, path_remarks = _paths(arguments, given, settings)
    idle = [flag for flag in IDLE_FLAGS if flag.key in given]
    idle_remarks = [_idle_remark([(flag.option, flag.idle) for flag in idle])] if idle else []
    has_settings = settings.path != ""
    is_port_given = "port" in given
    return ServePlan(
        paths=tuple(paths),
        is_followed=given.get("reload_interval", 1.0) > 0,
        is_cached=not given.get("no_cache", False),
        include=tuple(given.get("include", settings.include)),
        exclude=tuple(given.get("exclude", settings.exclude)),
        host=host,
        port=given.get("port", settings.port),
        port_attempts=_attempts(settings, is_port_given=is_port_given),
        is_port_shared=given.get("reuse_port", False),
        path_prefix=_path_prefix(given.get("path_prefix", settings.path_prefix)),
        window_title=given.get("window_title", settings.window_title),
        token=token,
        allowed_hosts=tuple(_allowed_hosts(given, settings)),
        histogram_interval=settings.histogram_interval if has_settings else None,
        is_delete_allowed=given.get("allow_delete", settings.allow_delete),
        is_opening_browser=given.get("open", False),
        notices=(*_glob_notices(paths), *(f"{flag.option} has no effect: {flag.idle}" for flag in idle)),
        remarks=(*path_remarks, *token_remarks, *idle_remarks),
        flags={
            **{flag.key: None for flag in ALL_FLAGS},
            **given,
            "logdir": ",".join(paths),
            "token": None,
        },
    )


def page_urls(plan: ServePlan, *, port: int) -> list[str]:
    """Addresses for people, the most useful first; with the token, so that one can click on them."""
    hosts = [socket.gethostname(), "localhost"] if is_everywhere(plan.host) else [plan.host]
    query = f"?token={quote(plan.token, safe='')}" if plan.token is not None else ""
    return [f"http://{_in_url(host)}:{port}{plan.path_prefix}/{query}" for host in dict.fromkeys(hosts)]


def _in_url(host: str) -> str:
    address = ip_address_of(host)
    return f"[{address}]" if address is not None and address.version == 6 else host


# ── the parts ───────────────────────────────────────────────────────────────────────────────────────────


def _paths(
    arguments: argparse.Namespace, given: Mapping[str, Sequence[str]], settings: Settings
) -> tuple[list[str], list[str]]:
    """What to show, and what there is to say about it."""
    asked = [*arguments.paths, *given.get("logdir", ()), *given.get("logdir_spec", ())]
    asked = [path for path in asked if path.strip()]
    if asked:
        return asked, []
    if settings.path:
        chosen = list(settings.logdir) or [settings.runs_dir]
        return chosen, [f"Showing {', '.join(chosen)}, as set in {settings.path}"]
    if os.path.isdir(DEFAULT_DIRECTORY):
        return [DEFAULT_DIRECTORY], [f"No log directory was given: showing ./{DEFAULT_DIRECTORY}"]
    raise UserError(
        "Say which log directory to show, like: sightline runs  (to look around first: sightline demo). "
        f"Here is no {TOML_PATH}, {JSON_PATH} or {DEFAULT_DIRECTORY} to take instead"
    )


def _glob_notices(paths: Sequence[str]) -> list[str]:
    return [
        f"Directories that match later are seen after a restart: {path}"
        for path in paths
        if glob.has_magic(path) and "://" not in path and not os.path.lexists(path)
    ]


def _attempts(settings: Settings, *, is_port_given: bool) -> int:
    if is_port_given:
        return 1
    return settings.max_port_attempts if settings.path else DEFAULT_PORT_ATTEMPTS


def _host(given: Mapping[str, object], settings: Settings) -> str:
    asked = given.get("host")
    if given.get("bind_all", settings.bind_all if asked is None else False):
        if asked:
            raise BadArgumentError("--host and --bind_all do not go together: choose one")
        return EVERYWHERE
    host = str(asked) if asked is not None else settings.host
    return host or LOOPBACK  # nothing was said


def _token(
    given: Mapping[str, object], *, host: str, environ: Mapping[str, str]
) -> tuple[str | None, list[str]]:
    asked = given.get("token")
    is_refused = bool(given.get("no_token", False))
    if asked is not None and is_refused:
        raise BadArgumentError("--token and --no-token do not go together: choose one")
    if asked == "":
        raise BadArgumentError("A token has at least one character; to go without: --no-token")
    if is_refused:
        if is_loopback(host):
            return None, []
        return None, [
            "Warning: whoever can reach this machine can read these logs, and change what people wrote about "
            "them (--no-token)"
        ]
    if asked is None:
        asked = environ.get(TOKEN_VARIABLE) or None
    if asked is None and not is_loopback(host):
        import secrets  # brings OpenSSL, which takes a moment

        asked = secrets.token_urlsafe(_TOKEN_BYTES)
    return (None if asked is None else str(asked)), []


def _allowed_hosts(given: Mapping[str, Sequence[str]], settings: Settings) -> list[str]:
    """More names than the server knows by itself: those of this machine, and the one it listens on."""
    lists = given.get("allowed_hosts", settings.allowed_hosts)
    names = [name.strip() for text in lists for name in text.split(",") if name.strip()]
    return list(dict.fromkeys(names))


def _path_prefix(text: str) -> str:
    inside = text.strip().strip("/")
    if any(sign in inside for sign in "?# \\"):
        raise BadArgumentError(f"--path_prefix is a path like /sightline, not {text!r}")
    return f"/{inside}" if inside else ""


def _idle_remark(flags: Sequence[tuple[str, str]]) -> str:
    """One line for all of them; flags with the same reason stand together."""
    by_reason: dict[str, list[str]] = {}
    for option, reason in flags:
        by_reason.setdefault(reason, []).append(option)
    return "No effect: " + "; ".join(f"{', '.join(names)} ({why})" for why, names in by_reason.items())
