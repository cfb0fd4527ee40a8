"""Histograms and precision-recall curves by the core: the same numbers as the decoder of single values, which
is the oracle here, whatever wrote them and wherever they lie."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline._core import Index
from sightline.formats.items import HistogramItem
from sightline.formats.messages import (
    DataType,
    Dim,
    HistogramProto,
    SummaryMetadata,
    TensorProto,
    TensorShapeProto,
    Value,
)
from sightline.formats.tensors import tensor_from_array
from sightline.formats.values import decode_item
from sightline.model.errors import DataError, FileGoneError
from sightline.model.forms import Form
from sightline.model.kinds import Kind
from sightline.store import decoding
from sightline.store.access import StreamReader
from sightline.store.media import MediaSeries
from sightline.store.runs import RunStore
from sightline.store.side_files import SideFiles
from tests.event_logs import read, write_run
from tests.fixtures import event_bytes as eb

LOGS = Path(__file__).resolve().parent.parent / "fixtures" / "logs"
MANY = 1 << 30
GOOD, DAMAGED, GONE = range(3)
COLUMNS = {
    Kind.histogram: ("left", "right", "counts"),
    Kind.pr_curve: (
        *("true_positives", "false_positives", "true_negatives", "false_negatives"),
        *("precision", "recall"),
    ),
}


def pieces(columns: Mapping[str, NDArray[Any]], kind: Kind) -> list[list[list[float]] | None]:
    """The columns of each value; None where there is none."""
    ends = np.cumsum(columns["size"], dtype=np.int64)
    found: list[list[list[float]] | None] = []
    for state, size, end in zip(columns["state"], columns["size"], ends, strict=True):
        numbers = [columns[name][end - size : end].tolist() for name in COLUMNS[kind]]
        found.append(numbers if state == GOOD else None)
    return found


def oracle(kind: Kind, item: Any) -> list[list[float]]:
    return [np.asarray(getattr(item, name), np.float64).tolist() for name in COLUMNS[kind]]


def oracle_of(kind: Kind, value: bytes) -> list[list[float]] | None:
    form = Form.TENSOR
    try:
        item = decode_item(kind, form, value, step=0, wall_time=0.0, tag="", metadata=SummaryMetadata())
    except DataError:
        return None
    return oracle(kind, item)


def decoded(kind: Kind, *values: bytes, most_numbers: int = MANY) -> Mapping[str, NDArray[Any]] | None:
    """Values whose bytes the caller brings."""
    places = [np.zeros(len(values), dtype) for dtype in (np.int64, np.uint64, np.uint64, np.uint64)]
    index = Index()
    decode: Any = index.decode_histograms if kind is Kind.histogram else index.decode_pr_curves
    columns: Mapping[str, NDArray[Any]] | None = decode(
        *places, brought=list(values), most_numbers=most_numbers
    )
    return columns


def check(kind: Kind, *values: bytes) -> None:
    columns = decoded(kind, *values)
    assert columns is not None
    np.testing.assert_equal(pieces(columns, kind), [oracle_of(kind, value) for value in values])


# ── values of real programs ──────────────────────────────────────────────────────────────────────────────


def test_every_histogram_and_curve_of_the_fixtures_is_what_the_other_decoder_says() -> None:
    found = {Kind.histogram: 0, Kind.pr_curve: 0}
    for root in sorted(path for path in LOGS.iterdir() if path.is_dir()):
        store = read(root)
        for run in store.runs():
            for kind in found:
                for series in run.media(kind).values():
                    columns = series.decoded(MANY)
                    assert columns is not None
                    wanted = [oracle(kind, item) for item in series]
                    np.testing.assert_equal(pieces(columns, kind), wanted)
                    found[kind] += len(series)
    assert min(found.values()) > 10


# ── all that a tensor may be ─────────────────────────────────────────────────────────────────────────────

REAL_TYPES = [
    kind
    for kind in DataType
    if kind.name.removeprefix("Q").startswith(("FLOAT", "DOUBLE", "INT", "UINT", "BOOL", "HALF", "BFLOAT"))
]
LISTS = {
    "float_val": st.floats(width=32),
    "double_val": st.floats(),
    "int_val": st.integers(-(2**31), 2**31 - 1),
    "int64_val": st.integers(-(2**63), 2**63 - 1),
    "bool_val": st.booleans(),
    # A larger number is a float32 pattern, which the other decoder rounds to the type.
    "half_val": st.integers(0, 2**16 - 1),
    "uint32_val": st.integers(0, 2**32 - 1),
    "uint64_val": st.integers(0, 2**64 - 1),
}


@st.composite
def tensors(draw: st.DrawFn) -> TensorProto:
    size = st.integers(0, 4)
    sizes = draw(
        st.one_of(size.map(lambda k: [k, 3]), size.map(lambda n: [6, n]), st.lists(size, max_size=3))
    )
    shape = TensorShapeProto(
        dim=[Dim(size=size) for size in sizes], unknown_rank=draw(st.integers(0, 9)) == 9
    )
    tensor = TensorProto(dtype=int(draw(st.sampled_from([*REAL_TYPES, DataType.STRING]))), tensor_shape=shape)
    for name in draw(st.lists(st.sampled_from(sorted(LISTS)), max_size=2)):
        setattr(tensor, name, draw(st.lists(LISTS[name], max_size=14)))
    if draw(st.booleans()):
        tensor.float8_val = draw(st.binary(max_size=12))
    if draw(st.booleans()):
        count = int(np.prod(sizes))
        width = draw(st.sampled_from([1, 2, 4, 8]))
        tensor.tensor_content = draw(st.binary(min_size=count * width, max_size=count * width))
    return tensor


@settings(max_examples=600, deadline=None)
@given(st.lists(tensors(), min_size=1, max_size=4), st.sampled_from(sorted(COLUMNS)))
def test_a_tensor_of_any_type_in_any_list_is_what_the_other_decoder_says(
    drawn: Sequence[TensorProto], kind: Kind
) -> None:
    check(kind, *(Value(tag="t", tensor=tensor).encode() for tensor in drawn))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.floats(), max_size=6),
    st.lists(st.one_of(st.just(0.0), st.floats()), max_size=6),
    st.floats(),
    st.floats(),
)
def test_a_legacy_histogram_is_what_the_other_decoder_says(
    limits: list[float], counts: list[float], least: float, greatest: float
) -> None:
    for right_edges in (limits, (limits * 6)[: len(counts)]):
        proto = HistogramProto(min=least, max=greatest, bucket_limit=right_edges, bucket=counts)
        check(Kind.histogram, Value(histo=proto).encode())


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_bytes_are_damage_or_what_the_other_decoder_says(data: st.DataObject) -> None:
    rows = np.array([[0.0, 1.0, 5.0], [1.0, 3.0, 2.0]])
    proto = HistogramProto(min=-1, max=2, bucket_limit=[-1, 0, 1, 2], bucket=[0, 3, 4, 0])
    # Fields that only the other decoder looks into are left out.
    known = [Value(tensor=tensor_from_array(rows)).encode(), Value(histo=proto).encode()]
    changed = bytearray(data.draw(st.sampled_from(known)))
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    value = bytes(changed)
    columns = decoded(Kind.histogram, value)
    assert columns is not None
    (found,), wanted = pieces(columns, Kind.histogram), oracle_of(Kind.histogram, value)
    if found is not None and wanted is not None:
        np.testing.assert_equal(found, wanted)


def packed(*numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}d", *numbers)


def test_lists_that_are_not_packed_and_messages_in_pieces() -> None:
    one_by_one = b"".join(eb.double(6, number) for number in (0, 1, 5, 1, 3, 2))
    in_pieces = eb.blob(6, packed(0, 1, 5)) + eb.double(6, 1) + eb.blob(6, packed(3, 2))
    merged = eb.tensor(2, eb.shape(2, 3), eb.blob(6, packed(0, 1))) + eb.tensor(
        2, eb.blob(6, packed(5, 1, 3, 2))
    )
    histogram = eb.blob(5, eb.double(1, -1) + eb.blob(6, packed(0, 1)))
    halves = histogram + eb.blob(5, eb.double(2, 1) + eb.blob(7, packed(4, 5)))
    values = [
        eb.tensor(2, eb.shape(2, 3), one_by_one),
        eb.tensor(2, eb.shape(2, 3), in_pieces),
        merged,
        halves,
        histogram + merged,  # the last member of the oneof counts
        merged + halves,
        merged + eb.single(2, 1.0),
        eb.tensor(2, eb.shape(4, 3), eb.blob(6, packed(1))),  # the last element is repeated
        eb.tensor(2, eb.shape(4, 3)),
        b"",
    ]
    check(Kind.histogram, *values)
    columns = decoded(Kind.histogram, *values)
    assert columns is not None
    assert columns["state"].tolist() == [GOOD] * 6 + [DAMAGED] + [GOOD] * 2 + [DAMAGED]


# ── limits ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_shape_of_more_elements_than_anybody_logs_is_damage_and_nothing_is_allocated_for_it() -> None:
    huge = [eb.tensor(2, eb.shape(rows, 3), eb.double(6, 1)) for rows in (1 << 21, 1 << 40, 1 << 62, -1)]
    columns = decoded(Kind.histogram, *huge)
    assert columns is not None
    assert columns["state"].tolist() == [DAMAGED] * 4
    assert columns["left"].size == 0


def test_more_numbers_than_wanted_are_none() -> None:
    value = eb.tensor(2, eb.shape(10, 3), eb.double(6, 1))
    assert decoded(Kind.histogram, value, value, most_numbers=60) is not None
    assert decoded(Kind.histogram, value, value, most_numbers=59) is None


def test_places_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        Index().decode_histograms(
            np.zeros(2, np.int64),
            *(np.zeros(1, np.uint64) for _ in range(3)),
            brought=None,
            most_numbers=1,
        )


# ── where the bytes are ──────────────────────────────────────────────────────────────────────────────────


def histogram_record(step: int, count: float = 1.0) -> bytes:
    legacy = eb.blob(
        5, eb.double(1, -1) + eb.double(2, 1) + eb.blob(6, packed(1)) + eb.blob(7, packed(count))
    )
    return eb.record(eb.event(eb.summary(eb.blob(1, b"weights") + legacy), step=step))


def weights(store: RunStore) -> MediaSeries[HistogramItem]:
    run = store.get("run")
    assert run is not None
    return run.histograms["weights"]


def test_a_damaged_value_costs_no_other_and_a_replaced_file_is_told_from_damage(tmp_path: Path) -> None:
    bad = eb.summary(eb.blob(1, b"weights") + eb.blob(5, eb.blob(6, packed(1))))
    path = write_run(
        tmp_path / "run", histogram_record(0, 3), eb.record(eb.event(bad, step=1)), histogram_record(2, 5)
    )
    series = weights(read(tmp_path))
    columns = series.decoded(MANY)
    assert columns is not None
    assert columns["state"].tolist() == [GOOD, DAMAGED, GOOD]
    assert columns["size"].tolist() == [1, 0, 1]
    assert columns["counts"].tolist() == [3, 5]
    path.unlink()
    gone = series.decoded(MANY)
    assert gone is not None
    assert gone["state"].tolist() == [GONE] * 3


class FakeStore(StreamReader):
    """Files far away; remembers what it was asked for."""

    def __init__(self, files: dict[int, bytes]) -> None:
        self.files = files
        self.asked: list[tuple[int, int, int]] = []

    def owns(self, file_id: int) -> bool:
        return file_id in self.files

    def read(self, file_id: int, offset: int, length: int) -> bytes:
        self.asked.append((file_id, offset, length))
        if not self.files[file_id]:
            raise FileGoneError("far", "gone")
        return self.files[file_id][offset : offset + length]

    def side_files(self, run: str) -> SideFiles:
        return SideFiles()


def test_values_of_a_remote_file_come_in_few_requests_and_beside_local_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "run", histogram_record(100, 7), name="events.out.tfevents.9.local")
    store = read(tmp_path)
    data = eb.file_version() + b"".join(histogram_record(step, step + 1) for step in range(50))
    file_id = store.index.add_stream("run", "far://run/events.out.tfevents.1.far")
    store.index.set_stream_size(file_id, len(data), "1")
    store.index.feed(file_id, data)
    far = FakeStore({file_id: data})
    store.access.stream_readers.append(far)
    series = weights(store)

    columns = series.decoded(MANY)
    assert columns is not None
    assert columns["counts"].tolist() == [item.counts[0] for item in series] == [*range(1, 51), 7]
    assert len(far.asked) == 1 + 50  # one for all, and one for each that was read alone

    far.asked.clear()
    monkeypatch.setattr(decoding, "MAX_FAR_REQUEST_BYTES", 500)
    again = series.decoded(MANY)
    assert again is not None
    np.testing.assert_equal(again, columns)
    assert 1 < len(far.asked) < 50

    assert series.decoded(10) is None
    far.files[file_id] = b""
    gone = series.decoded(MANY)
    assert gone is not None
    assert gone["state"].tolist() == [GONE] * 50 + [GOOD]
