import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { patience } from "../support/patience.ts";
import { trapIds } from "../support/small-graph.ts";
import { jobState } from "./jobs.ts";
import type { Tour } from "./tour.ts";

/** A model of links of the dataset that is there, its new neighbours, and it applied for others; ends anywhere. */
export function linksAreLearnt(tour: Tour): void {
  test("links are learnt, and a model that is applied lists as many new neighbours as are asked for", async () => {
    const { page, stack } = tour;
    const keys = keyboardOf(page);
    await page.goto(`${stack.url}/jobs/new`);
    const task = page.getByRole("combobox", { name: "What to predict" }).or(page.getByLabel("What to predict"));
    await task.first().click();
    await page.getByRole("option", { name: "Links between nodes" }).click();
    await keys.type(page.getByLabel("Job name"), "links");
    await keys.tabTo(page.getByLabel("Epochs", { exact: true }));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("3");
    await keys.press(page.getByRole("button", { name: "Start training" }));
    await page.getByRole("list", { name: "Stages" }).waitFor(patience);
    await jobState(page, "Succeeded").waitFor(patience);
    expect(await neighborsOf(tour)).toBe(10);

    await keys.press(page.getByRole("button", { name: "Keep the model" }));
    await page.getByRole("dialog").getByLabel("Name").waitFor(patience);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "links@1", level: 1 }).waitFor(patience);
    await keys.press(page.getByRole("button", { name: "Apply links@1" }));
    const dialog = page.getByRole("dialog");
    await keys.type(dialog.getByLabel("New neighbours of each node"), "2");
    await dialog.getByText("empty: 10, as in its training").waitFor(patience);
    await takeShot(page, "28-apply-links");
    await keys.press(dialog.getByRole("button", { name: "Apply it" }));
    await page.getByRole("heading", { name: /^links@1 on /, level: 1 }).waitFor(patience);
    await jobState(page, "Succeeded").waitFor(patience);
    expect(await neighborsOf(tour)).toBe(2);
    await takeShot(page, "28-new-neighbors");
  });
}

/** How many new neighbours the page of a job lists of a node. */
async function neighborsOf({ page }: Tour): Promise<number> {
  const [id = ""] = trapIds;
  const panel = page.getByRole("region", { name: "New neighbours" });
  await keyboardOf(page).type(panel.getByLabel("Node id"), id);
  await page.keyboard.press("Enter");
  const table = panel.getByRole("table", { name: `New neighbours of ${id}` });
  await table.waitFor(patience);
  return table.locator("tbody tr").count();
}
