"""Histograms against NumPy, tensorboardX's writer, and what torch and TensorFlow recorded in the fixtures."""

from __future__ import annotations

import itertools
import logging
import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tensorboardX
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from tensorboard.util.tensor_util import make_ndarray
from tensorboardX.summary import make_histogram

from sightline import SummaryWriter, _core
from sightline.model.errors import BadArgumentError
from sightline.writer.kinds.histograms import chosen_edges, legacy_buckets
from tests.writer.reading import events_of, values_of

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"
REAL_DTYPES = (
    "?",
    *(kind + size for kind, size in itertools.product("iu", "1248")),
    "f2",
    "f4",
    "f8",
)


def geometric_edges() -> NDArray[np.float64]:
    """By the definition of tensorboardX and torch, whose edges are not public."""
    edges = []
    edge = 1e-12
    while edge < 1e20:
        edges.append(edge)
        edge *= 1.1
    return np.array([*(-edge for edge in reversed(edges)), 0.0, *edges])


EDGES = geometric_edges()


def edges_for(array: NDArray[Any]) -> NDArray[np.float64]:
    """Ours go on to the smallest and largest finite element."""
    numbers = array.astype(np.float64).ravel()
    beyond = numbers[np.isfinite(numbers) & (np.abs(numbers) > EDGES[-1])]
    low, high = beyond[beyond < 0], beyond[beyond > 0]
    return np.array([*sorted(low)[:1], *EDGES, *sorted(high)[-1:]])


def histograms_of(directory: Path) -> list[Any]:
    return [value.histo for _, value in values_of(directory)]


def only_histogram(writer: SummaryWriter) -> Any:
    assert writer.close()
    (histogram,) = histograms_of(Path(writer.log_dir))
    return histogram


def assert_same_histogram(ours: Any, theirs: Any) -> None:
    """All fields but the sums must agree to the bit; those are added up in another order."""
    assert list(ours.bucket_limit) == list(theirs.bucket_limit)
    assert list(ours.bucket) == list(theirs.bucket)
    assert (ours.min, ours.max, ours.num) == (theirs.min, theirs.max, theirs.num)
    spread = math.sqrt(theirs.num * theirs.sum_squares)  # no less than the sum of the magnitudes
    assert ours.sum == pytest.approx(theirs.sum, rel=1e-12, abs=1e-14 * spread)
    assert ours.sum_squares == pytest.approx(theirs.sum_squares, rel=1e-12)


def assert_same_histograms(ours: str | Path, theirs: Path) -> None:
    """The values of two directories, whatever their order."""
    expected = {value.tag: (step, value) for step, value in values_of(theirs)}
    found = {value.tag: (step, value) for step, value in values_of(ours)}
    assert found.keys() == expected.keys()
    for tag, (step, value) in found.items():
        assert step == expected[tag][0]
        assert value.HasField("metadata") == expected[tag][1].HasField("metadata")
        assert_same_histogram(value.histo, expected[tag][1].histo)


def assert_counted_as_numpy(counts: _core.HistogramCounts, array: NDArray[Any]) -> None:
    numbers = array.astype(np.float64).ravel()
    finite = numbers[np.isfinite(numbers)]
    expected, _ = np.histogram(finite, counts.edges)
    np.testing.assert_array_equal(counts.counts, expected)
    assert counts.num == finite.size
    assert counts.nan_count == np.isnan(numbers).sum()
    assert counts.inf_count == np.isinf(numbers).sum()
    assert counts.min == (finite.min() if finite.size else 0)
    assert counts.max == (finite.max() if finite.size else 0)
    with np.errstate(over="ignore", invalid="ignore"):
        magnitude = np.abs(finite).sum()
        if math.isfinite(magnitude):
            assert counts.sum == pytest.approx(finite.sum(), abs=1e-13 * magnitude)
        assert counts.sum_squares == pytest.approx(finite @ finite, rel=1e-12, abs=1e-300)


def any_numbers(min_size: int = 0) -> st.SearchStrategy[NDArray[Any]]:
    shapes = hnp.array_shapes(min_dims=1, max_dims=2, min_side=min_size, max_side=40)
    return st.sampled_from(REAL_DTYPES).flatmap(lambda dtype: hnp.arrays(np.dtype(dtype), shapes))


# -- counting in the core


@given(any_numbers())
def test_geometric_counts_are_those_of_numpy(array: NDArray[Any]) -> None:
    counts = _core.count_geometric(array)
    np.testing.assert_array_equal(counts.edges, edges_for(array))
    assert_counted_as_numpy(counts, array)
    assert counts.counts.sum() == counts.num


