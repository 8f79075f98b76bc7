import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** What the form of a job shows, and how its fields are typed in. */
export function jobIsFilledIn(tour: Tour): void {
  test("the job form shows the estimate and the request, and an error at the field that it means", async () => {
    const { page, watched } = tour;
    await page.getByRole("link", { name: "Train on this" }).click();
    await page.getByLabel("Job name").fill("e2e");
    await page.getByLabel("Epochs", { exact: true }).fill("25");
    await page.getByLabel("Ranks", { exact: true }).fill("2");
    await page.getByText("Memory per rank").waitFor(patience);
    expect(await page.getByLabel("Request text").textContent()).toContain('"ranks": 2');

    await page.locator("summary").filter({ hasText: "Advanced" }).click();
    await page.getByLabel("Find a setting").pressSequentially("hidden features");
    const width = page.getByLabel("Hidden features", { exact: true });
    const before = await width.inputValue();
    await width.fill("0");
    await page.locator('[aria-invalid="true"]').waitFor(patience);
    expect(await width.getAttribute("aria-invalid")).toBe("true");
    await takeShot(page, "06-job-form-error");
    await width.fill(before);
    await page.getByText("Memory per rank").waitFor(patience);
    await takeShot(page, "07-job-form");
    // The refused estimates are no complaint of the page.
    watched.complaints.length = 0;
  });

  test("numbers are typed key by key, in any notation, and their range is said meanwhile", async () => {
    const { page, watched } = tour;
    const request = () => page.getByLabel("Request text").textContent();
    const type = async (label: string, keys: string) => {
      const field = page.getByLabel(label, { exact: true });
      await field.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.type(keys);
      return field;
    };
    await type("Find a setting", "optimizer");
    const rate = await type("Learning rate", "0.05");
    expect(await rate.inputValue()).toBe("0.05");
    expect(await request()).toContain('"lr": 0.05');
    await type("Weight decay", "1e-4");
    expect(await request()).toContain('"weightDecay": 0.0001');
    const epochs = await type("Epochs", "-5");
    await page.getByText("Found -5, expected 1 to 100000.").waitFor(patience);
    expect(await epochs.getAttribute("aria-invalid")).toBe("true");
    await type("Epochs", "150");
    expect(await request()).toContain('"epochs": 150');
    await page.keyboard.press("Tab");
    expect(await epochs.inputValue()).toBe("150");
    await type("Epochs", "25");
    // The refused estimates are no complaint of the page.
    watched.complaints.length = 0;
  });
}
