"""TensorProto ↔ NumPy.

Elements lie in ``tensor_content`` (raw, little-endian, row-major) or in the ``*_val`` list of their type. A
list shorter than the shape needs is continued with its last element, an empty one with zeros, as TensorFlow
does; a list or content that is too long for the shape is an error, because then the shape cannot be
trusted.

Types NumPy lacks come out as the smallest NumPy type that holds every value exactly: bfloat16 and the 8- and
4-bit floats as float32, 4- and 2-bit integers as int8 or uint8. Strings are bytes in an object array. Decoded
arrays are read-only. Nothing is allocated on the word of a shape alone beyond ``MAX_FILL_BYTES``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import DataType, Dim, StringTensor, TensorProto, TensorShapeProto
from sightline.formats.small_floats import float32_from_bfloat16, float32_from_small, is_small_float
from sightline.formats.wire_types import ScalarType
from sightline.model.errors import BadArgumentError, DamagedValueError

# A few bytes can name a shape of any size, whose elements are all the same. Real summaries stay far below
# this.
MAX_FILL_BYTES = 1 << 28
MAX_FILL_STRINGS = 100_000
# The most dimensions NumPy has; also keeps the product of the sizes cheap.
_MAX_RANK = 64

_REFERENCE = 100  # added to the number of a type to say "reference to"

# Types whose elements are the same in the file and in NumPy.
_SAME: dict[int, np.dtype[Any]] = {
    DataType.FLOAT: np.dtype("<f4"),
    DataType.DOUBLE: np.dtype("<f8"),
    DataType.HALF: np.dtype("<f2"),
    DataType.INT8: np.dtype("i1"),
    DataType.INT16: np.dtype("<i2"),
    DataType.INT32: np.dtype("<i4"),
    DataType.INT64: np.dtype("<i8"),
    DataType.UINT8: np.dtype("u1"),
    DataType.UINT16: np.dtype("<u2"),
    DataType.UINT32: np.dtype("<u4"),
    DataType.UINT64: np.dtype("<u8"),
    DataType.BOOL: np.dtype("?"),
    DataType.COMPLEX64: np.dtype("<c8"),
    DataType.COMPLEX128: np.dtype("<c16"),
    DataType.QINT8: np.dtype("i1"),
    DataType.QUINT8: np.dtype("u1"),
    DataType.QINT16: np.dtype("<i2"),
    DataType.QUINT16: np.dtype("<u2"),
    DataType.QINT32: np.dtype("<i4"),
}
# Integers of less than a byte, one per byte in the file: bits, and whether they are signed.
_NARROW = {
    DataType.INT4: (4, True),
    DataType.UINT4: (4, False),
    DataType.INT2: (2, True),
    DataType.UINT2: (2, False),
}

_INTEGER_LISTS = ("int_val", "int64_val", "uint32_val", "uint64_val", "bool_val")
# Where to look for elements, best first. Other lists than the proper one are for writers that get it wrong:
# torch puts uint8 into uint32_val, TensorFlow once put 8-bit floats into half_val.
_LISTS: dict[int, tuple[str, ...]] = {
    DataType.FLOAT: ("float_val", "double_val"),
    DataType.DOUBLE: ("double_val", "float_val"),
    DataType.COMPLEX64: ("scomplex_val", "dcomplex_val"),
    DataType.COMPLEX128: ("dcomplex_val", "scomplex_val"),
    DataType.INT64: ("int64_val", *_INTEGER_LISTS),
    DataType.UINT32: ("uint32_val", *_INTEGER_LISTS),
    DataType.UINT64: ("uint64_val", *_INTEGER_LISTS),
    DataType.BOOL: ("bool_val", *_INTEGER_LISTS),
}

# The array type of each list of numbers: its elements may come as a Python list when the message was made
# by hand.
_LIST_DTYPE = {
    one.name: np.dtype(one.kind.typecode or "?")
    for one in TensorProto.SPEC
    if one.is_repeated and isinstance(one.kind, ScalarType) and one.kind.is_packable
}


def array_from_tensor(tensor: TensorProto) -> NDArray[Any]:
    """The array of a tensor. Raises DamagedValueError when type, shape and data do not make one."""
    dtype = _dtype_of(tensor)
    if dtype == DataType.STRING:
        flat: NDArray[Any] = _object_array(tensor.string_val)
    elif tensor.tensor_content:
        flat = _from_content(tensor.tensor_content, dtype)
    else:
        flat = _from_lists(tensor, dtype)
    return _shaped(flat, tensor, is_raw=bool(tensor.tensor_content))


def strings_from_tensor(tensor: StringTensor) -> NDArray[Any]:
    """The same of a tensor that should hold strings; of one that does not nothing else is decoded."""
    dtype = _dtype_of(tensor)
    if dtype != DataType.STRING:
        held = f"{_SAME[dtype]} numbers" if dtype in _SAME else f"elements of type {_name_of(dtype)}"
        raise DamagedValueError(f"it should hold strings and holds {held}")
    return _shaped(_object_array(tensor.string_val), tensor)


def _dtype_of(tensor: TensorProto | StringTensor) -> int:
    return tensor.dtype - _REFERENCE if tensor.dtype > _REFERENCE else tensor.dtype


def _shaped(flat: NDArray[Any], tensor: TensorProto | StringTensor, *, is_raw: bool = False) -> NDArray[Any]:
    shape = _shape_of(tensor, flat.size)
    if flat.size != math.prod(shape):
        if is_raw:
            raise DamagedValueError(f"shape {list(shape)} does not fit {flat.size} elements of raw content")
        flat = _continued(flat, shape)
    try:
        array = flat.reshape(shape)
    except ValueError as error:  # more dimensions, or bigger ones, than this NumPy can have
        raise DamagedValueError(f"shape {list(shape)} is not possible: {error}") from error
    array.flags.writeable = False
    return array


def tensor_from_array(array: object) -> TensorProto:
    """The tensor of an array, list or number, laid out as TensorFlow's own writers do.

    Python and NumPy types keep their width: a float64 array makes a DOUBLE tensor. Text becomes UTF-8.
    Arrays of the ``ml_dtypes`` package (bfloat16, float8 …) are known by name. Raises BadArgumentError for
    other types.
    """
    values = _as_array(array)
    shape = TensorShapeProto(dim=[Dim(size=size) for size in values.shape])
    if values.dtype.kind in "OSU":
        items = [_bytes_of(item) for item in values.ravel().tolist()]
        return TensorProto(dtype=int(DataType.STRING), tensor_shape=shape, string_val=items)
    dtype = _DTYPE_OF_NAME.get(values.dtype.name)
    if dtype is None:
        raise BadArgumentError(
            f"Arrays of type {values.dtype} cannot be logged. Convert to a number or text type"
        )
    tensor = TensorProto(dtype=int(dtype), tensor_shape=shape)
    if values.dtype.byteorder == ">":
        values = values.astype(values.dtype.newbyteorder("<"))
    if values.size == 1:
        _set_single(tensor, dtype, values)
    else:
        tensor.tensor_content = values.tobytes()
    return tensor


# -- shapes


def _shape_of(tensor: TensorProto | StringTensor, count: int) -> tuple[int, ...]:
    """The tensor's shape. Where none is given and there are several elements, they are a list."""
    stated = tensor.tensor_shape
    if stated is None or stated.unknown_rank:
        return () if count <= 1 and (stated is None or count == 1) else (count,)
    if len(stated.dim) > _MAX_RANK:
        raise DamagedValueError(f"a shape of {len(stated.dim)} dimensions is not possible")
    shape = tuple(dim.size for dim in stated.dim)
    if any(size < 0 for size in shape):
        raise DamagedValueError(f"shape {list(shape)} has a dimension of unknown size")
    return shape


