/**
 * How soon after its bytes have come is a map of embeddings seen, and how many frames a second follow the hand?
 *
 * Figure: frames a second of Chromium while the map of the most points is zoomed without pause. Ceiling: those of the
 * same page and browser without movement, in the same run.
 *
 *   ours.ts [--points 500000,2000000] [--small]
 */
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../apps/web/test/support/browser.ts";
import { mapServer } from "./map-server.ts";

const { values } = parseArgs({
  options: { points: { type: "string", default: "500000,2000000" }, small: { type: "boolean", default: false } },
});
const counts = values.small ? [20_000] : values.points.split(",").map(Number);
const seconds = values.small ? 0.5 : 4;
const dist = join(process.cwd(), "apps/web/dist");
if (!existsSync(join(dist, "index.html"))) throw new Error("apps/web/dist is missing; run npm run build first.");

/** What the page notes of itself: when its map is drawn first, and how many points each frame has. */
const notes = `
  globalThis.firstDrawnAt = 0;
  globalThis.drawnPoints = [];
  const { drawArrays } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.drawArrays = function (mode, first, count) {
    globalThis.firstDrawnAt ||= performance.now();
    if (first === 0) globalThis.drawnPoints.push(count);
    return drawArrays.call(this, mode, first, count);
  };`;

/** Frames a second; with `isMoving` each begins with a turn of the wheel. */
const framesOf = (isMoving: boolean) => `new Promise((done) => {
  const canvas = document.querySelector("[data-renderer] canvas");
  const startedAt = performance.now();
  let frames = 0;
  const frame = () => {
    const passed = performance.now() - startedAt;
    if (passed > ${1000 * seconds}) return done((1000 * frames) / passed);
    const wheel = { deltaY: frames % 60 < 30 ? -20 : 20, bubbles: true, cancelable: true };
    if (${isMoving}) canvas.dispatchEvent(new WheelEvent("wheel", wheel));
    frames++;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

async function measure(browser: Browser, numPoints: number) {
  const server = mapServer(dist, numPoints);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.addInitScript(notes);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs/job_map/embeddings`);
    await page.locator("canvas[data-whole]").waitFor({ timeout: 120_000 });
    return { numPoints, ...(await figuresOf(page)) };
  } finally {
    await page.close();
    server.close();
  }
}

async function figuresOf(page: Page) {
  const [firstMs, wholeMs] = await page.evaluate<[number, number]>(`(() => {
    const arrays = performance.getEntriesByType("resource").filter(({ name }) => name.includes("blob="));
    const came = Math.max(...arrays.map(({ responseEnd }) => responseEnd));
    return [globalThis.firstDrawnAt - came, performance.now() - came];
  })()`);
  const still = await page.evaluate<number>(framesOf(false));
  await page.evaluate("void (globalThis.drawnPoints.length = 0)");
  const moving = await page.evaluate<number>(framesOf(true));
  const drawn = (await page.evaluate<number[]>("globalThis.drawnPoints")).toSorted((a, b) => a - b);
  const heapBytes = await page.evaluate<number>("performance.memory.usedJSHeapSize");
  const round = (value: number) => Math.round(10 * value) / 10;
  return {
    firstPictureMs: round(firstMs),
    wholePictureMs: round(wholeMs),
    framesPerSecond: round(moving),
    stillFramesPerSecond: round(still),
    pointsPerMovingFrame: drawn[Math.floor(drawn.length / 2)] ?? 0,
    heapMiB: round(heapBytes / 2 ** 20),
  };
}

const browser = await launchBrowser();
try {
  const maps = [];
  for (const numPoints of counts) maps.push(await measure(browser, numPoints));
  const last = maps.at(-1);
  console.log(
    JSON.stringify({
      topic: "map",
      figure: last?.framesPerSecond,
      unit: `frames/s of ${last?.numPoints} points`,
      better: "higher",
      ceiling: last?.stillFramesPerSecond,
      details: { maps },
    }),
  );
} finally {
  await browser.close();
}
