import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import { smallGraph } from "../support/small-graph.ts";
import type { Tour } from "./tour.ts";

const graph = smallGraph();

/** Files become a graph. */
export function datasetIsMade(tour: Tour): void {
  test("files are uploaded, their columns recognised, and the graph is built", async () => {
    const { page } = tour;
    await page.getByRole("link", { name: "New dataset" }).click();
    await page.getByLabel("Dataset name").fill("three communities");
    await page.locator('input[type="file"]').setInputFiles([
      { name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from(graph.edges) },
      { name: "nodes.csv", mimeType: "text/csv", buffer: Buffer.from(graph.nodes) },
    ]);
    await takeShot(page, "03-files-chosen");
    await page.getByRole("button", { name: "Upload and continue" }).click();

    const role = (column: string, file: string) => page.getByLabel(`Role of ${column} in ${file}`);
    await role("src", "edges.csv").waitFor(patience);
    await takeShot(page, "04-mapping");
    const chosen = await Promise.all(
      [role("src", "edges.csv"), role("dst", "edges.csv"), role("id", "nodes.csv"), role("label", "nodes.csv")].map(
        (select) => select.inputValue(),
      ),
    );
    expect(chosen).toEqual(["src", "dst", "id", "label"]);
    await page.getByRole("button", { name: "Build the graph" }).click();

    await page.getByRole("link", { name: "Train on this" }).waitFor(patience);
    const facts = await page.getByRole("region", { name: "Graph", exact: true }).innerText();
    expect(facts).toContain(String(graph.ids.length));
    expect(facts).toContain("Text");
    await takeShot(page, "05-dataset");
  });
}
