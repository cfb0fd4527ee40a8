"""The demo's networks of twelve layers show what the guide to histograms says of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sightline
from sightline.demo.deep_runs import write_deep_runs
from sightline.formats.items import CustomScalarsItem

NOW_S = 1_790_000_000.0
LAYERS = [f"layer{layer:02}" for layer in range(1, 13)]
LAST = -1


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("deep")
    assert write_deep_runs(root, now_s=NOW_S) == 6
    return root


@pytest.fixture(scope="module")
def log(directory: Path) -> Iterator[sightline.Log]:
    with sightline.open(directory, watch=False, cache=False).wait() as opened:
        yield opened


def spread(log: sightline.Log, run: str, tag: str, index: int) -> float:
    """The standard deviation of what a histogram counted."""
    value = log[f"deep/{run}"].histograms[tag][index]
    count, total, squares = value.num or 0, value.sum or 0, value.sum_squares or 0
    return float(np.sqrt(max(0.0, squares / count - (total / count) ** 2)))


def spreads(log: sightline.Log, run: str, kind: str, index: int) -> list[float]:
    return [spread(log, run, f"{kind}/{layer}", index) for layer in LAYERS]


def test_every_layer_has_three_histograms_from_the_first_step_to_the_last(log: sightline.Log) -> None:
    for run in log.runs:
        histograms = log[run].histograms
        wanted = {f"{kind}/{layer}" for kind in ("weights", "gradients", "activations") for layer in LAYERS}
        assert set(histograms) == wanted
        for series in histograms.values():
            assert list(series.step) == list(range(0, 241, 4))
        assert histograms["weights/layer01"][0].counts.sum() == 48 * 48


def test_there_are_curves_a_layout_and_both_sorts_of_mesh(log: sightline.Log) -> None:
    for run in log.runs:
        of_kind: dict[str, set[str]] = {}
        for tag, info in log[run].tags.items():
            of_kind.setdefault(info.kind.value, set()).add(tag)
        assert of_kind["pr_curve"] == {"val/ring"}
        assert of_kind["mesh"] == {
            *(f"val/points_{part}" for part in ("VERTEX", "COLOR")),
            *(f"val/landscape_{part}" for part in ("VERTEX", "FACE", "COLOR")),
        }
        (layout,) = log[run].media(sightline.Kind.custom_scalars)["custom_scalars__config__"]
        assert isinstance(layout, CustomScalarsItem)
        lines, margin = layout.layout.category[0].chart
        assert lines.multiline is not None
        assert margin.margin is not None
        scalars = set(log[run].scalars)
        assert {tag for tag in scalars if re.match(lines.multiline.tag[0], tag)} == {"train/loss", "val/loss"}
        (series,) = margin.margin.series
        assert {series.value, series.lower, series.upper} < scalars
        assert len(log[run].media(sightline.Kind.pr_curve)["val/ring"].step) == 13


def test_the_bounds_of_the_margin_are_logged_and_hold_the_value(log: sightline.Log) -> None:
    for run in log.runs:
        scalars = log[run].scalars
        loss = scalars["val/loss"].value
        assert (scalars["val/loss_best_part"].value <= loss).all()
        assert (loss <= scalars["val/loss_worst_part"].value).all()


def test_the_healthy_network_learns_and_its_gradients_are_alike_in_all_layers(log: sightline.Log) -> None:
    assert log["deep/residual"].scalars["val/acc"].value[LAST] > 0.9
    for index in (0, 30, LAST):
        gradients = spreads(log, "residual", "gradients", index)
        assert max(gradients) < 10 * min(gradients)


def test_gradients_vanish_on_their_way_to_the_first_layers(log: sightline.Log) -> None:
    for index in (0, 30, LAST):
        gradients = spreads(log, "sigmoid", "gradients", index)
        assert gradients[11] > 100 * gradients[5] > 10_000 * gradients[0] > 0
    assert log["deep/sigmoid"].scalars["val/acc"].value[LAST] < 0.7
    first = log["deep/sigmoid"].histograms["weights/layer01"]
    np.testing.assert_allclose(first[LAST].counts, first[0].counts, atol=2)


def test_one_layer_is_not_updated_though_it_has_gradients(log: sightline.Log) -> None:
    weights = [log["deep/forgotten-layer"].histograms[f"weights/{layer}"] for layer in LAYERS]
    is_same = [
        np.array_equal(series[0].counts, series[LAST].counts)
        and np.array_equal(series[0].left, series[LAST].left)
        for series in weights
    ]
    assert [layer for layer, same in zip(LAYERS, is_same, strict=True) if same] == ["layer07"]
    assert spread(log, "forgotten-layer", "gradients/layer07", LAST) > 1e-4


def test_most_units_of_a_network_die(log: sightline.Log) -> None:
    def middle_share_of_zeros(index: int) -> float:
        values = [log["deep/dead-relu"].histograms[f"activations/{layer}"][index] for layer in LAYERS]
        assert all(value.left[0] == 0 for value in values)
        return float(np.median([value.counts[0] / value.counts.sum() for value in values]))

    assert middle_share_of_zeros(0) < 0.7
    assert middle_share_of_zeros(LAST) > 0.75
    assert log["deep/dead-relu"].scalars["val/acc"].value[LAST] < 0.75


def test_weights_and_gradients_explode_and_stay_numbers(log: sightline.Log) -> None:
    for kind in ("weights", "gradients"):
        first, last = spreads(log, "exploding", kind, 0), spreads(log, "exploding", kind, LAST)
        assert last[0] > 5 * first[0]
    scalars = log["deep/exploding"].scalars
    assert np.isfinite(scalars["train/loss"].value).all()
    assert scalars["train/grad_norm"].value[-20:].max() > 10 * scalars["train/grad_norm"].value[:100].max()


def test_units_that_are_saturated_have_two_humps(log: sightline.Log) -> None:
    value = log["deep/saturated"].histograms["activations/layer01"][LAST]
    middles = (value.left + value.right) / 2
    assert value.counts[np.abs(middles) > 0.9].sum() > 0.6 * value.counts.sum()


def test_the_same_bytes_are_written_for_the_same_time(directory: Path, tmp_path: Path) -> None:
    write_deep_runs(tmp_path, now_s=NOW_S)
    files = sorted(path.relative_to(directory) for path in directory.rglob("events.*"))
    assert len(files) == 6
    assert all((tmp_path / file).read_bytes() == (directory / file).read_bytes() for file in files)


def test_the_guide_to_histograms_tells_of_every_run(log: sightline.Log) -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "histograms.md").read_text("utf-8")
    assert set(re.findall(r"`(deep/[a-z-]+)`", guide)) == set(log.runs)
