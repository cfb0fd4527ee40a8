"""Histograms: ``add_histogram``, ``add_histogram_raw``. How the elements of an array are spread.

With the usual buckets an array is only copied here; the file's native thread counts it. For other buckets
NumPy chooses the edges on the background thread, and the native core counts. The result has the fields that
torch's writer gives, with two differences: elements that are not finite are left out and reported, where
torch fails or writes sums that are not numbers (an array of nothing else is written as a histogram of no
elements); and finite ones beyond ±1e20, where torch's buckets end, are in a bucket, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline._core import HISTOGRAM_GEOMETRIC, HistogramCounts, count_geometric, count_into
from sightline.formats.messages import HistogramProto, Value
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_count, checked_tag
from sightline.writer.engine.arrays import array_from, is_torch_tensor, number_from
from sightline.writer.engine.base import WriterBase

GEOMETRIC = "tensorflow"
NUMPY_RULES = ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges")

Bins = str | int | NDArray[np.float64]


class HistogramMethods(WriterBase):
    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: int | None = None,
        bins: str | int | Sequence[float] | Any = GEOMETRIC,
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Adds how the elements of an array of any shape are spread.

        `bins` is "tensorflow" (each bucket a tenth wider than the one before, on both sides of 0, and one
        bucket each for all beyond ±1e20), a rule of ``numpy.histogram_bin_edges`` ("auto", "fd", …), a number
        of buckets, or their edges. Elements beyond edges that you give are in no bucket. With `max_bins`
        neighbouring buckets are merged; as in torch somewhat more than `max_bins` may remain.
        """
        tag = checked_tag(tag)
        rule = checked_bins(bins)
        limit = 0 if max_bins is None else checked_count(max_bins, "max_bins")
        step, walltime = self._place(global_step, walltime)
        if isinstance(rule, str) and rule == GEOMETRIC:
            data = _plain_bfloat16(values)
            data = _filled(tag, _numbers(values) if data is None else data)
            if self._sink.add_histogram(tag, data, step, walltime, HISTOGRAM_GEOMETRIC, max_bins=limit):
                self._report()
            return
        copy = _filled(tag, _numbers(values, is_copy=True))

        def encode() -> list[Value]:
            return [histogram_value(tag, self._count(tag, copy, rule, step), limit)]

        self._defer(encode, step, walltime, copy.nbytes)

    def add_histogram_raw(
        self,
        tag: str,
        min: Any,
        max: Any,
        num: Any,
        sum: Any,
        sum_squares: Any,
        bucket_limits: Any,
        bucket_counts: Any,
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """Adds a histogram that was counted elsewhere.

        `bucket_limits` are right edges, as many as `bucket_counts`: of the edges that ``numpy.histogram``
        returns, all but the first.
        """
        tag = checked_tag(tag)
        limits = _numbers(bucket_limits).astype(np.float64).ravel()
        counts = _numbers(bucket_counts).astype(np.float64).ravel()
        if limits.size != counts.size:
            raise BadArgumentError(
                f"The histogram {tag!r} has {limits.size} bucket_limits and {counts.size} bucket_counts; "
                "there must be as many of the one as of the other. Of NumPy's edges leave out the first"
            )
        histogram = HistogramProto(
            min=float(number_from(min)),
            max=float(number_from(max)),
            num=float(number_from(num)),
            sum=float(number_from(sum)),
            sum_squares=float(number_from(sum_squares)),
            bucket_limit=limits.tolist(),
            bucket=counts.tolist(),
        )
        self._write([Value(tag=tag, histo=histogram)], global_step, walltime)

    def _count(self, tag: str, array: NDArray[Any], bins: Bins, step: int) -> HistogramCounts:
        """Counts on the background thread, and says what was left out or done differently."""
        edges = bins if isinstance(bins, np.ndarray) else chosen_edges(array, bins)
        if edges is None:
            self._warn_once(
                tag,
                'The histogram "%s" has elements that bins=%r cannot divide: they lie too far apart or too '
                'close together. It is written with the buckets of "tensorflow"',
                bins,
            )
        counts = count_geometric(array) if edges is None else count_into(array, edges)
        if counts.nan_count or counts.inf_count:
            self._warn_once(
                tag,
                'The histogram "%s" leaves out %d NaN and %d infinite of %d elements at step %d',
                counts.nan_count,
                counts.inf_count,
                array.size,
                step,
            )
        return counts


def checked_bins(bins: Any) -> Bins:
    """The argument `bins`, as the name of a rule, a number of buckets, or ascending edges."""
    if isinstance(bins, str):
        if bins != GEOMETRIC and bins not in NUMPY_RULES:
            names = ", ".join(repr(name) for name in (GEOMETRIC, *NUMPY_RULES))
            raise BadArgumentError(f"No rule for buckets is named {bins!r}. There are {names}")
        return bins
    edges = array_from(bins)
    if edges.ndim == 0:
        return checked_count(edges.item(), "bins")
    if edges.ndim != 1 or edges.size < 2:
        raise BadArgumentError(f"The edges in bins are two numbers or more in a row, not shape {edges.shape}")
    edges = _numbers(edges).astype(np.float64)
    if not (edges[:-1] <= edges[1:]).all():
        raise BadArgumentError("The edges in bins must ascend")
    return edges


def chosen_edges(array: NDArray[Any], rule: str | int) -> NDArray[np.float64] | None:
    """Edges that NumPy chooses for the finite elements; None when it finds none.

    It finds none when fewer numbers lie between the ends than there would be edges, when the distance of the
    ends is beyond the range of numbers, or when a few elements are so far away that there would be too many.
    """
    elements = array.ravel().astype(np.float64)
    finite = elements[np.isfinite(elements)]
    try:
        with np.errstate(all="ignore"):
            edges = np.histogram_bin_edges(finite, rule).astype(np.float64)
    except (ValueError, OverflowError, IndexError, MemoryError):
        return None
    return edges if np.isfinite(edges).all() else None


def histogram_value(tag: str, counts: HistogramCounts, max_bins: int) -> Value:
    """The value that all readers know, with the buckets as torch lays them out."""
    limits, buckets = legacy_buckets(counts, max_bins)
    histogram = HistogramProto(
        min=counts.min,
        max=counts.max,
        num=float(counts.num),
        sum=counts.sum,
        sum_squares=counts.sum_squares,
        bucket_limit=limits,
        bucket=buckets,
    )
    return Value(tag=tag, histo=histogram)


def legacy_buckets(counts: HistogramCounts, max_bins: int) -> tuple[list[float], list[float]]:
    """Right edges and counts. ``legacy_buckets`` of the core does the same for the file's own thread."""
    edges, buckets = counts.edges, counts.counts
    merged = len(buckets) // max_bins if max_bins else 1
    if merged > 1:
        edges = np.append(edges[:-1:merged], edges[-1])
        buckets = np.add.reduceat(buckets, np.arange(0, len(buckets), merged))
    filled = np.flatnonzero(buckets)
    if filled.size == 0:
        return [float(edges[-1]) if counts.num else 0.0], [0.0]
    first, end = filled[0], filled[-1] + 1
    # Only right edges are stored: an empty bucket in front tells where the first filled one begins.
    return edges[first : end + 1].tolist(), [0.0, *buckets[first:end].tolist()]


def _numbers(values: Any, *, is_copy: bool = False) -> NDArray[Any]:
    """The elements as the core takes them: real, of this machine's byte order, close together."""
    array = array_from(values, is_copy=is_copy)
    if array.dtype.kind not in "biuf":
        advice = "; take its absolute value or one of its parts" if array.dtype.kind == "c" else ""
        raise BadArgumentError(f"A histogram counts real numbers, not {array.dtype}{advice}")
    if array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _filled(tag: str, data: Any) -> Any:
    if 0 in data.shape:
        raise BadArgumentError(f"The histogram {tag!r} needs at least one element; the array is empty")
    return data


def _plain_bfloat16(values: Any) -> Any:
    """A torch tensor of this type, for the core to read as it is; None for everything else.

    NumPy has no such type, and widening takes several times as long as the copy.
    """
    if not is_torch_tensor(values) or type(values).__name__ not in ("Tensor", "Parameter"):
        return None
    if str(values.dtype) != "torch.bfloat16" or str(values.layout) != "torch.strided":
        return None
    return values.detach().cpu().contiguous()
