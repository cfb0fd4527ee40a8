"""Hyper-parameters, as TensorBoard's HParams tab shows them and as our reader reads them."""

from __future__ import annotations

import math
import time
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorboardX
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

import sightline
from sightline.model.errors import BadArgumentError
from sightline.writer.kinds.hparams import plain_hparams, plain_value
from tests.writer.hparams_tab import HParamsTab
from tests.writer.reading import files_of, scalars_of, values_of

EXPERIMENT, START, END = (
    "_hparams_/experiment",
    "_hparams_/session_start_info",
    "_hparams_/session_end_info",
)
HPARAMS = {"lr": 0.1, "layers": 3, "name": "adam", "nesterov": True, "off": False}
METRICS = {"hparam/accuracy": 0.75, "hparam/loss": 1.5}


def records_of(directory: Path) -> list[tuple[str, int, Any]]:
    """(tag, step, the plugin's message) of each hparams record."""
    return [
        (value.tag, step, HParamsPluginData.FromString(value.metadata.plugin_data.content))
        for step, value in values_of(directory)
        if value.metadata.plugin_data.plugin_name == "hparams"
    ]


def test_everything_is_in_the_run_itself(tmp_path: Path) -> None:
    before = time.time()
    with sightline.SummaryWriter(tmp_path / "run", story=False) as writer:
        writer.add_hparams(HPARAMS, METRICS, global_step=7)
        writer.flush()
        assert [tag for tag, _, _ in records_of(tmp_path / "run")] == [EXPERIMENT, START]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert len(files_of(tmp_path / "run")) == 1
    assert [path for path in (tmp_path / "run").iterdir() if path.is_dir()] == []
    assert [(tag, step) for tag, step, _ in records_of(tmp_path / "run")] == [
        (EXPERIMENT, 7),
        (START, 7),
        (END, 7),
    ]
    assert scalars_of(tmp_path / "run") == {name: [(7, value)] for name, value in METRICS.items()}
    tab = HParamsTab(tmp_path)
    group = tab.groups()["run"]
    assert group["hparams"] == HPARAMS
    assert group["metrics"] == METRICS
    assert group["status"] == "STATUS_SUCCESS"
    assert before <= group["start"] <= group["end"] <= time.time()
    assert tab.metrics() == list(METRICS)
    assert tab.types() == {
        "lr": "DATA_TYPE_FLOAT64",
        "layers": "DATA_TYPE_FLOAT64",
        "name": "DATA_TYPE_STRING",
        "nesterov": "DATA_TYPE_BOOL",
        "off": "DATA_TYPE_BOOL",
    }


def test_our_own_reader_reads_the_three_records(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_hparams(HPARAMS, METRICS)
    with sightline.open(tmp_path, watch=False).wait() as log:
        hparams = log["."].hparams
        assert list(hparams) == [EXPERIMENT, START, END]
        assert hparams[START][0].hparams == HPARAMS
        assert isinstance(hparams[START][0].hparams["nesterov"], bool)
        assert hparams[END][0].session_end.status == 1
        assert len(hparams[EXPERIMENT][0].experiment.hparam_infos) == len(HPARAMS)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ZeroDivisionError(), "STATUS_FAILURE"),
        (KeyboardInterrupt(), "STATUS_FAILURE"),
        (SystemExit(3), "STATUS_FAILURE"),
        (SystemExit(0), "STATUS_SUCCESS"),
        (SystemExit(), "STATUS_SUCCESS"),
    ],
)
def test_a_session_that_ends_with_an_error_has_failed(
    tmp_path: Path, error: BaseException, status: str
) -> None:
    def train() -> None:
        with sightline.SummaryWriter(tmp_path / "a", story=False) as writer:
            writer.add_hparams(HPARAMS, METRICS)
            raise error

    with pytest.raises(type(error)):
        train()
    assert HParamsTab(tmp_path).groups()["a"]["status"] == status


def test_a_session_that_has_not_ended_says_nothing_of_its_end(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path / "a", story=False) as writer:
        writer.add_hparams(HPARAMS, METRICS)
        writer.flush()
        assert HParamsTab(tmp_path).groups()["a"]["status"] == "STATUS_UNKNOWN"


def test_the_end_is_written_once(tmp_path: Path) -> None:
    writer = sightline.SummaryWriter(tmp_path, story=False)
    writer.add_hparams(HPARAMS, METRICS)
    writer.close()
    writer.close()
    writer.add_scalar("loss", 1.0)  # begins a new file
    writer.close()
    assert [tag for tag, _, _ in records_of(tmp_path)].count(END) == 1


