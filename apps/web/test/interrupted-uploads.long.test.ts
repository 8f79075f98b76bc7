import { createHash } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatasetDetails } from "@hopwise/contracts";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser, openPage } from "./support/browser.ts";
import { CuttingProxy } from "./support/cutting-proxy.ts";
import { type Keyboard, keyboardOf } from "./support/keyboard.ts";
import { patience } from "./support/patience.ts";
import { type RunningStack, startStackOnServer } from "./support/stack.ts";

/**
 * A file of 30 MB whose upload is struck in its midst in each of ten ways. It goes on by itself, or what the page then
 * says leads to a dataset that has the file whole: with the digest of what lies on the disk.
 */

const numEdges = 2_000_000;
/** In the second part of 8 MiB, well before the end. */
const strikeAt = 12_000_000;
/** Longer than the minute after which a silent connection is given up. */
const longPatience = { timeout: 120_000 };

let dir: string;
let path: string;
let stack: RunningStack;
let proxy: CuttingProxy;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let keys: Keyboard;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-interrupted-"));
  path = join(dir, "edges.csv");
  const edges = Array.from({ length: numEdges }, (_, i) => `n${i % 99_991},n${(i * 7919) % 99_991}`);
  await writeFile(path, `src,dst\n${edges.join("\n")}\n`);
  [stack, browser] = await Promise.all([startStackOnServer(), launchBrowser()]);
  proxy = await CuttingProxy.before(stack.url);
  const first = await openPage(browser, proxy.url);
  context = first.page.context();
  await first.page.goto(stack.signInLink.replace(stack.url, proxy.url));
  await first.page.getByText("No datasets yet").waitFor(patience);
  await first.page.close();
});

afterAll(async () => {
  await browser?.close();
  await proxy?.refuse();
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
});

beforeEach(openTab);

afterEach(async () => {
  proxy.letUploadsPass();
  await page.close();
});

async function openTab(): Promise<void> {
  page = await context.newPage();
  // As in openPage: Chromium opens a chooser of its own while nobody listens.
  page.on("filechooser", () => {});
  keys = keyboardOf(page);
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dropArea = () =>
  page.getByRole("button", { name: "Drop files here" }).or(page.getByLabel("Drop files here")).first();

/** Begins to upload the file to a new dataset, and comes back when 12 MB of it are through and the rest is held. */
async function uploadHalf(name: string): Promise<void> {
  const { held } = proxy.holdUploads(strikeAt);
  await page.goto(`${proxy.url}/datasets`);
  await keys.press(page.getByRole("link", { name: "New dataset" }));
  await keys.type(page.getByLabel("Dataset name"), name);
  await keys.choose(dropArea(), path);
  await keys.press(button("Upload and continue"));
  await held;
}

const columns = () => page.getByLabel("Role of src in edges.csv");
const notArrived = () => page.getByText("Not every file has arrived");

/** Sends it again from the form, where the file and why it did not arrive are still shown. */
async function tryAgain(): Promise<void> {
  proxy.letUploadsPass();
  await notArrived().waitFor(longPatience);
  await keys.press(button("Upload and continue"));
  await columns().waitFor(longPatience);
}

/** The way back from the list, when the page that uploaded is gone. */
async function chooseAgain(name: string): Promise<void> {
  proxy.letUploadsPass();
  await page.goto(`${proxy.url}/datasets`);
  await keys.press(page.getByRole("link", { name, exact: true }));
  const missing = page.getByRole("list", { name: "Missing files" });
  // The second part too, where all of it was on its way when the page went.
  await missing.getByText(/edges\.csv \(.* MiB\) is missing; (8|16)\.0 MiB of it have arrived/).waitFor(patience);
  await page.getByText("what has arrived of them is not sent again").waitFor(patience);
  const starts: number[] = [];
  page.on("request", (request) => {
    const offset = request.headers()["upload-offset"];
    if (request.method() === "PATCH" && offset !== undefined) starts.push(Number(offset));
  });
  await keys.choose(button("Add files"), path);
  await keys.press(button("Upload and look into them"));
  await columns().waitFor(longPatience);
  expect(starts[0]).toBeGreaterThanOrEqual(8 * 1024 ** 2);
}

/** The page says that it waits, and the upload goes on by itself. */
async function goesOn(): Promise<void> {
  await page.getByText("It goes on by itself from where it is").waitFor(longPatience);
  proxy.letUploadsPass();
  await columns().waitFor(longPatience);
}

/** The dataset has the file as it lies on the disk, once. */
async function expectWhole(name: string): Promise<void> {
  const ask = async (route: string) => (await page.request.get(`${stack.url}/v1/datasets${route}`)).json();
  const { items } = (await ask("?first=50")) as { items: readonly { id: string; name: string }[] };
  const id = items.find((one) => one.name === name)?.id;
  const { versions } = (await ask(`/${id}`)) as DatasetDetails;
  const sha256 = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  expect(versions[0]?.sources.map((source) => ({ name: source.name, sha256: source.sha256 }))).toEqual([
    { name: "edges.csv", sha256 },
  ]);
}

/** Whatever the page asks is answered as told; what it asked. */
function answerDialogs(answer: "accept" | "dismiss"): string[] {
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog[answer]();
  });
  return asked;
}

