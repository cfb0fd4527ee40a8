"""Writes the layouts that custom-scalars.test.ts looks at. Argument: the log directory."""

from __future__ import annotations

import sys
from pathlib import Path

from sightline import SummaryWriter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb

LAYOUTS = {
    "base": {
        "Losses": {
            "both": ["Multiline", ["train/loss", "val/loss"]],
            "spread": ["Margin", ["loss/mean", "loss/low", "loss/high"]],
        },
        "Layers": {"norms": ["Multiline", [r"grad/layer_\d+"]]},
    },
    "tuned": {
        "Losses": {"odd": ["Multiline", ["train/(loss", "(t+)+$", "nothing", "val/loss"]]},
        "Empty": {},
    },
}


def main(directory: Path) -> None:
    for run, layout in LAYOUTS.items():
        with SummaryWriter(str(directory / run)) as writer:
            writer.add_custom_scalars(layout)
            for step in range(50):
                value = 1 / (step + 1)
                writer.add_scalar("train/loss", value, step)
                writer.add_scalar("loss/mean", value, step)
                writer.add_scalar("loss/low", value - 0.25, step)
                writer.add_scalar("loss/high", value + 0.5, step)
                if run == "base":
                    writer.add_scalar("val/loss", value + 1, step)
                for layer in range(3):
                    writer.add_scalar(f"grad/layer_{layer}", value * layer, step)
            # What an expression would take for ever on.
            writer.add_scalar("t" * 40 + "!", 1, 0)
    layout = eb.tensor_record(
        b"custom_scalars__config__",
        *(7, eb.shape(), eb.blob(8, b"\x12\xff\xff\xff")),
        meta=eb.metadata(b"custom_scalars"),
    )
    write_run(directory / "damaged", layout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
