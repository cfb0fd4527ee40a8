"""Hyper-parameters in the shape of ``tensorboard.plugins.hparams.api``: a script changes its import line.

    from sightline.summary import hparams as hp

    rate = hp.HParam("rate", hp.RealInterval(1e-4, 1e-1))
    with writer.as_default():
        hp.hparams_config(hparams=[rate], metrics=[hp.Metric("accuracy")])    # once, in the root of the log
        hp.hparams({rate: 0.01})                                              # in the run of each trial

Both write to the default writer, as the summary functions do. ``SummaryWriter.add_hparams`` is the short way.
"""

from __future__ import annotations

import abc
import hashlib
import json
import random
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sightline.formats.messages import Summary, Value
from sightline.formats.plugin_messages import (
    DatasetType,
    Experiment,
    HParamInfo,
    HParamType,
    Interval,
    MetricInfo,
    MetricName,
    RunStatus,
)
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError, MissingExtraError
from sightline.summary._functions import write_raw_pb
from sightline.summary._writer import create_file_writer
from sightline.writer.engine.arguments import checked_text
from sightline.writer.kinds.hparams import (
    TYPES,
    domain_message,
    end_value,
    hparams_value,
    plain_value,
    start_value,
)


class Domain(abc.ABC):
    """The values that a hyper-parameter may have, all of Python's type `dtype`."""

    dtype: type

    @abc.abstractmethod
    def sample_uniform(self, rng: Any = random) -> Any:
        """One of the values, each as likely as any other."""

    @abc.abstractmethod
    def _describe(self, info: HParamInfo) -> None:
        """Puts type and domain into the message."""


@dataclass(frozen=True)
class _Interval(Domain):
    min_value: Any
    max_value: Any

    def __post_init__(self) -> None:
        for limit in (self.min_value, self.max_value):
            if not isinstance(limit, (int, self.dtype)):
                raise BadArgumentError(
                    f"{type(self).__name__} has {self.dtype.__name__} limits, not {limit!r}"
                )
        if not self.min_value <= self.max_value:
            raise BadArgumentError(f"An interval goes upwards: {self.min_value!r} to {self.max_value!r}")

    def _describe(self, info: HParamInfo) -> None:
        info.type = int(HParamType.FLOAT64)
        info.domain_interval = Interval(min_value=float(self.min_value), max_value=float(self.max_value))


class IntInterval(_Interval):
    """Whole numbers from `min_value` to `max_value`, both included."""

    dtype = int

    def sample_uniform(self, rng: Any = random) -> Any:
        return rng.randint(self.min_value, self.max_value)


class RealInterval(_Interval):
    """Numbers from `min_value` to `max_value`."""

    dtype = float

    def sample_uniform(self, rng: Any = random) -> Any:
        return rng.uniform(self.min_value, self.max_value)


class Discrete(Domain):
    """A list of values, sorted, all of one type: int, float, bool or str."""

    def __init__(self, values: Iterable[Any], dtype: type | None = None) -> None:
        found = list(values)
        if dtype is None and not found:
            raise BadArgumentError("A domain without values needs a dtype")
        self.dtype = type(found[0]) if dtype is None else dtype
        if self.dtype not in TYPES or not all(isinstance(value, self.dtype) for value in found):
            raise BadArgumentError(f"Values of a domain are all int, float, bool or str, not {found}")
        self.values = sorted(found)

    def sample_uniform(self, rng: Any = random) -> Any:
        return rng.choice(self.values)

    def __repr__(self) -> str:
        return f"Discrete({self.values!r})"

    def _describe(self, info: HParamInfo) -> None:
        info.type = int(TYPES[self.dtype])
        info.domain_discrete = domain_message(self.values)


@dataclass(eq=False)
class HParam:
    """A hyper-parameter, with no value yet. May be a key of the dict that ``hparams`` takes."""

    name: str
    domain: Domain | None = None
    display_name: str | None = None
    description: str | None = None

    def __post_init__(self) -> None:
        if self.domain is not None and not isinstance(self.domain, Domain):
            raise BadArgumentError(
                f"A domain is an IntInterval, RealInterval or Discrete, not {self.domain!r}"
            )

    def _info(self) -> HParamInfo:
        info = HParamInfo(
            name=self.name, display_name=self.display_name or "", description=self.description or ""
        )
        if self.domain is not None:
            self.domain._describe(info)
        return info


