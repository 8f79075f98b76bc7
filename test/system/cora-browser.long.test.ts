import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, openPage, takeShot, type Watched } from "../../apps/web/test/support/browser.ts";
import { type RunningStack, startStack } from "../../apps/web/test/support/stack.ts";
import { coraDir, coraFiles, coraIsHere, readCora } from "../support/cora.ts";
import { readParquet } from "../support/parquet.ts";

/*
 * This test also makes the pictures of the README. To renew them after `npm run build`:
 *   HOPWISE_DOC_IMAGES=1 npx vitest run --project long test/system/cora-browser.long.test.ts
 */
const imagesDir = resolve(import.meta.dirname, "../../docs/images");
const makesImages = process.env["HOPWISE_DOC_IMAGES"] === "1";
const patience = { timeout: 120_000 };

describe.skipIf(!coraIsHere)("Cora through the browser", () => {
  let stack: RunningStack;
  let browser: Browser;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
    watched = await openPage(browser, stack.url);
    page = watched.page;
    await page.goto(stack.signInLink);
    await page.getByText("No datasets yet").waitFor(patience);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it("takes the three files as they are and recognises every column", async () => {
    await page.getByRole("link", { name: "New dataset" }).click();
    await page.getByLabel("Dataset name").fill("Cora");
    await page.locator('input[type="file"]').setInputFiles(coraFiles.map((file) => coraDir + file));
    await page.getByRole("button", { name: "Upload and continue" }).click();

    const build = page.getByRole("button", { name: "Build the graph" });
    await build.waitFor(patience);
    const roles = async (file: string, columns: readonly string[]) =>
      Promise.all(columns.map((column) => page.getByLabel(`Role of ${column} in ${file}`).inputValue()));
    expect(await roles("edges.csv.gz", ["src", "dst"])).toEqual(["src", "dst"]);
    expect(await roles("nodes.csv.gz", ["id", "label", "split"])).toEqual(["id", "label", "split"]);
    await takeShot(page, "cora-1-mapping");
    await build.click();

    await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
    const facts = await page.getByRole("region", { name: "Graph", exact: true }).innerText();
    expect(facts).toContain("2,708");
    expect(facts).toContain("1,433");
    await takeShot(page, "cora-2-dataset");
  });

  it("learns on two ranks with the preset for few labels, to a test accuracy of 0.78 or more", async () => {
    await page.getByRole("link", { name: "Train on this" }).click();
    await page.getByRole("combobox", { name: "Preset" }).click();
    await page.getByRole("option", { name: "Few labels, neighbours alike, GraphSAGE" }).click();
    await page.getByLabel("Job name").fill("GraphSAGE on Cora");
    await page.getByLabel("Ranks", { exact: true }).fill("2");
    await page.getByText("Memory per rank").waitFor(patience);
    await takeShot(page, "cora-3-form");
    await page.getByRole("button", { name: "Start training" }).click();

    await page.getByText("Live", { exact: true }).waitFor(patience);
    await page.getByText(/^Loss, training: \d+ points/).waitFor({ ...patience, state: "attached" });
    await takeShot(page, "cora-4-running");
    const state = page.getByRole("status", { name: "State of the job" });
    await state.getByText("Succeeded").waitFor(patience);
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText("Accuracy, test").waitFor(patience);
    const percent = /Accuracy, test\s+([\d.]+)\s*%/.exec(await result.innerText())?.[1];
    expect(Number(percent)).toBeGreaterThanOrEqual(78);
    await takeShot(page, "cora-5-done");
    await takeImage(page, "job-page");
    const ranks = page.getByRole("table", { name: "Ranks" });
    await page.getByRole("link", { name: "Ranks", exact: true }).click();
    await ranks.waitFor(patience);
    expect(await ranks.locator("tbody tr").count()).toBe(2);
  });

  it("draws all 2,708 nodes in the colours of their seven classes", async () => {
    await page.getByRole("link", { name: "Embeddings and downloads" }).click();
    await page.locator('[data-renderer="webgl"]').waitFor(patience);
    await page.getByRole("img", { name: "Map of 2708 embeddings" }).waitFor(patience);
    const classes = page.getByRole("group", { name: "Classes" }).locator("button[aria-pressed]");
    expect(await classes.count()).toBe(7);
    await takeShot(page, "cora-6-embeddings");
    await takeImage(page, "embeddings");
  });

  it("names a node's nearest ones by its id, colours by what is known, and hands out the ids of an area", async () => {
    const { ids } = readCora();
    const find = page.getByRole("searchbox", { name: "Find a node" });
    await find.click();
    await page.keyboard.type("no such id");
    await page.keyboard.press("Enter");
    await page.getByText("No node with this id is on the map.").waitFor(patience);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(String(ids[7]));
    await page.keyboard.press("Enter");
    const card = page.getByRole("group", { name: `Node ${ids[7]}` });
    await card.getByText("Confidence").waitFor(patience);
    const nearest = card.getByRole("group", { name: "Nearest embeddings" }).getByRole("button");
    expect(await nearest.count()).toBe(10);
    const [next = ""] = (await nearest.first().innerText()).split("\n");
    expect(ids.map(String)).toContain(next);
    await nearest.first().click();
    await page.getByRole("group", { name: `Node ${next}` }).waitFor(patience);
    await page.getByTestId("picked").waitFor(patience);

    await page.getByRole("combobox", { name: "Colour by" }).click();
    await page.getByRole("option", { name: "Right or wrong" }).click();
    await page
      .getByRole("group", { name: "Right or wrong" })
      .getByRole("button", { name: /^right/ })
      .waitFor(patience);
    await takeShot(page, "cora-7-node");

    await page.getByRole("button", { name: "Select an area" }).click();
    const box = await page.getByRole("img", { name: "Map of 2708 embeddings" }).boundingBox();
    if (!box) throw new Error("The map has no place on the page.");
    const corners = [
      [0.02, 0.02],
      [0.98, 0.02],
      [0.98, 0.98],
      [0.02, 0.98],
    ] as const;
    for (const [i, [x, y]] of corners.entries()) {
      await page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 4 });
      if (i === 0) await page.mouse.down();
    }
    await page.mouse.up();
    const selection = page.getByRole("group", { name: "Selected nodes" });
    await selection.getByText("2,708 nodes selected").waitFor(patience);
    const button = selection.getByRole("button", { name: "Download their ids" });
    const [download] = await Promise.all([page.waitForEvent("download", patience), button.click()]);
    const [head, ...lines] = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
    expect(head).toBe("id");
    expect(new Set(lines)).toEqual(new Set(ids.map(String)));
  });

  it("hands out a Parquet file with each original id once", async () => {
    const link = page.getByRole("link", { name: /^Parquet/ }).first();
    const [download] = await Promise.all([page.waitForEvent("download", patience), link.click()]);
    const rows = await readParquet(await download.path());
    expect(rows).toHaveLength(2708);
    expect(new Set(rows.map(({ id }) => String(id)))).toEqual(new Set(readCora().ids));
  });

  it("does all this without a complaint in the console, a breach of the security policy or a foreign request", () => {
    expect(watched.complaints).toEqual([]);
    expect(watched.foreign).toEqual([]);
  });
});

/** One screen of the page, for the documentation. */
async function takeImage(page: Page, name: string): Promise<void> {
  if (!makesImages) return;
  const usual = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 1280, height: 1080 });
  await page.evaluate("scrollTo(0, 0)");
  mkdirSync(imagesDir, { recursive: true });
  await page.screenshot({ path: join(imagesDir, `${name}.png`), animations: "disabled" });
  await page.setViewportSize(usual);
}
