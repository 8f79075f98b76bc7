import { readFileSync } from "node:fs";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import type { SourceServer } from "../../../api/test/imports/support/source-server.ts";
import { takeShot } from "../support/browser.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

const arrays = new URL("../../../../test/fixtures/numpy/", import.meta.url);

/** Data of others becomes a graph, from a mirror that has a small graph in Reddit's place. */
export function publishedDataIsImported(tour: Tour, source: () => SourceServer): void {
  test("a published data set is imported by a key press, watched while it comes, and leads to its job form", async () => {
    const { page, stack } = tour;
    const letGo = fillMirror(source());
    const keys = keyboardOf(page);
    await page.goto(`${stack.url}/datasets/new`);
    const entries = page.getByRole("table", { name: "Published data sets" }).locator("tbody tr");
    const reddit = entries.filter({ has: page.getByText("Reddit", { exact: true }) });
    await reddit.waitFor(patience);
    expect(await entries.count()).toBeGreaterThan(5);
    const words = await reddit.innerText();
    for (const word of ["Posts that somebody commented on", "232,965", "57,307,946", "not stated"])
      expect(words).toContain(word);
    await takeShot(page, "24-published");
    await keys.press(page.getByRole("button", { name: "Import Reddit" }));

    await page.getByRole("heading", { name: "reddit", level: 1 }).waitFor(patience);
    const shown = page.getByRole("article", { name: /^Import of reddit\.zip/ });
    await shown.getByRole("progressbar", { name: "Fetched" }).waitFor(patience);
    expect(await page.getByText("Choose the files of the graph").count(), "what is fetched is not asked for").toBe(0);
    await takeShot(page, "24-published-fetched");
    letGo();
    const train = page.getByRole("link", { name: "Train on this" });
    await train.waitFor(patience);
    expect(await page.getByRole("region", { name: "Graph", exact: true }).innerText()).toContain("4");
    await takeShot(page, "24-published-graph");
    await keys.press(train);
    await page.getByText("Memory per rank").first().waitFor(patience);
    expect(await page.getByLabel("Dataset", { exact: true }).first().inputValue()).toContain("reddit");
  });

  test("a credential for imports is stored by keys alone, shown nowhere, offered by name, and removed", async () => {
    const { page, stack } = tour;
    const keys = keyboardOf(page);
    await page.goto(`${stack.url}/api-keys`);
    const panel = page.getByRole("region", { name: "Credentials for imports" });
    await keys.type(panel.getByRole("textbox", { name: "Credential" }), "archive");
    await keys.type(panel.getByLabel("Hosts"), "data.example.com, *.example.org");
    await keys.type(panel.getByRole("textbox", { name: "Secret" }), "s3cret-of-the-archive");
    await page.keyboard.press("Enter");
    const row = panel.getByRole("row", { name: /^archive/ });
    await row.waitFor(patience);
    expect(await row.innerText()).toContain("data.example.com, *.example.org");
    expect(await panel.getByRole("textbox", { name: "Secret" }).inputValue()).toBe("");
    expect(await page.content()).not.toContain("s3cret-of-the-archive");
    await takeShot(page, "24-credentials");
    await page.goto(`${stack.url}/datasets/new`);
    await page.getByLabel("Credential", { exact: true }).first().focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: "archive" }).waitFor(patience);
    await page.goto(`${stack.url}/api-keys`);
    await keys.press(panel.getByRole("button", { name: "Revoke the credential archive" }));
    await keys.press(page.getByRole("button", { name: "Revoke it" }));
    await row.waitFor({ ...patience, state: "detached" });
  });
}

/** Puts arrays of four nodes in Reddit's place, which are held back until they are let go. */
function fillMirror(source: SourceServer): () => void {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const names = ["reddit_graph.npz", "reddit_data.npz"];
  const bytes = zipSync(Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, arrays))])));
  source.files.set("/data.dgl.ai/dataset/reddit.zip", { bytes, gate: () => gate });
  return letGo;
}
