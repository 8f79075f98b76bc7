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
    await whatIsInIt(tour);
    await takeShot(page, "05-dataset");
  });
}

/** Columns, first rows and structure of the graph that was built, against the files that it was built from. */
async function whatIsInIt({ page }: Tour): Promise<void> {
  const columns = page.getByRole("table", { name: "Columns" });
  const label = await columns.getByRole("row").filter({ hasText: "label" }).first().innerText();
  expect(label.split(/\s+/).slice(0, 6)).toEqual(["label", "nodes", "label", "text", "0", "3"]);
  expect(await columns.getByRole("img", { name: /^Distribution of f0/ }).count()).toBe(1);
  const rows = page.getByRole("table", { name: "First rows of the nodes" }).locator("tbody tr");
  expect((await rows.first().innerText()).startsWith(graph.ids[0] ?? "")).toBe(true);
  await page.getByText("Edges file").click();
  const [firstEdge = ""] = graph.edges.split("\n").slice(1);
  const edges = page.getByRole("table", { name: "First rows of the edges" }).locator("tbody tr");
  expect((await edges.first().innerText()).split(/\s+/)).toEqual(firstEdge.split(","));
  await page.getByText(/^Edge homophily: of [\d,]+ stored edges/).waitFor(patience);
}