def test_a_run_without_hparams_has_no_end_of_them(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_scalar("loss", 1.0)
    assert records_of(tmp_path) == []


def test_a_later_call_adds_and_does_not_disturb_tensorboard(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path / "a", story=False) as writer:
        writer.add_hparams({"lr": 0.1, "seed": 1}, {"loss": 3.0}, global_step=1)
        writer.add_hparams({"lr": 0.1, "late": "x"}, {"loss": 2.0, "accuracy": 0.5}, global_step=2)
    group = HParamsTab(tmp_path).groups(lr="ORDER_ASC")["a"]
    assert group["hparams"] == {"lr": 0.1, "seed": 1}
    assert group["metrics"] == {"loss": 2.0}
    assert group["status"] == "STATUS_SUCCESS"
    assert scalars_of(tmp_path / "a") == {"loss": [(1, 3.0), (2, 2.0)], "accuracy": [(2, 0.5)]}
    with sightline.open(tmp_path, watch=False).wait() as log:
        hparams = log["a"].hparams
        assert hparams[START][-1].hparams == {"lr": 0.1, "seed": 1, "late": "x"}
        metrics = hparams[EXPERIMENT][-1].experiment.metric_infos
        assert [metric.name.tag for metric in metrics] == ["loss", "accuracy"]
        assert (
            hparams[START][-1].session_start.start_time_secs
            == hparams[START][0].session_start.start_time_secs
        )


def test_without_metrics_tensorboard_offers_every_scalar(tmp_path: Path) -> None:
    for run in ("a", "b"):
        with sightline.SummaryWriter(tmp_path / run, story=False) as writer:
            writer.add_hparams({"lr": 0.5, "name": run}, {})
            writer.add_scalar("loss", 2.5, 9)
    tab = HParamsTab(tmp_path)
    assert tab.metrics() == ["loss"]
    assert tab.groups()["b"]["metrics"] == {"loss": 2.5}
    assert tab.types() == {"lr": "DATA_TYPE_FLOAT64", "name": "DATA_TYPE_STRING"}


def test_values_of_every_type_are_read_and_sorted_by_tensorboard(tmp_path: Path) -> None:
    odd = {
        "none": None,
        "infinite": math.inf,
        "not a number": math.nan,
        "list": [1, "a"],
        "model": {"width": 64, "deep": {"heads": 8}},
        "bytes": b"x",
        "function": math.sqrt,
    }
    with sightline.SummaryWriter(tmp_path / "a", story=False) as writer:
        writer.add_hparams(odd, METRICS)
    with sightline.SummaryWriter(tmp_path / "b", story=False) as writer:
        writer.add_hparams({**odd, "none": 4.0}, METRICS)
    tab = HParamsTab(tmp_path)
    for name in ("none", "infinite", "list", "model/width", "model/deep/heads", "function"):
        assert set(tab.groups(**{name: "ORDER_DESC"})) == {"a", "b"}
    hparams = tab.groups()["a"]["hparams"]
    assert "none" not in hparams
    assert hparams["list"] == '[1, "a"]'
    assert (hparams["model/width"], hparams["model/deep/heads"]) == (64, 8)
    assert (hparams["bytes"], hparams["function"]) == ("x", "sqrt")


class Colour(Enum):
    red = 1


class Name(str, Enum):
    adam = "adam"


class Level(IntEnum):
    high = 3


class Printed:
    def __str__(self) -> str:
        return "printed"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (True, True),
        (np.bool_(False), False),
        (3, 3.0),
        (np.int64(3), 3.0),
        (np.float32(0.5), 0.5),
        (np.array([[2]]), 2.0),
        (np.array(True), True),
        (Fraction(1, 4), 0.25),
        (Decimal("0.1"), "0.1"),
        (10**400, "1" + "0" * 400),
        (1 + 2j, "(1+2j)"),
        ("text", "text"),
        (np.str_("text"), "text"),
        ([1, 2.5, None, True], "[1, 2.5, null, true]"),
        ((1, "ü"), '[1, "ü"]'),
        ({3, 1}, "[1, 3]"),
        ([{"a": Path("/x")}], '[{"a": "/x"}]'),
        ([np.float64(0.5), np.arange(2)], "[0.5, [0, 1]]"),
        ({(1, 2): 3}, "{(1, 2): 3}"),
        (np.arange(3), "[0, 1, 2]"),
        (np.zeros((100, 20), dtype=np.float32), "float32 array of shape [100, 20]"),
        (len, "len"),
        (Printed, "Printed"),
        (Printed(), "printed"),
        (lambda x: x, "<lambda>"),
        (Path("/data"), "/data"),
        (Colour.red, "red"),
        (Name.adam, "adam"),
        (Level.high, 3.0),
        ("x" * 20_000, "x" * 20_000),
        (["x" * 20_000], '["' + "x" * 9_998 + "…"),
    ],
)
def test_a_value_becomes_a_bool_a_number_or_text(value: Any, plain: object) -> None:
    found = plain_value(value)
    assert (found, type(found)) == (plain, type(plain))


