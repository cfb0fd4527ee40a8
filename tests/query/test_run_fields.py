"""Hyper-parameters of all runs, as our writer, torch and TensorFlow write them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from sightline import SummaryWriter
from sightline.log import Log, open_log
from sightline.query.run_fields import MAX_TEXT_LENGTH, Field, RunFieldReader, plain_value
from tests.event_logs import points, write_run


def read(directory: Path) -> Log:
    return open_log(directory, watch=False, cache=False).wait()


def fields_of(log: Log) -> dict[str, Field]:
    return {field.name: field for field in RunFieldReader(log.store).fields()}


def write(directory: Path, hparams: dict[str, object], **arguments: object) -> None:
    with SummaryWriter(str(directory)) as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.add_hparams(hparams, {}, **arguments)  # type: ignore[arg-type]


def test_values_are_numbers_texts_and_truths_by_run(tmp_path: Path) -> None:
    write(tmp_path / "a", {"lr": 0.1, "depth": 3, "optimizer": "adam", "amp": True})
    write(tmp_path / "b", {"lr": 0.01, "depth": 5, "optimizer": "sgd"})
    write_run(tmp_path / "c", points(range(3)))
    found = fields_of(read(tmp_path))
    assert {name: field.kind for name, field in found.items()} == {
        "lr": "number",
        "depth": "number",
        "optimizer": "text",
        "amp": "boolean",
    }
    assert dict(found["lr"].values) == {"a": 0.1, "b": 0.01}
    assert dict(found["optimizer"].values) == {"a": "adam", "b": "sgd"}
    assert dict(found["amp"].values) == {"a": True}


def test_runs_that_disagree_about_the_kind_have_texts(tmp_path: Path) -> None:
    write(tmp_path / "a", {"x": 32})
    write(tmp_path / "b", {"x": "auto"})
    write(tmp_path / "c", {"x": True})
    field = fields_of(read(tmp_path))["x"]
    assert (field.kind, dict(field.values)) == ("text", {"a": "32", "b": "auto", "c": "true"})


def test_torchs_run_below_counts_for_the_run_it_is_about(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch.utils.tensorboard")
    with torch.SummaryWriter(str(tmp_path / "exp1")) as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.add_hparams({"lr": 0.1}, {"hparam/acc": 0.9})
        writer.add_hparams({"lr": 0.1, "late": "yes"}, {"hparam/acc": 0.9})
    log = read(tmp_path)
    below = [run for run in log.runs if run.startswith("exp1/")]
    assert len(below) == 2
    found = fields_of(log)
    assert dict(found["lr"].values) == dict.fromkeys(["exp1", *below], 0.1)
    assert found["late"].values["exp1"] == "yes"


def test_a_run_below_with_a_name_of_its_own_keeps_its_values_for_itself(tmp_path: Path) -> None:
    write_run(tmp_path / "exp", points(range(3)))
    write(tmp_path / "exp" / "trial-7", {"lr": 0.1})
    write(tmp_path / "other" / "1770700000.5", {"lr": 0.2})  # nothing is above it
    assert dict(fields_of(read(tmp_path))["lr"].values) == {"exp/trial-7": 0.1, "other/1770700000.5": 0.2}


def test_own_values_win_over_those_of_the_run_below(tmp_path: Path) -> None:
    write(tmp_path / "exp", {"lr": 0.5})
    write(tmp_path / "exp" / "1770700000.5", {"lr": 0.2, "seed": 1})
    found = fields_of(read(tmp_path))
    assert found["lr"].values["exp"] == 0.5
    assert found["seed"].values["exp"] == 1.0


def test_what_changes_is_read_again_and_only_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a", {"lr": 0.1})
    write(tmp_path / "b", {"lr": 0.2})
    log = read(tmp_path)
    reader = RunFieldReader(log.store)
    reader.fields()
    asked: list[str] = []
    original = RunFieldReader._read

    def noting(self: RunFieldReader, run: str, tags: list[str]) -> object:
        asked.append(run)
        return original(self, run, tags)

    monkeypatch.setattr(RunFieldReader, "_read", noting)
    reader.fields()
    assert asked == []
    write(tmp_path / "b", {"lr": 0.3})
    log.refresh()
    (field,) = reader.fields()
    assert (asked, dict(field.values)) == (["b"], {"a": 0.1, "b": 0.3})


def test_a_log_without_any_opens_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        write_run(tmp_path / f"{number}", points([1]))
    log = read(tmp_path)
    monkeypatch.setattr(type(log.store), "get", lambda *_: pytest.fail("a run was opened"))
    assert fields_of(log) == {}


def test_values_that_are_nested_or_long_become_short_texts() -> None:
    assert plain_value([1, {"a": "ü"}]) == '[1, {"a": "ü"}]'
    assert plain_value(None) is None
    assert plain_value(True) is True
    assert len(str(plain_value("x" * 10_000))) == MAX_TEXT_LENGTH + 1
    assert math.isnan(float(plain_value(math.nan) or 0))