test("the tab is reloaded: the browser asks first, and the dataset's page says what to choose again", async () => {
  await uploadHalf("reloaded");
  const asked = answerDialogs("accept");
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
  await chooseAgain("reloaded");
  await expectWhole("reloaded");
});

test("the tab is closed: the page that is opened anew says what to choose again", async () => {
  await uploadHalf("closed");
  const closed = page.waitForEvent("close", patience);
  const asked = answerDialogs("accept");
  await page.close({ runBeforeUnload: true });
  await closed;
  expect(asked).toEqual(["beforeunload"]);
  await openTab();
  await chooseAgain("closed");
  await expectWhole("closed");
});

test("Back: the upload goes on behind the page before, and the browser asks before Back leaves the dashboard", async () => {
  await uploadHalf("left by Back");
  await page.goBack();
  const notice = page.getByRole("status", { name: "Upload" });
  await notice.getByText(/Files are being uploaded to “left by Back”/).waitFor(patience);
  const asked = answerDialogs("dismiss");
  await page.goBack().catch(() => null); // the navigation that is refused
  expect(asked).toEqual(["beforeunload"]);
  proxy.letUploadsPass();
  await notice.waitFor({ ...longPatience, state: "detached" });
  await expectWhole("left by Back");
  await keys.press(page.getByRole("link", { name: "left by Back", exact: true }));
  await page.getByRole("link", { name: "Map the columns" }).waitFor(patience);
});

test("offline and online again: the page says that it waits, and the upload goes on", async () => {
  await uploadHalf("offline");
  await Promise.all([context.setOffline(true), proxy.refuse()]);
  await page.getByText("It goes on by itself from where it is").waitFor(longPatience);
  await Promise.all([context.setOffline(false), proxy.accept()]);
  proxy.letUploadsPass();
  await columns().waitFor(longPatience);
  await expectWhole("offline");
});

test("the connection is reset: the upload goes on", async () => {
  await uploadHalf("reset");
  proxy.reset();
  proxy.letUploadsPass();
  await columns().waitFor(longPatience);
  await expectWhole("reset");
});

test("the connection freezes: after a minute without a byte it is given up for another", async () => {
  await uploadHalf("frozen");
  proxy.freezeUploads();
  await goesOn();
  await expectWhole("frozen");
});

test("the service answers 503 once", async () => {
  proxy.failNextUpload(503);
  await page.goto(`${proxy.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), "refused once");
  await keys.choose(dropArea(), path);
  await keys.press(button("Upload and continue"));
  await columns().waitFor(longPatience);
  await expectWhole("refused once");
});

test("the API is killed, and started again by the stack: the upload goes on", async () => {
  await uploadHalf("killed");
  process.kill(await stack.pidOf("api"), "SIGKILL");
  await goesOn();
  await expectWhole("killed");
});

test("the file changes on the way: the page asks to choose it again", async () => {
  await uploadHalf("changed");
  await appendFile(path, "n1,n2\n");
  proxy.letUploadsPass();
  await page.getByRole("alert").getByText("Choose it again").first().waitFor(longPatience);
  await keys.choose(dropArea(), path);
  await keys.press(button("Upload and continue"));
  await columns().waitFor(longPatience);
  await expectWhole("changed");
});

test("it is cancelled and begun again", async () => {
  await uploadHalf("cancelled");
  await keys.press(button("Stop"));
  await page.getByText("It was stopped by you", { exact: false }).first().waitFor(patience);
  await tryAgain();
  await expectWhole("cancelled");
});