@given(hnp.arrays(np.float64, st.integers(1, 60), elements=st.sampled_from([*EDGES, -0.0, *-EDGES[-3:]])))
def test_numbers_on_edges_belong_to_the_bucket_that_begins_there(array: NDArray[Any]) -> None:
    assert_counted_as_numpy(_core.count_geometric(array), array)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_numbers_beside_edges_are_not_taken_for_those_on_them(dtype: Any) -> None:
    with np.errstate(over="ignore"):
        nearest = EDGES.astype(dtype)
        around = np.concatenate([nearest, np.nextafter(nearest, dtype(9)), np.nextafter(nearest, dtype(-9))])
    limits = np.finfo(dtype)
    ends = np.array([limits.max, limits.tiny, limits.smallest_subnormal, 0.0], dtype)
    assert_counted_as_numpy(_core.count_geometric(around), around)
    assert_counted_as_numpy(
        _core.count_geometric(np.concatenate([ends, -ends])), np.concatenate([ends, -ends])
    )


@pytest.mark.parametrize("dtype", REAL_DTYPES)
def test_many_elements_of_every_type_are_counted_as_by_numpy(dtype: str) -> None:
    array = np.random.default_rng(2).normal(0, 30, 100_003).astype(dtype)
    assert_counted_as_numpy(_core.count_geometric(array), array)
    assert_counted_as_numpy(_core.count_into(array, np.linspace(-50.0, 50.0, 41)), array)
    assert_counted_as_numpy(_core.count_into(array, EDGES), array)


@given(any_numbers(1), st.lists(st.floats(allow_nan=False), min_size=2, max_size=30).map(sorted))
def test_any_edges_count_as_in_numpy(array: NDArray[Any], edges: list[float]) -> None:
    assert_counted_as_numpy(_core.count_into(array, np.array(edges)), array)


@given(any_numbers(), st.integers(1, 50))
def test_equal_widths_lose_no_element_and_have_ascending_edges(array: NDArray[Any], buckets: int) -> None:
    counts = _core.count_uniform(array, buckets)
    assert counts.counts.sum() == counts.num
    assert len(counts.counts) == buckets
    assert (np.diff(counts.edges) >= 0).all()
    assert (counts.edges[0], counts.edges[-1]) == (counts.min, counts.max)


def tensorflow_buckets(array: NDArray[Any], buckets: int) -> NDArray[np.float64]:
    from tensorboard.plugins.histogram.summary_v2 import histogram_pb

    tensor = histogram_pb("tag", array, buckets).value[0].tensor
    return np.asarray(make_ndarray(tensor), dtype=np.float64)


def rows(counts: _core.HistogramCounts) -> NDArray[np.float64]:
    return np.stack([counts.edges[:-1], counts.edges[1:], counts.counts], axis=1)


@given(
    hnp.arrays(np.float64, st.integers(0, 200), elements=st.floats(-1e6, 1e6, allow_subnormal=False)),
    st.integers(1, 50),
)
def test_equal_widths_are_those_of_tensorflow_2(array: NDArray[Any], buckets: int) -> None:
    np.testing.assert_array_equal(
        rows(_core.count_uniform(array, buckets)), tensorflow_buckets(array, buckets)
    )


def test_equal_widths_are_those_that_tensorflow_2_recorded() -> None:
    values = {value.tag: value for step, value in values_of(LOGS / "tf2" / "summaries") if step == 0}
    weights = np.random.default_rng(1).normal(size=200)  # as in scripts/fixtures/tf2_logs.py
    for tag, array, buckets in (
        ("weights", weights, 30),
        ("constant", np.full(7, 3.5), 5),
        ("empty", np.zeros(0), 30),
    ):
        np.testing.assert_array_equal(
            rows(_core.count_uniform(array, buckets)), make_ndarray(values[tag].tensor)
        )


def test_an_array_need_not_be_aligned_writable_or_in_one_piece() -> None:
    numbers = np.random.default_rng(0).normal(size=3000)
    shifted = np.zeros(numbers.nbytes + 1, np.uint8)[1:].view(np.float64)
    shifted[:] = numbers
    shifted.flags.writeable = False
    spaced = np.repeat(numbers, 2)[::2]
    for array in (shifted, spaced, numbers.reshape(30, 100).T):
        assert_counted_as_numpy(_core.count_geometric(array), array)


