// Drives headless Chromium for benchmarks/page.py: one JSON command per line on standard input, one JSON answer per line.
//
// Frame times are measured in the page, between calls of requestAnimationFrame, while real input events arrive. A chart of
// ours says on its host when all its lines are on the canvas (data-drawn: how many, data-drawn-to: the last x);
// of TensorBoard's, the first card is drawn when it has lost its spinner.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { chromium } = require("@playwright/test");

/** Asked for by `--webgl`: drawn by software, as there is no graphics processor. */
const GRAPHICS = process.argv.includes("--webgl")
  ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
  : ["--disable-gpu"];
const FLAGS = [
  "--no-sandbox",
  ...GRAPHICS,
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const SIZE = { width: 1400, height: 900 };
const HOST = "[data-chart-host]";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: FLAGS,
});

/** Page functions run in the browser; each page is new, so that nothing is left of the one before. */
async function withPage(use) {
  const context = await browser.newContext({ viewport: SIZE });
  const page = await context.newPage();
  try {
    return await use(page);
  } finally {
    await context.close();
  }
}

const isDrawn = (selector) =>
  document.querySelector(`${selector}[data-drawn]:not([data-drawn="0"])`) !==
  null;

/** True once the first card's spinner has come and gone. */
function tensorboardHasDrawn() {
  const card = document.querySelector("scalar-card");
  if (card === null) return false;
  const isWaiting = card.querySelector("mat-spinner") !== null;
  window.hasWaited ||= isWaiting;
  return (
    window.hasWaited &&
    !isWaiting &&
    card.querySelector("canvas, path") !== null
  );
}

const startFrames = () => {
  window.frames_ms = [];
  window.isMeasuring = true;
  let last = performance.now();
  const tick = (now) => {
    window.frames_ms.push(now - last);
    last = now;
    if (window.isMeasuring) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
};

const stopFrames = () => {
  window.isMeasuring = false;
  const frames = window.frames_ms.slice(1).sort((a, b) => a - b);
  return {
    worst_frame_ms: frames.at(-1),
    median_frame_ms: frames[frames.length >> 1],
    frames: frames.length,
  };
};

const frame = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => done())),
  );

async function scrollToEnd(page) {
  const isAtEnd = () => {
    const scroller = document.querySelector("[data-scroller]");
    return (
      scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 4
    );
  };
  for (let i = 0; i < 3_000 && !(await page.evaluate(isAtEnd)); i++) {
    await page.mouse.wheel(0, 120);
    await frame(page);
  }
  if (!(await page.evaluate(isAtEnd)))
    throw new Error("the page did not scroll to its end");
}

function histogramsAreDrawn({ look, lastStep }) {
  const tiles = [
    ...document.querySelectorAll(
      look === "overview" ? "button.cell" : "article[data-run]",
    ),
  ].filter((tile) => {
    const box = tile.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  });
  const sign = look === "overview" ? "canvas" : "[data-drawn]";
  const isWhole = (tile) => tile.textContent.includes(lastStep ?? "");
  return (
    tiles.length > 0 &&
    tiles.every((tile) => tile.querySelector(sign) && isWhole(tile))
  );
}

/** Lets pixels of WebGL be read after the frame in which they were drawn. */
function keepDrawnPixels() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    const more = /webgl/.test(kind) ? { preserveDrawingBuffer: true } : {};
    return getContext.call(this, kind, { ...options, ...more });
  };
}

/** Resolves when at least a thousandth of the canvas has another colour than its corner. */
async function meshDrawn(canvas) {
  const copy = document.createElement("canvas");
  const context = copy.getContext("2d", { willReadFrequently: true });
  for (;;) {
    if (canvas.width > 1 && canvas.height > 1) {
      [copy.width, copy.height] = [canvas.width, canvas.height];
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      const pixels = new Uint32Array(data.buffer);
      const drawn = pixels.reduce((n, one) => n + (one !== pixels[0]), 0);
      if (drawn > pixels.length / 1000) return performance.now();
    }
    await new Promise((done) => requestAnimationFrame(done));
  }
}

