"""Numbers over steps: ``add_scalar``, ``add_scalars``, ``log``. The short way from a loop into the file.

A plain number goes straight to the native sink: no message is built in Python and no thread is woken.
Everything else (tensors, nested dicts, descriptions) takes a longer way to the same place.
"""

from __future__ import annotations

import json
import math
import os
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from sightline._core import FORM_SCALAR, Index
from sightline.formats.messages import DataType, PluginData, SummaryMetadata, TensorProto, Value
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_tag, step_from
from sightline.writer.engine.arrays import is_on_gpu, number_from, number_later
from sightline.writer.engine.base import WriterBase, log

Number = float | int
# A double beyond the range of a float is infinite in the file.
_FLOAT_LIMIT = 3.4028235677973366e38


# What a number on a GPU takes while it is waited for.
NUMBER_BYTES = 64
# 24 MB: for a function few people call, and nobody in a long run.
MAX_KEPT_FOR_EXPORT = 1_000_000

_DEEPEST = 100


class ScalarMethods(WriterBase):
    _next_log_step: int | None = None  # not known yet
    _kept_for_export: int = 0

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
        display_name: str = "",
        summary_description: str = "",
    ) -> None:
        """Adds one number.

        `scalar_value` is a number or anything with one element. A tensor on a GPU does not stop the GPU's
        queue: its number is fetched later. Numbers are stored in 32 bits, which is what all readers know;
        ``new_style=True, double_precision=True`` keeps 64 bits, for readers that take them (ours does, the
        quick one of TensorBoard does not).
        """
        if not (new_style or display_name or summary_description or self._has_defaults):
            try:
                if self._sink.add_scalar(tag, scalar_value, global_step, walltime):
                    self._report()
                return
            except TypeError:
                pass  # not a plain number
        checked_tag(tag)
        step, walltime = self._place(global_step, walltime)
        metadata = _metadata(new_style, display_name, summary_description)

        def value_of(number: Number) -> list[Value]:
            return [_value(tag, number, metadata, new_style, double_precision)]

        later = number_later(scalar_value)
        if later is not None:
            self._defer(lambda: value_of(later()), step, walltime, NUMBER_BYTES)
        elif metadata is None:
            if self._sink.add_scalar(tag, _number(tag, scalar_value), step, walltime):
                self._report()
        else:
            self._write(value_of(_number(tag, scalar_value)), step, walltime)

    def log(self, values: Mapping[str, Any], step: int | None = None, walltime: float | None = None) -> None:
        """Adds all numbers of a dict at one step, in one record. Nested dicts become ``a/b`` tags.

        Without a step it is one more than that of the last ``log``. The first one is 0; in a directory with
        files of an earlier session it is one more than the largest step there. A value that is None is left
        out; other things than numbers are refused, with the name of the method that takes them.
        """
        if step is None:
            step = self._counted_step() if self._default_step is None else self._default_step
        else:
            step = step_from(step)
        if walltime is None:
            walltime = self._default_walltime
        try:
            if self._sink.add_scalars(values, step, walltime):  # type: ignore[arg-type]
                self._report()
        except TypeError:
            self._log_slowly(values, step, walltime)
        self._next_log_step = step + 1

    def _counted_step(self) -> int:
        if self._next_log_step is None:
            largest = _largest_step_in(self._directory, self._sink.path)
            self._next_log_step = 0 if largest is None else largest + 1
        return self._next_log_step

    def _log_slowly(self, values: Mapping[str, Any], step: int, walltime: float | None) -> None:
        if not isinstance(values, Mapping):
            raise BadArgumentError(f"log takes a dict of numbers, not {type(values).__name__}")
        numbers: dict[str, Number] = {}
        awaited: dict[str, Callable[[], Number]] = {}
        for tag, value in flattened(values):
            later = number_later(value)
            if later is None:
                numbers[tag] = _number(tag, value)
            else:
                awaited[tag] = later
        _, walltime = self._place(step, walltime)
        if numbers and self._sink.add_scalars(numbers, step, walltime):
            self._report()
        if awaited:
            self._defer(
                lambda: [_value(tag, read(), None, False, False) for tag, read in awaited.items()],
                step,
                walltime,
                NUMBER_BYTES * len(awaited),
            )

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        *,
        same_run: bool = False,
    ) -> None:
        """Adds several numbers that belong in one chart.

        As in torch, each key becomes a run of its own, ``<log_dir>/<main_tag>_<key>``, with `main_tag` as its
        tag, because TensorBoard draws together what has the same tag. With ``same_run=True`` they stay in
        this run, as the tags ``<main_tag>/<key>``.
        """
        if not isinstance(tag_scalar_dict, Mapping):
            kind = type(tag_scalar_dict).__name__
            raise BadArgumentError(f"add_scalars takes a dict of numbers, not {kind}")
        step, walltime = self._place(global_step, walltime)
        # All of them are looked at before the first is written.
        values = {
            key: value if is_on_gpu(value) else _number(f"{main_tag}/{key}", value)
            for key, value in tag_scalar_dict.items()
        }
        if same_run:
            self.log({main_tag: values}, step, walltime)
            return
        folder = main_tag.replace("/", "_")
        for key in values:
            if os.pardir in f"{folder}_{key}".split("/"):
                raise BadArgumentError(f"A key of add_scalars names a run below this one, not {key!r}")
        for key, value in values.items():
            name = f"{folder}_{key}"
            child = self._child(os.path.join(self._directory, name))
            if child is not None:
                child.add_scalar(main_tag, value, step, walltime)
            self._keep_for_export(os.path.join(self.log_dir, name), walltime, step, value)

    def _keep_for_export(self, name: str, walltime: float, step: int, value: Any) -> None:
        if self._kept_for_export >= MAX_KEPT_FOR_EXPORT:
            return
        self._kept_for_export += 1
        number = math.nan if is_on_gpu(value) else float(value)
        histories: dict[str, array[float]] = self.__dict__.setdefault("_histories", {})
        histories.setdefault(name, array("d")).extend((walltime, step, number))

    def export_scalars_to_json(self, path: str | os.PathLike[str]) -> None:
        """Writes what ``add_scalars`` was given as JSON: ``{run: [[wall time, step, value], …]}``.

        The first million numbers since the last export are kept for this; the files hold all of them. A value
        that JSON has no number for (or that was still on a GPU) is null.
        """
        if self._kept_for_export >= MAX_KEPT_FOR_EXPORT:
            log.warning(
                "only the first %d numbers are exported; %s has all", MAX_KEPT_FOR_EXPORT, self.log_dir
            )
        histories: dict[str, array[float]] = self.__dict__.pop("_histories", {})
        self._kept_for_export = 0
        rows = {
            name: [
                [flat[i], int(flat[i + 1]), flat[i + 2] if math.isfinite(flat[i + 2]) else None]
                for i in range(0, len(flat), 3)
            ]
            for name, flat in histories.items()
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(rows, file)


def _largest_step_in(directory: str, own_file: str) -> int | None:
    """The largest step of any scalar in the other event files of a directory; None without any.

    Only asked when somebody logs without a step. The core reads the files; ten million points take a third
    of a second, once.
    """
    index = Index()
    with suppress(OSError):
        for name in os.listdir(directory):
            if "tfevents" in name and name != os.path.basename(own_file):
                index.add_root(os.path.join(directory, name))
    index.scan()
    steps = [
        int(part.step.max())
        for run in index.run_names()
        for series in index.series(run)
        if series.form == FORM_SCALAR
        for part in index.parts(run, series.tag, FORM_SCALAR)
        if len(part.step)
    ]
    return max(steps, default=None)


def flattened(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of a nested dict, with the names on the way joined by ``/``; None is no leaf.

    >>> list(flattened({"loss": 1, "val": {"acc": 2, "f1": None}}))
    [('loss', 1), ('val/acc', 2)]
    """
    if prefix.count("/") > _DEEPEST:
        raise BadArgumentError(f"Dicts within dicts, {_DEEPEST} deep: does one hold itself?")
    for name, value in values.items():
        tag = f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from flattened(value, f"{tag}/")
        elif value is not None:
            yield tag, value


def _number(tag: str, value: Any) -> Number:
    if isinstance(value, str):
        raise BadArgumentError(f"{tag!r} is text, not a number; add_text takes it: {value[:80]!r}")
    try:
        return number_from(value)
    except BadArgumentError as error:
        advice = ". add_histogram takes arrays of numbers" if "shape" in str(error) else ""
        raise BadArgumentError(f"{tag!r}: {error}{advice}") from None


def _metadata(new_style: bool, display_name: str, description: str) -> SummaryMetadata | None:
    if not (new_style or display_name or description):
        return None
    return SummaryMetadata(
        plugin_data=PluginData(plugin_name="scalars") if new_style else None,
        display_name=display_name,
        summary_description=description,
    )


def _value(
    tag: str, number: Number, metadata: SummaryMetadata | None, new_style: bool, double_precision: bool
) -> Value:
    number = float(number)
    if new_style and double_precision:
        tensor = TensorProto(dtype=int(DataType.DOUBLE), double_val=[number])
        return Value(tag=tag, tensor=tensor, metadata=metadata)
    if abs(number) >= _FLOAT_LIMIT:
        number = math.copysign(math.inf, number)
    if new_style:
        tensor = TensorProto(dtype=int(DataType.FLOAT), float_val=[number])
        return Value(tag=tag, tensor=tensor, metadata=metadata)
    return Value(tag=tag, simple_value=number, metadata=metadata)
