"""Programs as they are found in the world, run as they are and with only their import line changed.

What both leave behind is compared. Left out are the story of the run (ours alone), graphs (drawn in another
way), films (GIF against MP4) and the place of hparams, which ``test_writer_vs_torch.py`` tests.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.compat.written_events import written

torch = pytest.importorskip("torch")
pytest.importorskip("torch.utils.tensorboard")

THEIR_IMPORT = "from torch.utils.tensorboard import SummaryWriter"
OUR_IMPORT = "from sightline import SummaryWriter"

# The loop of PyTorch's recipe "How to use TensorBoard with PyTorch".
LINEAR_REGRESSION = """
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("runs/regression")
torch.manual_seed(0)
x = torch.arange(-5, 5, 0.1).view(-1, 1)
y = -5 * x + 0.1 * torch.randn(x.size())
model = torch.nn.Linear(1, 1)
criterion = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    loss = criterion(model(x), y)
    writer.add_scalar("Loss/train", loss, epoch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
writer.flush()
writer.close()
"""

# The fourteen methods that introductions to TensorBoard list, in one training loop.
ALL_METHODS = """
import numpy as np
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from matplotlib.figure import Figure

torch.manual_seed(1)
generator = np.random.default_rng(1)
writer = SummaryWriter("runs/experiment_1", comment="ignored", max_queue=20, flush_secs=30)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Linear(8, 4)
        self.layer2 = nn.Linear(4, 2)
    def forward(self, x):
        return self.layer2(torch.relu(self.layer1(x)))

model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    inputs, targets = torch.rand(16, 8), torch.randint(0, 2, (16,))
    outputs = model(inputs)
    loss = nn.functional.cross_entropy(outputs, targets)
    optimizer.zero_grad(); loss.backward(); optimizer.step()
    writer.add_scalar("Loss/train", loss.item(), epoch)
    writer.add_scalar("Loss/val", loss, global_step=epoch)
    writer.add_scalars("Accuracy", {"train": 0.5 + epoch / 10, "val": 0.4}, epoch)
    for name, parameter in model.named_parameters():
        writer.add_histogram(name, parameter, epoch)
        writer.add_histogram(f"{name}.grad", parameter.grad, epoch)
    images = torch.rand(4, 3, 16, 16)
    writer.add_image("first", images[0], epoch)
    writer.add_images("batch", images, epoch)
    figure = Figure(figsize=(1, 1)); figure.add_subplot().plot([1, 2, epoch])
    writer.add_figure("chart", figure, epoch)
    writer.add_audio("tone", torch.sin(torch.arange(400) / 10), epoch, sample_rate=8000)
    writer.add_text("notes", f"epoch **{epoch}**", epoch)
    probabilities = torch.softmax(outputs, 1)[:, 1]
    writer.add_pr_curve("class 1", targets, probabilities, epoch)
    writer.add_embedding(outputs, targets.tolist(), torch.rand(16, 3, 8, 8), global_step=epoch)
    colors = torch.randint(0, 255, (1, 20, 3))
    writer.add_mesh("points", torch.rand(1, 20, 3), colors=colors, global_step=epoch)
writer.close()
"""

# Lightning's TensorBoardLogger, in short: hparams are messages of torch's, put into the run's own file.
LIGHTNING = """
import torch
from torch.utils.tensorboard import SummaryWriter
from torch.utils.tensorboard.summary import hparams

experiment = SummaryWriter(log_dir="lightning_logs/version_0")

def log_metrics(metrics, step=None):
    for name, value in metrics.items():
        if isinstance(value, torch.Tensor):
            value = value.item()
        if isinstance(value, dict):
            experiment.add_scalars(name, value, step)
        else:
            experiment.add_scalar(name, value, step)

parameters = {"lr": 0.02, "layers": 3, "optimizer/name": "adam"}
log_metrics({"hp_metric": -1})
for message in hparams(parameters, {"hp_metric": -1}):
    if not message.value[0].tag.endswith("end_info"):  # holds the time of day
        experiment._get_file_writer().add_summary(message)
for step in range(5):
    log_metrics({"train_loss": torch.tensor(1 / (step + 1)), "epoch": 0, "both": {"a": 1.0, "b": 2.0}}, step)
assert experiment.file_writer.get_logdir() == experiment.log_dir == "lightning_logs/version_0"
experiment.flush()
experiment.close()
"""

# Hugging Face's TensorBoardCallback, in short.
HUGGING_FACE = """
import json
from torch.utils.tensorboard import SummaryWriter

tb_writer = None
if tb_writer is None:
    tb_writer = SummaryWriter(log_dir="out/runs/host")
tb_writer.add_text("args", json.dumps({"learning_rate": 5e-05, "fp16": False}, indent=2))
if hasattr(tb_writer, "add_hparams"):
    tb_writer.add_text("model_config", json.dumps({"hidden_size": 8}))
for step in (10, 20):
    logs = {"loss": 2.5 / step, "learning_rate": 1e-5, "eval_loss": 3, "note": "warm-up"}
    for key, value in logs.items():
        name = "eval/" + key[5:] if key.startswith("eval_") else "train/" + key
        if isinstance(value, (int, float)):
            tb_writer.add_scalar(name, value, step)
        else:
            tb_writer.add_text(name, value, global_step=step)
    tb_writer.flush()
tb_writer.close()
"""

# How reinforcement learning libraries write: positional arguments, NumPy numbers as values and steps.
AGENT = """
import numpy as np
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("logs/PPO_1", purge_step=None, filename_suffix=".agent") as w:
    for timesteps in np.arange(2048, 8193, 2048):
        w.add_scalar("rollout/ep_rew_mean", np.mean([1.0, 2.0, 3.0], dtype=np.float32), timesteps)
        w.add_scalar("time/fps", 812, timesteps)
        w.add_histogram("train/actions", np.linspace(-1, 1, 64).astype(np.float32), timesteps, bins="auto")
        w.add_scalar("train/std", np.float64(0.5), int(timesteps), 100.0)
"""

PROGRAMS = {
    "linear regression": LINEAR_REGRESSION,
    "all methods": ALL_METHODS,
    "lightning": LIGHTNING,
    "hugging face": HUGGING_FACE,
    "agent": AGENT,
}


def left_by(program: str, directory: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[str]]:
    """The events a program leaves behind, and the names of the other files."""
    directory.mkdir()
    monkeypatch.chdir(directory)
    exec(compile(program, directory.name, "exec"), {"__name__": "__main__"})
    events = {
        run: {key: found for key, found in of_run.items() if key[0] != "log_message"}
        for run, of_run in written(directory).items()
    }
    others = (path for path in directory.rglob("*") if path.is_file() and "tfevents" not in path.name)
    return events, sorted(path.relative_to(directory).as_posix() for path in others)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_leaves_the_same_behind_when_only_its_import_changes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "all methods":
        pytest.importorskip("matplotlib")
    program = PROGRAMS[name]
    assert program.count(THEIR_IMPORT + "\n") == 1
    theirs = left_by(program, tmp_path / "theirs", monkeypatch)
    ours = left_by(program.replace(THEIR_IMPORT + "\n", OUR_IMPORT + "\n"), tmp_path / "ours", monkeypatch)
    assert theirs[0]
    assert ours == theirs


# The loop of TensorFlow's guide, without TensorFlow: the calls alone.
TF_LOOP = """
import numpy as np
import sightline.summary as summary

writer = summary.create_file_writer("runs/experiment_1")
for step in range(5):
    with writer.as_default():
        summary.scalar("loss", 1 / (step + 1), step=step)
        summary.scalar("learning_rate", np.float32(0.01), step=step)
"""


def test_the_loop_of_tensorflows_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events, _ = left_by(TF_LOOP, tmp_path / "run", monkeypatch)
    assert {key: len(found) for key, found in events["runs/experiment_1"].items()} == {
        ("summary", ("loss",)): 5,
        ("summary", ("learning_rate",)): 5,
    }
