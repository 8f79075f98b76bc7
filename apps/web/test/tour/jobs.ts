import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** Where the page of a job says its state. */
export function jobState(page: Page, state: string): Locator {
  return page.getByRole("status", { name: "State of the job" }).getByText(state);
}

/**
 * Fills the form of the only dataset and starts; its preset has no early stopping, so the epochs are what was asked.
 */
export async function startJob(
  { page, stack }: Tour,
  name: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  await page.goto(`${stack.url}/jobs/new`);
  await page.getByLabel("Job name").fill(name);
  await page.locator("summary").filter({ hasText: "Advanced" }).click();
  await page
    .locator("summary")
    .filter({ hasText: /^Training/ })
    .click();
  const training = page.locator("details details").filter({ hasText: "Early stopping" });
  for (const [label, value] of Object.entries(fields)) {
    const place = label === "Epochs" ? page : training;
    await place.getByLabel(label, { exact: true }).fill(value);
  }
  expect(await page.getByLabel("Early stopping").isChecked()).toBe(false);
  await page.getByLabel("Ranks", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Start training" }).click();
  await page.getByRole("list", { name: "Stages" }).waitFor(patience);
}
