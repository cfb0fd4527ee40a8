"""Hyper-parameters and the metrics that belong to them.

Three records tell the story: the experiment (names, types, metrics), the start of the session (values), and
its end (success or failure). They are written into the run they belong to: experiment and start when
``add_hparams`` is called, the end when the writer closes, so that a table of runs shows which are still
going. torch writes all three at once into a new run below this one, named after the time; ``sub_run=True``
or a `run_name` gives that.

TensorBoard uses the first experiment it finds in a whole log directory, and the first start of a run. A
later call adds to what was said, for our own reader; TensorBoard keeps what it has, and sees the new
metrics as scalars.

Values are bools, numbers or text, as the format has them. What is none of these becomes text: lists and their
like as JSON, functions and classes by name, anything else as it prints. None is left out, as torch does:
TensorBoard cannot sort a column that has a null in it.
"""

from __future__ import annotations

import json
import numbers
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from sightline.formats.messages import Value
from sightline.formats.plugin_messages import (
    Experiment,
    HParamInfo,
    HParamsPluginData,
    HParamType,
    ListValue,
    MetricInfo,
    MetricName,
    RunStatus,
    SessionEndInfo,
    SessionStartInfo,
)
from sightline.formats.struct_values import struct_value_from_python
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_text, text_from
from sightline.writer.engine.arrays import array_from, is_torch_tensor, number_from
from sightline.writer.engine.base import WriterBase, plugin_value
from sightline.writer.engine.lifetime import ended_well
from sightline.writer.kinds.scalars import flattened

Plain = bool | float | str

TYPES: dict[type, HParamType] = {
    bool: HParamType.BOOL,
    int: HParamType.FLOAT64,
    float: HParamType.FLOAT64,
    str: HParamType.STRING,
}

# Readers show values in the cells of a table.
_LONGEST_MADE_TEXT = 10_000
_MOST_ELEMENTS_SPELLED = 1_000


@dataclass(frozen=True)
class Session:
    """What is known of a run's hyper-parameters."""

    hparams: dict[str, Plain]
    domains: dict[str, list[Plain]]
    metrics: tuple[str, ...]
    step: int = 0
    start_time_s: float = 0.0

    def continued(self, later: Session) -> Session:
        return Session(
            hparams={**self.hparams, **later.hparams},
            domains={**self.domains, **later.domains},
            metrics=tuple(dict.fromkeys((*self.metrics, *later.metrics))),
            step=later.step,
            start_time_s=self.start_time_s,
        )


class HParamsMethods(WriterBase):
    _session: Session | None = None  # since add_hparams, until the writer is closed

    def add_hparams(
        self,
        hparam_dict: Mapping[str, Any],
        metric_dict: Mapping[str, Any],
        hparam_domain_discrete: Mapping[str, Sequence[Any]] | str | None = None,
        run_name: Any = None,
        global_step: int | None = None,
        *,
        name: str | None = None,
        sub_run: bool = False,
    ) -> None:
        """Adds hyper-parameters of the run, and metrics to compare runs by.

        `hparam_dict` has bools, numbers and text; nested dicts become names with ``/``, other values text,
        and None is left out. `metric_dict` has numbers, which are added as scalars too; when it is empty,
        TensorBoard takes every scalar of the run for a metric. `hparam_domain_discrete` lists the values
        that a hyper-parameter may have.

        Whether the run went well is recorded when the writer closes. `run_name` (tensorboardX: `name`) or
        ``sub_run=True`` writes everything, as torch does, into a run below this one.
        """
        if isinstance(hparam_domain_discrete, str):  # tensorboardX: name is third, the step fourth
            name, hparam_domain_discrete = hparam_domain_discrete, None
            if run_name is not None and not isinstance(run_name, str):
                run_name, global_step = None, run_name
        run_name = _run_name(run_name, name)
        hparams = plain_hparams(hparam_dict)
        domains = plain_domains(hparam_domain_discrete or {}, hparams)
        metrics = _metrics(metric_dict)
        step, walltime = self._place(global_step, None)
        session = Session(hparams, domains, tuple(metrics), step, walltime)
        if run_name or sub_run:
            self._add_sub_run(run_name or str(time.time()), session, metrics, walltime)
            return
        if self._session is not None:
            session = self._session.continued(session)
        # An experiment without metrics would tell TensorBoard that there are none.
        if session.metrics or session.domains:
            self._write([experiment_value(session)], step, walltime)
        self._write([start_value(session.hparams, session.start_time_s)], step, walltime)
        self._session = session
        self._add_metrics(metrics, step, walltime)

    def _end_hparams(self, error: BaseException | None) -> None:
        """Records how the session ended, if one began; called when the writer closes."""
        session, self._session = self._session, None
        if session is not None:
            status = RunStatus.SUCCESS if ended_well(error) else RunStatus.FAILURE
            now = time.time()
            self._write([end_value(status, now)], session.step, now)

    def _add_metrics(self, metrics: Mapping[str, float], step: int, walltime: float) -> None:
        for tag, number in metrics.items():
            if self._sink.add_scalar(tag, number, step, walltime):
                self._report()

    def _add_sub_run(
        self, run_name: str, session: Session, metrics: Mapping[str, float], walltime: float
    ) -> None:
        """torch's layout: a run of its own, that began and ended well at no time in particular."""
        sub = self._child(os.path.join(self._directory, run_name))
        if sub is None:
            return
        start, end = start_value(session.hparams, 0.0), end_value(RunStatus.SUCCESS, 0.0)
        for value in (experiment_value(session), start, end):
            sub._write([value], session.step, walltime)
        sub._add_metrics(metrics, session.step, walltime)
        sub._close(None)


