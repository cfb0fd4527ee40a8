import json
import math
from pathlib import Path

import numpy as np
import pytest

from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from tests.writer.reading import events_of, scalars_of, values_of


def test_a_scalar_is_a_simple_value_at_its_step_and_time(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_scalar("Loss/train", 0.5, 7, walltime=1234.5)
    writer.close()
    event = events_of(tmp_path)[1]
    assert (event.step, event.wall_time) == (7, 1234.5)
    assert [(v.tag, v.simple_value) for v in event.summary.value] == [("Loss/train", 0.5)]
    assert not event.summary.value[0].HasField("metadata")


@pytest.mark.parametrize("value", [2, 2.0, True + 1, np.float32(2), np.int64(2), np.array([2.0]), [2]])
def test_any_number_will_do(writer: SummaryWriter, tmp_path: Path, value: object) -> None:
    writer.add_scalar("a", value, np.int64(3))
    writer.close()
    assert scalars_of(tmp_path) == {"a": [(3, 2.0)]}


def test_without_a_step_it_is_zero(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_scalar("a", 1)
    writer.close()
    assert scalars_of(tmp_path) == {"a": [(0, 1.0)]}


def test_values_that_are_no_numbers_or_too_large_survive(writer: SummaryWriter, tmp_path: Path) -> None:
    for step, value in enumerate([math.nan, math.inf, -math.inf, 1e300, -1e300, 10**400]):
        writer.add_scalar("a", value, step)
    writer.close()
    values = [value for _, value in scalars_of(tmp_path)["a"]]
    assert math.isnan(values[0])
    assert values[1:] == [math.inf, -math.inf, math.inf, -math.inf, math.inf]


@pytest.mark.parametrize("value", ["0.5", [1, 2], None, object(), 1j])
def test_what_is_no_number_is_refused_by_name(writer: SummaryWriter, value: object) -> None:
    with pytest.raises(BadArgumentError, match="'loss'"):
        writer.add_scalar("loss", value, 1)


@pytest.mark.parametrize("step", ["x", 1 << 63, math.nan, object()])
def test_a_step_that_is_none_is_refused(writer: SummaryWriter, step: object) -> None:
    with pytest.raises(BadArgumentError, match="step"):
        writer.add_scalar("a", 1, step)  # type: ignore[arg-type]


def test_a_tag_is_text(writer: SummaryWriter) -> None:
    with pytest.raises(BadArgumentError, match="tag"):
        writer.add_scalar(3, 1)  # type: ignore[arg-type]


def test_new_style_and_double_precision_are_tensors(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_scalar("a", 0.1, 1, new_style=True)
    writer.add_scalar("b", 0.1, 1, new_style=True, double_precision=True)
    writer.close()
    (_, a), (_, b) = values_of(tmp_path)
    assert (a.tensor.dtype, list(a.tensor.float_val)) == (1, [np.float32(0.1)])
    assert (b.tensor.dtype, list(b.tensor.double_val)) == (2, [0.1])
    assert a.metadata.plugin_data.plugin_name == b.metadata.plugin_data.plugin_name == "scalars"


def test_name_and_description_are_kept_beside_the_value(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_scalar("a", 1, 1, display_name="A", summary_description="what it is")
    writer.close()
    ((_, value),) = values_of(tmp_path)
    assert (value.metadata.display_name, value.metadata.summary_description) == ("A", "what it is")
    assert (value.simple_value, value.metadata.plugin_data.plugin_name) == (1.0, "")


def test_log_writes_a_dict_as_one_event(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.log({"loss": 0.25, "val": {"acc": 0.5, "top": {"5": np.float32(0.75)}}, "later": None}, 3)
    writer.close()
    events = events_of(tmp_path)
    assert len(events) == 2
    assert [(v.tag, v.simple_value) for v in events[1].summary.value] == [
        ("loss", 0.25),
        ("val/acc", 0.5),
        ("val/top/5", 0.75),
    ]


def test_log_counts_its_own_steps(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.log({"a": 1})
    writer.log({"a": 2})
    writer.log({"a": 3}, 10)
    writer.log({"a": 4})
    writer.close()
    assert scalars_of(tmp_path)["a"] == [(0, 1.0), (1, 2.0), (10, 3.0), (11, 4.0)]


def test_log_refuses_what_is_no_number_and_writes_nothing_of_it(
    writer: SummaryWriter, tmp_path: Path
) -> None:
    with pytest.raises(BadArgumentError, match=r"'b'.*add_text"):
        writer.log({"a": 1, "b": "text"}, 1)
    with pytest.raises(BadArgumentError, match=r"'b'.*add_histogram"):
        writer.log({"a": 1, "b": [1, 2]}, 1)
    with pytest.raises(BadArgumentError, match="dict"):
        writer.log([("a", 1)], 1)  # type: ignore[arg-type]
    writer.close()
    assert scalars_of(tmp_path) == {}


def test_add_scalars_gives_each_key_a_run_of_its_own(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_scalars("run/x", {"sin": 0.5, "cos": 1}, 2)
    writer.close()
    assert scalars_of(tmp_path) == {}
    assert scalars_of(tmp_path / "run_x_sin") == {"run/x": [(2, 0.5)]}
    assert scalars_of(tmp_path / "run_x_cos") == {"run/x": [(2, 1.0)]}


def test_add_scalars_can_stay_in_the_run(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_scalars("x", {"sin": 0.5, "cos": 1}, 2, same_run=True)
    writer.close()
    assert scalars_of(tmp_path) == {"x/sin": [(2, 0.5)], "x/cos": [(2, 1.0)]}


def test_what_add_scalars_was_given_can_be_exported(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_scalars("x", {"a": 0.5}, 2, walltime=10.0)
    writer.add_scalars("x", {"a": 0.25}, 3, walltime=11.0)
    writer.export_scalars_to_json(tmp_path / "all.json")
    writer.close()
    assert json.loads((tmp_path / "all.json").read_text()) == {
        str(tmp_path / "x_a"): [[10.0, 2, 0.5], [11.0, 3, 0.25]]
    }


def test_defaults_of_a_block_hold_inside_it_only(writer: SummaryWriter, tmp_path: Path) -> None:
    with writer.use_metadata(global_step=5, walltime=99.0):
        writer.add_scalar("a", 1)
        writer.add_scalar("a", 2, 6)
        writer.log({"a": 3})
    writer.add_scalar("a", 4)
    writer.close()
    events = events_of(tmp_path)[1:]
    assert [event.step for event in events] == [5, 6, 5, 0]
    assert [event.wall_time for event in events[:3]] == [99.0] * 3


class FakeTensor:
    """A torch tensor on a GPU, as far as reading a number goes."""

    class device:  # noqa: N801
        type = "cuda"


def test_a_number_on_a_gpu_is_fetched_later(writer: SummaryWriter, tmp_path: Path, monkeypatch) -> None:
    import threading

    from sightline.writer.kinds import scalars

    gate = threading.Event()

    def number_later(value: object):
        def read() -> float:
            gate.wait()
            return 0.5

        return read if isinstance(value, FakeTensor) else None

    monkeypatch.setattr(scalars, "number_later", number_later)
    writer.add_scalar("gpu", FakeTensor(), 1)  # returns although the number is not there yet
    writer.log({"cpu": 1, "gpu": FakeTensor()}, 2)
    gate.set()
    writer.close()
    assert scalars_of(tmp_path) == {"cpu": [(2, 1.0)], "gpu": [(1, 0.5), (2, 0.5)]}
