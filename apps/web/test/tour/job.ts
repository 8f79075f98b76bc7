import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import { jobState } from "./jobs.ts";
import type { Tour } from "./tour.ts";

/** A job from its start to its end. */
export function jobIsWatched(tour: Tour): void {
  test("a job is watched live to its end, with curves, ranks, partition and result", async () => {
    const { page } = tour;
    await page.getByRole("button", { name: "Start training" }).click();
    await page.getByRole("list", { name: "Stages" }).waitFor(patience);
    await page.getByText("Live", { exact: true }).waitFor(patience);
    await takeShot(page, "08-job-running");
    await page.getByRole("link", { name: "Embeddings and downloads" }).waitFor(patience);
    await page.getByRole("status", { name: "State of the job" }).getByText("Succeeded").waitFor(patience);

    await page.getByRole("region", { name: "Result" }).getByText("test/accuracy").waitFor(patience);
    expect(await page.getByRole("table", { name: "Ranks" }).locator("tbody tr").count()).toBe(2);
    expect(await page.getByRole("table", { name: "Parts" }).locator("tbody tr").count()).toBe(2);
    expect(await page.getByRole("region", { name: "Learning" }).locator("canvas").count()).toBeGreaterThanOrEqual(2);
    await takeShot(page, "09-job-done");
  });

  test("a page that saw the job's last event without its end looks again", async () => {
    const { page } = tour;
    let isFirst = true;
    await page.route("**/graphql", async (route) => {
      if (!isFirst || !route.request().postData()?.includes("query Job(")) return route.fallback();
      isFirst = false;
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"SUCCEEDED"', '"RUNNING"') });
    });
    await page.reload();
    await jobState(page, "Succeeded").waitFor(patience);
    expect(isFirst).toBe(false);
    await page.unroute("**/graphql");
  });
}