def test_a_list_that_contains_itself_is_printed() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    assert plain_value(endless) == "[1, [...]]"


def test_a_dict_that_contains_itself_is_refused() -> None:
    endless: dict[str, Any] = {"a": 1}
    endless["b"] = endless
    with pytest.raises(BadArgumentError, match="itself"):
        plain_hparams(endless)


def test_names_that_meet_are_refused() -> None:
    with pytest.raises(BadArgumentError, match="a/b"):
        plain_hparams({"a/b": 1, "a": {"b": 2}})


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([], {}), "hparam_dict"),
        (({}, []), "metric_dict"),
        (({}, {"m": "x"}), "one number"),
        (({}, {"m": [1, 2]}), "one number"),
        (({}, {"m": None}), "one number"),
        (({}, {1: 2}), "name"),
        (({"a": 1}, {}, []), None),
        (({"a": 1}, {}, [1]), "dict of lists"),
        (({"a": 1}, {}, {"b": [1]}), "no hyper-parameter"),
        (({"a": 1}, {}, {"a": 1}), "list"),
        (({"a": 1}, {}, {"a": ["x"]}), "FLOAT64"),
        (({"a": True}, {}, {"a": [0, 1]}), "BOOL"),
        (({"a": "x"}, {}, {"a": ["x", 1]}), "STRING"),
        (({"a": 1}, {}, None, 7), "name of a run"),
        (({"a": 1}, {}, "x", "y"), "same thing"),
    ],
)
def test_wrong_arguments_are_refused_and_write_nothing(
    tmp_path: Path, arguments: Any, reason: str | None
) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        if reason is None:
            writer.add_hparams(*arguments)
            return
        with pytest.raises(BadArgumentError, match=reason):
            writer.add_hparams(*arguments)
    assert values_of(tmp_path) == []


def test_discrete_domains_are_in_the_experiment(tmp_path: Path) -> None:
    domains = {"lr": [0.1, 1], "name": ["adam", "sgd"], "nesterov": (True, False)}
    with sightline.SummaryWriter(tmp_path / "a", story=False) as writer:
        writer.add_hparams(HPARAMS, METRICS, domains)
    infos = HParamsTab(tmp_path).experiment()["hparamInfos"]
    found = {info["name"]: info["domainDiscrete"] for info in infos if "domainDiscrete" in info}
    assert found == {"lr": [0.1, 1], "name": ["adam", "sgd"], "nesterov": [True, False]}


def comparable(directory: Path) -> list[Any]:
    return [(tag, step, str(message)) for tag, step, message in records_of(directory)]


@pytest.mark.parametrize(
    "call",
    [
        lambda writer: writer.add_hparams(HPARAMS, METRICS, "trial", 5),
        lambda writer: writer.add_hparams(HPARAMS, METRICS, name="trial", global_step=5),
        lambda writer: writer.add_hparams({**HPARAMS, "gone": None, "f": math.sqrt}, METRICS, "trial"),
    ],
)
def test_with_a_name_it_is_the_sub_run_that_tensorboardx_writes(tmp_path: Path, call: Any) -> None:
    for writer in (
        tensorboardX.SummaryWriter(str(tmp_path / "theirs")),
        sightline.SummaryWriter(tmp_path / "ours", story=False),
    ):
        call(writer)
        writer.close()
    # tensorboardX gives the step to the metrics only.
    theirs, found = comparable(tmp_path / "theirs" / "trial"), comparable(tmp_path / "ours" / "trial")
    assert [(tag, text) for tag, _, text in found] == [(tag, text) for tag, _, text in theirs]
    assert scalars_of(tmp_path / "ours" / "trial") == scalars_of(tmp_path / "theirs" / "trial")
    assert values_of(tmp_path / "ours") == []


def test_a_sub_run_without_a_name_is_called_after_the_time(tmp_path: Path) -> None:
    before = time.time()
    with sightline.SummaryWriter(tmp_path, story=True) as writer:
        writer.add_hparams(HPARAMS, METRICS, sub_run=True)
        (directory,) = (path for path in tmp_path.iterdir() if path.is_dir())
        # It is complete at once, and has no story of its own.
        assert [tag for tag, _, _ in records_of(directory)] == [EXPERIMENT, START, END]
    assert before <= float(directory.name) <= time.time()
    assert HParamsTab(tmp_path).groups()[directory.name]["hparams"] == HPARAMS


def test_a_writer_that_writes_nothing_makes_no_sub_run(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path / "a", write_to_disk=False) as writer:
        writer.add_hparams(HPARAMS, METRICS, run_name="trial")
        writer.add_hparams(HPARAMS, METRICS)
    assert list(tmp_path.iterdir()) == []
