"""The page's benchmark reads frames by itself: it must read what the server writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.page_fetch import column_of, frame_header
from benchmarks.page_shapes import SHAPES, SPIKE_STEP
from sightline.dashboards.scalars.frames import FramePart, encode_frame
from sightline.query.windows import WindowSpec, scalar_windows
from tests.event_logs import points, read, write_run


def test_columns_of_a_frame_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(0, 300, 3), factor=1.5))
    [window] = scalar_windows(read(tmp_path).runs(), "loss", WindowSpec())
    body = encode_frame([FramePart(0, 7, window)], server_id="me", revision=1)
    [series] = frame_header(body)["series"]
    assert (series["run"], series["count"]) == (7, 100)
    np.testing.assert_array_equal(column_of(body, series["value"], 100), window.value)
    np.testing.assert_array_equal(column_of(body, series["step"], 100), window.step)


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(ValueError, match="not a frame"):
        frame_header(b'{"error": "no"}')


def test_the_spike_lies_inside_of_its_log() -> None:
    assert SHAPES["spike"].points > SPIKE_STEP
