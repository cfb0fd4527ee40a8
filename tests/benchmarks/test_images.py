"""The log of the benchmark of pictures: as many as it says, all different, all whole."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import PIL.Image

from benchmarks.images import SIDE_PX, TAG, picture_log
from sightline.model.kinds import Kind
from tests.event_logs import read


def test_every_picture_is_another_one(tmp_path: Path) -> None:
    directory = picture_log(tmp_path, 5)
    (run,) = read(directory).runs()
    series = run.media(Kind.image)[TAG]
    assert series.step.tolist() == [0, 1, 2, 3, 4]
    pictures = [item.bytes for item in series]
    assert len(set(pictures)) == 5
    for data in pictures:
        picture = PIL.Image.open(BytesIO(data))
        picture.load()
        assert picture.size == (SIDE_PX, SIDE_PX)


def test_pictures_are_shared_out_among_tags(tmp_path: Path) -> None:
    (run,) = read(picture_log(tmp_path, 6, tags=3)).runs()
    series = run.media(Kind.image)
    assert sorted(series) == [f"{TAG}/00", f"{TAG}/01", f"{TAG}/02"]
    assert {tuple(one.step.tolist()) for one in series.values()} == {(0, 1)}
    assert len({item.bytes for one in series.values() for item in one}) == 6


def test_a_log_that_is_there_is_used_again(tmp_path: Path) -> None:
    (path,) = picture_log(tmp_path, 2).rglob("*tfevents*")
    before = path.stat().st_mtime_ns
    picture_log(tmp_path, 2)
    assert path.stat().st_mtime_ns == before