def experiment_value(session: Session) -> Value:
    infos = [
        HParamInfo(
            name=name,
            type=int(TYPES[type(value)]),
            domain_discrete=domain_message(session.domains[name]) if name in session.domains else None,
        )
        for name, value in session.hparams.items()
    ]
    metrics = [MetricInfo(name=MetricName(tag=tag)) for tag in session.metrics]
    return hparams_value(experiment=Experiment(hparam_infos=infos, metric_infos=metrics))


def start_value(hparams: Mapping[str, Plain], start_time_s: float, group_name: str = "") -> Value:
    values = {name: struct_value_from_python(value) for name, value in hparams.items()}
    start = SessionStartInfo(hparams=values, start_time_secs=start_time_s, group_name=group_name)
    return hparams_value(session_start_info=start)


def end_value(status: RunStatus, end_time_s: float) -> Value:
    return hparams_value(session_end_info=SessionEndInfo(status=int(status), end_time_secs=end_time_s))


def hparams_value(**record: Any) -> Value:
    """The value of one record, which is named as the plugin's message has it."""
    (name,) = record
    return plugin_value(f"_hparams_/{name}", "hparams", content=HParamsPluginData(**record).encode())


def domain_message(values: Iterable[Plain]) -> ListValue:
    return ListValue(values=[struct_value_from_python(value) for value in values])


def _metrics(metrics: Any) -> dict[str, float]:
    if not isinstance(metrics, Mapping):
        raise BadArgumentError(f"metric_dict is a dict of numbers, not {type(metrics).__name__}")
    found = {}
    for name, value in metrics.items():
        checked_text(name, "A metric's name")
        try:
            found[name] = float(number_from(value))
        except (BadArgumentError, OverflowError) as error:
            raise BadArgumentError(f"The metric {name!r} needs one number: {error}") from error
    return found


def _run_name(run_name: Any, name: Any) -> str | None:
    for given in (run_name, name):
        if given is not None:
            checked_text(given, "The name of a run")
    if run_name and name and run_name != name:
        raise BadArgumentError(
            f"run_name and name are the same thing; give one of them: {run_name!r}, {name!r}"
        )
    chosen: str | None = run_name or name
    return chosen


# -- values


def plain_hparams(hparams: Any) -> dict[str, Plain]:
    """All hyper-parameters of a (nested) dict by name."""
    if not isinstance(hparams, Mapping):
        raise BadArgumentError(
            f"hparam_dict is a dict, not {type(hparams).__name__}. Give vars(args) of a namespace"
        )
    try:
        leaves = list(flattened(hparams))
    except RecursionError:
        raise BadArgumentError("hparam_dict contains itself, or is nested too deep") from None
    plain: dict[str, Plain] = {}
    for name, value in leaves:
        if name in plain:
            raise BadArgumentError(
                f"Two hyper-parameters are called {name!r}; nested names are joined by '/'"
            )
        plain[name] = plain_value(value)
    return plain


def plain_domains(domains: Any, hparams: Mapping[str, Plain]) -> dict[str, list[Plain]]:
    """The values that hyper-parameters may have, checked against those they do have."""
    if not isinstance(domains, Mapping):
        raise BadArgumentError(f"hparam_domain_discrete is a dict of lists, not {type(domains).__name__}")
    plain = {}
    for name, values in domains.items():
        if name not in hparams:
            raise BadArgumentError(f"hparam_domain_discrete has {name!r}, which is no hyper-parameter")
        if not isinstance(values, (list, tuple)):
            raise BadArgumentError(f"hparam_domain_discrete[{name!r}] is a list, not {type(values).__name__}")
        plain[name] = [plain_value(value) for value in values]
        wanted = TYPES[type(hparams[name])]
        if any(TYPES[type(value)] is not wanted for value in plain[name]):
            raise BadArgumentError(
                f"hparam_domain_discrete[{name!r}] needs values of the type that the hyper-parameter has "
                f"({wanted.name}): {values!r}"
            )
    return plain


def plain_value(value: Any) -> Plain:
    """The bool, number or text of a value."""
    if isinstance(value, Enum):
        value = value.value if isinstance(value, (str, int, float)) else value.name
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (str, bytes, bytearray)):
        return text_from(value)
    if isinstance(value, numbers.Real):  # NumPy's scalars are, too
        try:
            return float(value)
        except OverflowError:
            return _shortened(str(value))
    if callable(value):
        return _shortened(getattr(value, "__name__", None) or str(value))
    if is_torch_tensor(value) or (hasattr(value, "shape") and hasattr(value, "dtype")):
        return _plain_of_array(value)
    if isinstance(value, (list, tuple, set, frozenset, Mapping)):
        return _shortened(_json(value))
    return _shortened(str(value))


def _plain_of_array(value: Any) -> Plain:
    try:
        array = array_from(value)
    except BadArgumentError:
        return _shortened(str(value))
    if array.size == 1:
        return plain_value(array.reshape(()).item())
    if array.size > _MOST_ELEMENTS_SPELLED:
        return f"{array.dtype} array of shape {list(array.shape)}"
    return _shortened(_json(array.tolist()))


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_json_of_other)
    except (TypeError, ValueError):  # keys that are no text; a list that contains itself
        return str(value)
    except RecursionError:
        raise BadArgumentError("A hyper-parameter is nested too deep") from None


def _json_of_other(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.ndarray) and value.size <= _MOST_ELEMENTS_SPELLED:
        return value.tolist()
    return plain_value(value)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_MADE_TEXT else f"{text[:_LONGEST_MADE_TEXT]}…"
