"""Hyper-parameters in TensorBoard's shape, against TensorBoard's own messages and what it recorded."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tensorboard.compat.proto import summary_pb2
from tensorboard.plugins.hparams import api_pb2
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from sightline import BadArgumentError, MissingExtraError, summary
from sightline.summary import hparams as hp
from tests.compat.written_events import events_of, only_event_file

RECORDED = Path(__file__).parents[1] / "fixtures" / "logs" / "tf2" / "hparams"
UNITS = hp.HParam("units", hp.Discrete([4, 8]), description="width of the hidden layer")
RATE = hp.HParam("rate", hp.RealInterval(1e-4, 1.0))
OPTIMIZER = hp.HParam("optimizer", hp.Discrete(["sgd", "adam"]))


def hparams_in(directory: Path) -> list[tuple[str, bytes, int, HParamsPluginData]]:
    """Tag, tensor, step and content of every hparams value, without the times of day."""
    found = []
    for event in events_of(only_event_file(directory)):
        for value in event.summary.value:
            content = HParamsPluginData.FromString(value.metadata.plugin_data.content)
            for part, field in (
                ("session_start_info", "start_time_secs"),
                ("session_end_info", "end_time_secs"),
            ):
                if content.HasField(part):
                    assert getattr(getattr(content, part), field) > 1e9
                    getattr(content, part).ClearField(field)
            found.append((value.tag, value.tensor.SerializeToString(), event.step, content))
    return found


def test_an_experiment_is_what_tensorboard_writes(tmp_path: Path) -> None:
    metric = hp.Metric("loss", group="validation", display_name="val loss")
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default():
        assert hp.hparams_config(hparams=[UNITS, RATE, OPTIMIZER], metrics=[metric])
    assert hparams_in(tmp_path) == hparams_in(RECORDED)


def test_the_values_of_a_trial_are_what_tensorboard_writes(tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default():
        assert hp.hparams({UNITS: 4, RATE: 0.5, OPTIMIZER: "sgd"}, trial_id="trial 0")
    assert hparams_in(tmp_path) == hparams_in(RECORDED / "trial-0")


def content_of(message: Any) -> HParamsPluginData:
    (value,) = summary_pb2.Summary.FromString(message.encode()).value
    return HParamsPluginData.FromString(value.metadata.plugin_data.content)


def test_trials_with_the_same_values_have_the_group_name_that_tensorboard_gives_them() -> None:
    values = {"flag": True, RATE: np.float64(0.5), "units": np.int64(4), "name": "ü"}
    start = content_of(hp.hparams_pb(values, start_time_secs=12.5)).session_start_info
    # hp.hparams_pb of TensorBoard 2.21.0 for the same values
    assert start.group_name == "8fde87a427cb22d439081684e3246d7976bf10a43b900bdf6f7cafb94fa81581"
    assert start.start_time_secs == 12.5
    assert start.hparams["flag"].bool_value is True
    assert (start.hparams["rate"].number_value, start.hparams["units"].number_value) == (0.5, 4)


def test_every_domain_is_described() -> None:
    hparams = [
        hp.HParam("int", hp.IntInterval(1, 5), display_name="Int"),
        hp.HParam("bool", hp.Discrete([True, False])),
        hp.HParam("none"),
        hp.HParam("empty", hp.Discrete([], dtype=str)),
    ]
    metric = hp.Metric("loss", description="of *all*", dataset_type=hp.Metric.VALIDATION)
    experiment = content_of(hp.hparams_config_pb(hparams, [metric], time_created_secs=3.5)).experiment
    whole, flag, none, empty = experiment.hparam_infos
    assert (whole.type, whole.domain_interval.min_value, whole.domain_interval.max_value) == (3, 1, 5)
    assert whole.display_name == "Int"
    assert (flag.type, [value.bool_value for value in flag.domain_discrete.values]) == (2, [False, True])
    assert (none.type, none.WhichOneof("domain")) == (0, None)
    assert (empty.type, empty.WhichOneof("domain")) == (1, "domain_discrete")
    assert experiment.metric_infos[0].dataset_type == api_pb2.DATASET_VALIDATION
    assert experiment.metric_infos[0].description == "of *all*"
    assert experiment.time_created_secs == 3.5


def test_domains_can_be_sampled() -> None:
    rng = random.Random(1)
    assert hp.IntInterval(3, 3).sample_uniform(rng) == 3
    assert 0.5 <= hp.RealInterval(0.5, 0.75).sample_uniform(rng) <= 0.75
    assert hp.Discrete([2, 1]).sample_uniform() in (1, 2)
    assert hp.Discrete(["b", "a"]).values == ["a", "b"]
    domains = (hp.IntInterval(1, 2), hp.RealInterval(1, 2), hp.Discrete([True]))
    assert [domain.dtype for domain in domains] == [int, float, bool]


@pytest.mark.parametrize(
    "make",
    [
        lambda: hp.IntInterval(1, 2.5),  # type: ignore[arg-type]
        lambda: hp.IntInterval(2, 1),
        lambda: hp.RealInterval(2.0, 1.0),
        lambda: hp.Discrete([]),
        lambda: hp.Discrete([1, "a"]),
        lambda: hp.Discrete([None]),
        lambda: hp.HParam("a", [1, 2]),  # type: ignore[arg-type]
        lambda: hp.Metric("a", dataset_type=7),
        lambda: hp.hparams_pb({"rate": 1, RATE: 2}),
        lambda: hp.hparams_pb({3: 1}),
        lambda: hp.hparams_pb({}, trial_id=3),  # type: ignore[arg-type]
    ],
)
def test_what_makes_no_sense_is_refused(make: Any) -> None:
    with pytest.raises(BadArgumentError):
        make()


def test_other_values_than_tensorboard_takes_become_text() -> None:
    start = content_of(hp.hparams_pb({"layers": [1, 2]})).session_start_info
    assert start.hparams["layers"].string_value == "[1, 2]"


def test_without_a_writer_nothing_is_written() -> None:
    assert not hp.hparams({"a": 1})
    assert not hp.hparams_config([], [])


def test_the_callback_of_keras_writes_beginning_and_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "keras", raising=False)
    with pytest.raises(MissingExtraError):
        hp.KerasCallback(tmp_path, {"a": 1})
    base = type("Callback", (), {})
    monkeypatch.setitem(sys.modules, "keras", SimpleNamespace(callbacks=SimpleNamespace(Callback=base)))
    with pytest.raises(BadArgumentError):
        hp.KerasCallback(None, {"a": 1})
    writer = summary.create_file_writer(tmp_path, story=False)
    callback = hp.KerasCallback(writer, {RATE: 0.5}, trial_id="t")
    assert isinstance(callback, base)
    callback.on_train_begin()
    callback.on_train_end()
    writer.close()
    (_, _, _, start), (tag, tensor, step, end) = hparams_in(tmp_path)
    assert start.session_start_info.group_name == "t"
    assert (tag, step, end.session_end_info.status) == (
        "_hparams_/session_end_info",
        0,
        api_pb2.STATUS_SUCCESS,
    )
    assert tensor == hparams_in(RECORDED)[0][1]
