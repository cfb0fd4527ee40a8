"""``log.runs_table()``."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import sightline
from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from sightline.workspace import Edit, Workspace


@pytest.fixture
def log(tmp_path: Path) -> sightline.Log:
    for rate in (0.1, 0.01):
        for seed in range(2):
            with SummaryWriter(tmp_path / f"lr{rate}" / f"seed{seed}") as writer:
                writer.add_hparams({"lr": rate, "is_fast": seed == 0}, {}, run_name=".")
                for step in range(3):
                    writer.add_scalar("loss", step + seed, step)
    with SummaryWriter(tmp_path / "alone") as writer:
        writer.add_scalar("acc", 1.0, 7)
    log = sightline.open(tmp_path, watch=False, cache=False).wait()
    edits = [
        Edit("1", "name", run="alone", text="The lonely one"),
        Edit("2", "add_label", run="alone", text="odd"),
        Edit("3", "note", run="alone", text="# Why?"),
        Edit("4", "favourite", run="alone"),
    ]
    Workspace(log.roots).apply(edits)
    return log


def test_a_row_has_what_is_known_and_what_people_said(log: sightline.Log) -> None:
    table = log.runs_table(metrics=["loss", "acc"])
    rows = {row["run"]: row for row in table.rows()}
    assert len(rows) == table.row_count == 5
    alone, first = rows["alone"], rows["lr0.1/seed1"]
    assert (alone["name"], alone["labels"], alone["note"]) == ("The lonely one", ["odd"], "# Why?")
    assert (alone["is_favourite"], alone["is_archived"]) == (True, False)
    assert (alone["status"], alone["last_step"], alone["points"]) == ("finished", 7, 1)
    assert (alone["hparams.lr"], alone["last.loss"], alone["last.acc"]) == (None, None, 1.0)
    assert (first["name"], first["labels"], first["note"]) == ("lr0.1/seed1", [], "")
    assert (first["hparams.lr"], first["hparams.is_fast"], first["last.loss"]) == (0.1, False, 3.0)


def test_data_frames_have_the_same_columns_and_rows(log: sightline.Log) -> None:
    table = log.runs_table(metrics=["loss"])
    pandas, polars = table.to_pandas(), table.to_polars()
    assert isinstance(pandas, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert list(pandas.columns) == polars.columns == list(table)
    assert pandas["run"].tolist() == polars["run"].to_list() == table["run"]
    assert polars["last.loss"].to_list() == table["last.loss"]


def test_a_log_without_runs_has_a_table_without_rows(tmp_path: Path) -> None:
    table = sightline.open(tmp_path, watch=False, cache=False).wait().runs_table()
    assert table.row_count == 0
    assert table.rows() == []
    assert table.to_pandas().empty


def test_nonsense_is_refused(log: sightline.Log) -> None:
    with pytest.raises(BadArgumentError, match="metrics is a list of tags"):
        log.runs_table(metrics="loss")
