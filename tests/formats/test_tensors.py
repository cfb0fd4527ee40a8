"""Tensors against TensorBoard's conversion where it is right, and against ml_dtypes for the small types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sightline.formats.messages import DataType, Dim, TensorProto, TensorShapeProto
from sightline.formats.tensors import MAX_FILL_BYTES, array_from_tensor, tensor_from_array
from sightline.model.errors import BadArgumentError, DamagedValueError


def shape(*sizes: int, **facts: Any) -> TensorShapeProto:
    return TensorShapeProto(dim=[Dim(size=size) for size in sizes], **facts)


def through_the_wire(tensor: TensorProto) -> TensorProto:
    return TensorProto.decode(tensor.encode())


NUMPY_TYPES = [
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bool", "complex64", "complex128",
]  # fmt: skip
SMALL_TYPES = [
    "bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz",
    "float4_e2m1fn", "int4", "uint4", "int2", "uint2",
]  # fmt: skip

numeric_arrays = st.sampled_from(NUMPY_TYPES).flatmap(
    lambda name: hnp.arrays(np.dtype(name), hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
)


# -- NumPy's own types


@given(numeric_arrays)
def test_an_array_comes_back_bit_for_bit(array: np.ndarray[Any, Any]) -> None:
    back = array_from_tensor(through_the_wire(tensor_from_array(array)))
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert back.tobytes() == array.tobytes()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of NumPy, about TensorBoard
@settings(deadline=None)
@given(numeric_arrays)
def test_tensorboard_reads_the_same_array_from_our_tensor(array: np.ndarray[Any, Any]) -> None:
    tensor_util = pytest.importorskip("tensorboard.util.tensor_util")
    tensor_pb2 = pytest.importorskip("tensorboard.compat.proto.tensor_pb2")
    theirs = tensor_pb2.TensorProto.FromString(tensor_from_array(array).encode())
    if array.dtype.name in ("uint32", "uint64") and array.size <= 1:
        return  # TensorBoard reads these types only from raw content
    np.testing.assert_array_equal(tensor_util.make_ndarray(theirs), array)


@settings(deadline=None)
@given(numeric_arrays)
def test_we_read_the_same_array_from_tensorboards_tensor(array: np.ndarray[Any, Any]) -> None:
    tensor_util = pytest.importorskip("tensorboard.util.tensor_util")
    if array.size == 0 or array.dtype.name in ("uint32", "uint64"):
        return  # TensorBoard has no tensors for these
    theirs = tensor_util.make_tensor_proto(array)
    back = array_from_tensor(TensorProto.decode(theirs.SerializeToString()))
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)


@given(hnp.arrays(np.float32, hnp.array_shapes(max_dims=2, max_side=5)))
def test_listed_and_raw_elements_give_the_same_array(array: np.ndarray[Any, Any]) -> None:
    listed = TensorProto(dtype=1, tensor_shape=shape(*array.shape), float_val=array.ravel().tolist())
    raw = TensorProto(dtype=1, tensor_shape=shape(*array.shape), tensor_content=array.tobytes())
    np.testing.assert_array_equal(array_from_tensor(through_the_wire(listed)), array_from_tensor(raw))


@pytest.mark.parametrize(
    ("dtype", "field", "values", "expected"),
    [
        (DataType.FLOAT, "float_val", [1.5, -2.0], np.float32([1.5, -2.0])),
        (DataType.DOUBLE, "double_val", [0.1, 2.0], np.float64([0.1, 2.0])),
        (DataType.INT8, "int_val", [-1, 127], np.int8([-1, 127])),
        (DataType.INT16, "int_val", [-1, 32767], np.int16([-1, 32767])),
        (DataType.INT32, "int_val", [-1, 7], np.int32([-1, 7])),
        (DataType.UINT8, "int_val", [0, 255], np.uint8([0, 255])),
        (DataType.UINT16, "int_val", [0, 65535], np.uint16([0, 65535])),
        (DataType.INT64, "int64_val", [-(2**63), 2**63 - 1], np.int64([-(2**63), 2**63 - 1])),
        (DataType.UINT32, "uint32_val", [0, 2**32 - 1], np.uint32([0, 2**32 - 1])),
        (DataType.UINT64, "uint64_val", [0, 2**64 - 1], np.uint64([0, 2**64 - 1])),
        (DataType.BOOL, "bool_val", [True, False], np.array([True, False])),
        (DataType.QINT8, "int_val", [-128, 1], np.int8([-128, 1])),
        (DataType.QUINT8, "int_val", [255, 1], np.uint8([255, 1])),
        (DataType.QINT16, "int_val", [-32768, 1], np.int16([-32768, 1])),
        (DataType.QUINT16, "int_val", [65535, 1], np.uint16([65535, 1])),
        (DataType.QINT32, "int_val", [-(2**31), 1], np.int32([-(2**31), 1])),
        (DataType.HALF, "half_val", [0x3C00, 0xC000], np.float16([1.0, -2.0])),
        (DataType.BFLOAT16, "half_val", [0x3F80, 0xC000], np.float32([1.0, -2.0])),
        (DataType.INT4, "int_val", [-8, 7], np.int8([-8, 7])),
        (DataType.UINT4, "int_val", [0, 15], np.uint8([0, 15])),
        (DataType.INT2, "int_val", [-2, 1], np.int8([-2, 1])),
        (DataType.UINT2, "int_val", [0, 3], np.uint8([0, 3])),
        (DataType.FLOAT8_E5M2, "float8_val", bytes([0x3C, 0x7C]), np.float32([1.0, np.inf])),
    ],
)
def test_elements_of_each_type_are_read_from_their_list(
    dtype: DataType, field: str, values: Any, expected: np.ndarray[Any, Any]
) -> None:
    tensor = TensorProto(dtype=int(dtype), tensor_shape=shape(2), **{field: values})
    array = array_from_tensor(through_the_wire(tensor))
    assert array.dtype == expected.dtype
    np.testing.assert_array_equal(array, expected)
    reference = TensorProto(dtype=int(dtype) + 100, tensor_shape=shape(2), **{field: values})
    np.testing.assert_array_equal(array_from_tensor(reference), expected)


def test_complex_numbers_are_read_in_pairs() -> None:
    tensor = TensorProto(dtype=int(DataType.COMPLEX64), tensor_shape=shape(2), scomplex_val=[1, 2, 3, 4])
    np.testing.assert_array_equal(array_from_tensor(tensor), np.complex64([1 + 2j, 3 + 4j]))
    tensor = TensorProto(dtype=int(DataType.COMPLEX128), tensor_shape=shape(1), dcomplex_val=[0.1, -0.2])
    np.testing.assert_array_equal(array_from_tensor(tensor), np.complex128([0.1 - 0.2j]))
    with pytest.raises(DamagedValueError, match="imaginary"):
        array_from_tensor(TensorProto(dtype=int(DataType.COMPLEX64), scomplex_val=[1.0]))


def test_decoded_arrays_are_read_only() -> None:
    for tensor in (tensor_from_array([1.0, 2.0]), tensor_from_array(3), tensor_from_array(["a"])):
        assert not array_from_tensor(tensor).flags.writeable


# -- types NumPy does not have


@pytest.mark.parametrize("name", SMALL_TYPES)
def test_every_pattern_of_a_small_type_has_its_exact_value(name: str) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    small = np.dtype(getattr(ml_dtypes, name))
    bits = {"float4_e2m1fn": 4, "int4": 4, "uint4": 4, "int2": 2, "uint2": 2}.get(name, 8 * small.itemsize)
    patterns = np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8)
    tensor = TensorProto(
        dtype=int(DataType[name.upper()]),
        tensor_shape=shape(len(patterns)),
        tensor_content=patterns.tobytes(),
    )
    array = array_from_tensor(tensor)
    expected = patterns.view(small)
    assert array.dtype == (np.float32 if "float" in name else np.uint8 if "uint" in name else np.int8)
    np.testing.assert_array_equal(array, expected.astype(array.dtype))
    is_zero = array == 0  # the sign of zeros, which compare equal
    np.testing.assert_array_equal(
        np.signbit(array[is_zero].astype(float)), np.signbit(expected[is_zero].astype(float))
    )


@pytest.mark.parametrize("name", SMALL_TYPES)
@pytest.mark.parametrize("sizes", [(), (1,), (3,)])
def test_arrays_of_ml_dtypes_are_written_and_read_back(name: str, sizes: tuple[int, ...]) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = np.ones(sizes, dtype=np.int8).astype(getattr(ml_dtypes, name))
    tensor = tensor_from_array(array)
    assert tensor.dtype == DataType[name.upper()]
    np.testing.assert_array_equal(array_from_tensor(through_the_wire(tensor)), array.astype(np.float32))


@given(st.lists(st.floats(width=16), min_size=1, max_size=5))
def test_float32_patterns_that_torch_puts_into_half_val_are_understood(values: list[float]) -> None:
    patterns = np.float32(values).view(np.int32).tolist()
    half = TensorProto(dtype=int(DataType.HALF), tensor_shape=shape(len(values)), half_val=patterns)
    array = array_from_tensor(through_the_wire(half))
    assert array.dtype == np.float16
    np.testing.assert_array_equal(array, np.float16(values))


def test_bfloat16_from_torch_is_understood_too() -> None:
    patterns = np.float32([-1.5, 0.0, 3e38]).view(np.int32).tolist()
    tensor = TensorProto(dtype=int(DataType.BFLOAT16), tensor_shape=shape(3), half_val=patterns)
    np.testing.assert_array_equal(array_from_tensor(tensor), np.float32([-1.5, 0.0, 3e38]))


def test_uint8_that_torch_puts_into_uint32_val_is_understood() -> None:
    tensor = TensorProto(dtype=int(DataType.UINT8), tensor_shape=shape(3), uint32_val=[0, 128, 255])
    np.testing.assert_array_equal(array_from_tensor(through_the_wire(tensor)), np.uint8([0, 128, 255]))


def test_8_bit_floats_that_tensorflow_once_put_into_half_val_are_understood() -> None:
    tensor = TensorProto(dtype=int(DataType.FLOAT8_E4M3FN), tensor_shape=shape(2), half_val=[0x38, 0xB8])
    np.testing.assert_array_equal(array_from_tensor(tensor), np.float32([1.0, -1.0]))


# -- strings


def test_strings_are_bytes_in_an_object_array_of_the_shape() -> None:
    tensor = TensorProto(dtype=int(DataType.STRING), tensor_shape=shape(2, 1), string_val=[b"a\0", b"\xff"])
    array = array_from_tensor(through_the_wire(tensor))
    assert array.dtype == object
    assert array.tolist() == [[b"a\0"], [b"\xff"]]


@given(st.lists(st.binary(max_size=5), max_size=5))
def test_bytes_are_written_whole_even_with_zeros_at_the_end(items: list[bytes]) -> None:
    if not items:
        return  # an empty list could hold anything
    assert array_from_tensor(tensor_from_array(items)).tolist() == items


def test_text_is_written_as_utf_8() -> None:
    assert array_from_tensor(tensor_from_array("grün")).item() == "grün".encode()
    assert array_from_tensor(tensor_from_array([["a", "b"]])).tolist() == [[b"a", b"b"]]
    assert array_from_tensor(tensor_from_array(np.array(["x", "yz"]))).tolist() == [b"x", b"yz"]


# -- shapes


def test_without_a_shape_one_element_is_a_scalar_and_several_are_a_list() -> None:
    assert array_from_tensor(TensorProto(dtype=1, float_val=[2.5])).shape == ()
    assert array_from_tensor(TensorProto(dtype=1, float_val=[2.5, 3.5])).shape == (2,)
    assert array_from_tensor(TensorProto(dtype=1, tensor_shape=shape(), float_val=[2.5])).shape == ()


def test_a_shape_of_unknown_rank_takes_the_elements_as_they_come() -> None:
    for count, expected in ((0, (0,)), (1, ()), (3, (3,))):
        tensor = TensorProto(dtype=1, tensor_shape=shape(unknown_rank=True), float_val=[1.0] * count)
        assert array_from_tensor(tensor).shape == expected


def test_a_short_list_is_continued_with_its_last_element() -> None:
    one = TensorProto(dtype=1, tensor_shape=shape(2, 2), float_val=[3.0])
    assert array_from_tensor(one).tolist() == [[3.0, 3.0], [3.0, 3.0]]
    two = TensorProto(dtype=1, tensor_shape=shape(4), float_val=[3.0, 5.0])
    assert array_from_tensor(two).tolist() == [3.0, 5.0, 5.0, 5.0]
    text = TensorProto(dtype=int(DataType.STRING), tensor_shape=shape(2), string_val=[b"x"])
    assert array_from_tensor(text).tolist() == [b"x", b"x"]


def test_an_empty_list_is_all_zeros() -> None:
    assert array_from_tensor(TensorProto(dtype=1, tensor_shape=shape(2))).tolist() == [0.0, 0.0]
    assert array_from_tensor(TensorProto(dtype=1)).item() == 0.0
    text = TensorProto(dtype=int(DataType.STRING), tensor_shape=shape(2))
    assert array_from_tensor(text).tolist() == [b"", b""]


def test_a_shape_with_a_zero_has_no_data() -> None:
    assert array_from_tensor(TensorProto(dtype=1, tensor_shape=shape(0))).shape == (0,)
    assert array_from_tensor(TensorProto(dtype=1, tensor_shape=shape(3, 0), float_val=[1.0])).shape == (3, 0)


@pytest.mark.parametrize(
    "tensor",
    [
        TensorProto(dtype=1, tensor_shape=shape(1 << 40), float_val=[1.0]),
        TensorProto(dtype=1, tensor_shape=shape(1 << 62, 1 << 62), float_val=[1.0]),
        TensorProto(dtype=1, tensor_shape=shape(MAX_FILL_BYTES // 4 + 1)),
        TensorProto(dtype=7, tensor_shape=shape(1 << 40), string_val=[b"x"]),
        TensorProto(dtype=1, tensor_shape=shape(1 << 40), tensor_content=b"abcd"),
        TensorProto(dtype=1, tensor_shape=shape(-1), float_val=[1.0]),
        TensorProto(dtype=1, tensor_shape=shape(*[1] * 65), float_val=[1.0]),
        TensorProto(dtype=1, tensor_shape=shape(*[2**62] * 100_000), float_val=[1.0]),
        TensorProto(dtype=1, tensor_shape=shape(0, 1 << 62, 1 << 62)),
        TensorProto(dtype=1, tensor_shape=shape(2), float_val=[1.0, 2.0, 3.0]),
        TensorProto(dtype=1, tensor_shape=shape(2), tensor_content=b"abcd"),
        TensorProto(dtype=1, tensor_shape=shape(1), tensor_content=b"abcde"),
        TensorProto(dtype=0, float_val=[1.0]),
        TensorProto(dtype=int(DataType.RESOURCE)),
        TensorProto(dtype=int(DataType.VARIANT), tensor_content=b"abcd"),
        TensorProto(dtype=99, tensor_content=b"abcd"),
        TensorProto(dtype=-7),
    ],
)
def test_impossible_tensors_are_called_damaged_and_nothing_is_allocated(tensor: TensorProto) -> None:
    with pytest.raises(DamagedValueError):
        array_from_tensor(tensor)


def test_arrays_of_other_types_are_refused_by_name() -> None:
    with pytest.raises(BadArgumentError, match="datetime64"):
        tensor_from_array(np.array(["2020-01-01"], dtype="datetime64[D]"))
    with pytest.raises(BadArgumentError, match="dict"):
        tensor_from_array(np.array([{}], dtype=object))


# -- hostile bytes

_lists = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=5)


@settings(deadline=None)
@given(
    dtype=st.integers(-1, 140),
    sizes=st.none() | st.lists(st.sampled_from([-1, 0, 1, 2, 3, 5, 2**20, 2**33, 2**62]), max_size=4),
    content=st.binary(max_size=16) | st.just(b""),
    int_val=_lists,
    half_val=_lists,
    float_val=st.lists(st.floats(width=32), max_size=5),
    double_val=st.lists(st.floats(), max_size=5),
    scomplex_val=st.lists(st.floats(width=32), max_size=5),
    string_val=st.lists(st.binary(max_size=3), max_size=5),
    float8_val=st.binary(max_size=5),
)
def test_any_tensor_gives_an_array_or_is_called_damaged(
    dtype: int, sizes: list[int] | None, content: bytes, **lists: Any
) -> None:
    stated = None if sizes is None else shape(*sizes)
    tensor = TensorProto(dtype=dtype, tensor_content=content, **lists)
    if stated is not None:
        tensor.tensor_shape = stated
    try:
        array = array_from_tensor(through_the_wire(tensor))
    except DamagedValueError:
        return
    assert sizes is None or array.shape == tuple(sizes)
    assert array.nbytes <= MAX_FILL_BYTES