def _continued(flat: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The elements, with the last one repeated to fill the shape."""
    count = math.prod(shape)
    if count == 0:  # nothing can be in it, whatever was listed
        return flat[:0]
    if flat.size > count:
        raise DamagedValueError(f"shape {list(shape)} needs {count} elements, the tensor has {flat.size}")
    is_text = flat.dtype == object
    filler: Any = (b"" if is_text else 0) if flat.size == 0 else flat[-1]
    limit = ""
    if is_text and count > MAX_FILL_STRINGS:
        limit = f"{MAX_FILL_STRINGS:,} strings"
    # The same string again takes no memory, but whoever writes it down as often as it is shown does.
    elif count * (len(filler) if is_text else flat.dtype.itemsize) > MAX_FILL_BYTES:
        limit = f"{MAX_FILL_BYTES:,} bytes"
    if limit:
        raise DamagedValueError(
            f"shape {list(shape)} asks for {count:,} elements, the tensor has {flat.size}; "
            f"not filled up beyond {limit}"
        )
    full = np.empty(count, dtype=flat.dtype)
    full[: flat.size] = flat
    full[flat.size :] = _object_array([filler]) if is_text else filler
    return full


# -- elements


def _from_content(content: bytes, dtype: int) -> NDArray[Any]:
    """All elements of raw content; a view of it where NumPy has the type."""
    stored = _SAME.get(dtype) or np.dtype("<u2" if dtype == DataType.BFLOAT16 else "u1")
    if len(content) % stored.itemsize:
        raise DamagedValueError(f"{len(content)} bytes are no whole number of {_name_of(dtype)} elements")
    raw = np.frombuffer(content[:], dtype=stored)  # it need not be in memory
    if dtype in _SAME:
        # A byte other than 0 and 1 is no bool to NumPy, though it is to everybody else.
        return raw.view(np.uint8) != 0 if dtype == DataType.BOOL else raw
    return _from_patterns(raw, dtype)


def _from_lists(tensor: TensorProto, dtype: int) -> NDArray[Any]:
    if dtype in (DataType.HALF, DataType.BFLOAT16):
        return _from_half_val(np.asarray(tensor.half_val, dtype=np.int32), dtype)
    if is_small_float(dtype):
        if tensor.float8_val:
            return _from_patterns(np.frombuffer(tensor.float8_val, dtype=np.uint8), dtype)
        return _from_patterns(_first_list(tensor, ("half_val", *_INTEGER_LISTS)), dtype)
    values = _first_list(tensor, _LISTS.get(dtype, _INTEGER_LISTS))
    if dtype in (DataType.COMPLEX64, DataType.COMPLEX128):
        if values.size % 2:
            raise DamagedValueError("a complex number has no imaginary part")
        values = values.astype(np.float64).view(np.complex128)
    if dtype in _SAME:
        with np.errstate(over="ignore", invalid="ignore"):
            return values.astype(_SAME[dtype], copy=False)
    return _from_patterns(values, dtype)


def _first_list(tensor: TensorProto, names: Sequence[str]) -> NDArray[Any]:
    """The first list that holds anything, as an array."""
    for name in names:
        if len(values := getattr(tensor, name)):
            return np.asarray(values, dtype=_LIST_DTYPE[name])
    return np.zeros(0, dtype=np.uint8)


def _from_half_val(stored: NDArray[np.int32], dtype: int) -> NDArray[Any]:
    """16-bit patterns; an element that is no 16-bit number is a float32 pattern (torch's add_tensor)."""
    bits = stored.view(np.uint32)
    patterns = (bits & np.uint32(0xFFFF)).astype(np.uint16)
    values = float32_from_bfloat16(patterns) if dtype == DataType.BFLOAT16 else patterns.view(np.float16)
    is_float32 = bits > 0xFFFF
    if is_float32.any():
        values = values.copy()
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            values[is_float32] = bits[is_float32].view(np.float32).astype(values.dtype)
    return values


def _from_patterns(raw: NDArray[Any], dtype: int) -> NDArray[Any]:
    """The values of types that NumPy does not have."""
    if dtype == DataType.BFLOAT16:
        return float32_from_bfloat16(raw)
    if is_small_float(dtype):
        return float32_from_small(dtype, (raw & 0xFF).astype(np.uint8))
    if dtype not in _NARROW:
        raise DamagedValueError(f"tensors of type {_name_of(dtype)} hold nothing that can be shown")
    width, is_signed = _NARROW[DataType(dtype)]
    low_bits = (raw & ((1 << width) - 1)).astype(np.uint8)
    if not is_signed:
        return low_bits
    # The sign bit goes to the top of the byte and back, which copies it into all bits above.
    at_top: NDArray[np.uint8] = low_bits << np.uint8(8 - width)
    signed: NDArray[np.int8] = at_top.view(np.int8) >> np.int8(8 - width)
    return signed


def _object_array(items: Sequence[Any]) -> NDArray[Any]:
    array = np.empty(len(items), dtype=object)
    for position, item in enumerate(items):  # one by one: NumPy takes bytes apart that are not in memory
        array[position] = item
    return array


def _name_of(dtype: int) -> str:
    try:
        return DataType(dtype).name
    except ValueError:
        return f"number {dtype}"


# -- writing

_DTYPE_OF_NAME: dict[str, DataType] = {
    "float32": DataType.FLOAT,
    "float64": DataType.DOUBLE,
    "float16": DataType.HALF,
    "int8": DataType.INT8,
    "int16": DataType.INT16,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "uint8": DataType.UINT8,
    "uint16": DataType.UINT16,
    "uint32": DataType.UINT32,
    "uint64": DataType.UINT64,
    "bool": DataType.BOOL,
    "complex64": DataType.COMPLEX64,
    "complex128": DataType.COMPLEX128,
    # The names of ml_dtypes
    "bfloat16": DataType.BFLOAT16,
    "float8_e5m2": DataType.FLOAT8_E5M2,
    "float8_e4m3fn": DataType.FLOAT8_E4M3FN,
    "float8_e4m3fnuz": DataType.FLOAT8_E4M3FNUZ,
    "float8_e4m3b11fnuz": DataType.FLOAT8_E4M3B11FNUZ,
    "float8_e5m2fnuz": DataType.FLOAT8_E5M2FNUZ,
    "float4_e2m1fn": DataType.FLOAT4_E2M1FN,
    "int4": DataType.INT4,
    "uint4": DataType.UINT4,
    "int2": DataType.INT2,
    "uint2": DataType.UINT2,
}


def _set_single(tensor: TensorProto, dtype: DataType, values: NDArray[Any]) -> None:
    """Put one element where readers expect a single one: in the list of its type."""
    if dtype in (DataType.HALF, DataType.BFLOAT16):
        tensor.half_val = np.frombuffer(values.tobytes(), dtype="<u2").tolist()
    elif is_small_float(dtype):
        tensor.float8_val = values.tobytes()
    elif dtype in (DataType.COMPLEX64, DataType.COMPLEX128):
        pair = [float(values.real.item()), float(values.imag.item())]
        setattr(tensor, _LISTS[dtype][0], pair)
    else:
        item = int(values.astype(np.int8).item()) if dtype in _NARROW else values.item()
        setattr(tensor, _LISTS.get(dtype, _INTEGER_LISTS)[0], [item])


def _as_array(value: object) -> NDArray[Any]:
    """As NumPy would, except that text and bytes stay objects: NumPy's own would drop zeros at their end."""
    leaf = value
    while isinstance(leaf, (list, tuple)) and leaf:
        leaf = leaf[0]
    return np.asarray(value, dtype=object if isinstance(leaf, (str, bytes)) else None)


def _bytes_of(item: object) -> bytes:
    if isinstance(item, bytes):
        return item
    if isinstance(item, str):
        return item.encode("utf-8", "backslashreplace")
    raise BadArgumentError(f"An array of objects can only hold text or bytes, not {type(item).__name__}")
