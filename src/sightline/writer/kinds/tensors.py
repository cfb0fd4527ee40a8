"""Tensors as they are, for whoever wants them back; TensorBoard has no view for them.

Every type keeps its own bits. torch's writer gets three wrong: half and bfloat16 come out as patterns of
float32, and uint8 in a list that is not theirs. Readers that follow the format see the right numbers here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import DataType, Dim, TensorProto, TensorShapeProto, Value
from sightline.formats.tensors import tensor_from_array
from sightline.writer.engine.arguments import check_size, checked_tag
from sightline.writer.engine.arrays import array_from, is_torch_tensor
from sightline.writer.engine.base import WriterBase, plugin_value

# Types of torch that NumPy does not have; torch gives their bytes only as integers of the same width.
_ONLY_IN_TORCH = {
    "torch.bfloat16": DataType.BFLOAT16,
    "torch.float8_e5m2": DataType.FLOAT8_E5M2,
    "torch.float8_e4m3fn": DataType.FLOAT8_E4M3FN,
    "torch.float8_e5m2fnuz": DataType.FLOAT8_E5M2FNUZ,
    "torch.float8_e4m3fnuz": DataType.FLOAT8_E4M3FNUZ,
}


class TensorMethods(WriterBase):
    def add_tensor(
        self, tag: str, tensor: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Adds a tensor or array of any type, less than 2 GB.

        Sightline's reader gives it back; TensorBoard has no view for it.
        """
        value = tensor_value(checked_tag(tag), tensor)
        self._write([value], global_step, walltime)


def tensor_value(tag: str, tensor: Any) -> Value:
    """The value of a tensor."""
    what = f"The tensor {tag!r}"
    # Before it is fetched from a device: what is too large for a file may be too large for memory.
    check_size(_dense_bytes(tensor), what)
    dtype = _ONLY_IN_TORCH.get(str(tensor.dtype)) if is_torch_tensor(tensor) else None
    proto = tensor_from_array(_array(tensor)) if dtype is None else _tensor_of_patterns(tensor, dtype)
    check_size(len(proto.tensor_content) + sum(map(len, proto.string_val)), what)
    return plugin_value(tag, "tensor", tensor=proto)


def _dense_bytes(value: Any) -> int:
    """How much a tensor takes as an array; 0 when it does not tell."""
    if is_torch_tensor(value):
        return int(value.numel() * value.element_size())
    size_bytes = getattr(value, "nbytes", 0)
    return size_bytes if isinstance(size_bytes, int) else 0


def _array(value: Any) -> NDArray[Any]:
    """The array of a value. Unlike elsewhere, bfloat16 and its like are kept, and text is welcome."""
    if not isinstance(value, np.ndarray) and not is_torch_tensor(value):
        if callable(getattr(value, "numpy", None)):  # TensorFlow
            value = value.numpy()
        if hasattr(value, "__array__"):  # JAX and others
            value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "VO":
        return value
    return array_from(value)


def _tensor_of_patterns(tensor: Any, dtype: DataType) -> TensorProto:
    """The tensor of a type that NumPy does not have. Single elements lie in the list of their type."""
    import torch  # the tensor came from it

    dense = tensor.detach().to_dense().cpu().contiguous()
    patterns = dense.view(torch.int16 if dtype is DataType.BFLOAT16 else torch.uint8).numpy()
    shape = TensorShapeProto(dim=[Dim(size=size) for size in dense.shape])
    proto = TensorProto(dtype=int(dtype), tensor_shape=shape)
    if patterns.size != 1:
        proto.tensor_content = patterns.tobytes()
    elif dtype is DataType.BFLOAT16:
        proto.half_val = patterns.view(np.uint16).reshape(-1).tolist()
    else:
        proto.float8_val = patterns.tobytes()
    return proto
