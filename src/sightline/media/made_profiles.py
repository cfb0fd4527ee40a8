"""Colours that a PNG describes by numbers (``cICP``, ``gAMA`` and ``cHRM``) as a profile of ICC, so that they
are converted like all others.

Films' curves for very bright
screens (PQ and HLG) are no profile of this kind: how to show them on others is for each program to decide.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Primaries = tuple[float, float, float, float, float, float, float, float]
"""x and y of white, red, green and blue (CIE 1931)."""

_D65 = (0.3127, 0.329)
_BT_709: Primaries = (*_D65, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)
# By the numbers of ITU-T H.273.
_PRIMARIES: dict[int, Primaries] = {
    1: _BT_709,
    5: (*_D65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06),
    6: (*_D65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07),
    7: (*_D65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07),
    9: (*_D65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046),
    11: (0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06),
    12: (*_D65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06),
}
_FILM_CURVE = (2.4,)  # of the screens (BT.1886), not of the cameras: browsers show it so
_SRGB_CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
_CURVES: dict[int, tuple[float, ...]] = {
    1: _FILM_CURVE,
    4: (2.2,),
    5: (2.8,),
    6: _FILM_CURVE,
    8: (1.0,),
    13: _SRGB_CURVE,
    14: _FILM_CURVE,
    15: _FILM_CURVE,
}
"""A gamma alone, or the five numbers of ICC's curve with a straight beginning."""

_SCALE = 100_000
"""Numbers of PNG are so many times as large."""
_USUAL_GAMMA = 45_455
_LEAST_GAMMA, _GREATEST_GAMMA = 1_000, 1_000_000
_GREATEST_XYZ = 4.0
"""Of colours that exist it is little more than 1."""

_BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
_D50 = np.array([0.9642, 1.0, 0.8249])
_VERSION_4 = 0x04000000


@dataclass(frozen=True)
class Colors:
    """What the numbers of a picture mean."""

    primaries: Primaries
    curve: tuple[float, ...]


SRGB = Colors(_BT_709, _SRGB_CURVE)


def from_code_points(chunk: bytes) -> Colors | None:
    """Of ``cICP``; None when they say nothing, or nothing that a profile can."""
    if len(chunk) != 4 or chunk[2] != 0 or chunk[3] != 1:  # not as RGB, or not of the full range
        return None
    primaries, curve = _PRIMARIES.get(chunk[0]), _CURVES.get(chunk[1])
    return None if primaries is None or curve is None else Colors(primaries, curve)


def from_gamma(gama: bytes, chrm: bytes) -> Colors | None:
    """Of ``gAMA``, and ``cHRM`` where that is not b""; None when they make no sense."""
    if len(gama) != 4:
        return None
    (gamma,) = struct.unpack(">I", gama)
    if not _LEAST_GAMMA <= gamma <= _GREATEST_GAMMA:
        return None
    primaries = _BT_709
    if len(chrm) == 32:
        x_and_y = [number / _SCALE for number in struct.unpack(">8I", chrm)]
        primaries = (*x_and_y,)
    if gamma == _USUAL_GAMMA and primaries == _BT_709:  # what programs write that mean sRGB
        return SRGB
    return Colors(primaries, (_SCALE / gamma,))


def made_profile(colors: Colors, *, is_grey: bool) -> bytes:
    """b"" for colours that need none, or that cannot be."""
    if colors == SRGB:
        return b""
    tags = {b"wtpt": _xyz(_D50)}
    if is_grey:
        return _profile(b"GRAY", {**tags, b"kTRC": _parametric(colors.curve)})
    try:
        columns = _columns(colors.primaries)
    except (np.linalg.LinAlgError, ZeroDivisionError):
        return b""
    if not np.isfinite(columns).all() or np.abs(columns).max() > _GREATEST_XYZ:
        return b""
    for channel, name in enumerate("rgb"):
        tags[f"{name}XYZ".encode()] = _xyz(columns[:, channel])
        tags[f"{name}TRC".encode()] = _parametric(colors.curve)
    return _profile(b"RGB ", tags)


def _columns(primaries: Primaries) -> NDArray[np.float64]:
    """XYZ of full red, green and blue in the light of D50."""
    white, *lights = (
        np.array([x / y, 1, (1 - x - y) / y]) for x, y in zip(primaries[::2], primaries[1::2], strict=True)
    )
    columns = np.stack(lights, axis=1)
    columns = columns * np.linalg.solve(columns, white)
    factors = (_BRADFORD @ _D50) / (_BRADFORD @ white)
    adapted: NDArray[np.float64] = np.linalg.inv(_BRADFORD) @ np.diag(factors) @ _BRADFORD @ columns
    return adapted


def _profile(space: bytes, tags: dict[bytes, bytes]) -> bytes:
    rows, body = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        rows += struct.pack(">4sII", name, start + len(body), len(content))
        body += content
    head = struct.pack(">I4sI4s4s4s", start + len(body), b"", _VERSION_4, b"mntr", space, b"XYZ ")
    head += bytes(12) + b"acsp" + bytes(28) + _xyz(_D50)[8:]
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + rows + body


def _xyz(values: NDArray[np.float64]) -> bytes:
    return b"XYZ \0\0\0\0" + _fixed(values)


def _parametric(curve: tuple[float, ...]) -> bytes:
    kind = 0 if len(curve) == 1 else 3
    return b"para\0\0\0\0" + struct.pack(">HH", kind, 0) + _fixed(curve)


def _fixed(values: NDArray[np.float64] | tuple[float, ...]) -> bytes:
    return b"".join(struct.pack(">i", round(float(value) * 65536)) for value in values)
