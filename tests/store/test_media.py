"""Series of images, text and the like: read on demand, in order, with the same restart rule as scalars."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sightline._core import FileInfo
from sightline.formats.items import ImageItem
from sightline.model.errors import DamagedValueError, FileGoneError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.store.access import Place
from sightline.store.media import MediaSeries
from sightline.store.run import Run
from tests.event_logs import (
    BEGIN_S,
    append,
    file_version,
    image_record,
    image_tensor_record,
    read,
    write_run,
)
from tests.fixtures import event_bytes as eb


def only_run(root: Path) -> Run:
    (run,) = read(root).runs()
    return run


def images_at(*steps: int, begin_s: float = BEGIN_S) -> bytes:
    return b"".join(
        image_record("samples", step, b"image %d at %d" % (step, begin_s), wall_time=begin_s + row + 1)
        for row, step in enumerate(steps)
    )


def test_every_step_is_there_and_items_come_by_position(tmp_path: Path) -> None:
    write_run(tmp_path, *(image_record("samples", step, b"image %d" % step) for step in range(0, 200, 10)))
    images = only_run(tmp_path).images["samples"]
    assert len(images) == 20
    assert images.step.tolist() == list(range(0, 200, 10))
    assert images[17].bytes == b"image 170"
    assert images[-1].bytes == b"image 190"
    assert images[17].step == 170
    assert images[17].tag == "samples"
    assert images.kind is Kind.image
    assert [item.bytes for item in images][3] == b"image 30"
    with pytest.raises(IndexError):
        images[20]


def test_an_item_can_be_had_by_step_and_the_last_of_several_counts(tmp_path: Path) -> None:
    records = [image_record("samples", step, data) for step, data in [(1, b"a"), (5, b"b"), (5, b"c")]]
    write_run(tmp_path, *records)
    images = only_run(tmp_path).images["samples"]
    assert images.at_step(1).bytes == b"a"
    assert images.at_step(5).bytes == b"c"
    with pytest.raises(UnknownNameError, match="No step of image 'samples' named '4'"):
        images.at_step(4)


def test_no_bytes_are_read_until_an_item_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path, images_at(0, 1, 2))
    store = read(tmp_path)
    asked: list[tuple[int, int]] = []
    read_for_real = store.access.read

    def spy(file: FileInfo, place: Place) -> bytes:
        asked.append((place.offset, place.length))
        return read_for_real(file, place)

    monkeypatch.setattr(store.access, "read", spy)
    images = store.runs()[0].images["samples"]
    assert len(images[1:]) == 2
    assert images.wall_time.tolist() == [BEGIN_S + 1, BEGIN_S + 2, BEGIN_S + 3]
    assert asked == []
    assert images[1].bytes
    assert len(asked) == 1
    assert asked[0][1] == images.size_bytes[1]


def test_a_slice_is_a_shorter_series(tmp_path: Path) -> None:
    write_run(tmp_path, images_at(0, 1, 2, 3))
    images = only_run(tmp_path).images["samples"]
    last_two: MediaSeries[ImageItem] = images[2:]
    assert last_two.step.tolist() == [2, 3]
    assert last_two[0].bytes == images[2].bytes
    assert images[::-1].step.tolist() == [3, 2, 1, 0]


def test_legacy_images_and_image_tensors_of_one_tag_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    write_run(
        tmp_path,
        image_record("samples", 0, b"legacy 0"),
        image_tensor_record("samples", 1, b"tensor 1", b"second sample"),
        image_record("samples", 2, b"legacy 2"),
    )
    images = only_run(tmp_path).images["samples"]
    assert [item.bytes for item in images] == [b"legacy 0", b"tensor 1", b"legacy 2"]
    assert images[1].samples == (b"tensor 1", b"second sample")


def test_a_restart_supersedes_images_as_it_does_scalars(tmp_path: Path) -> None:
    later_s = BEGIN_S + 100
    write_run(tmp_path, images_at(0, 1, 2), name="tfevents.1")
    write_run(tmp_path, images_at(1, 2, 3, begin_s=later_s), name="tfevents.2", begin_s=later_s)
    images = only_run(tmp_path).images["samples"]
    assert images.step.tolist() == [0, 1, 2, 3]
    assert images[1].bytes == b"image 1 at %d" % later_s
    assert [item.bytes for item in images.superseded] == [b"image %d at %d" % (n, BEGIN_S) for n in (1, 2)]
    assert images.superseded_count == 2
    assert images.all.step.tolist() == [0, 1, 2, 1, 2, 3]


def test_a_start_between_two_forms_of_one_tag_hides_the_rows_before_it(tmp_path: Path) -> None:
    write_run(
        tmp_path,
        image_record("samples", 0, b"legacy 0"),
        image_tensor_record("samples", 1, b"tensor 1"),
        image_record("samples", 2, b"legacy 2"),
        eb.session_log(eb.START, step=1),
        image_record("samples", 1, b"legacy 1 again"),
        image_tensor_record("samples", 2, b"tensor 2 again"),
    )
    images = only_run(tmp_path).images["samples"]
    assert [item.bytes for item in images] == [b"legacy 0", b"legacy 1 again", b"tensor 2 again"]
    assert [item.bytes for item in images.superseded] == [b"tensor 1", b"legacy 2"]


def test_an_item_whose_file_was_removed_says_so(tmp_path: Path) -> None:
    path = write_run(tmp_path, images_at(0, 1))
    images = only_run(tmp_path).images["samples"]
    os.unlink(path)
    with pytest.raises(FileGoneError, match=str(path)):
        images[0]


def test_an_item_whose_file_was_replaced_never_gives_bytes_of_another(tmp_path: Path) -> None:
    path = write_run(tmp_path, images_at(0, 1))
    images = only_run(tmp_path).images["samples"]
    other = path.with_suffix(".new")
    other.write_bytes(b"x" * path.stat().st_size)
    other.replace(path)
    with pytest.raises(FileGoneError):
        images[0]


def test_an_old_series_never_gives_bytes_of_the_file_that_was_read_since(tmp_path: Path) -> None:
    path = write_run(tmp_path, images_at(0, 1))
    store = read(tmp_path)
    old = store.runs()[0].images["samples"]
    other = path.with_suffix(".new")
    # The same places, other bytes.
    other.write_bytes(file_version() + images_at(0, 1, begin_s=BEGIN_S + 1))
    assert other.stat().st_size == path.stat().st_size
    other.replace(path)
    store.index.scan()
    new = store.runs()[0].images["samples"]
    assert new[0].bytes == b"image 0 at %d" % (BEGIN_S + 1)
    assert new.size_bytes.tolist() == old.size_bytes.tolist()
    with pytest.raises(FileGoneError, match=str(path)):
        old[0]
    with pytest.raises(FileGoneError):
        old[:1].all[0]


def test_a_series_outlives_the_growth_of_its_file(tmp_path: Path) -> None:
    path = write_run(tmp_path, images_at(0, 1))
    store = read(tmp_path)
    images = store.runs()[0].images["samples"]
    append(path, images_at(2))
    store.index.scan()
    assert images[1].bytes == b"image 1 at %d" % BEGIN_S
    assert len(store.runs()[0].images["samples"]) == 3


def test_an_item_that_cannot_be_decoded_costs_only_itself(tmp_path: Path) -> None:
    not_an_image = eb.tensor_record(
        b"samples", 7, eb.shape(1), eb.blob(8, b"?"), step=1, meta=eb.metadata(b"images")
    )
    write_run(tmp_path, image_tensor_record("samples", 0, b"good"), not_an_image)
    images = only_run(tmp_path).images["samples"]
    assert images[0].bytes == b"good"
    with pytest.raises(DamagedValueError, match="'samples' at step 1"):
        images[1]


def test_text_of_several_steps_is_read(tmp_path: Path) -> None:
    write_run(tmp_path, *(eb.text_record(b"note", b"step %d" % step, step=step) for step in range(3)))
    texts = only_run(tmp_path).text["note"]
    assert [item.text for item in texts] == ["step 0", "step 1", "step 2"]


def test_the_repr_of_a_series_tells_what_it_is(tmp_path: Path) -> None:
    write_run(tmp_path / "a", images_at(0, 1))
    images = only_run(tmp_path).images["samples"]
    assert repr(images) == "MediaSeries(run='a', tag='samples', 2 of kind image)"
