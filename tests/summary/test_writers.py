"""Writers of ``sightline.summary``: default writers, steps, conditions, threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sightline
from sightline import BadArgumentError, summary
from sightline.summary import _context, experimental


@pytest.fixture(autouse=True)
def clean_thread() -> Iterator[None]:
    """Tests that set defaults leave none behind."""
    yield
    _context.state.writer = _context.state.step = _context.state.condition = None


def writer_in(path: Path) -> Any:
    return summary.create_file_writer(path, story=False)


def points(path: Path) -> dict[str, list[tuple[int, float]]]:
    """Tag → (step, value) of the only run, in the order in which they were written."""
    with sightline.open(path, watch=False) as log:
        return {
            tag: list(zip(series.step.tolist(), series.value.tolist(), strict=True))
            for tag, series in log.wait()["."].scalars.items()
        }


def test_without_a_writer_nothing_is_written_and_nothing_fails() -> None:
    assert not summary.scalar("loss", 0.5, step=1)
    assert not summary.scalar("loss", 0.5)
    assert not summary.text("note", 3, step=1)
    assert not summary.graph(b"")
    assert not summary.should_record_summaries()
    summary.flush()


def test_a_block_writes_to_its_writer_and_says_so(tmp_path: Path) -> None:
    writer = writer_in(tmp_path)
    with writer.as_default() as default:
        assert default is writer
        assert summary.should_record_summaries()
        assert summary.should_record()
        assert summary.scalar("loss", 0.5, step=3)
    assert not summary.scalar("loss", 0.25, step=4)
    assert points(tmp_path) == {"loss": [(3, 0.5)]}  # the end of the block has flushed


def test_blocks_nest_and_put_back_what_they_found(tmp_path: Path) -> None:
    one, two = writer_in(tmp_path / "one"), writer_in(tmp_path / "two")
    with one.as_default(step=10):
        summary.scalar("loss", 1.0)
        with two.as_default(step=20):
            summary.scalar("loss", 2.0)
        with two.as_default():
            summary.scalar("loss", 3.0)
        summary.scalar("loss", 4.0)
    assert experimental.get_step() is None
    assert points(tmp_path / "one") == {"loss": [(10, 1.0), (10, 4.0)]}
    assert points(tmp_path / "two") == {"loss": [(20, 2.0), (10, 3.0)]}


def test_a_block_ends_well_after_an_error_in_it(tmp_path: Path) -> None:
    writer = writer_in(tmp_path)
    with suppress(KeyError), writer.as_default(step=1):
        summary.scalar("loss", 0.5)
        raise KeyError
    assert not summary.should_record_summaries()
    assert points(tmp_path) == {"loss": [(1, 0.5)]}


def test_a_step_set_inside_a_block_stays_unless_the_block_had_one(tmp_path: Path) -> None:
    writer = writer_in(tmp_path)
    with writer.as_default():
        experimental.set_step(5)
    assert experimental.get_step() == 5
    with writer.as_default(step=7):
        experimental.set_step(8)
    assert experimental.get_step() == 5


def test_a_default_writer_may_be_set_for_good(tmp_path: Path) -> None:
    writer = writer_in(tmp_path)
    writer.set_as_default(step=2)
    assert summary.scalar("loss", 0.5)
    writer.set_as_default()
    assert summary.scalar("loss", 0.25)
    summary.flush()
    assert points(tmp_path) == {"loss": [(2, 0.5), (2, 0.25)]}


def test_a_missing_step_is_an_error_only_where_something_would_be_written(tmp_path: Path) -> None:
    with writer_in(tmp_path).as_default():
        with pytest.raises(BadArgumentError, match="No step is set"):
            summary.scalar("loss", 0.5)
        with pytest.raises(ValueError, match="set_step"):
            experimental.write_raw_pb(b"")
        with summary.record_if(False):
            assert not summary.scalar("loss", 0.5)


class Variable:
    """Like TensorFlow's: has a value that changes."""

    def __init__(self, value: int) -> None:
        self.value = value

    def numpy(self) -> np.int64:
        return np.int64(self.value)


def test_a_variable_as_step_is_read_at_every_summary(tmp_path: Path) -> None:
    step = Variable(1)
    with writer_in(tmp_path).as_default(step):
        summary.scalar("loss", 1.0)
        step.value = 2
        summary.scalar("loss", 2.0)
        summary.scalar("loss", 3.0, step=Variable(3))
        assert experimental.get_step() is step
    assert points(tmp_path) == {"loss": [(1, 1.0), (2, 2.0), (3, 3.0)]}


@pytest.mark.parametrize("step", ["3", [1, 2], 2**63, None.__class__])
def test_a_step_that_is_no_number_is_refused_even_without_a_writer(step: Any) -> None:
    with pytest.raises(BadArgumentError):
        summary.scalar("loss", 0.5, step=step)


