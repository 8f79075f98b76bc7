import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "./support/browser.ts";
import { type LiveJob, startLiveJob } from "./support/live-job.ts";
import { patience } from "./support/patience.ts";

/** A page that is left open for a day: 20,000 events of a running job, from the worker's side of Redis to Chromium. */

/**
 * A curve is full, with 4,000 points, at all but the first: of one that is fuller every second point goes. The log is
 * full, with 5,000 lines, before the third.
 */
const marks = [2000, 6660, 13_330, 20_000];
/**
 * What a page may weigh more at the last mark than at the third: 300 bytes an event, less than one that is kept takes.
 * What was found to grow is the code that the browser compiles; by 40,000 events it had not come to more.
 */
const slackBytes = 2_000_000;
/** Rows of the log that have gone wait for the collector. */
const mostGrowth = 1.1;
/** The log has 5,000 lines, each drawn as twelve elements. */
const mostBytes = { overview: 20e6, metrics: 20e6, log: 60e6, list: 15e6 };
/** A badge, a line of a notice. */
const slackNodes = 30;

type PageName = "overview" | "metrics" | "log" | "list";

interface Weight {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

interface Weighed {
  readonly page: Page;
  readonly cdp: CDPSession;
}

let job: LiveJob;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [job, browser] = await Promise.all([startLiveJob(), launchBrowser()]);
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  await context.addCookies([{ ...job.cookie, url: job.url }]);
});

afterAll(async () => {
  await browser?.close();
  await job?.stop();
});

async function open(path: string): Promise<Weighed> {
  const page = await context.newPage();
  await page.goto(`${job.url}${path}`);
  const cdp = await context.newCDPSession(page);
  await cdp.send("HeapProfiler.enable");
  return { page, cdp };
}

async function weigh({ cdp }: Weighed): Promise<Weight> {
  // Twice: what the first frees may hold what only the second finds free.
  await cdp.send("HeapProfiler.collectGarbage");
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await cdp.send("Memory.getDOMCounters");
  return { heapBytes: usedSize, nodes, listeners: jsEventListeners };
}

/** What each page weighs once all that was told up to a mark is drawn; the list is told of what changes only. */
async function weighAt(mark: number, pages: Readonly<Record<PageName, Weighed>>): Promise<Record<PageName, Weight>> {
  const progress = `${mark.toLocaleString("en")} of 1,000,000 epochs`;
  for (const name of ["overview", "metrics", "log"] as const) {
    await pages[name].page.getByText(progress, { exact: false }).first().waitFor(patience);
  }
  const [overview, metrics, log, list] = [
    await weigh(pages.overview),
    await weigh(pages.metrics),
    await weigh(pages.log),
    await weigh(pages.list),
  ];
  return { overview, metrics, log, list };
}

test("pages that are open for 20,000 events of a job weigh no more at the end than when their logs and curves were full", async () => {
  const pages = {
    overview: await open(`/jobs/${job.jobId}`),
    metrics: await open(`/jobs/${job.jobId}?tab=metrics`),
    log: await open(`/jobs/${job.jobId}?tab=log`),
    list: await open("/jobs"),
  };
  await pages.list.page.getByRole("table", { name: "Jobs" }).waitFor(patience);
  const weights: Record<PageName, Weight>[] = [];
  let told = 0;
  for (const mark of marks) {
    await job.tell(mark - told);
    told = mark;
    weights.push(await weighAt(mark, pages));
  }
  const [early, , full, last] = weights;
  for (const name of Object.keys(pages) as PageName[]) {
    const [before, after] = [full?.[name], last?.[name]];
    if (!before || !after) throw new Error("Nothing was weighed.");
    expect(after.heapBytes, `heap of ${name}`).toBeLessThan(before.heapBytes + slackBytes);
    expect(after.heapBytes, `heap of ${name}`).toBeLessThan(mostBytes[name]);
    expect(after.nodes, `elements of ${name}`).toBeLessThanOrEqual(before.nodes * mostGrowth + slackNodes);
    expect(after.listeners, `listeners of ${name}`).toBeLessThanOrEqual(before.listeners * mostGrowth + slackNodes);
  }
  // Only the log has a row for each of what was told.
  for (const name of ["overview", "metrics", "list"] as const) {
    expect(last?.[name].nodes, name).toBeLessThanOrEqual((early?.[name].nodes ?? 0) + slackNodes);
  }
});
