"""Starts servers for the tests by forking a process that has imported the package already: importing takes
most of the second that a server needs to start, and there are hundreds of them.

Each line on standard input is an order, each answer a line: {"start": [arguments], "output": file} →
process id; {"ended": pid} → its exit code or null; {"stop": pid, "signal": number} → its exit code. All
servers end with the input.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import watchfiles  # noqa: F401

# What a server imports on its way; all that belongs to them comes along.
from sightline.cli import main

running: set[int] = set()


def start(arguments: list[str], output: str) -> int:
    pid = os.fork()
    if pid:
        running.add(pid)
        return pid
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, 1)
        os.dup2(file, 2)
        code = main(arguments)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def ended(pid: int, options: int) -> int | None:
    found, status = os.waitpid(pid, options)
    if not found:
        return None
    running.discard(pid)
    return os.waitstatus_to_exitcode(status)


def answer(order: dict[str, Any]) -> int | None:
    if "start" in order:
        return start(order["start"], order["output"])
    if "ended" in order:
        return ended(order["ended"], os.WNOHANG)
    os.kill(order["stop"], order["signal"])
    return ended(order["stop"], 0)


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
for pid in running:
    os.kill(pid, signal.SIGKILL)