@dataclass(eq=False)
class Metric:
    """A scalar by which trials are compared: its tag, and the run below the trial's (`group`) that has it."""

    TRAINING: ClassVar[int] = int(DatasetType.TRAINING)
    VALIDATION: ClassVar[int] = int(DatasetType.VALIDATION)

    tag: str
    group: str | None = None
    display_name: str | None = None
    description: str | None = None
    dataset_type: int | None = None

    def __post_init__(self) -> None:
        if self.dataset_type not in (None, self.TRAINING, self.VALIDATION):
            raise BadArgumentError(
                f"dataset_type is Metric.TRAINING, Metric.VALIDATION or None, not {self.dataset_type!r}"
            )

    def _info(self) -> MetricInfo:
        return MetricInfo(
            name=MetricName(group=self.group or "", tag=self.tag),
            display_name=self.display_name or "",
            description=self.description or "",
            dataset_type=self.dataset_type or 0,
        )


def hparams(
    hparams: Mapping[Any, Any], trial_id: str | None = None, start_time_secs: float | None = None
) -> bool:
    """Writes the values of a trial. Keys are names or HParam objects; says whether something was written.

    Trials with the same `trial_id` are one group; without it, those with the same values are.
    """
    return write_raw_pb(hparams_pb(hparams, trial_id, start_time_secs), step=0)


def hparams_pb(
    hparams: Mapping[Any, Any], trial_id: str | None = None, start_time_secs: float | None = None
) -> Summary:
    """What ``hparams`` writes, as a message."""
    values = _values_by_name(hparams)
    group_name = _group_name(values) if trial_id is None else checked_text(trial_id, "trial_id")
    start_time_s = time.time() if start_time_secs is None else start_time_secs
    return _summary(start_value(dict(sorted(values.items())), start_time_s, group_name))


def hparams_config(
    hparams: Iterable[HParam], metrics: Iterable[Metric], time_created_secs: float | None = None
) -> bool:
    """Writes which hyper-parameters and metrics the trials have. Says whether something was written."""
    return write_raw_pb(hparams_config_pb(hparams, metrics, time_created_secs), step=0)


def hparams_config_pb(
    hparams: Iterable[HParam], metrics: Iterable[Metric], time_created_secs: float | None = None
) -> Summary:
    """What ``hparams_config`` writes, as a message."""
    experiment = Experiment(
        hparam_infos=[one._info() for one in hparams],
        metric_infos=[one._info() for one in metrics],
        time_created_secs=time_created_secs or 0.0,
    )
    return _summary(hparams_value(experiment=experiment))


def KerasCallback(writer: Any, hparams: Mapping[Any, Any], trial_id: str | None = None) -> Any:  # noqa: N802
    """A callback for ``model.fit`` that writes the values when training begins, and success when it ends.

    `writer` is a writer of ``sightline.summary`` or a directory. Keras must be imported already.
    """
    hparams_pb(hparams, trial_id)  # mistakes are told now
    keras = sys.modules.get("keras")
    if keras is None:
        raise MissingExtraError("KerasCallback", "", "keras")
    if writer is None:
        raise BadArgumentError("KerasCallback needs a writer or a directory, not None")
    chosen = writer if callable(getattr(writer, "as_default", None)) else create_file_writer(writer)
    wanted = dict(hparams)

    def begin(self: Any, logs: object = None) -> None:
        with chosen.as_default():
            globals()["hparams"](wanted, trial_id)

    def end(self: Any, logs: object = None) -> None:
        with chosen.as_default():
            write_raw_pb(_summary(end_value(RunStatus.SUCCESS, time.time())), step=0)

    members = {"on_train_begin": begin, "on_train_end": end, "__doc__": "Writes hyper-parameters."}
    return type("HParamsCallback", (keras.callbacks.Callback,), members)()


def _values_by_name(hparams: Mapping[Any, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in hparams.items():
        name = checked_text(key.name if isinstance(key, HParam) else key, "The name of a hyper-parameter")
        if name in values:
            raise BadArgumentError(f"Two hyper-parameters are called {name!r}")
        plain = value.item() if isinstance(value, np.generic) else value
        values[name] = plain if isinstance(plain, (bool, int, float, str)) else plain_value(plain)
    return values


def _group_name(values: Mapping[str, Any]) -> str:
    """The same for the same values, and the same that TensorBoard gives them."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _summary(value: Value) -> Summary:
    """TensorBoard's own API adds a tensor without elements; all information is in the metadata."""
    value.tensor = tensor_from_array(np.zeros(0, np.float32))
    return Summary(value=[value])
