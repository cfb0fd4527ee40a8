"""Films of torch tensors, against torch's own writer (which needs moviepy 1)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sightline import SummaryWriter
from tests.writer.media import gif_frames, only_value

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the oracle


def film(count: int, dtype: Any) -> Any:
    n, t, y, x = torch.meshgrid(*map(torch.arange, (count, 4, 20, 26)), indexing="ij")
    values = torch.stack([(x + t) / 31, (y + n) / 27, (x * y) / 500], 2).float()
    return (values * 255).to(dtype) if dtype is torch.uint8 else values.to(dtype)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.uint8])
def test_a_gif_states_what_torch_states_and_is_no_worse(tmp_path: Path, count: int, dtype: Any) -> None:
    pytest.importorskip("moviepy.editor")
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    tensor = film(count, dtype)
    with tensorboard.SummaryWriter(tmp_path / "theirs") as theirs:
        theirs.add_video("a", tensor, 2, 5)
    with SummaryWriter(tmp_path / "ours", story=False) as ours:
        ours.add_video("a", tensor, 2, 5, format="gif")
    written, expected = only_value(tmp_path / "ours"), only_value(tmp_path / "theirs")
    assert written.HasField("metadata") == expected.HasField("metadata")
    for name in ("height", "width", "colorspace"):
        assert getattr(written.image, name) == getattr(expected.image, name)
    # Durations are not compared: torch's GIFs have none with today's imageio.
    frames, durations_ms, loop = gif_frames(written.image.encoded_image_string)
    assert (durations_ms, loop) == ([200] * 4, 0)
    true = tensor.float()[0, 0].permute(1, 2, 0).numpy() * (1 if dtype is torch.uint8 else 255)
    their_first = np.asarray(Image.open(io.BytesIO(expected.image.encoded_image_string)).convert("RGB"))
    our_error, their_error = (np.abs(one[:20, :26] - true).mean() for one in (frames[0], their_first))
    assert our_error <= their_error + 0.1


def test_every_type_of_tensor_is_taken(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        for dtype in (torch.bfloat16, torch.float64, torch.bool):
            writer.add_video(str(dtype), film(1, dtype), format="gif")
        assert writer.close()
