import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstLoad } from "../../../benchmarks/web/first-load.ts";
import { launchBrowser, openPage, takeShot, type Watched } from "./support/browser.ts";
import { smallGraph } from "./support/small-graph.ts";
import { type RunningStack, startStack } from "./support/stack.ts";

/** What somebody meets who has just installed Hopwise, and does it all without a mouse. */

const patience = { timeout: 90_000 };
const graph = smallGraph();
const files = [
  { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(graph.edges) },
  { name: "nodes.csv", mimeType: "text/csv", buffer: Buffer.from(graph.nodes) },
];
let stack: RunningStack;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
  watched = await openPage(browser, stack.url);
  page = watched.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Presses Tab until the element has the focus, as a person does who looks at the focus ring. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor(patience);
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target.toString()}`);
}

async function press(target: Locator): Promise<void> {
  await tabTo(target);
  await page.keyboard.press("Enter");
}

test("the first page comes in at most 250,000 bytes of gzip", async () => {
  const { files, bytes, plainBytes } = await firstLoad(stack.url, "DatasetsPage", "gzip");
  expect(files).toBeGreaterThan(10);
  expect(plainBytes, "React alone is this large").toBeGreaterThan(200_000);
  expect(bytes).toBeLessThan(250_000);
});

test("an empty list says what to upload and offers a sample that can be used at once", async () => {
  await page.goto(stack.signInLink);
  await page.getByText("No datasets yet").waitFor(patience);
  expect(await page.getByLabel("Example of edges.csv").innerText()).toContain("src,dst");
  await takeShot(page, "20-first-page");
  await page.getByRole("link", { name: "Try a sample graph" }).click();
  await page.getByRole("list", { name: "Files" }).getByText("edges.csv").waitFor(patience);
  expect(await page.getByRole("list", { name: "Files" }).getByRole("listitem").count()).toBe(2);
  expect(await page.getByLabel("Dataset name").inputValue()).toBe("sample");
  expect(await page.title()).toBe("New dataset · Hopwise");
  await page.getByRole("button", { name: "Upload and continue" }).click();
  await page.getByRole("button", { name: "Build the graph" }).click(patience);
  await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
});

test("upload, mapping and submit need no mouse", async () => {
  await press(page.getByRole("link", { name: "Datasets", exact: true }));
  await press(page.getByRole("link", { name: "New dataset" }));
  await tabTo(page.getByLabel("Dataset name"));
  await page.keyboard.type("by keyboard");
  await tabTo(page.getByRole("button", { name: "Drop files here" }).or(page.getByLabel("Drop files here")).first());
  const [chooser] = await Promise.all([page.waitForEvent("filechooser", patience), page.keyboard.press("Enter")]);
  await chooser.setFiles(files);
  await press(page.getByRole("button", { name: "Upload and continue" }));

  await page.getByLabel("Role of src in edges.csv").waitFor(patience);
  await press(page.getByText("What do the roles mean?").locator(".."));
  await page.getByText("Your name for the node").waitFor(patience);
  await takeShot(page, "21-roles");
  await press(page.getByRole("button", { name: "Build the graph" }));

  await press(page.getByRole("link", { name: "Train on this" }));
  await tabTo(page.getByLabel("Job name"));
  await page.keyboard.type("keyboard job");
  await tabTo(page.getByLabel("Epochs", { exact: true }));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("30");
  await page.getByText("Memory per rank").waitFor(patience);
  await press(page.getByRole("button", { name: "Start training" }));
  await page.getByRole("status", { name: "State of the job" }).getByText("Succeeded").waitFor(patience);
  expect(await page.title()).toBe("✓ keyboard job · Hopwise");
});

test("the log is in order, is filtered by level, rank and text, and follows until one scrolls up", async () => {
  await page.getByRole("navigation", { name: "Views of the job" }).getByRole("link", { name: "Log" }).click();
  const log = page.getByRole("log", { name: "Log" });
  await log.getByText("Results exported").waitFor(patience);
  const lines = (await log.innerText()).split("\n").filter((line) => /\bepoch \d+/.test(line));
  const epochs = lines
    .filter((line) => line.includes("Epoch finished"))
    .map((line) => Number(/epoch (\d+)/.exec(line)?.[1]));
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  expect(new Set(epochs).size).toBe(epochs.length);

  const follow = page.getByLabel("Follow");
  expect(await follow.isChecked()).toBe(true);
  await log.hover();
  await page.mouse.wheel(0, -2000);
  await expect.poll(() => follow.isChecked()).toBe(false);
  await follow.click();
  await expect.poll(() => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)).toBeLessThan(2);

  await page.getByLabel("Search", { exact: true }).fill("RESULTS exported");
  await page.getByText(/^1 of \d+ lines/).waitFor(patience);
  await page.getByLabel("Search", { exact: true }).fill("");
  await page.getByLabel("Regex").click();
  await page.getByLabel("Search", { exact: true }).click();
  await page.keyboard.type("epoch 1\\d\\b");
  await expect.poll(() => log.getByText(/epoch 1\d\b/).count(), patience).toBe(await log.locator("> div").count());
  const line = log.getByRole("link").first();
  await line.click();
  const pointed = log.locator('[data-pointed="true"]');
  const text = await pointed.innerText();
  await page.reload();
  await expect.poll(() => pointed.innerText(), patience).toBe(text);
  await expect.poll(() => pointed.isVisible(), patience).toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent("download", patience),
    page.getByRole("button", { name: "Download", exact: true }).click(),
  ]);
  const whole = (await readFile(await download.path(), "utf8")).split("\n");
  expect(whole.filter((one) => one.includes("Epoch finished"))).toHaveLength(30);
  const level = page
    .getByRole("combobox", { name: "Level" })
    .or(page.getByRole("textbox", { name: "Level" }))
    .first();
  await level.scrollIntoViewIfNeeded();
  const scrollTop = () => page.evaluate(() => window.scrollY);
  const before = await scrollTop();
  await level.click();
  await page.getByRole("option", { name: "error and above" }).waitFor(patience);
  expect(await scrollTop(), "a list that opens must not scroll the page").toBe(before);
  await page.getByRole("option", { name: "error and above" }).click();
  await log.getByText("No line fits the filter.").waitFor(patience);
});

test("a dataset lists its jobs, each leads to its dataset, and jobs are found by state and name", async () => {
  await page.getByRole("main").getByRole("link", { name: "by keyboard" }).click();
  const jobs = page.getByRole("region", { name: "Jobs" });
  await jobs.getByRole("link", { name: "keyboard job" }).waitFor(patience);
  await takeShot(page, "22-dataset-jobs");

  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  const row = page.getByRole("table", { name: "Jobs" }).getByRole("link", { name: "keyboard job" });
  await row.waitFor(patience);
  const star = page.getByRole("button", { name: "Star keyboard job" });
  await press(star);
  await expect.poll(() => star.getAttribute("aria-pressed"), patience).toBe("true");
  await press(page.getByRole("button", { name: "Model" }));
  await page
    .getByRole("columnheader", { name: "Model", exact: false })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor(patience);
  expect(new URL(page.url()).search).toBe("?sort=model");
  await press(page.getByRole("button", { name: "Columns" }));
  await tabTo(page.getByRole("checkbox", { name: "Owner" }));
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await page.getByRole("columnheader", { name: "Owner" }).waitFor(patience);
  await takeShot(page, "22-jobs-sorted");
  // As before: the newest first.
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await row.waitFor(patience);

  await page.getByLabel("Name or id").fill("no such name");
  await page.getByText("No job fits the filter").waitFor(patience);
  await page.getByLabel("Name or id").fill("board");
  await row.waitFor(patience);
  await expect.poll(() => new URL(page.url()).search, patience).toBe("?search=board");
  await row.click();
  await page.getByRole("list", { name: "Stages" }).waitFor(patience);
  await page.goBack();
  await row.waitFor(patience);
  expect(await page.getByLabel("Name or id").inputValue(), "the filter outlives a look at a job").toBe("board");
  await page
    .getByRole("combobox", { name: "State" })
    .or(page.getByRole("textbox", { name: "State" }))
    .first()
    .click();
  await page.getByRole("option", { name: "Failed" }).click();
  await page.getByText("No job fits the filter").waitFor(patience);
  await takeShot(page, "23-jobs-filter");
});

test("the page says how a table was read, and reads it again as one says", async () => {
  await page.getByRole("link", { name: "Datasets", exact: true }).click();
  await page.getByRole("link", { name: "New dataset" }).click();
  await page.getByLabel("Dataset name").pressSequentially("ambiguous");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser", patience),
    page.getByRole("button", { name: "Drop files here" }).or(page.getByLabel("Drop files here")).first().click(),
  ]);
  const names = ["ann,bob", "cid,dan"].join("\n");
  await chooser.setFiles([
    { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(names) },
    { name: "README.md", mimeType: "text/markdown", buffer: Buffer.from("Friends.\nCollected by hand, in 2026.\n") },
  ]);
  await page.getByRole("button", { name: "Upload and continue" }).click();

  await page.getByText("If it is a row, switch the header off.").waitFor(patience);
  await page.getByText("README.md holds text").first().waitFor(patience);
  await press(page.getByRole("button", { name: "How edges.csv is read" }));
  await page.getByText("Its fields stand between commas.").waitFor(patience);
  await tabTo(page.getByLabel("First line of edges.csv"));
  await page.keyboard.type("A row");
  await takeShot(page, "24-how-a-file-is-read");
  await press(page.getByRole("button", { name: "Read the files again" }));
  await page.getByLabel("Role of column1 in edges.csv").waitFor(patience);
  expect(await page.getByRole("table", { name: "First rows of edges.csv" }).locator("tbody tr").count()).toBe(2);
  const [again] = await Promise.all([
    page.waitForEvent("filechooser", patience),
    page.getByRole("button", { name: "Add files" }).click(),
  ]);
  await again.setFiles([
    { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(["u,v", "ann,bob", "cid,dan"].join("\n")) },
  ]);
  await press(page.getByRole("button", { name: "Upload and look into them" }));
  await page.getByLabel("Role of u in edges.csv").waitFor(patience);
  await press(page.getByRole("button", { name: "Build the graph" }));
  await page.getByText("The graph has no labels").waitFor(patience);
  // Both edges are there: ann to bob was not taken for a header.
  await page
    .getByRole("main")
    .getByText("Nodes", { exact: true })
    .locator("..")
    .getByText("4", { exact: true })
    .waitFor(patience);
});

test("a long list goes on page by page", async () => {
  await page.evaluate(async (numMore) => {
    for (let index = 0; index < numMore; index++) {
      const body = JSON.stringify({ name: `dataset ${index}` });
      await fetch("/v1/datasets", { method: "POST", headers: { "content-type": "application/json" }, body });
    }
  }, 55);
  await page.goto(`${stack.url}/datasets`);
  const rows = page.getByRole("table", { name: "Datasets" }).locator("tbody tr");
  await rows.first().waitFor(patience);
  expect(await rows.count()).toBe(50);
  await page.getByRole("button", { name: "Load more" }).click();
  await rows.nth(57).waitFor(patience);
  // 55 and the three of the tests above.
  expect(await rows.count()).toBe(55 + 3);
  expect(await page.getByRole("button", { name: "Load more" }).count()).toBe(0);
});

test("an address that leads nowhere says so in the frame of the other pages", async () => {
  await page.goto(`${stack.url}/nowhere`);
  await page.getByRole("main").getByText("There is no such page").waitFor(patience);
  expect(await page.getByRole("link", { name: "Workers" }).count()).toBe(1);
  expect(await page.title()).toBe("No such page · Hopwise");
  await takeShot(page, "25-not-found");
});

test("no worker is offered a credential for a Redis that no other host reaches, and the page says why", async () => {
  await page.getByRole("link", { name: "Workers" }).click();
  const panel = page.getByRole("region", { name: "Add a worker" });
  await panel.getByText("reaches its Redis by a socket, which no other host does").waitFor(patience);
  expect(await panel.getByLabel("Worker id").count()).toBe(0);
  await takeShot(page, "26-no-worker-elsewhere");
});

test("nothing was asked of another host, and the page never complained", () => {
  expect(watched.foreign).toEqual([]);
  expect(watched.complaints).toEqual([]);
});
