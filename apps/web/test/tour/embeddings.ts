import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import { smallGraph, trapIds } from "../support/small-graph.ts";
import type { Tour } from "./tour.ts";

const graph = smallGraph();

/** The map, and what comes down. */
export function embeddingsAreSeen(tour: Tour): void {
  test("the embeddings are drawn with WebGL and come down under the user's own ids", async () => {
    const { page } = tour;
    await page.getByRole("link", { name: "Embeddings and downloads" }).click();
    await page.locator('[data-renderer="webgl"]').waitFor(patience);
    await page.getByRole("group", { name: "Classes" }).getByText("bird").waitFor(patience);
    await takeShot(page, "10-embeddings");
    expect(graph.ids).toContain(await idUnderPointer(page));

    const parquet = await downloaded(page, () =>
      page
        .getByRole("link", { name: /^Parquet/ })
        .first()
        .click(),
    );
    expect((await readFile(await parquet.path())).subarray(0, 4).toString()).toBe("PAR1");
    const made = await downloaded(page, () => page.getByRole("button", { name: "Make CSV" }).first().click());
    const lines = (await readFile(await made.path(), "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(1 + graph.ids.length);
    for (const id of trapIds) {
      const written = id.includes(",") ? `"${id.replaceAll('"', '""')}"` : id;
      expect(lines.filter((line) => line.startsWith(`${written},`) || line.startsWith(`"${written}",`))).toHaveLength(
        1,
      );
    }
  });

  test("the map of another run stands beside it, and the address holds the choice", async () => {
    const { page } = tour;
    const other = page.getByRole("combobox", { name: "Beside the map of another run" });
    await other.focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("[role=option]").first().waitFor(patience);
    // Opened before its options have come, a list has none marked; just opened, it does not yet take the key.
    const marked = page.locator("[role=option][data-combobox-selected]");
    const choose = async () => {
      if (page.url().includes("with=")) return page.url();
      await page.keyboard.press((await marked.count()) === 0 ? "ArrowDown" : "Enter");
      return page.url();
    };
    // Far enough apart for the address to follow: the same key again would take the choice back.
    await expect.poll(choose, { ...patience, interval: 1000 }).toContain("with=");
    const maps = page.locator('[data-renderer="webgl"]');
    await expect.poll(() => maps.count(), patience).toBe(2);
    await page.reload();
    await expect.poll(() => maps.count(), patience).toBe(2);
    // Both change their layout together; beside another, a map begins with what can be turned to lie alike.
    const axes = page.getByRole("radio", { name: "Principal components" });
    await expect.poll(() => axes.count(), patience).toBe(2);
    expect(await Promise.all([0, 1].map((map) => axes.nth(map).isChecked()))).toEqual([true, true]);
    await takeShot(page, "10-two-maps");
    await page.goBack();
    await page.getByRole("link", { name: "Embeddings and downloads" }).click();
    await maps.waitFor(patience);
  });

  test("a browser without WebGL draws the same map on a 2-D canvas", async () => {
    const { page } = tour;
    const plain = await page.context().newPage();
    await plain.addInitScript(`{
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more);
      };
    }`);
    // Nor does it matter whether the page can be told who looks at it: only no file can be made then.
    await plain.route("**/graphql", (route) =>
      route.request().postData()?.includes("query Viewer")
        ? route.fulfill({ json: { data: null, errors: [{ message: "It cannot be told." }] } })
        : route.fallback(),
    );
    await plain.goto(page.url());
    await plain.locator('[data-renderer="canvas"]').waitFor(patience);
    expect(await plain.getByRole("button", { name: "Make CSV" }).isDisabled()).toBe(true);
    await takeShot(plain, "10-embeddings-canvas");
    await plain.close();
  });
}

async function downloaded(at: Page, click: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([at.waitForEvent("download", patience), click()]);
  return download;
}

/** The id that the map shows of the first point that the pointer comes across. */
async function idUnderPointer(page: Page): Promise<string | null> {
  const canvas = page.locator("[data-renderer] canvas");
  const tip = page.getByRole("tooltip").locator("p").first();
  const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
  for (let y = 10; y < height; y += 15) {
    for (let x = 10; x < width; x += 15) {
      await canvas.hover({ position: { x, y } });
      if ((await tip.count()) > 0) return tip.textContent();
    }
  }
  return null;
}
