import { test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** A file that cannot be read. */
export function brokenFileIsNamed(tour: Tour): void {
  test("a row that does not fit is named with its file and line", async () => {
    const { page, stack } = tour;
    await page.goto(`${stack.url}/datasets/new`);
    await page.getByLabel("Dataset name").fill("broken");
    await page
      .locator('input[type="file"]')
      .setInputFiles([{ name: "edges.csv", mimeType: "text/csv", buffer: Buffer.from("src,dst\na,b\nb,c\nc\n") }]);
    await page.getByRole("button", { name: "Upload and continue" }).click();
    const file = page.getByRole("region", { name: "File edges.csv" });
    await file
      .getByRole("alert")
      .getByText(/edges\.csv, line 4: found 1 columns, expected 2/)
      .waitFor(patience);
    // The way on is on the same page.
    await page.getByRole("button", { name: "Add files" }).waitFor(patience);
    await takeShot(page, "14-broken-dataset");
  });
}
