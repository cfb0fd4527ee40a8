"""NumPy arrays and numbers out of whatever a training loop holds.

Values arrive as Python numbers, lists, NumPy arrays, or tensors of torch, TensorFlow and JAX on any device.
No framework is imported here: a value that came from one brings it along. Types that NumPy does not have
(bfloat16, 8-bit floats) are widened to float32, which holds each of them exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError


def is_torch_tensor(value: object) -> bool:
    """Whether a value is a tensor of torch, or of a class made from it, without importing torch."""
    return any(base.__module__ == "torch" and base.__name__ == "Tensor" for base in type(value).__mro__)


def is_on_gpu(value: Any) -> bool:
    """Whether reading the value would make the caller wait for a GPU."""
    return is_torch_tensor(value) and bool(value.device.type == "cuda")


def array_from(value: Any, *, is_copy: bool = False) -> NDArray[Any]:
    """The array of a value, on the CPU. With `is_copy` it shares no memory with the value.

    Methods that encode later ask for a copy: training goes on and may write over the original.
    """
    if is_torch_tensor(value):
        array, is_shared = _array_of_torch(value)
    else:
        array = _array_of_other(value)
        is_shared = not isinstance(value, (list, tuple, float, int))
    if array.dtype.kind == "V":  # bfloat16 and 8-bit floats of the ml_dtypes package
        return array.astype(np.float32)
    return array.copy() if is_copy and is_shared else array


def number_from(value: Any) -> float | int:
    """The number of a value with one element; raises BadArgumentError for none or several."""
    if isinstance(value, (float, int)):
        return value
    if type(value).__module__ in ("decimal", "fractions"):
        return float(value)
    array = array_from(value)
    if array.size != 1:
        raise BadArgumentError(f"One number is needed, not an array of shape {array.shape}")
    number = array.reshape(()).item()
    if not isinstance(number, (float, int)):
        raise BadArgumentError(f"A number is needed, not {type(number).__name__}: {value!r}")
    return number


def number_later(value: Any) -> Callable[[], float | int] | None:
    """For a torch tensor on a GPU: a function that waits for its number. None for everything else.

    Asking a GPU for a number makes the caller wait for all work queued before it. A copy on the device is
    queued like any other work instead, and whoever calls the function waits for that copy alone.
    """
    if not is_on_gpu(value):
        return None
    copy = value.detach().clone()
    import torch  # the value came from it

    done = torch.cuda.Event()
    done.record()

    def read() -> float | int:
        done.synchronize()
        return number_from(copy)

    return read


def _array_of_torch(value: Any) -> tuple[NDArray[Any], bool]:
    """The array, and whether it may share memory with the tensor."""
    tensor = value.detach()
    if tensor.is_meta:
        raise BadArgumentError("A tensor on the device 'meta' has a shape and no values")
    if tensor.is_sparse:
        tensor = tensor.to_dense()
    elif tensor.is_quantized:
        tensor = tensor.dequantize()
    is_shared = tensor.device.type == "cpu"
    tensor = tensor.cpu().resolve_conj().resolve_neg()
    try:
        return tensor.numpy(), is_shared
    except TypeError:  # bfloat16 and 8-bit floats
        return tensor.float().numpy(), False


def _array_of_other(value: Any) -> NDArray[Any]:
    if isinstance(value, (list, tuple)) and any(is_torch_tensor(item) for item in value):
        return np.stack([array_from(item) for item in value])
    if not isinstance(value, np.ndarray) and callable(getattr(value, "numpy", None)):  # TensorFlow
        value = value.numpy()
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise BadArgumentError(f"Cannot make an array of this {type(value).__name__}: {error}") from error
    if array.dtype.kind == "O":
        raise BadArgumentError(f"Cannot make an array of numbers of this {type(value).__name__}")
    return array