@pytest.mark.parametrize("array", [np.array([1j]), np.array(["a"]), np.array([b"a"], object)])
def test_the_core_counts_only_real_numbers(array: NDArray[Any]) -> None:
    with pytest.raises(TypeError):
        _core.count_geometric(array)


@pytest.mark.parametrize("edges", [[], [1.0], [2.0, 1.0], [0.0, math.nan], [math.nan, 1.0]])
def test_the_core_refuses_edges_that_do_not_ascend(edges: list[float]) -> None:
    with pytest.raises(ValueError, match="edges"):
        _core.count_into(np.ones(3), np.array(edges))


# -- the form that all readers know


@given(any_numbers(1), st.sampled_from([0, 1, 2, 3, 64, 1000, 1547, 1548, 5000]))
def test_buckets_are_laid_out_as_tensorboardx_does(array: NDArray[Any], max_bins: int) -> None:
    counts = _core.count_geometric(array)
    if not counts.counts.any():
        return  # tensorboardX fails when no element is in a bucket
    numbers = array.astype(np.float64).ravel()
    with np.errstate(over="ignore", invalid="ignore"):
        theirs = make_histogram(numbers[np.isfinite(numbers)], edges_for(array), max_bins or None)
    limits, buckets = legacy_buckets(counts, max_bins)
    assert limits == list(theirs.bucket_limit)
    assert buckets == list(theirs.bucket)


def test_the_fields_are_those_that_torch_recorded(writer: SummaryWriter) -> None:
    recorded = {value.tag: value.histo for step, value in values_of(LOGS / "torch" / "media") if step == 0}
    rng = np.random.default_rng(4)  # as in scripts/fixtures/torch_logs.py
    writer.add_histogram("histogram", rng.normal(size=100), 0)
    writer.add_histogram("histogram auto", rng.normal(size=100), 0, bins="auto")
    writer.add_histogram_raw("histogram raw", 0.0, 3.0, 6, 9.0, 17.0, [1, 2, 3], [1, 2, 3], 0)
    writer.close()
    ours = {value.tag: value for _, value in values_of(writer.log_dir)}
    assert len(ours) == 3
    for tag, value in ours.items():
        assert_same_histogram(value.histo, recorded[tag])
        assert not value.HasField("metadata")


def arrays_of_every_kind() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    return {
        "normal": rng.normal(size=1000).astype(np.float32),
        "half": rng.normal(size=(20, 30)).astype(np.float16),
        "bool": rng.random(100) < 0.3,
        "bytes": rng.integers(0, 256, 500, dtype=np.uint8),
        "signed": rng.integers(-(2**62), 2**62, 500),
        "list": [1, 2.5, -3],
        "number": 4,
        "zeros": np.zeros(9),
        "negative zero": np.array([-0.0]),
        "one value": np.full(12, -7.25),
        "small": rng.normal(size=100) * 1e-13,
        "subnormal": np.array([5e-324, -5e-324, 1e-310]),
        "other byte order": rng.normal(size=100).astype(">f8"),
        "long double": rng.normal(size=100).astype(np.longdouble),
        "columns": rng.normal(size=(40, 40))[:, ::3],
    }


@pytest.mark.parametrize("options", [{}, {"max_bins": 64}, {"bins": 10}, {"bins": "fd", "max_bins": 3}])
def test_every_field_is_what_tensorboardx_writes(
    writer: SummaryWriter, tmp_path: Path, options: dict[str, Any]
) -> None:
    theirs = tensorboardX.SummaryWriter(str(tmp_path / "theirs"))
    for step, (tag, values) in enumerate(arrays_of_every_kind().items()):
        theirs.add_histogram(tag.replace(" ", "_"), np.asarray(values), step, **options)
        writer.add_histogram(tag.replace(" ", "_"), values, step, **options)
    theirs.close()
    writer.close()
    assert_same_histograms(writer.log_dir, tmp_path / "theirs")


@pytest.mark.parametrize(
    "bins",
    [
        "auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt",
        1, 7, np.int64(30), np.array(5), [0, 1, 2], (-1.0, 0.5), np.linspace(-2, 2, 9),
        [-math.inf, 0, math.inf], [-1, 0, 0, 1], range(-3, 4),
    ],
)  # fmt: skip
def test_every_way_to_name_buckets_gives_what_tensorboardx_gives(writer: SummaryWriter, bins: Any) -> None:
    values = np.random.default_rng(8).normal(size=2000).round(3)
    writer.add_histogram("a", values, 3, bins=bins)
    theirs = make_histogram(values, bins)
    assert_same_histogram(only_histogram(writer), theirs)


