"""The demo: a log directory to look around in, made in a second or two.

    cnn, mlp   eight runs of an image classifier, every kind of data in each         classifier
    gpt        eleven runs of a language model, some thirty scalars each             language_model
    gpt/live   the one that is written while you watch                               live
    deep       six networks of twelve layers, trained while the demo is written     deep_runs

Times are counted back from now, so that "running", "stalled" and "3 hours ago" come out right.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from sightline.demo.classifier import RUN_COUNT, write_classifier_runs
from sightline.demo.deep_runs import write_deep_runs
from sightline.demo.language_model import write_language_model_runs
from sightline.demo.live import LiveRun
from sightline.model.errors import BadArgumentError

__all__ = ["LiveRun", "write_demo"]

_MARK = ".sightline-demo"
"""A file that says: this directory is ours, and may be written anew."""
_PARTS = ("cnn", "mlp", "gpt", "deep")
_CLASSIFIER_AGE_S = 2.5 * 86_400


def write_demo(root: Path, *, now_s: float | None = None) -> int:
    """Write the demo's finished runs below a directory; returns how many.

    The directory is made if missing. One with an earlier demo is written anew; any other must be empty, or
    BadArgumentError is raised: runs of a demo among real ones would be hard to tell apart.
    """
    now_s = time.time() if now_s is None else now_s
    if root.is_dir() and any(root.iterdir()):
        if not (root / _MARK).exists():
            raise BadArgumentError(f"The demo needs a directory that is new, empty, or its own: {root}")
        for part in _PARTS:
            shutil.rmtree(root / part, ignore_errors=True)
    try:
        root.mkdir(parents=True, exist_ok=True)
        (root / _MARK).write_text("Written by `sightline demo`; it may be removed at any time.\n", "utf-8")
        write_classifier_runs(root, first_start_s=now_s - _CLASSIFIER_AGE_S)
        return RUN_COUNT + write_language_model_runs(root, now_s=now_s) + write_deep_runs(root, now_s=now_s)
    except OSError as error:
        raise BadArgumentError(f"Cannot write the demo: {error.strerror}: {error.filename}") from error
