"""Sounds against torch's own writer, byte by byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sightline import SummaryWriter
from tests.writer.media import only_value, wav_frames

torch = pytest.importorskip("torch")
tensorboard = pytest.importorskip("torch.utils.tensorboard")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the oracle


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(2000,), (1, 2000), (2000, 1), (1, 1, 2000)])
@pytest.mark.parametrize("loudness", [0.9, 1.8])
def test_the_value_is_that_of_torch(
    tmp_path: Path, dtype: str, shape: tuple[int, ...], loudness: float
) -> None:
    generator = torch.Generator().manual_seed(5)
    sound = (torch.rand(shape, generator=generator) * 2 - 1).to(getattr(torch, dtype)) * loudness
    with tensorboard.SummaryWriter(tmp_path / "theirs") as theirs:
        theirs.add_audio("a", sound, 3, 22050)
    with SummaryWriter(tmp_path / "ours", story=False) as ours:
        ours.add_audio("a", sound, 3, 22050)
    written, expected = (only_value(tmp_path / name) for name in ("ours", "theirs"))
    assert written.SerializeToString() == expected.SerializeToString()


def written(directory: Path, sound: Any) -> Any:
    with SummaryWriter(directory, story=False) as writer:
        writer.add_audio("a", sound)
    return wav_frames(only_value(directory).audio.encoded_audio_string)[0][:, 0].tolist()


def test_half_precision_is_right(tmp_path: Path) -> None:
    """torch multiplies in half precision, where the loudest sample overflows."""
    sound = torch.tensor([-1, -0.5, 0, 0.5, 1])
    for dtype in (torch.float16, torch.bfloat16):
        assert written(tmp_path / str(dtype), sound.to(dtype)) == [-32767, -16383, 0, 16383, 32767]