@pytest.mark.parametrize(
    ("values", "limits", "counts"),
    [
        ([1e25, 3e30], [EDGES[-1], 3e30], [0, 2]),
        ([-1e25, -3e30], [-3e30, EDGES[0]], [0, 2]),
        ([1.0, 2.0, 3.0, 1e25, -3e30], [-3e30, EDGES[0]], [0, 1]),
    ],
)
def test_elements_beyond_the_usual_buckets_are_in_one_more_at_that_end(
    writer: SummaryWriter, values: list[float], limits: list[float], counts: list[int]
) -> None:
    writer.add_histogram("all", values, 0)
    histogram = only_histogram(writer)
    assert (histogram.min, histogram.max, histogram.num) == (min(values), max(values), len(values))
    assert list(histogram.bucket_limit)[:2] == limits
    assert list(histogram.bucket)[:2] == counts
    assert sum(histogram.bucket) == len(values)
    assert histogram.bucket_limit[-1] in (max(values), EDGES[0])


def test_step_and_time_are_those_of_the_call(writer: SummaryWriter) -> None:
    writer.add_histogram("a", [1.0], 7, walltime=12.5)
    writer.add_histogram("b", [1.0], 8, "auto", 13.5, 4)
    writer.add_histogram_raw("c", 0, 1, 1, 1, 1, [1], [1], 9, 14.5)
    writer.close()
    events = [(event.step, event.wall_time) for event in events_of(writer.log_dir)[1:]]
    assert sorted(events) == [(7, 12.5), (8, 13.5), (9, 14.5)]


@pytest.mark.parametrize("bins", ["tensorflow", "auto", 10, [0, 1, 2]])
def test_writing_over_the_array_after_the_call_does_not_matter(writer: SummaryWriter, bins: Any) -> None:
    values = np.ones(50_000)
    writer.add_histogram("a", values, bins=bins)
    values[:] = 7
    histogram = only_histogram(writer)
    assert (histogram.min, histogram.max, histogram.num) == (1, 1, 50_000)


def test_edges_that_are_changed_after_the_call_do_not_matter(writer: SummaryWriter) -> None:
    edges = np.array([0.0, 1.0, 2.0])
    writer.add_histogram("a", [0.5], bins=edges)
    edges[:] = -1
    assert list(only_histogram(writer).bucket_limit) == [0, 1]


# -- elements that are not finite


@pytest.mark.parametrize("bins", ["tensorflow", "auto", 4, [-10, 0, 10]])
def test_elements_that_are_not_finite_are_left_out_and_reported_once(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture, bins: Any
) -> None:
    for step in range(3):
        writer.add_histogram("grad", [1.0, math.nan, 2.0, math.inf, -math.inf, -3.0], step, bins=bins)
    with caplog.at_level(logging.WARNING, "sightline.writer"):
        writer.close()
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == 1
    assert messages[0].startswith(
        'The histogram "grad" leaves out 1 NaN and 2 infinite of 6 elements at step 0'
    )
    for histogram in histograms_of(Path(writer.log_dir)):
        assert (histogram.min, histogram.max, histogram.num) == (-3, 2, 3)
        assert (histogram.sum, histogram.sum_squares) == (0, 14)
        assert sum(histogram.bucket) == 3


@pytest.mark.parametrize("bins", ["tensorflow", "auto", 4, [-10, 0, 10]])
def test_an_array_without_any_finite_element_is_a_histogram_of_none(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture, bins: Any
) -> None:
    writer.add_histogram("grad", [math.nan, math.inf], 1, bins=bins)
    with caplog.at_level(logging.WARNING, "sightline.writer"):
        histogram = only_histogram(writer)
    assert "1 NaN and 1 infinite of 2 elements" in caplog.text
    assert (histogram.num, histogram.min, histogram.max, histogram.sum) == (0, 0, 0, 0)
    assert (list(histogram.bucket_limit), list(histogram.bucket)) == ([0], [0])


def test_elements_beyond_all_edges_leave_one_empty_bucket(writer: SummaryWriter) -> None:
    writer.add_histogram("a", [5.0, 6.0], bins=[0, 1, 2])
    histogram = only_histogram(writer)
    assert (histogram.num, list(histogram.bucket_limit), list(histogram.bucket)) == (2, [2], [0])


