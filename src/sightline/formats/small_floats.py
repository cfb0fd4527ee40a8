"""Floating-point formats NumPy does not have, as exact float32 values.

bfloat16 is the upper half of a float32. The 8- and 4-bit formats have so few values that a table of all of
them is the simplest exact decoder. A format is its numbers of exponent and mantissa bits, its bias, and
what it does with the patterns that IEEE 754 reserves:

    ieee   the highest exponent means infinity and NaN
    fn     finite: only the pattern with all bits set (besides the sign) is NaN
    fnuz   finite, and no negative zero: that pattern is the only NaN
    none   every pattern is a number
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import DataType


def float32_from_bfloat16(patterns: NDArray[np.uint16]) -> NDArray[np.float32]:
    """The values of 16-bit patterns."""
    bits: NDArray[np.uint32] = patterns.astype(np.uint32) << np.uint32(16)
    return bits.view(np.float32)


def _table(exponent_bits: int, mantissa_bits: int, bias: int, specials: str) -> NDArray[np.float32]:
    """The value of every pattern, indexed by byte; bits above the format's width are ignored."""
    width = 1 + exponent_bits + mantissa_bits
    pattern = np.arange(256) % (1 << width)
    magnitude = pattern % (1 << (width - 1))
    sign = np.where(pattern == magnitude, 1.0, -1.0)
    exponent, mantissa = magnitude >> mantissa_bits, magnitude % (1 << mantissa_bits)
    is_subnormal = exponent == 0
    fraction = mantissa / (1 << mantissa_bits) + np.where(is_subnormal, 0.0, 1.0)
    value: NDArray[np.float64] = sign * fraction * np.exp2(np.where(is_subnormal, 1, exponent) - bias)
    highest = magnitude >= (((1 << exponent_bits) - 1) << mantissa_bits)
    if specials == "ieee":
        value[highest] = np.where(mantissa[highest] == 0, sign[highest] * np.inf, np.nan)
    elif specials == "fn":
        value[magnitude == (1 << (width - 1)) - 1] = np.nan
    elif specials == "fnuz":
        value[pattern == 1 << (width - 1)] = np.nan
    return value.astype(np.float32)


_FORMATS = {
    DataType.FLOAT8_E5M2: (5, 2, 15, "ieee"),
    DataType.FLOAT8_E4M3FN: (4, 3, 7, "fn"),
    DataType.FLOAT8_E4M3FNUZ: (4, 3, 8, "fnuz"),
    DataType.FLOAT8_E4M3B11FNUZ: (4, 3, 11, "fnuz"),
    DataType.FLOAT8_E5M2FNUZ: (5, 2, 16, "fnuz"),
    DataType.FLOAT4_E2M1FN: (2, 1, 1, "none"),
}


def is_small_float(dtype: int) -> bool:
    """True for the formats of at most 8 bits."""
    return dtype in _FORMATS


def float32_from_small(dtype: int, patterns: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The values of 8-bit (or, in the low bits of each byte, 4-bit) patterns."""
    return _table(*_FORMATS[DataType(dtype)])[patterns]
