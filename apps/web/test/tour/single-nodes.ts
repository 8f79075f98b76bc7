import { expect, test } from "vitest";
import { expectWidth, takeShot } from "../support/browser.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { patience } from "../support/patience.ts";
import { trapIds } from "../support/small-graph.ts";
import type { Tour } from "./tour.ts";

/** Single nodes of the kept model, asked about by keys alone; begins after modelsLiveOn, and ends where it began. */
export function singleNodesAreAsked(tour: Tour): void {
  test("why a node has its class is asked by keys, drawn, and told in tables", async () => {
    const { page } = tour;
    const keys = keyboardOf(page);
    await openModel(tour);
    const [, , , , octopus = ""] = trapIds;
    await keys.type(page.getByLabel("Node id"), octopus);
    await page.keyboard.press("Enter");
    const lookup = page.getByRole("region", { name: "Look up a node" });
    await lookup.getByRole("table", { name: `Nearest nodes to ${octopus}` }).waitFor(patience);
    // Its place in the graph makes it a bird: of three classes, the one that its number leaves.
    expect(await valueOf(tour, "Look up a node", "predicted")).toBe("bird");
    await keys.press(page.getByRole("button", { name: "Explain the class" }));
    const why = page.getByRole("region", { name: `Why ${octopus} has its class` });
    expect(await why.evaluate((element) => element === document.activeElement), "keys go on from here").toBe(true);
    const features = why.getByRole("table", { name: /^Features that decide, 3 of 3/ });
    await features.waitFor(patience);
    expect((await features.getByRole("rowheader").allInnerTexts()).toSorted()).toEqual(["f0", "f1", "f2"]);
    const weights = (await features.locator("tbody td").allInnerTexts()).map(Number);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    const edges = why.getByRole("table", { name: /^Edges that decide, / });
    const decisive = await edges.getByRole("rowheader").allInnerTexts();
    expect(
      decisive.some((edge) => edge.endsWith(`→ ${octopus}`)),
      decisive.join(),
    ).toBe(true);
    expect(await why.getByRole("img").count()).toBe(1);
    await takeShot(page, "23-explained-class");
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390, "the model's page with an explanation");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("a new node is typed as JSON with the model's columns, refused with its place, and predicted", async () => {
    const { page, watched } = tour;
    const keys = keyboardOf(page);
    const panel = page.getByRole("region", { name: "Ask about a new node" });
    const field = panel.getByLabel("Node as JSON, or a list of nodes");
    const example = '{"id": "new", "features": {"f0": 0, "f1": 0, "f2": 0}, "edges": [{"to": "a node"}]}';
    expect(await field.getAttribute("placeholder")).toBe(example);
    const predict = panel.getByRole("button", { name: "Predict" });
    const ask = async (text: string) => {
      await keys.tabTo(field);
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
      await keys.press(predict);
    };
    await ask("{oops");
    await panel.getByText(/^This is no JSON: /).waitFor(patience);
    await ask('{"id": "new", "features": {"f0": 0, "f1": 0}}');
    await panel.getByText("at /nodes/0/features/f2").waitFor(patience);
    // Chromium itself says of every answer with 422 that it could not load it.
    expect(watched.complaints.splice(0)).toEqual([expect.stringContaining("422")]);
    // Known nodes and features of one class after the other.
    for (const [i, label] of ["fish", "bird", "plant"].entries()) {
      const features = Object.fromEntries([0, 1, 2].map((c) => [`f${c}`, c === i ? 1.5 : 0.5]));
      const edges = [`n${i}`, `n${i + 3}`, `n${i + 6}`].map((to) => ({ to }));
      await ask(JSON.stringify({ id: `new ${label}`, features, edges }));
      await panel.getByText(`new ${label}`, { exact: true }).waitFor(patience);
      await expect.poll(() => valueOf(tour, "Ask about a new node", "predicted"), patience).toBe(label);
    }
    await takeShot(page, "23-new-node");
  });

  test("the tour goes on at the embeddings", async () => {
    const { page } = tour;
    await page.goBack();
    await page.goBack();
    await page.locator('[data-renderer="webgl"]').waitFor(patience);
  });
}

async function openModel({ page }: Tour): Promise<void> {
  await page.locator("#main").focus();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.getByRole("heading", { name: "Models", level: 1 }).waitFor(patience);
  await keyboardOf(page).press(page.getByRole("link", { name: "animals@1", exact: true }));
  await page.getByRole("heading", { name: "animals@1", level: 1 }).waitFor(patience);
}

/** What stands below a label among the facts of a panel. */
function valueOf({ page }: Tour, panel: string, label: string): Promise<string> {
  const facts = page.getByRole("region", { name: panel });
  return facts
    .locator("dt", { hasText: new RegExp(`^${label}$`) })
    .locator("xpath=following-sibling::dd")
    .innerText();
}
