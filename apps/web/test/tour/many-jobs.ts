import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** What is done with many jobs at once, and with ways to look at them. */
export function manyJobsAreHandled(tour: Tour): void {
  test("ticked jobs are tagged and deleted together, and a deletion is taken back", async () => {
    const { page, stack } = tour;
    const keyboard = keyboardOf(page);
    await page.goto(`${stack.url}/jobs`);
    const boxes = page.getByRole("checkbox", { name: /^Choose / });
    await boxes.nth(1).waitFor(patience);
    const before = await boxes.count();
    for (const box of [boxes.nth(0), boxes.nth(1)]) {
      await box.focus();
      await page.keyboard.press("Space");
    }
    const chosen = page.getByRole("group", { name: "Chosen jobs" });
    await keyboard.press(chosen.getByRole("button", { name: "Tag" }));
    await keyboard.type(page.getByRole("textbox", { name: "Tag" }), "kind: smoke test");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Tag" }).waitFor({ ...patience, state: "detached" });
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Tags" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByText("kind: smoke test").count(), patience).toBe(2);

    await keyboard.press(chosen.getByRole("button", { name: "Delete 2" }));
    await expect.poll(() => boxes.count(), patience).toBe(before - 2);
    await takeShot(page, "21-undo");
    await page.getByText("2 jobs are deleted").waitFor(patience);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await expect.poll(() => boxes.count(), patience).toBe(before);
  });

  test("how the list is looked at is saved under a name, and comes back after a reload", async () => {
    const { page, stack } = tour;
    const keyboard = keyboardOf(page);
    await page.goto(`${stack.url}/jobs?state=succeeded&sort=model`);
    await page
      .getByRole("checkbox", { name: /^Choose / })
      .first()
      .waitFor(patience);
    await keyboard.press(page.getByRole("button", { name: "Views" }));
    await keyboard.type(page.getByLabel("Name of the view"), "good ones");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "good ones", exact: true }).waitFor(patience);
    await page.goto(`${stack.url}/jobs`);
    await keyboard.press(page.getByRole("button", { name: "Views" }));
    await keyboard.press(page.getByRole("button", { name: "good ones", exact: true }));
    await expect.poll(() => new URL(page.url()).search, patience).toBe("?state=succeeded&sort=model");
  });
}
