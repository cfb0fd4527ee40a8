"""ICC profiles byte by byte, and what they mean by NumPy: an oracle for conversions to sRGB."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Columns: the XYZ, in the light of D50, of full red, green and blue.
SRGB = np.array([[0.43607, 0.38515, 0.14307], [0.22249, 0.71687, 0.06061], [0.01392, 0.09708, 0.71410]])
DISPLAY_P3 = np.array(
    [[0.51512, 0.29198, 0.15710], [0.24120, 0.69225, 0.06657], [-0.00105, 0.04189, 0.78407]]
)
ADOBE_RGB = np.array([[0.60974, 0.20528, 0.14919], [0.31111, 0.62567, 0.06322], [0.01947, 0.06087, 0.74457]])
_D50 = (0.9642, 1.0, 0.8249)


def rgb_profile(columns: NDArray[Any] = DISPLAY_P3, gamma: float = 2.2) -> bytes:
    tags = {b"wtpt": _xyz(_D50)}
    for channel, name in enumerate("rgb"):
        tags[f"{name}XYZ".encode()] = _xyz(tuple(columns[:, channel]))
        tags[f"{name}TRC".encode()] = _curve(gamma)
    return profile(b"mntr", b"RGB ", b"XYZ ", tags)


def grey_profile(gamma: float) -> bytes:
    return profile(b"mntr", b"GRAY", b"XYZ ", {b"wtpt": _xyz(_D50), b"kTRC": _curve(gamma)})


def printing_profile() -> bytes:
    """One in which all inks are grey: no ink is white, full black is black, each of the others a third."""
    corners = bytearray()
    for cyan, magenta, yellow, black in itertools.product((0, 1), repeat=4):
        corners += bytes((round(255 * (1 - black) * (1 - (cyan + magenta + yellow) / 3)), 128, 128))
    straight = bytes(range(256))
    identity = struct.pack(">9i", *(65536 * (place in (0, 4, 8)) for place in range(9)))
    table = b"mft1\0\0\0\0" + bytes((4, 3, 2, 0)) + identity + straight * 4 + bytes(corners) + straight * 3
    return profile(b"prtr", b"CMYK", b"Lab ", {b"wtpt": _xyz(_D50), b"A2B0": table})


def profile(device: bytes, space: bytes, connection: bytes, tags: dict[bytes, bytes]) -> bytes:
    tags = {b"desc": b"desc\0\0\0\0\0\0\0\x02x\0" + bytes(80), b"cprt": b"text\0\0\0\0none\0", **tags}
    rows, body = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        rows += struct.pack(">4sII", name, start + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    head = struct.pack(">I4sI4s4s4s", start + len(body), b"", 0x02400000, device, space, connection)
    head += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp") + bytes(28) + _xyz(_D50)[8:]
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + rows + body


def _xyz(values: tuple[float, ...]) -> bytes:
    return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(value * 65536) for value in values))


def _curve(gamma: float) -> bytes:
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256))


# ── what they mean ───────────────────────────────────────────────────────────────────────────────────────


def in_srgb(values: NDArray[np.uint8], columns: NDArray[Any], gamma: float) -> NDArray[np.float64]:
    """Values of a picture with ``rgb_profile``, as sRGB has them."""
    light = (values / 255.0) ** gamma @ (np.linalg.inv(SRGB) @ columns).T
    return _encoded(light)


def grey_in_srgb(values: NDArray[np.uint8], gamma: float) -> NDArray[np.float64]:
    return _encoded((values / 255.0) ** gamma)


def _encoded(light: NDArray[np.float64]) -> NDArray[np.float64]:
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * 255