@pytest.mark.parametrize(
    ("values", "bins"),
    [
        ([1.0, np.nextafter(1.0, 2.0)], 100),
        ([-1.5e308, 1.5e308], 10),
        ([*range(1000), 1e300], "fd"),
    ],
)
def test_buckets_that_numpy_cannot_lay_are_replaced_by_the_usual_ones(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture, values: list[float], bins: Any
) -> None:
    writer.add_histogram("a", values, bins=bins)
    with caplog.at_level(logging.WARNING, "sightline.writer"):
        histogram = only_histogram(writer)
    assert f"bins={bins!r} cannot divide" in caplog.text
    assert histogram.num == len(values)
    assert set(histogram.bucket_limit) <= set(edges_for(np.array(values)))
    assert sum(histogram.bucket) == len(values)


def test_edges_are_chosen_from_the_finite_elements() -> None:
    edges = chosen_edges(np.array([0, math.nan, 10, math.inf], np.float32), 5)
    assert edges is not None
    assert edges.tolist() == [0, 2, 4, 6, 8, 10]


# -- types that NumPy has only with help


def test_types_of_ml_dtypes_are_counted_exactly(writer: SummaryWriter) -> None:
    values = np.random.default_rng(3).normal(size=300).astype(np.float32)
    for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn):
        writer.add_histogram(np.dtype(dtype).name, values.astype(dtype))
    writer.close()
    for _, value in values_of(writer.log_dir):
        wide = values.astype(np.dtype(value.tag)).astype(np.float64)
        assert_same_histogram(value.histo, make_histogram(wide, EDGES))


# -- raw histograms


def test_a_raw_histogram_is_written_as_it_is_given(writer: SummaryWriter) -> None:
    limits = np.array([0.5, 1.5], np.float32)
    writer.add_histogram_raw("a", np.float32(-1), 2, np.int64(4), 1.5, [7], limits, (1, 3), global_step=3)
    histogram = only_histogram(writer)
    assert (histogram.min, histogram.max, histogram.num) == (-1, 2, 4)
    assert (histogram.sum, histogram.sum_squares) == (1.5, 7)
    assert (list(histogram.bucket_limit), list(histogram.bucket)) == ([0.5, 1.5], [1, 3])


def test_a_raw_histogram_needs_as_many_limits_as_counts(writer: SummaryWriter) -> None:
    counts, edges = np.histogram([1, 2, 3])
    with pytest.raises(BadArgumentError, match="11 bucket_limits and 10 bucket_counts"):
        writer.add_histogram_raw("a", 1, 3, 3, 6, 14, edges, counts)


# -- mistakes are raised where they are made


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "at least one element"),
        (np.zeros((3, 0)), "at least one element"),
        ([1j], "complex128; take its absolute value"),
        (["a"], "real numbers"),
        ("blob", "real numbers"),
        ([[1], [1, 2]], "array"),
        ([None], "array of numbers"),
    ],
)
@pytest.mark.parametrize("bins", ["tensorflow", "auto"])
def test_values_that_cannot_be_counted_are_refused(
    writer: SummaryWriter, values: Any, message: str, bins: str
) -> None:
    with pytest.raises(BadArgumentError, match=message):
        writer.add_histogram("a", values, bins=bins)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": "best"}, "'best'. There are 'tensorflow', 'auto'"),
        ({"bins": 0}, "bins is a whole number, 1 or more"),
        ({"bins": 2.5}, "bins is a whole number"),
        ({"bins": None}, "array of numbers"),
        ({"bins": [1]}, "two numbers or more"),
        ({"bins": [[1, 2]]}, "two numbers or more"),
        ({"bins": [2, 1]}, "must ascend"),
        ({"bins": [0, math.nan]}, "must ascend"),
        ({"bins": [1j, 2]}, "real numbers"),
        ({"max_bins": 0}, "max_bins is a whole number, 1 or more"),
        ({"max_bins": 1.5}, "max_bins is a whole number"),
        ({"global_step": "x"}, "step"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    writer: SummaryWriter, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadArgumentError, match=message):
        writer.add_histogram("a", [1.0], **options)


@pytest.mark.parametrize("method", ["add_histogram", "add_histogram_raw"])
def test_a_tag_that_is_none_is_refused(writer: SummaryWriter, method: str) -> None:
    arguments = ([1.0],) if method == "add_histogram" else (0, 1, 1, 1, 1, [1], [1])
    with pytest.raises(BadArgumentError, match="tag"):
        getattr(writer, method)(3, *arguments)
