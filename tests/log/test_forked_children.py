"""A log in a forked child: the fork may have copied locks as held, so questions are refused, never asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.event_logs import image_record, points, write_run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

# In a process of its own, because a fork of the one that runs the tests would copy their threads' locks.
PROGRAM = """
import asyncio, os, sys, warnings
import sightline

warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads: that is what this is about
log = sightline.open(sys.argv[1], watch=False).wait()  # no import may be under way in a thread when we fork
run = log["a"]
mapping = run.scalars
series, images = mapping["loss"], run.images["samples"]
selection = log.scalars()
unsubscribe = log.on_change(print)
questions = {
    "runs": lambda: log.runs,
    "len": lambda: len(log),
    "getitem": lambda: log["a"],
    "contains": lambda: "a" in log,
    "progress": lambda: log.progress,
    "wait": lambda: log.wait(),
    "refresh": lambda: log.refresh(),
    "on_change": lambda: log.on_change(print),
    "damage": lambda: log.damage,
    "warnings": lambda: log.warnings,
    "selection": lambda: list(selection),
    "tags": lambda: run.tags,
    "files": lambda: run.files,
    "run.damage": lambda: run.damage,
    "directories": lambda: run.directories,
    "side_files": lambda: run.side_files,
    "revision": lambda: run.revision,
    "scalars": lambda: mapping["loss"],
    "item": lambda: images[0],
}
child = os.fork()
if child == 0:
    try:
        for name, ask in questions.items():
            try:
                answer = ask()
            except sightline.UserError as error:
                assert str(error).endswith("opened in another process: open the log again in this one"), error
            else:
                print(name, "was answered:", answer)
        unsubscribe()
        log.close()
        print(series.value.tolist(), repr(run), repr(log).endswith("opened in another process>"))
        with sightline.open(sys.argv[1], cache=False, watch=False).wait() as again:
            print(again.runs)
        sys.stdout.flush()
    finally:
        os._exit(0)
os.waitpid(child, 0)
print(log.runs)
"""


def test_every_question_of_a_forked_child_is_refused_and_a_new_log_works(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)), image_record("samples", 0, b"png"))
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [
        "[0.0, 1.0, 2.0] Run('a', opened in another process) True",
        "['a']",
        "['a']",
    ]
