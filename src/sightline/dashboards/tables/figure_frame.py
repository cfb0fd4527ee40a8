"""The empty document in which a page draws a Plotly figure.

Plotly is large and takes markup from the figure, so it is never run in the page itself. The page puts this
document into a frame, whose headers give it an origin of its own and no way to load anything, and hands
Plotly's source and the figure into it by messages. The source is Plotly's build for plane charts, a third of
the whole: what it lacks (3D, maps, polar and flow charts) is said in the place of the figure.
"""

from __future__ import annotations

import hashlib

from sightline.dashboards.context import Context
from sightline.dashboards.tables.pages import SHUT_IN_HEADERS
from sightline.wire.routes import Binary

FRAME_POLICY = "; ".join(
    [
        "sandbox allow-scripts",
        "default-src 'none'",
        "script-src 'unsafe-inline'",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "font-src data:",
        "connect-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
    ]
)

# Messages to it: {kind: 'plotly', source}, {kind: 'figure', number, text, theme}, {kind: 'picture', format}.
# Messages from it: {kind: 'ready'}, {kind: 'drawn', number}, {kind: 'failed', number, message},
# {kind: 'picture', format, url}. A failure without a number is not about a figure. It listens to the page
# around it alone.
#
# A figure of Plotly's usual look (its Python package writes that look into each figure) is drawn in the
# page's colours; one with a look of its own keeps it.
FRAME_HTML = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Figure</title>
<style>
html, body { margin: 0; height: 100%; overflow: hidden; background: transparent; }
#figure { width: 100%; height: 100%; }
</style>
</head>
<body>
<div id="figure"></div>
<script>
'use strict';
const place = document.getElementById('figure');
const config = {
  responsive: true,
  displaylogo: false,
  modeBarButtonsToRemove: ['toImage', 'sendDataToCloud', 'editInChartStudio'],
};
/** One finger scrolls the page, as over our charts; Plotly's buttons, there after a tap, zoom and pan. */
const isTouch = matchMedia('(pointer: coarse)').matches;
/** What this build of Plotly has. It would draw any other type as a scatter plot. */
const TYPES = new Set([
  'bar', 'box', 'contour', 'heatmap', 'histogram', 'histogram2d', 'histogram2dcontour', 'image', 'pie',
  'scatter', 'scatterternary', 'violin',
]);
const tell = (message) => parent.postMessage(message, '*');
const fail = (error, number) =>
  tell({ kind: 'failed', number, message: String(error?.message ?? error).slice(0, 500) });
let drawing = Promise.resolve();

function run(source) {
  const script = document.createElement('script');
  script.textContent = source;
  document.head.append(script);
  script.remove();
}

function isUsualLook(template) {
  const look = template?.layout;
  return template === undefined || template === null || template === 'plotly' ||
    (look?.colorway?.[0] === '#636efa' && look.paper_bgcolor === 'white' && look.plot_bgcolor === '#E5ECF6');
}

/** What a template says, and on top of it the colours of the page. */
function themed(template, { text, grid, line, font }) {
  const look = typeof template === 'object' && template !== null ? template : {};
  const axis = { gridcolor: grid, linecolor: line, zerolinecolor: line, tickcolor: line };
  const axes = (old, names) => Object.fromEntries(names.map((name) => [name, { ...old?.[name], ...axis }]));
  const old = look.layout ?? {};
  return { ...look, layout: { ...old,
    paper_bgcolor: 'transparent',
    plot_bgcolor: 'transparent',
    // Plotly makes half of the paper's colour of it, and half of transparent is gray.
    modebar: { bgcolor: 'transparent', color: line, activecolor: text, ...old.modebar },
    font: { ...old.font, color: text, family: font },
    xaxis: { ...old.xaxis, ...axis, automargin: true },
    yaxis: { ...old.yaxis, ...axis, automargin: true },
    ternary: { ...old.ternary, bgcolor: 'transparent', ...axes(old.ternary, ['aaxis', 'baxis', 'caxis']) },
  } };
}

async function draw({ number, text, theme }) {
  const { data: logged, layout: given, frames } = JSON.parse(text);
  // The same points, drawn by WebGL: Plotly's Python package writes it for more than 1,000 of them.
  const data = logged.map((trace) => (trace.type === 'scattergl' ? { ...trace, type: 'scatter' } : trace));
  const missing = new Set(data.map(({ type }) => type ?? 'scatter').filter((type) => !TYPES.has(type)));
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    throw new Error(`This figure uses ${names}, which this build cannot draw; download it as JSON`);
  }
  const layout = { ...given };
  if (isUsualLook(layout.template)) {
    layout.template = themed(layout.template, theme);
    // Its usual margins are made for whole windows.
    const hasTitle = typeof (layout.title?.text ?? layout.title) === 'string';
    layout.margin = { l: 44, r: 16, t: hasTitle ? 52 : 36, b: 36, ...layout.margin };
  }
  // It fills its frame; what a person zoomed into or switched off stays when another step is shown.
  layout.autosize = true;
  delete layout.width;
  delete layout.height;
  layout.uirevision ??= 'same';
  if (isTouch) layout.dragmode = false;
  await Plotly.react(place, data, layout, config);
  if (Array.isArray(frames) && frames.length > 0) await Plotly.addFrames(place, frames);
  tell({ kind: 'drawn', number });
}

async function picture(format) {
  const { clientWidth: width, clientHeight: height } = place;
  tell({ kind: 'picture', format, url: await Plotly.toImage(place, { format, width, height, scale: 2 }) });
}

addEventListener('message', ({ source, data: message }) => {
  if (source !== parent) return;
  if (message.kind === 'plotly') run(message.source);
  else if (message.kind === 'figure') {
    drawing = drawing.then(() => draw(message)).catch((error) => fail(error, message.number));
  } else if (message.kind === 'picture') picture(message.format).catch((error) => fail(error));
});
tell({ kind: 'ready' });
</script>
</body>
</html>
"""
_FRAME_ETAG = f'"{hashlib.sha256(FRAME_HTML.encode() + FRAME_POLICY.encode()).hexdigest()[:24]}"'


def figure_frame(_context: Context, _request: None) -> Binary:
    headers = {**SHUT_IN_HEADERS, "content-security-policy": FRAME_POLICY}
    return Binary(FRAME_HTML.encode(), "text/html; charset=utf-8", etag=_FRAME_ETAG, headers=headers)
