"""A run: its tags and kinds, its files and damage, and the directories around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.model.errors import BadArgumentError
from sightline.model.kinds import Kind
from sightline.store.run import Run
from tests.event_logs import append, image_record, points, read, write_run
from tests.fixtures import event_bytes as eb

FLOAT = 1


def only_run(root: Path) -> Run:
    (run,) = read(root).runs()
    return run


def scalar_tensor(tag: bytes, step: int, *, meta: bytes = b"") -> bytes:
    return eb.tensor_record(tag, FLOAT, eb.single(5, step / 2), step=step, meta=meta)


def test_tags_tell_kind_plugin_count_and_display_name(tmp_path: Path) -> None:
    write_run(
        tmp_path,
        points(range(3)),
        scalar_tensor(b"acc", 0, meta=eb.metadata(b"scalars", display_name=b"Accuracy")),
        scalar_tensor(b"acc", 1),
        image_record("samples", 0, b"png"),
        eb.text_record(b"note", b"hello"),
    )
    tags = only_run(tmp_path).tags
    assert list(tags) == ["loss", "acc", "samples", "note"]
    assert [info.kind for info in tags.values()] == [Kind.scalar, Kind.scalar, Kind.image, Kind.text]
    assert (tags["loss"].count, tags["acc"].count) == (3, 2)
    assert (tags["acc"].plugin, tags["acc"].display_name) == ("scalars", "Accuracy")


def test_whether_a_tag_is_there_is_looked_up_without_listing_all_tags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path, points(range(3)), image_record("samples", 0, b"png"))
    run = only_run(tmp_path)
    monkeypatch.setattr(Run, "tags_of", None)  # it makes a list
    assert "loss" in run.scalars
    assert "samples" not in run.scalars
    assert "samples" in run.images
    assert "loss" not in run.meshes
    assert ["loss"] not in run.scalars  # type: ignore[comparison-overlap]


def test_numbers_of_an_unknown_plugin_are_scalars_and_raw_tensors(tmp_path: Path) -> None:
    matrix = eb.tensor_record(b"x", FLOAT, eb.shape(2), eb.blob(4, b"\0" * 8), step=1)
    write_run(
        tmp_path,
        scalar_tensor(b"x", 0, meta=eb.metadata(b"their_plugin")),
        matrix,
        scalar_tensor(b"x", 2),
    )
    run = only_run(tmp_path)
    info = run.tags["x"]
    assert info.kind is Kind.scalar
    assert info.kinds == (Kind.scalar, Kind.tensor)
    assert run.scalars["x"].value.tolist() == [0.0, 1.0]
    tensors = run.tensors["x"]
    assert tensors.step.tolist() == [0, 1, 2]
    assert [item.array.shape for item in tensors] == [(), (2,), ()]
    assert tensors[2].array == 1.0
    assert tensors[0].plugin == "their_plugin"


@pytest.mark.parametrize("meta", [b"", eb.metadata(b"scalars")], ids=["no metadata", "scalars"])
def test_plain_scalar_tensors_are_not_offered_as_tensors(tmp_path: Path, meta: bytes) -> None:
    write_run(tmp_path, scalar_tensor(b"x", 0, meta=meta))
    run = only_run(tmp_path)
    assert run.tags["x"].kinds == (Kind.scalar,)
    assert list(run.tensors) == []


def test_a_tag_used_for_two_things_has_two_kinds_and_the_first_seen_leads(tmp_path: Path) -> None:
    write_run(tmp_path, image_record("mixed", 0, b"png"), points([1], tag="mixed"))
    run = only_run(tmp_path)
    assert run.tags["mixed"].kind is Kind.image
    assert run.tags["mixed"].kinds == (Kind.image, Kind.scalar)
    assert len(run.images["mixed"]) == len(run.scalars["mixed"]) == 1


def test_damaged_metadata_costs_the_display_name_and_nothing_else(tmp_path: Path) -> None:
    broken = eb.blob(9, eb.blob(1, eb.blob(1, b"scalars")) + b"\x12\x7f")
    write_run(tmp_path, scalar_tensor(b"x", 0, meta=broken))
    for info in only_run(tmp_path).tags.values():
        assert info.display_name == ""


def test_mappings_by_kind_are_empty_when_there_is_nothing_of_that_kind(tmp_path: Path) -> None:
    write_run(tmp_path, points([0]))
    run = only_run(tmp_path)
    for kind in Kind:
        if kind is not Kind.scalar:
            assert dict(run.media(kind)) == {}
    with pytest.raises(BadArgumentError, match=r"run\.scalars"):
        run.media(Kind.scalar)


def test_files_tell_what_was_read_and_what_was_wrong(tmp_path: Path) -> None:
    bad = eb.flip(eb.scalar(1), -1)
    path = write_run(tmp_path / "a", eb.scalar(0), bad, eb.scalar(2), eb.scalar(3)[:-5])
    run = only_run(tmp_path)
    (facts,) = run.files
    assert facts.path == str(path)
    assert facts.size_bytes == path.stat().st_size
    assert facts.damage_count == 1
    assert facts.skipped_bytes == len(bad)
    assert facts.torn_bytes == len(eb.scalar(3)) - 5
    assert facts.damage == tuple(run.damage)
    (damage,) = run.damage
    assert (damage.run, damage.path, damage.length) == ("a", str(path), len(bad))
    assert run.scalars["loss"].step.tolist() == [0, 2]


def test_side_files_are_found_beside_the_event_files_and_in_the_root(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0]))
    write_run(tmp_path / "b", points([0]))
    wanted = [
        tmp_path / "projector_config.pbtxt",
        tmp_path / "a" / "projector_config.pbtxt",
        tmp_path / "a" / "plugins" / "profile" / "2025_01_01" / "host.xplane.pb",
        tmp_path / "a" / "worker.123.pt.trace.json.gz",
    ]
    for path in wanted:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    runs = {run.name: run for run in read(tmp_path).runs()}
    assert runs["a"].side_files.projector == tuple(sorted(map(str, wanted[:2])))
    assert runs["a"].side_files.profile == tuple(sorted(map(str, wanted[2:])))
    assert runs["b"].side_files.projector == (str(wanted[0]),)
    assert runs["b"].side_files.profile == ()


def test_a_run_that_is_removed_becomes_empty_for_those_who_hold_it(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points([0]))
    store = read(tmp_path)
    run = store.get("a")
    assert run is not None
    path.unlink()
    store.index.scan()
    assert run.revision == 0
    assert dict(run.tags) == {}
    assert run.files == []
    assert store.get("a") is None
    assert store.runs() == []


def test_new_tags_appear_in_a_run_that_is_held(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points([0]))
    store = read(tmp_path)
    (run,) = store.runs()
    scalars = run.scalars
    assert list(scalars) == ["loss"]
    append(path, points([1], tag="acc"))
    store.index.scan()
    assert list(scalars) == ["loss", "acc"]
    assert len(scalars) == 2
    assert store.runs()[0] is run


def test_the_repr_of_a_run_and_of_its_mappings_tell_what_is_there(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0]), points([0], tag="acc"))
    run = only_run(tmp_path)
    assert repr(run) == "Run('a', 2 tags)"
    assert repr(run.scalars) == "<scalar series of run 'a': loss, acc>"
    assert repr(run.images) == "<image series of run 'a': none>"