/** Resolves in the frame in which every picture in sight is on its canvas, at a step if one is named. */
async function galleryDrawn(step) {
  const inSight = () =>
    [...document.querySelectorAll("[data-picture]")].filter((tile) => {
      const box = tile.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight;
    });
  const isDrawn = (tile) =>
    tile.getAttribute("aria-busy") === "false" &&
    (tile.querySelector("canvas")?.width ?? 1) > 1 &&
    (step === null ||
      tile
        .getAttribute("aria-label")
        .includes(`step ${step.toLocaleString("en")}`));
  for (;;) {
    const tiles = inSight();
    if (tiles.length > 0 && tiles.every(isDrawn))
      return { pictures: tiles.length, now_ms: performance.now() };
    await new Promise((done) => requestAnimationFrame(done));
  }
}

const COMMANDS = {
  /** Epoch milliseconds at which the first chart was on the screen. */
  first_chart: ({ address, tool }) =>
    withPage(async (page) => {
      await page.goto(address, { waitUntil: "commit" });
      const limit = { timeout: 180_000, polling: "raf" };
      if (tool === "TensorBoard")
        await page.waitForFunction(tensorboardHasDrawn, undefined, limit);
      else await page.waitForFunction(isDrawn, HOST, limit);
      return {
        drawn_at_ms: await page.evaluate(
          () => performance.timeOrigin + performance.now(),
        ),
      };
    }),

  /** One tag of all runs, in its card or in full screen: until all lines are drawn, then frames while the pointer moves. */
  many_lines: ({ address, tag, lines, isFullScreen }) =>
    withPage(async (page) => {
      const host = isFullScreen ? `dialog ${HOST}` : HOST;
      // All runs are selected and no card matches the filter: nothing is drawn before the card is opened.
      await page.goto(`${address}#timeseries&runs=all&tagFilter=^nothing$`);
      await page.getByText("No chart matches").first().waitFor();
      const drawn_ms = await page.evaluate(
        async ({ tag, lines, host, isFullScreen }) => {
          const start = performance.now();
          location.hash = isFullScreen
            ? `${location.hash}&full=${encodeURIComponent(tag)}`
            : `${location.hash.replace(/&tagFilter=[^&]*/, "")}&tagFilter=${encodeURIComponent(`^${tag}$`)}`;
          const isAllDrawn = () =>
            [...document.querySelectorAll(host)].some(
              (chart) => Number(chart.dataset.drawn) >= lines,
            );
          while (!isAllDrawn())
            await new Promise((done) => requestAnimationFrame(done));
          return performance.now() - start;
        },
        { tag, lines, host, isFullScreen },
      );
      const box = await page.locator(host).first().boundingBox();
      await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
      await frame(page);
      await page.evaluate(startFrames);
      for (let i = 0; i < 60; i++) {
        await page.mouse.move(
          box.x + box.width * (0.2 + (0.7 * i) / 60),
          box.y + box.height * (0.3 + 0.4 * ((i % 20) / 20)),
        );
        await frame(page);
      }
      return { drawn_ms, ...(await page.evaluate(stopFrames)) };
    }),

  /** The wheel turns from the top to the bottom. */
  scrolling: ({ address, cards }) =>
    withPage(async (page) => {
      await page.goto(`${address}#timeseries&tagFilter=.`);
      await page.waitForFunction(isDrawn, HOST, { timeout: 60_000 });
      await page.waitForFunction(
        (n) => document.querySelectorAll("[data-card]").length >= n,
        cards,
      );
      await page.mouse.move(SIZE.width / 2, SIZE.height / 2);
      await page.evaluate(startFrames);
      await scrollToEnd(page);
      return page.evaluate(stopFrames);
    }),

  /**
   * The pictures of a log, from going to the address until all that are in sight are drawn; then each of the steps, from
   * Enter in the bar's box until all that are in sight are drawn at that step.
   */
  gallery: ({ address, steps }) =>
    withPage(async (page) => {
      await page.goto(`${address}#images`, { waitUntil: "commit" });
      const first = await page.evaluate(galleryDrawn, null);
      const box = page
        .getByRole("toolbar", { name: "Step", exact: true })
        .getByRole("textbox", { name: "Step", exact: true });
      const steps_ms = [];
      for (const step of steps) {
        await box.fill(String(step));
        await box.evaluate((element) =>
          element.addEventListener(
            "keydown",
            () => (window.enter_ms = performance.now()),
            { once: true, capture: true },
          ),
        );
        await box.press("Enter");
        const drawn = await page.evaluate(galleryDrawn, step);
        steps_ms.push(
          drawn.now_ms - (await page.evaluate(() => window.enter_ms)),
        );
      }
      return { pictures: first.pictures, drawn_ms: first.now_ms, steps_ms };
    }),

  /** Milliseconds from going to the address until the histograms in sight are drawn; of TensorBoard's, until the first one is. */
  histograms: ({ address, tool, look, lastStep }) =>
    withPage(async (page) => {
      const words = { histograms: "", overview: "&media=histograms.layout:overview" };
      const link = tool === "TensorBoard" ? "#histograms" : `#histograms${words[look]}`;
      await page.goto(`${address}${link}`, { waitUntil: "commit" });
      if (tool === "TensorBoard")
        await page
          .locator("vz-histogram-timeseries .histogram path")
          .first()
          .waitFor({ timeout: 120_000 });
      else
        await page.waitForFunction(
          histogramsAreDrawn,
          { look, lastStep },
          { timeout: 60_000, polling: "raf" },
        );
      const drawn_ms = await page.evaluate(() => performance.now());
      if (look !== "overview") return { drawn_ms };
      await page.mouse.move(SIZE.width / 2, SIZE.height / 2);
      await page.evaluate(startFrames);
      await scrollToEnd(page);
      const cells = await page.locator("button.cell").count();
      return { drawn_ms, cells, ...(await page.evaluate(stopFrames)) };
    }),

  /** Milliseconds from going to the address until the first mesh is drawn, and frames while it is turned. */
  mesh: ({ address, tool }) =>
    withPage(async (page) => {
      if (tool === "TensorBoard") await page.addInitScript(keepDrawnPixels);
      await page.goto(`${address}#mesh`, { waitUntil: "commit" });
      const selector =
        tool === "TensorBoard"
          ? "tf-mesh-loader canvas"
          : "[data-mesh-view] canvas";
      const canvas = page.locator(selector).first();
      await canvas.waitFor({ state: "attached", timeout: 120_000 });
      const drawn_ms = await canvas.evaluate(meshDrawn);
      const box = await canvas.boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.evaluate(startFrames);
      for (let i = 1; i <= 60; i++) {
        await page.mouse.move(
          box.x + box.width * (0.5 + i / 200),
          box.y + box.height / 2,
        );
        await frame(page);
      }
      await page.mouse.up();
      return { drawn_ms, ...(await page.evaluate(stopFrames)) };
    }),

  /** Opens the page and keeps it; `drawn_to` then tells when the chart reached a step. */
  watch: async ({ address }) => {
    const context = await browser.newContext({ viewport: SIZE });
    watched = await context.newPage();
    await watched.goto(address);
    await watched.waitForFunction(isDrawn, HOST, { timeout: 60_000 });
    return {};
  },
  drawn_to: async ({ step }) => {
    const drawn_at_ms = await watched.evaluate(
      async ({ selector, step }) => {
        const host = document.querySelector(selector);
        while (!(Number(host.dataset.drawnTo) >= step))
          await new Promise((done) => requestAnimationFrame(done));
        return performance.timeOrigin + performance.now();
      },
      { selector: HOST, step },
    );
    return { drawn_at_ms };
  },
};

let watched = null;
console.log(JSON.stringify({ version: browser.version() }));
for await (const line of createInterface({ input: process.stdin })) {
  const { command, ...options } = JSON.parse(line);
  try {
    console.log(JSON.stringify(await COMMANDS[command](options)));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
await browser.close();
