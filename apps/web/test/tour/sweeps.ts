import { expect, test } from "vitest";
import { expectWidth, takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** Two settings with a seed each, started as one from the form, and the better one kept; ends where it began. */
export function sweepIsCompared(tour: Tour): void {
  test("a sweep is started from the form, compared on its page, and its best is kept", async () => {
    const { page, stack } = tour;
    const before = page.url();
    await page.goto(`${stack.url}/jobs/new`);
    await page.getByLabel("Job name").fill("widths");
    await page.getByLabel("Epochs", { exact: true }).fill("3");
    await page
      .locator("summary")
      .filter({ hasText: /^Sweep/ })
      .click();
    const search = page.getByRole("checkbox", { name: "Find model and settings" });
    await search.check();
    await page.getByRole("button", { name: "Start the search" }).waitFor(patience);
    expect(await page.getByLabel("Request text").textContent()).toContain("PT10M");
    await search.uncheck();
    await page.getByRole("button", { name: "Vary a field" }).click();
    await page.getByPlaceholder("train.optimizer.options.lr").fill("model.options.hiddenFeats");
    await page.keyboard.press("Escape");
    await page.getByPlaceholder("0.01, 0.003").fill("4, 8");
    await page.getByRole("textbox", { name: "Seeds" }).fill("1");
    await takeShot(page, "23-sweep-form");
    await page.getByRole("button", { name: "Start 2 trainings" }).click(patience);
    await page.getByRole("heading", { name: "widths", level: 1 }).waitFor(patience);
    await page.getByRole("status").getByText("2 of 2 jobs done").waitFor(patience);
    await page.getByText(/^The best of 2 settings .* is hiddenFeats [48]:/).waitFor(patience);
    expect(await page.getByRole("table", { name: "Settings" }).getByRole("row").count()).toBe(1 + 2);
    await takeShot(page, "23-sweep");
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("button", { name: "Keep the best" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("heading", { name: "widths@1", level: 1 }).waitFor(patience);
    await page.goto(`${stack.url}/sweeps`);
    await page.getByRole("link", { name: "widths" }).waitFor(patience);
    await page.goto(before);
    await page.locator('[data-renderer="webgl"]').waitFor(patience);
  });
}
