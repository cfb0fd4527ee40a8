"""``sightline demo``: write the demo's logs, then serve them while one run goes on."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from sightline.cli.plan import make_plan
from sightline.cli.serve import ended_by_signals, serve_plan
from sightline.model.errors import BadArgumentError
from sightline.settings import Settings


def demo(arguments: argparse.Namespace) -> int:
    if len(arguments.paths) > 1:
        raise BadArgumentError(f"The demo takes one directory, not {len(arguments.paths)}")
    if arguments.write_only and not arguments.paths:
        raise BadArgumentError("--write-only needs a directory, like: sightline demo demo-logs --write-only")
    is_kept = bool(arguments.paths)
    with ended_by_signals(), ExitStack() as stack:
        if is_kept:
            root = Path(arguments.paths[0]).expanduser()
        else:
            root = Path(tempfile.mkdtemp(prefix="sightline-demo-"))
            stack.callback(shutil.rmtree, root, ignore_errors=True)
        arguments.paths = [str(root)]
        # The settings of the project around are about its own logs.
        plan = make_plan(arguments, Settings())
        from sightline.demo import LiveRun, write_demo  # NumPy takes a moment, mistakes should not

        count = write_demo(root)
        print(f"sightline: Wrote {count} demo runs to {root}", file=sys.stderr, flush=True)
        if not arguments.write_only:
            if not arguments.no_live:
                live = LiveRun(root)
                live.start()
                stack.callback(live.stop)
            serve_plan(replace(plan, window_title=plan.window_title or "Sightline demo", is_cached=is_kept))
    return 0
