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
    HParamsPluginData,
    HParamType,
    Interval,
    ListValue,
    MetricInfo,
    MetricName,
    RunStatus,
    SessionStartInfo,
)
from sightline.formats.struct_values import struct_value_from_python
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError, MissingExtraError
from sightline.summary._functions import write_raw_pb
from sightline.summary._writer import create_file_writer
from sightline.writer.engine.base import plugin_value
from sightline.writer.kinds.hparam_values import plain_value
from sightline.writer.kinds.hparams import end_value

_TYPES = {int: HParamType.FLOAT64, float: HParamType.FLOAT64, bool: HParamType.BOOL, str: HParamType.STRING}


class Domain(abc.ABC):
    """The values that a hyper-parameter may have."""

    @property
    @abc.abstractmethod
    def dtype(self) -> type:
        """Python's type of the values."""

    @abc.abstractmethod
    def sample_uniform(self, rng: Any = random) -> Any:
        """One of the values, each as likely as any other."""

    @abc.abstractmethod
    def _describe(self, info: HParamInfo) -> None:
        """Puts type and domain into the message."""


@dataclass(frozen=True)
class _IntervalDomain(Domain):
    min_value: Any
    max_value: Any

    def __post_init__(self) -> None:
        if not self.min_value <= self.max_value:
            raise BadArgumentError(f"An interval goes upwards: {self.min_value!r} to {self.max_value!r}")

    def __str__(self) -> str:
        return f"[{self.min_value}, {self.max_value}]"

    def _describe(self, info: HParamInfo) -> None:
        info.type = int(HParamType.FLOAT64)
        info.domain_interval = Interval(min_value=float(self.min_value), max_value=float(self.max_value))


@dataclass(frozen=True)
class IntInterval(_IntervalDomain):
    """Whole numbers from `min_value` to `max_value`, both included."""

    min_value: int
    max_value: int

    def __post_init__(self) -> None:
        for limit in (self.min_value, self.max_value):
            if not isinstance(limit, int):
                raise BadArgumentError(f"IntInterval has whole numbers as limits, not {limit!r}")
        super().__post_init__()

    @property
    def dtype(self) -> type:
        return int

    def sample_uniform(self, rng: Any = random) -> Any:
        return rng.randint(self.min_value, self.max_value)


@dataclass(frozen=True)
class RealInterval(_IntervalDomain):
    """Numbers from `min_value` to `max_value`."""

    min_value: float
    max_value: float

    @property
    def dtype(self) -> type:
        return float

    def sample_uniform(self, rng: Any = random) -> Any:
        return rng.uniform(self.min_value, self.max_value)


class Discrete(Domain):
    """A list of values, all of one type: int, float, bool or str."""

    def __init__(self, values: Iterable[Any], dtype: type | None = None) -> None:
        found = list(values)
        if dtype is None and not found:
            raise BadArgumentError("A domain without values needs a dtype")
        chosen = type(found[0]) if dtype is None else dtype
        if chosen not in _TYPES:
            raise BadArgumentError(f"Values of a domain are int, float, bool or str, not {chosen.__name__}")
        for value in found:
            if not isinstance(value, chosen):
                raise BadArgumentError(f"Values of this domain are {chosen.__name__}, not {value!r}")
        self._dtype = chosen
        self._values = sorted(found)

    @property
    def dtype(self) -> type:
        return self._dtype

    @property
    def values(self) -> list[Any]:
        """The values, sorted."""
        return list(self._values)

    def sample_uniform(self, rng: Any = random) -> Any:
        return rng.choice(self._values)

    def __str__(self) -> str:
        return f"{{{', '.join(repr(value) for value in self._values)}}}"

    def __repr__(self) -> str:
        return f"Discrete({self._values!r})"

    def _describe(self, info: HParamInfo) -> None:
        info.type = int(_TYPES[self._dtype])
        info.domain_discrete = ListValue(values=[struct_value_from_python(value) for value in self._values])