def test_another_thread_has_no_default_writer(tmp_path: Path) -> None:
    found: list[object] = []

    def look() -> None:
        found.append((summary.scalar("loss", 0.5, step=1), experimental.get_step()))
        with other.as_default(step=9):
            found.append(summary.scalar("loss", 9.0))

    other = writer_in(tmp_path / "other")
    with writer_in(tmp_path / "main").as_default(step=1), summary.record_if(True):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert summary.scalar("loss", 1.0)
    assert found == [(False, None), True]
    assert points(tmp_path / "main") == {"loss": [(1, 1.0)]}
    assert points(tmp_path / "other") == {"loss": [(9, 9.0)]}


def test_a_condition_may_be_a_value_or_a_function(tmp_path: Path) -> None:
    asked: list[int] = []

    def is_even() -> bool:
        asked.append(1)
        return len(asked) % 2 == 0

    with writer_in(tmp_path).as_default(step=0):
        with summary.record_if(is_even):
            assert [summary.scalar("loss", 0.5, step=step) for step in range(4)] == [False, True, False, True]
        for no in (False, np.bool_(False), np.array(False)):
            with summary.record_if(no):
                assert not summary.should_record_summaries()
                assert not summary.graph(b"")
                with summary.record_if(True):
                    assert summary.should_record_summaries()
        with summary.record_if(None):
            assert summary.should_record_summaries()
    assert len(asked) == 4


def test_what_is_not_recorded_is_not_computed_either(tmp_path: Path) -> None:
    def fail() -> None:
        raise AssertionError

    with writer_in(tmp_path).as_default(step=0), summary.record_if(False):
        assert not summary.write("tag", fail)
        assert not summary.image("wrong shape", np.zeros(3))


def test_a_noop_writer_takes_everything_and_leaves_the_default_alone(tmp_path: Path) -> None:
    noop = summary.create_noop_writer()
    with noop.as_default(step=1):
        assert not summary.scalar("loss", 0.5)
    noop.set_as_default()
    assert (noop.init(), noop.flush(), noop.close()) == (None, True, True)
    with writer_in(tmp_path).as_default(step=2), noop.as_default(step=3), noop:
        assert summary.scalar("loss", 0.5)
    assert points(tmp_path) == {"loss": [(2, 0.5)]}


def test_both_kinds_of_writers_are_summary_writers(tmp_path: Path) -> None:
    writer = writer_in(tmp_path)
    assert isinstance(writer, summary.SummaryWriter)
    assert isinstance(summary.create_noop_writer(), summary.SummaryWriter)
    writer.init()


def test_a_writer_is_closed_by_its_own_block_and_goes_on_in_a_new_file(tmp_path: Path) -> None:
    with writer_in(tmp_path) as writer, writer.as_default(step=1):
        summary.scalar("loss", 1.0)
    writer.close()
    with writer.as_default(step=2):
        summary.scalar("loss", 2.0)
    assert len(list(tmp_path.glob("*.v2"))) == 2
    assert points(tmp_path) == {"loss": [(1, 1.0), (2, 2.0)]}


def test_names_of_files_and_where_they_lie(tmp_path: Path) -> None:
    for number, given in enumerate((str(tmp_path / "0"), tmp_path / "1", str(tmp_path / "2").encode())):
        writer = summary.create_file_writer(
            given,
            10,
            500,
            ".mine",
            "name",
            False,
            None,
            story=False,  # type: ignore[arg-type]
        )
        writer.close()
        (path,) = (tmp_path / str(number)).iterdir()
        assert path.name.endswith(".mine")


@pytest.mark.parametrize("arguments", [{"logdir": None}, {"logdir": "x", "flush_millis": -1}])
def test_arguments_of_a_writer_that_make_no_sense_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArgumentError):
        summary.create_file_writer(**arguments)


def test_flush_takes_a_writer_and_nothing_else(tmp_path: Path) -> None:
    writer = writer_in(tmp_path)
    with writer.as_default(step=1):
        summary.scalar("loss", 0.5)
        summary.flush(writer)
        assert points(tmp_path) == {"loss": [(1, 0.5)]}
        with pytest.raises(BadArgumentError, match="takes a writer, not int"):
            summary.flush(3)  # type: ignore[arg-type]


def test_a_writer_also_has_the_methods_of_the_other_shape(tmp_path: Path) -> None:
    with writer_in(tmp_path) as writer, writer.as_default(step=1):
        summary.scalar("loss", 0.5)
        writer.add_scalar("accuracy", 0.75, 1)
    assert points(tmp_path) == {"loss": [(1, 0.5)], "accuracy": [(1, 0.75)]}
