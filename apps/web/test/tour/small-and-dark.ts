import { expect, test } from "vitest";
import { expectWidth, takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** Narrow screens and dark colours. */
export function pagesFitAPhone(tour: Tour): void {
  test("no page is wider than a phone, and the dark colours are drawn", async () => {
    const { page, stack } = tour;
    const job = page.url().replace("/embeddings", "");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 400, height: 800 });
    const headings = {
      [job]: "e2e",
      [`${job}/embeddings`]: "Embeddings of e2e",
      [`${stack.url}/datasets`]: "Datasets",
    };
    for (const [url, heading] of Object.entries(headings)) {
      await page.goto(url);
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor(patience);
      if (url.endsWith("/embeddings")) await page.locator('[data-renderer="webgl"]').waitFor(patience);
      await expectWidth(page, 400);
      await takeShot(page, `17-phone-${heading.replaceAll(" ", "-")}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${stack.url}/jobs/new`);
    await page.getByText("Memory per rank").waitFor(patience);
    await takeShot(page, "18-dark-form");
    await page.getByRole("button", { name: "Use light colours" }).click();
    expect(await page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("light");
    await page.emulateMedia({ colorScheme: "light" });
  });
}