class HParam:
    """A hyper-parameter, with no value yet. May be a key of the dict that ``hparams`` takes."""

    def __init__(
        self,
        name: str,
        domain: Domain | None = None,
        display_name: str | None = None,
        description: str | None = None,
    ) -> None:
        if domain is not None and not isinstance(domain, Domain):
            raise BadArgumentError(f"A domain is an IntInterval, RealInterval or Discrete, not {domain!r}")
        self.name = name
        self.domain = domain
        self.display_name = display_name
        self.description = description

    def __str__(self) -> str:
        return f"<HParam {self.name!r}: {self.domain}>"

    def __repr__(self) -> str:
        return (
            f"HParam(name={self.name!r}, domain={self.domain!r}, display_name={self.display_name!r}, "
            f"description={self.description!r})"
        )

    def _info(self) -> HParamInfo:
        info = HParamInfo(
            name=self.name, display_name=self.display_name or "", description=self.description or ""
        )
        if self.domain is not None:
            self.domain._describe(info)
        return info


class Metric:
    """A scalar by which trials are compared: its tag, and the run below the trial's (`group`) that has it."""

    TRAINING: ClassVar[int] = int(DatasetType.TRAINING)
    VALIDATION: ClassVar[int] = int(DatasetType.VALIDATION)

    def __init__(
        self,
        tag: str,
        group: str | None = None,
        display_name: str | None = None,
        description: str | None = None,
        dataset_type: int | None = None,
    ) -> None:
        if dataset_type not in (None, self.TRAINING, self.VALIDATION):
            raise BadArgumentError(
                f"dataset_type is Metric.TRAINING, Metric.VALIDATION or None, not {dataset_type!r}"
            )
        self._info = MetricInfo(
            name=MetricName(group=group or "", tag=tag),
            display_name=display_name or "",
            description=description or "",
            dataset_type=dataset_type or 0,
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
    start = SessionStartInfo(
        hparams={name: struct_value_from_python(values[name]) for name in sorted(values)},
        group_name=_group_name(values) if trial_id is None else _checked_id(trial_id),
        start_time_secs=time.time() if start_time_secs is None else start_time_secs,
    )
    return _summary("session_start_info", HParamsPluginData(session_start_info=start))


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
        metric_infos=[metric._info for metric in metrics],
        time_created_secs=time_created_secs or 0.0,
    )
    return _summary("experiment", HParamsPluginData(experiment=experiment))


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
            write_raw_pb(Summary(value=[_with_tensor(end_value(RunStatus.SUCCESS, time.time()))]), step=0)

    members = {"on_train_begin": begin, "on_train_end": end, "__doc__": "Writes hyper-parameters."}
    return type("HParamsCallback", (keras.callbacks.Callback,), members)()


def _values_by_name(hparams: Mapping[Any, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in hparams.items():
        name = key.name if isinstance(key, HParam) else key
        if not isinstance(name, str):
            raise BadArgumentError(f"The name of a hyper-parameter is text, not {name!r}")
        if name in values:
            raise BadArgumentError(f"Two hyper-parameters are called {name!r}")
        plain = value.item() if isinstance(value, np.generic) else value
        values[name] = plain if isinstance(plain, (bool, int, float, str)) else plain_value(plain)
    return values


def _group_name(values: Mapping[str, Any]) -> str:
    """The same for the same values, and the same that TensorBoard gives them."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _checked_id(trial_id: Any) -> str:
    if not isinstance(trial_id, str):
        raise BadArgumentError(f"trial_id is text, not {trial_id!r}")
    return trial_id


def _summary(record: str, content: HParamsPluginData) -> Summary:
    return Summary(value=[_with_tensor(plugin_value(f"_hparams_/{record}", "hparams", content=content))])


def _with_tensor(value: Value) -> Value:
    """TensorBoard's own API adds a tensor without elements; all information is in the metadata."""
    value.tensor = tensor_from_array(np.zeros(0, np.float32))
    return value
