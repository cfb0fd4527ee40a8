"""The types of what a log holds, for the layers that hand them on and may not know the store."""

from sightline.store.media import MediaSeries
from sightline.store.run import Run
from sightline.store.runs import RunStore
from sightline.store.series import ScalarSeries
from sightline.store.story import Story

__all__ = ["MediaSeries", "Run", "RunStore", "ScalarSeries", "Story"]
