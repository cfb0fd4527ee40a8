"""Tensors of every type, read back by our reader and, where it knows the type, by TensorBoard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import sightline
from sightline.model.errors import BadArgumentError
from sightline.writer.engine import arguments
from tests.writer.plugin_facts import array_of, values_by_tag

TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


@pytest.mark.parametrize("shape", [(), (1,), (7,), (2, 3), (0, 4)])
@pytest.mark.parametrize("dtype", [*TYPES, ">f4"])
def test_every_type_and_shape_comes_back(tmp_path: Path, dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5 + 1).astype(dtype)
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_tensor("t", array, 3)
    value = values_by_tag(tmp_path)["t"]
    assert value.metadata.plugin_data.plugin_name == "tensor"
    if array.size > 1 or dtype not in ("u4", "u8"):  # TensorBoard has no list for single ones of these
        assert np.array_equal(array_of(value), array)
        assert array_of(value).dtype == array.dtype.newbyteorder("=")
    with sightline.open(tmp_path, watch=False).wait() as log:
        item = log["."].tensors["t"][0]
    assert np.array_equal(item.array, array)
    assert (item.array.shape, item.array.dtype, item.plugin) == (
        shape,
        array.dtype.newbyteorder("="),
        "tensor",
    )


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize(
    ("dtype", "number"), [("bfloat16", 14), ("float8_e5m2", 24), ("float8_e4m3fn", 25), ("int4", 29)]
)
def test_types_of_ml_dtypes_keep_their_own_bits(tmp_path: Path, dtype: str, number: int, count: int) -> None:
    array = np.array([1.5, -2, 0, 3, 0.5][:count]).astype(getattr(ml_dtypes, dtype))
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_tensor("t", array)
    assert values_by_tag(tmp_path)["t"].tensor.dtype == number
    with sightline.open(tmp_path, watch=False).wait() as log:
        assert log["."].tensors["t"][0].array.tolist() == array.astype(float).tolist()


def test_texts_and_lists_and_things_with_numpy_are_tensors_too(tmp_path: Path) -> None:
    class TensorLike:
        def numpy(self) -> Any:
            return np.array([1, 2], dtype=np.int16)

    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_tensor("text", np.array(["a", "grün"]))
        writer.add_tensor("bytes", np.array([b"a\0", b"b"], dtype=object))
        writer.add_tensor("list", [[1, 2], [3, 4]])
        writer.add_tensor("like", TensorLike())
        writer.add_tensor("number", 2.5)
    values = values_by_tag(tmp_path)
    assert array_of(values["text"]).tolist() == [b"a", "grün".encode()]
    assert array_of(values["bytes"]).tolist() == [b"a\0", b"b"]
    assert array_of(values["list"]).tolist() == [[1, 2], [3, 4]]
    assert array_of(values["like"]).dtype == np.int16
    assert array_of(values["number"]) == 2.5


class Huge:
    """Says how large it is, and must not be asked for more."""

    nbytes = 1 << 31

    def __array__(self, *_: object, **__: object) -> Any:
        raise AssertionError("fetched")


def test_a_tensor_of_2_gb_is_refused_before_it_is_fetched(tmp_path: Path) -> None:
    with (
        sightline.SummaryWriter(tmp_path, story=False) as writer,
        pytest.raises(BadArgumentError, match="bytes"),
    ):
        writer.add_tensor("t", Huge())


def test_a_value_that_turns_out_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "MAX_VALUE_BYTES", 100)
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_tensor("t", [1.0] * 12)
        with pytest.raises(BadArgumentError, match="104"):
            writer.add_tensor("t", [1.0] * 13)
        with pytest.raises(BadArgumentError, match="101"):
            writer.add_tensor("t", ["x" * 101])


@pytest.mark.parametrize(
    "value", [np.array([object()]), np.array(["2026-01-01"], dtype="M8[D]"), object(), [[1], [1, 2]]]
)
def test_what_is_no_tensor_is_refused(tmp_path: Path, value: object) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer, pytest.raises(BadArgumentError):
        writer.add_tensor("t", value)
