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

    await page.getByRole("region", { name: "Result" }).getByText("Accuracy, test").waitFor(patience);
    expect(await page.title()).toBe("✓ e2e · Hopwise");
    expect(await page.getByRole("region", { name: "Learning" }).locator("canvas").count()).toBe(2);
    const head = page.getByRole("region", { name: "At a glance" });
    expect(await head.innerText()).toMatch(/Finished in .*Accuracy, test\s+\d+\.\d %.*best validation.*epoch \d+/s);
    await takeShot(page, "09-job-done");
  });

  test("a note on a job is typed, kept and there after a reload", async () => {
    const { page } = tour;
    const note = page.getByRole("textbox", { name: "Note" });
    await note.click();
    await page.keyboard.type("Two ranks: no gain over one.");
    await page.getByRole("button", { name: "Save the note" }).click();
    await page.getByRole("button", { name: "Save the note" }).waitFor({ state: "detached", ...patience });
    await page.reload();
    await expect.poll(() => note.inputValue(), patience).toBe("Two ranks: no gain over one.");
  });

  test("the views of a job have addresses, and Back leads to the one before", async () => {
    const { page } = tour;
    const views = page.getByRole("navigation", { name: "Views of the job" });
    const ranks = page.getByRole("table", { name: "Ranks" });
    await views.getByRole("link", { name: "Ranks" }).click();
    await ranks.waitFor(patience);
    expect(await ranks.locator("tbody tr").count()).toBe(2);
    const use = page.getByRole("region", { name: "Use over time" });
    await use.getByRole("figure").filter({ hasText: "Memory" }).getByText("rank 1", { exact: true }).waitFor(patience);
    await views.getByRole("link", { name: "Partition" }).click();
    await page.getByRole("table", { name: "Parts" }).waitFor(patience);
    expect(await page.getByRole("table", { name: "Parts" }).locator("tbody tr").count()).toBe(2);
    await page.goBack();
    await ranks.waitFor(patience);
    expect(new URL(page.url()).search).toBe("?tab=ranks");
    await views.getByRole("link", { name: "Checkpoints" }).click();
    await page.getByRole("table", { name: "Checkpoints" }).waitFor(patience);
  });

  test("charts show the figures under the pointer together, and a zoom stays until it is reset", async () => {
    const { page } = tour;
    await page.getByRole("navigation", { name: "Views of the job" }).getByRole("link", { name: "Metrics" }).click();
    const charts = page.getByRole("region", { name: "Metrics", exact: true });
    const plots = charts.locator(".u-over");
    await plots.first().hover({ position: { x: 150, y: 80 } });
    await expect.poll(() => charts.getByRole("tooltip").count(), patience).toBe(await plots.count());
    const { x, y } = (await plots.first().boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 60, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + 160, y + 60, { steps: 4 });
    await page.mouse.up();
    const reset = charts.getByRole("button", { name: "Reset zoom" });
    await expect.poll(() => reset.isEnabled(), patience).toBe(true);
    await charts.getByLabel("Log scale").click();
    expect(await reset.isEnabled(), "another scale keeps the zoom").toBe(true);
    await takeShot(page, "09-job-metrics");
    await reset.click();
    await expect.poll(() => reset.isEnabled(), patience).toBe(false);
    await charts.getByLabel("Filter charts").click();
    await page.keyboard.type("loss");
    await expect.poll(() => plots.count(), patience).toBe(1);
    await page.getByRole("link", { name: "Overview" }).click();
  });

  test("an ended job runs again with more epochs after its last checkpoint, says what differs, and is cloned", async () => {
    const { page } = tour;
    const first = page.url();
    await page.getByRole("button", { name: "Run again" }).click();
    const dialog = page.getByRole("dialog");
    const epochs = dialog.getByLabel("Epochs");
    await epochs.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("none");
    await dialog.getByText('Found "none", expected 1 to 100000.').waitFor(patience);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("28");
    await takeShot(page, "09-run-again");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !first.startsWith(url.origin + url.pathname), patience);
    await jobState(page, "Succeeded").waitFor(patience);
    expect(await page.locator('[data-stage="partition"]').innerText()).toContain("Reused");
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.getByRole("log", { name: "Log" }).getByText("Resumed from a checkpoint").waitFor(patience);
    await page.getByRole("link", { name: "Spec", exact: true }).click();
    const differences = page.getByRole("table", { name: "Differences" });
    await differences.waitFor(patience);
    expect(await differences.innerText()).toMatch(/train\.epochs\s+25\s+28/);
    await page.getByRole("link", { name: "Compare the two" }).click();
    const comparison = page.getByRole("table", { name: "Comparison" });
    await comparison.getByRole("row", { name: /^train\.epochs 25 28/ }).waitFor(patience);
    await page.getByRole("figure", { name: "Accuracy, validation" }).locator("canvas").waitFor(patience);
    await page.getByRole("img", { name: "2 runs over" }).waitFor(patience);
    expect(await comparison.getByRole("row", { name: /^train\.seed/ }).count()).toBe(0);
    await page.getByLabel("Only what differs").focus();
    await page.keyboard.press("Space");
    await comparison.getByRole("row", { name: /^train\.seed/ }).waitFor(patience);
    expect(await comparison.getByRole("img").count(), "a small curve of each run").toBe(2);
    await page.getByLabel("Best smoothed curve first").press("Space");
    await expect.poll(() => new URL(page.url()).searchParams.get("sorted"), patience).toBe("true");
    await takeShot(page, "09-compare");
    await page.getByLabel("Runs as rows").focus();
    await page.keyboard.press("Space");
    await comparison.getByRole("columnheader", { name: "train.epochs" }).waitFor(patience);
    await page.reload();
    await comparison.getByRole("columnheader", { name: "train.epochs" }).waitFor(patience);
    await page.goBack();
    await differences.waitFor(patience);
    await page.getByRole("link", { name: "Checkpoints", exact: true }).click();
    await page.getByRole("link", { name: "Map this epoch" }).first().press("Enter");
    await page.getByText("Memory per rank").waitFor(patience);
    expect(await page.getByLabel("Epochs", { exact: true }).inputValue(), "it trains no further").toBe("28");
    expect(await page.getByLabel("Request text").textContent()).toContain("continueFrom");
    await page.goBack();
    await page.getByRole("link", { name: "Clone" }).click();
    await page.getByText("Memory per rank").waitFor(patience);
    expect(await page.getByLabel("Epochs", { exact: true }).inputValue()).toBe("28");
    expect(await page.getByLabel("Request text").textContent()).not.toContain("continueFrom");
    await page.goBack();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
  });

  test("a run is repeated with any field changed, the estimate says what is reused, and what cannot go on is marked", async () => {
    const { page, watched } = tour;
    const job = page.url();
    await page.getByRole("button", { name: "Run again" }).press("Enter");
    await page.getByRole("dialog").getByRole("link", { name: "Change any field" }).press("Enter");
    await page.getByRole("heading", { name: "Run again with changes" }).waitFor(patience);
    const reused = page.getByRole("group", { name: "What is reused" });
    await reused.waitFor(patience);
    expect(await reused.innerText()).toMatch(/Reused: partition\s+Goes on after epoch 28: train\s+Runs: infer, remap/);
    await page.locator("summary").filter({ hasText: "Advanced" }).click();
    await page.getByLabel("Find a setting").pressSequentially("hidden features");
    await page.getByLabel("Hidden features", { exact: true }).press("Control+A");
    await page.keyboard.type("24");
    await page.getByText("training can only go on with the same, or begin anew").first().waitFor(patience);
    await page.getByRole("button", { name: "Begin training anew instead" }).press("Enter");
    await reused.getByText("Runs:").waitFor(patience);
    expect(await reused.innerText()).toMatch(/Reused: partition\s+Runs: train, infer, remap/);
    await takeShot(page, "09-run-again-changed");
    // The refused estimate is no complaint of the page.
    watched.complaints.length = 0;
    await page.goto(job);
    await jobState(page, "Succeeded").waitFor(patience);
  });

  test("jobs are chosen in their list, by key, and compared", async () => {
    const { page } = tour;
    const job = page.url();
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    const boxes = page.getByRole("checkbox", { name: /^Choose / });
    await boxes.nth(1).waitFor(patience);
    await boxes.first().focus();
    await page.keyboard.press("Space");
    const chosen = page.getByRole("group", { name: "Chosen jobs" });
    await chosen.getByText("1 job chosen").waitFor(patience);
    expect(await chosen.getByRole("link", { name: "Compare" }).count()).toBe(0);
    await boxes.nth(1).focus();
    await page.keyboard.press("Space");
    await chosen.getByText("2 jobs chosen").waitFor(patience);
    await takeShot(page, "09-chosen-jobs");
    await chosen.getByRole("link", { name: "Compare" }).press("Enter");
    const comparison = page.getByRole("table", { name: "Comparison" });
    await comparison.getByRole("row", { name: /^train\.epochs (25 28|28 25)/ }).waitFor(patience);
    await page.goto(job);
    await jobState(page, "Succeeded").waitFor(patience);
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
