import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { patience } from "./patience.ts";

/** Git ignores it. */
const shotsDir = resolve(import.meta.dirname, "../../../../test-results/web");
/** Pictures are for people to look at, and cost half a second each to draw without a GPU. */
const takesShots = process.env["HOPWISE_PICTURES"] === "1";

/** Debian's Chromium with WebGL in software, silent on the network. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
  });
}

export interface Watched {
  readonly page: Page;
  /** What went wrong in the page: console errors (a breach of the content security policy is one) and exceptions. */
  readonly complaints: string[];
  /** Requests that left the service. */
  readonly foreign: string[];
}

/** A page whose complaints and foreign requests are written down. */
export async function openPage(browser: Browser, origin: string): Promise<Watched> {
  // Without a GPU every frame of an animation is drawn by the processor that the job under test needs.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    acceptDownloads: true,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  // Playwright takes over file choosers while somebody listens. Listening only once one is about to open comes too late
  // on a busy machine: Chromium then opens its own, which has no window here and is cancelled at once.
  page.on("filechooser", () => {});
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith("http") && asked !== origin) foreign.push(request.url());
  });
  return { page, complaints, foreign };
}

/** Nothing on the page is wider than the page, once it is laid out for a window that may have changed its size. */
export async function expectWidth(page: Page, width: number, what = "the page"): Promise<void> {
  const needed = () => page.evaluate("document.documentElement.scrollWidth");
  await expect.poll(needed, { ...patience, message: `${what} at ${width}` }).toBe(width);
}

/** A picture of the whole page where HOPWISE_PICTURES=1 asks for pictures; else the page is scrolled to its top. */
export async function takeShot(page: Page, name: string): Promise<void> {
  // A page that is scrolled would show its header in the middle of the picture.
  await page.evaluate("scrollTo(0, 0)");
  if (!takesShots) return;
  mkdirSync(shotsDir, { recursive: true });
  await page.screenshot({ path: join(shotsDir, `${name}.png`), fullPage: true });
}
