"""Writes the texts that text.test.ts looks at. Arguments: the log directory, a file of hostile texts (JSON).

Our writer for what people log; bytes by hand for what it refuses to write."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from sightline import SummaryWriter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb

PAGE = """# Results of step {step}

The **{run}** run has loss ${loss}$, that is $\\frac{{1}}{{n}}\\sum_i \\ell_i$
over *all* tokens; it cost $5, not $6.

| metric | value |
|:-------|------:|
| loss   | {loss} |
| steps  | {step} |

```python
def loss(x):
    return (x ** 2).mean()  # as in the paper
```

- [x] warm up
- [ ] anneal

See [the paper](https://example.test/paper) and ![curve](https://example.test/curve.png).
"""
STRING = 7


def text_tensor(tag: bytes, cells: list[bytes], *shape: int, step: int = 0) -> bytes:
    fields = [*(eb.blob(8, cell) for cell in cells), eb.shape(*shape)]
    return eb.tensor_record(tag, STRING, *fields, step=step, meta=eb.metadata(b"text"))


def main() -> None:
    root, hostile = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))
    for run, start in (("adam", 0.9), ("sgd", 1.2)):
        with SummaryWriter(str(root / run)) as writer:
            for step in range(0, 500, 100):
                page = PAGE.format(step=step, run=run, loss=round(start - step / 1000, 3))
                writer.add_text("report", page, step)
    with SummaryWriter(str(root / "sgd")) as writer:
        writer.add_text("samples/greedy", "The quick brown fox diverged at noon", 40)
    with SummaryWriter(str(root / "large")) as writer:
        writer.add_text("long/story", "A line of a very long text, again and again.\n" * 230_000, 1)
    write_run(
        root / "large", text_tensor(b"long/rows", [b"a row of words ".ljust(200, b"x")] * 2000, 2000, step=1)
    )
    with SummaryWriter(str(root / "hostile")) as writer:
        for step, text in enumerate(hostile):
            writer.add_text("hostile/texts", text, step)
        writer.add_text("hostile/together", "\n\n".join(hostile), 1)
    cells = np.arange(24).reshape(2, 3, 4)
    write_run(
        root / "shapes",
        text_tensor(b"shapes/scalar", [b"just *one* text"]),
        text_tensor(b"shapes/list", [b"first **bold**", b"second", b"third"], 3),
        text_tensor(b"shapes/table", [b"a", b"b", b"c", b"d"], 2, 2),
        text_tensor(b"shapes/cube", [str(cell).encode() for cell in cells.ravel()], 2, 3, 4),
        text_tensor(b"shapes/odd", [b"caf\xe9 \xff end"], 1),
        text_tensor(b"shapes/deep", [b">" * 20_000 + b" deep"]),
        text_tensor(b"arabic", ["كلمة model هنا\n\n1. واحد\n\n| عمود |\n|-|\n| 1 |\n\nEnglish".encode()]),
    )


if __name__ == "__main__":
    main()
