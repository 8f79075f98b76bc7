import { createHash, randomInt } from "node:crypto";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "./support/browser.ts";
import { CuttingProxy } from "./support/cutting-proxy.ts";
import { type Keyboard, keyboardOf } from "./support/keyboard.ts";
import { patience } from "./support/patience.ts";
import { smallGraph } from "./support/small-graph.ts";
import { type RunningStack, startStackOnServer } from "./support/stack.ts";

/** An upload that is interrupted in ten ways has the right digest in the end, each time, or is refused in words. */

const graph = smallGraph();
/** Takes ten seconds at the speed to which uploads are held below. */
const text = `${graph.edges}${graph.edges.replace(/^.*\n/, "").repeat(40)}`;
const file = { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
const slow = file.buffer.byteLength / 10;
let stack: RunningStack;
let proxy: CuttingProxy;
let browser: Browser;
let page: Page;
let keys: Keyboard;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hopwise-uploads-"));
  [stack, browser] = await Promise.all([startStackOnServer(), launchBrowser()]);
  proxy = await CuttingProxy.before(stack.url);
  page = (await openPage(browser, proxy.url)).page;
  await take(page);
  await page.goto(stack.signInLink.replace(stack.url, proxy.url));
  await page.getByText("No datasets yet").waitFor(patience);
});
afterAll(async () => {
  await browser?.close();
  await proxy?.stop();
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Works in this page from now on. Whoever is asked whether to leave it says yes. */
async function take(next: Page): Promise<void> {
  page = next;
  keys = keyboardOf(page);
  page.on("filechooser", () => {});
  page.on("dialog", (dialog) => void dialog.accept());
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dropArea = () =>
  page.getByRole("button", { name: "Drop files here" }).or(page.getByLabel("Drop files here")).first();
const progress = () => page.getByRole("status", { name: "All files" });

/** Of this page; `offline`: nothing goes in or out. */
async function network(bytesPerSecond: number, offline = false): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const conditions = { offline, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send("Network.emulateNetworkConditions", conditions);
}

type Chosen = Parameters<Keyboard["choose"]>[1];

/** Begins to send a file to a new dataset, slowly, until some of it is on its way. */
async function begin(name: string, chosen: Chosen = file): Promise<void> {
  await page.goto(`${proxy.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), name);
  await keys.choose(dropArea(), chosen);
  await network(slow);
  await keys.press(button("Upload and continue"));
  await progress()
    .getByText(/\/s · about .* left/)
    .waitFor(patience);
}

/** On the dataset's own page, where it is said what is missing: the file again, and on to its columns. */
async function completeOnItsPage(name: string): Promise<void> {
  await network(-1);
  await page.goto(`${proxy.url}/datasets`);
  await keys.press(page.getByRole("link", { name, exact: true }));
  await page.getByRole("list", { name: "Missing files" }).getByText("edges.csv").waitFor(patience);
  await keys.choose(button("Add files"), file);
  await keys.press(button("Upload and look into them"));
  await expectWhole(name);
}

async function expectWhole(name: string, content: Buffer = file.buffer): Promise<void> {
  await page.getByLabel("Role of src in edges.csv").waitFor(patience);
  expect(await filesOf(name)).toEqual([
    { name: "edges.csv", bytes: content.byteLength, sha256: createHash("sha256").update(content).digest("hex") },
  ]);
}

/** What the service has of a dataset, asked with the page's own session. */
async function filesOf(name: string) {
  const read = async (path: string) => (await page.request.get(`${proxy.url}${path}`)).json();
  const { items } = await read("/v1/datasets?first=200");
  const { id } = items.find((dataset: { name: string }) => dataset.name === name);
  const { versions } = await read(`/v1/datasets/${id}`);
  return versions[0].sources.map(({ name: file, bytes, sha256 }: { name: string; bytes: number; sha256: string }) => {
    return { name: file, bytes, sha256 };
  });
}

test("the page is loaded again", async () => {
  await begin("reload");
  await page.reload();
  expect(await filesOf("reload")).toEqual([]);
  await completeOnItsPage("reload");
});

test("the tab is closed, and another one opened", async () => {
  await begin("tab");
  const context = page.context();
  await page.close();
  await take(await context.newPage());
  await completeOnItsPage("tab");
});

test("the network goes and comes back", async () => {
  await begin("network");
  await network(slow, true);
  await page.getByRole("alert").filter({ hasText: "Not every file has arrived" }).waitFor(patience);
  await network(-1);
  await keys.press(button("Upload and continue"));
  await expectWhole("network");
});

test("the connection is reset at any byte, again and again", async () => {
  await begin("reset");
  for (let times = 0; times < 3; times++) {
    const cut = proxy.resetAfter(randomInt(1, file.buffer.byteLength / 2));
    if (times > 0) await keys.press(button("Upload and continue"));
    await cut;
    await page.getByRole("alert").filter({ hasText: "Not every file has arrived" }).waitFor(patience);
    expect(await filesOf("reset")).toEqual([]);
  }
  await network(-1);
  await keys.press(button("Upload and continue"));
  await expectWhole("reset");
});

test("the service is killed, and starts again", async () => {
  await begin("killed");
  process.kill(await stack.pidOf("api"), "SIGKILL");
  await page.getByRole("alert").filter({ hasText: "Not every file has arrived" }).waitFor(patience);
  await expect
    .poll(
      () =>
        page.request.get(`${proxy.url}/readyz`).then(
          (one) => one.status(),
          () => 0,
        ),
      patience,
    )
    .toBe(200);
  await network(-1);
  await keys.press(button("Upload and continue"));
  await expectWhole("killed");
});

test("somebody moves about in the dashboard meanwhile", async () => {
  await begin("moving");
  await keys.press(page.getByRole("link", { name: "Workers" }));
  await page
    .getByRole("status", { name: "Upload" })
    .getByText(/being uploaded to “moving”/)
    .waitFor(patience);
  await page.goBack();
  await expectWhole("moving");
});

test("it is stopped, and started again", async () => {
  await begin("stopped");
  await keys.press(button("Stop"));
  await page.getByRole("alert").filter({ hasText: "It was stopped by you" }).first().waitFor(patience);
  expect(await filesOf("stopped")).toEqual([]);
  await network(-1);
  await keys.press(button("Upload and continue"));
  await expectWhole("stopped");
});

test("the file changes between its choice and its way, and is refused in words until it is chosen again", async () => {
  const path = join(folder, "edges.csv");
  await writeFile(path, text);
  await page.goto(`${proxy.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), "changed");
  await keys.choose(dropArea(), path);
  await page.getByRole("list", { name: "Files", exact: true }).getByText("edges.csv").waitFor(patience);
  await appendFile(path, "n1,n2\n");
  await network(-1);
  await keys.press(button("Upload and continue"));
  const alert = page.getByRole("alert").filter({ hasText: "has changed since it was chosen" });
  await alert.first().waitFor(patience);
  expect(await filesOf("changed")).toEqual([]);
  await keys.choose(dropArea(), path);
  await keys.press(button("Upload and continue"));
  await expectWhole("changed", Buffer.from(`${text}n1,n2\n`));
});

test("the same file is chosen twice, and sent once", async () => {
  await page.goto(`${proxy.url}/datasets/new`);
  await keys.type(page.getByLabel("Dataset name"), "twice");
  await keys.choose(dropArea(), { ...file, buffer: Buffer.from("src,dst\na,b\n") });
  await keys.choose(dropArea(), file);
  await page.getByText("It takes the place of the “edges.csv” that was chosen before.").waitFor(patience);
  await keys.press(button("Upload and continue"));
  await expectWhole("twice");
});

test("somebody signs out meanwhile, and in again", async () => {
  const headers = { origin: proxy.url };
  const answer = await page.request.post(`${proxy.url}/v1/sign-in-links`, { headers });
  const link = new URL((await answer.json()).url);
  await begin("signed out");
  await keys.press(button("Sign out"));
  await page.getByText("Sign in to Hopwise").waitFor(patience);
  await page.goto(`${proxy.url}${link.pathname}${link.search}`);
  await page.getByRole("link", { name: "signed out" }).waitFor(patience);
  expect(await filesOf("signed out")).toEqual([]);
  await completeOnItsPage("signed out");
});
