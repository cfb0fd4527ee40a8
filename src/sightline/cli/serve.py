"""``sightline serve``: bind, open the log, announce the address, serve until told to stop.

The order is for speed: the port is ours before anything slow, and the log is being read while the server is
imported. Ctrl+C and SIGTERM are the ways to end it, so both are a success (exit code 0).
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

from sightline.cli.arguments import package_version, parse_arguments
from sightline.cli.plan import ServePlan, make_plan, page_urls
from sightline.cli.ports import listen
from sightline.model.errors import BadArgumentError
from sightline.settings import load_settings

if TYPE_CHECKING:
    from sightline.log import Log


def serve(arguments: argparse.Namespace) -> int:
    _check_config(arguments.config)
    if arguments.inspect:
        return _inspect(arguments)
    for name in ("tag", "event_file"):
        if getattr(arguments, name) is not None:
            raise BadArgumentError(f"--{name} chooses what --inspect shows: not without it")
    with ended_by_signals():
        serve_plan(make_plan(arguments, load_settings(arguments.config)))
    return 0


def serve_plan(plan: ServePlan) -> None:
    """Blocks until SIGINT or SIGTERM, which may come as a KeyboardInterrupt, too."""
    with ExitStack() as stack:
        sockets, port = listen(
            plan.host, plan.port, attempts=plan.port_attempts, is_shared=plan.is_port_shared
        )
        for opened in sockets:
            stack.callback(opened.close)
        log = stack.enter_context(_opened_log(plan))
        for line in plan.remarks:
            _remark(line)
        if port != plan.port and plan.port != 0:
            _remark(f"Port {plan.port} is taken: using {port}")
        _serve_log(log, plan, sockets=sockets, port=port)


def _serve_log(log: Log, plan: ServePlan, *, sockets: list[socket.socket], port: int) -> None:
    from sightline import server

    options = server.ServerOptions(
        host=plan.host,
        port=port,
        path_prefix=plan.path_prefix,
        window_title=plan.window_title,
        token=plan.token,
        allowed_hosts=plan.allowed_hosts,
        histogram_interval=plan.histogram_interval,
        is_delete_allowed=plan.is_delete_allowed,
        flags={**plan.flags, "port": port},
        notices=plan.notices,
    )
    server.serve(log, options, sockets=sockets, on_ready=lambda: announce(plan, port=port))


def _opened_log(plan: ServePlan) -> Log:
    from sightline.log import Log
    from sightline.readers.roots import parse_roots

    log = Log(
        plan.paths,
        watch=plan.is_followed,
        cache=plan.is_cached,
        include=plan.include,
        exclude=plan.exclude,
        may_be_missing=True,
    )
    for root in parse_roots(plan.paths, may_be_missing=True):
        if not root.is_remote and not os.path.exists(root.path):
            _remark(f"Nothing there yet, waiting for it: {root.path}")
    return log


# ── telling ─────────────────────────────────────────────────────────────────────────────────────────────


def announce(plan: ServePlan, *, port: int) -> None:
    """The line everybody waits for. Flushed: in a file or a pipe it would stay in a buffer for ever."""
    first, *others = page_urls(plan, port=port)
    lines = [
        f"Sightline {package_version()} at {first} (Press CTRL+C to quit)",
        *(f"On this machine: {url}" for url in others),
    ]
    with suppress(OSError):  # nobody reads it; those who know the address can do without
        print("\n".join(lines), flush=True)
    if plan.is_opening_browser:
        # Starting a browser can take seconds, and we are on the thread that answers it.
        threading.Thread(target=_open_browser, args=(page_urls(plan, port=port)[-1],), daemon=True).start()


def _remark(line: str) -> None:
    print(f"sightline: {line}", file=sys.stderr, flush=True)


def _open_browser(url: str) -> None:
    import webbrowser

    # Without a screen, a browser for terminals would take ours over.
    has_screen = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    is_alone = sys.platform == "linux" and not has_screen
    if is_alone or not webbrowser.open(url):
        _remark("No browser could be opened; go to the address above")


# ── ending ──────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Takes SIGINT and SIGTERM for a wish to end, also before and after the server itself listens to them."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if is_main else None
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


# ── without a page ──────────────────────────────────────────────────────────────────────────────────────


def _check_config(path: str | None) -> None:
    if path is not None and os.path.splitext(path)[1].lower() not in (".json", ".toml"):
        raise BadArgumentError(f"--config names a .toml or a .json file: {path}")


def _inspect(arguments: argparse.Namespace) -> int:
    """TensorBoard's ``--inspect``: our command of that name. A tag is a whole one here, no expression."""
    import re

    from sightline.cli.inspect import inspect

    if arguments.event_file is not None:
        paths: Sequence[str] = [arguments.event_file]
    else:
        paths = make_plan(arguments, load_settings(arguments.config)).paths
    words = ["inspect", "--no-cache"] if arguments.no_cache else ["inspect"]
    if arguments.tag is not None:
        words.append(f"--tag=^{re.escape(arguments.tag)}$")
    for name in ("include", "exclude"):
        words += [f"--{name}={glob}" for glob in getattr(arguments, name) or ()]
    return inspect(parse_arguments([*words, "--", *paths]))
