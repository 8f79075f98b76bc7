import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** What the keyboard does on every page. */
export function keysLeadEverywhere(tour: Tour): void {
  test("Ctrl-K finds jobs, pages and actions by typing and goes there", async () => {
    const { page, stack } = tour;
    const selected = () => page.getByRole("option", { selected: true }).innerText();
    await page.goto(`${stack.url}/workers`);
    await page.getByRole("heading", { name: "Workers", level: 1 }).waitFor(patience);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search jobs, datasets, pages and actions" });
    await field.waitFor(patience);
    await page.getByRole("listbox").getByText("Jobs", { exact: true }).first().waitFor(patience);
    await takeShot(page, "20-palette");
    await page.keyboard.type("api ke");
    await expect.poll(selected, patience).toBe("API keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor(patience);
    await page.keyboard.press("Control+k");
    await field.waitFor(patience);
    await page.keyboard.type("use dark");
    await expect.poll(selected, patience).toBe("Use dark colours");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("dark");
    await page.getByRole("button", { name: "Search everything" }).click();
    await field.waitFor(patience);
    await page.keyboard.type("use light");
    await expect.poll(selected, patience).toBe("Use light colours");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("light");
    await field.waitFor({ ...patience, state: "detached" });
  });

  test("g j, g d, / and ? lead where the sheet says, but not while somebody types", async () => {
    const { page } = tour;
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.waitFor(patience);
    await takeShot(page, "20-shortcuts");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ ...patience, state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor(patience);
    await page.keyboard.press("/");
    const search = page.getByLabel("Name or id");
    await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type("gd?/");
    expect(await search.inputValue()).toBe("gd?/");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/jobs");
    await search.fill("");
    await page.getByRole("heading", { name: "Jobs", level: 1 }).click();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Datasets", level: 1 }).waitFor(patience);
  });
}
