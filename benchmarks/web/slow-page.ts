import { launchBrowser } from "../../apps/web/test/support/browser.ts";

/** A telephone's connection as Lighthouse has it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const slowConnection = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

export interface PageCookie {
  readonly name: string;
  readonly value: string;
}

export interface SlowPage {
  /** From the request of the page, with an empty cache, until its heading and tabs are drawn */
  readonly usableMs: number;
  /** Bodies and heads as they came over the wire */
  readonly bytes: number;
  /** Requests of the page while it stands and nothing changes */
  readonly idleRequests: number;
}

/** How long a page may say nothing before it is taken to stand. */
const settledMs = 5000;

/**
 * Opens the page of an ended job over a slow connection, with the cookie of a session: sockets of a browser carry no
 * other credential.
 *
 * @param idleMs how long it is watched once it stands
 */
export async function slowJobPage(url: string, cookie: PageCookie, jobId: string, idleMs: number): Promise<SlowPage> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    await context.addCookies([{ ...cookie, url }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let bytes = 0;
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", slowConnection);
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    const startedAt = performance.now();
    await page.goto(`${url}/jobs/${jobId}`, { waitUntil: "commit" });
    await page.getByRole("navigation", { name: "Views of the job" }).waitFor({ timeout: 120_000 });
    const usableMs = Math.round(performance.now() - startedAt);
    await page.waitForLoadState("networkidle");
    const loaded = bytes;
    let numRequests = 0;
    page.on("request", () => numRequests++);
    for (let before = -1; before !== numRequests; await page.waitForTimeout(settledMs)) before = numRequests;
    const numBefore = numRequests;
    await page.waitForTimeout(idleMs);
    const idleRequests = numRequests - numBefore;
    return { usableMs, bytes: loaded, idleRequests };
  } finally {
    await browser.close();
  }
}
