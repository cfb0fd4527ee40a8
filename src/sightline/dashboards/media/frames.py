"""The frames of this dashboard: steps and times of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.dashboards.media.schemas import MediaFrame, MediaFrameHeader, StepsFrameHeader
from sightline.wire.frame import Body, Lengthwise, framed, pieces_of, step_columns
from sightline.wire.value_frames import ValuePart, value_count, value_fields


def encode_media_frame(
    parts: Sequence[ValuePart[Any]], samples: Sequence[int], *, server_id: str, revision: int
) -> bytes:
    """Steps and times of values. ``samples``: one number for each part."""
    body = Body()
    encoded = [one for some in pieces_of(parts, value_count) for one in value_fields(some, body)]
    series = [MediaFrame(**fields, samples=count) for fields, count in zip(encoded, samples, strict=True)]
    return framed(MediaFrameHeader(server_id, revision, series), body)


def encode_steps_frame(steps: NDArray[np.int64], *, server_id: str, revision: int) -> bytes:
    body = Body()
    (column,) = step_columns(Lengthwise([steps], np.int64), body)
    return framed(StepsFrameHeader(server_id, revision, len(steps), column), body)
