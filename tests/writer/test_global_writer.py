"""GlobalSummaryWriter: one writer for a program, steps of its own for every tag."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import sightline
from sightline import GlobalSummaryWriter
from sightline.writer import global_writer


def steps_of(path: Path, tag: str) -> list[int]:
    with sightline.open(path, watch=False) as log:
        return log.wait()["."].scalars[tag].step.tolist()


def test_each_tag_and_kind_counts_for_itself(tmp_path: Path) -> None:
    writer = GlobalSummaryWriter(tmp_path, story=False)
    for value in range(3):
        writer.add_scalar("loss", value)
    writer.add_scalar("accuracy", 0.5, walltime=123.5)
    for _ in range(2):
        writer.add_text("loss", "text of the same tag")
        writer.add_histogram("weights", np.arange(9.0), max_bins=4)
        writer.add_image("picture", np.zeros((4, 4, 3), np.uint8), dataformats="HWC")
        writer.add_audio("sound", np.zeros(9, np.float32), sample_rate=8000)
    assert writer.flush()
    writer.close()
    with sightline.open(tmp_path, watch=False) as log:
        run = log.wait()["."]
        assert run.scalars["loss"].step.tolist() == [0, 1, 2]
        assert run.scalars["accuracy"].step.tolist() == [0]
        assert run.scalars["accuracy"].wall_time.tolist() == [123.5]
        for items in (
            run.text["loss/text_summary"],
            run.histograms["weights"],
            run.images["picture"],
            run.audio["sound"],
        ):
            assert [item.step for item in items] == [0, 1]


def test_threads_never_take_the_same_step(tmp_path: Path) -> None:
    writer = GlobalSummaryWriter(logdir=tmp_path, story=False)
    threads = [
        threading.Thread(target=lambda: [writer.add_scalar("loss", 0.5) for _ in range(50)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    assert sorted(steps_of(tmp_path, "loss")) == list(range(200))


# In a process of its own, because a fork of the one that runs the tests would copy its threads' locks.
POOL = """
import multiprocessing, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads
from sightline import GlobalSummaryWriter

writer = GlobalSummaryWriter(sys.argv[1], story=False)
writer.add_scalar("loss", 0.5)

def train(number):
    writer.add_scalar("loss", number)

with multiprocessing.get_context("fork").Pool(3) as pool:
    pool.map(train, range(30))
    pool.close()
    pool.join()
writer.add_scalar("loss", 0.5)
writer.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_processes_never_take_the_same_step(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", POOL, str(tmp_path)], check=True, timeout=120)
    assert sorted(steps_of(tmp_path, "loss")) == list(range(32))


def test_a_program_has_one_such_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(global_writer, "_instance", None)
    writer = GlobalSummaryWriter.getSummaryWriter()
    assert GlobalSummaryWriter.getSummaryWriter() is writer
    writer.add_scalar("loss", 0.5)
    assert writer.file_writer.get_logdir() == writer.smw.log_dir
    assert writer.smw.log_dir.startswith("runs/")
    writer.close()
