"""Hyper-parameters through torch's writer: the same records in its layout, and tensors as values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData  # noqa: E402
from torch.utils.tensorboard import SummaryWriter as TorchWriter  # noqa: E402

import sightline  # noqa: E402
from sightline.writer.kinds.hparams import plain_value  # noqa: E402
from tests.writer.hparams_tab import HParamsTab  # noqa: E402
from tests.writer.reading import scalars_of, values_of  # noqa: E402

HPARAMS = {"lr": 0.1, "layers": 3, "name": "adam", "gone": None, "tensor": torch.tensor([2.5])}
METRICS = {"accuracy": 0.75, "loss": torch.tensor(1.5)}
DOMAINS = {"lr": [0.1, 0.2], "name": ["adam", "sgd"]}


def records_of(directory: Path) -> list[Any]:
    return [
        (
            step,
            value.tag,
            value.WhichOneof("value"),
            HParamsPluginData.FromString(value.metadata.plugin_data.content),
        )
        for step, value in values_of(directory)
        if value.metadata.plugin_data.plugin_name == "hparams"
    ]


@pytest.mark.parametrize("step", [None, 5])
def test_with_a_run_name_it_is_the_sub_run_that_torch_writes(tmp_path: Path, step: int | None) -> None:
    for writer in (
        TorchWriter(str(tmp_path / "torch")),
        sightline.SummaryWriter(tmp_path / "ours", story=False),
    ):
        writer.add_hparams(HPARAMS, METRICS, DOMAINS, "trial/1", step)
        writer.close()
    ours, theirs = tmp_path / "ours" / "trial" / "1", tmp_path / "torch" / "trial" / "1"
    assert records_of(ours) == records_of(theirs)
    assert scalars_of(ours) == scalars_of(theirs)


def test_in_the_run_itself_names_types_and_values_are_those_of_torch(tmp_path: Path) -> None:
    torch_writer = TorchWriter(str(tmp_path / "torch"))
    torch_writer.add_hparams(HPARAMS, METRICS, DOMAINS, "trial")
    torch_writer.close()
    with sightline.SummaryWriter(tmp_path / "ours" / "trial", story=False) as writer:
        writer.add_hparams(HPARAMS, METRICS, DOMAINS)
    ours, theirs = HParamsTab(tmp_path / "ours"), HParamsTab(tmp_path / "torch")
    assert ours.experiment() == theirs.experiment()
    found, wanted = ours.groups()["trial"], theirs.groups()["trial"]
    for part in ("hparams", "metrics", "status"):
        assert found[part] == wanted[part]


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (torch.tensor(2.5), 2.5),
        (torch.tensor([True]), True),
        (torch.tensor(1.5, dtype=torch.bfloat16, requires_grad=True), 1.5),
        (torch.tensor([1, 2]), "[1, 2]"),
        (torch.zeros(2000), "float32 array of shape [2000]"),
        (torch.float16, "torch.float16"),
        (torch.device("cpu"), "cpu"),
        (torch.nn.ReLU, "ReLU"),
        (torch.nn.ReLU(), "ReLU()"),
        (torch.Size([2, 3]), "[2, 3]"),
    ],
)
def test_things_of_torch_become_numbers_or_text(value: Any, plain: object) -> None:
    found = plain_value(value)
    assert (found, type(found)) == (plain, type(plain))
