import { expect, test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import { jobState, startJob } from "./jobs.ts";
import type { Tour } from "./tour.ts";

/** Services that are killed, jobs that wait, are cancelled or deleted. */
export function jobsAreDisturbed(tour: Tour): void {
  test("a page whose API is killed says so, catches up by cursor and draws every epoch once", async () => {
    const { page, stack, watched } = tour;
    await startJob(tour, "long", { Epochs: "190" });
    await page.getByRole("region", { name: "Learning" }).locator("canvas").first().waitFor(patience);
    process.kill(await stack.pidOf("api"), "SIGKILL");
    await page.getByText("The connection was lost").waitFor(patience);
    await takeShot(page, "11-reconnecting");
    await page.getByText("Live", { exact: true }).or(jobState(page, "Succeeded")).first().waitFor(patience);
    await jobState(page, "Succeeded").waitFor(patience);
    const curve = await page.getByText(/^Loss, training: \d+ points/).textContent();
    expect(curve).toContain("Loss, training: 190 points");
    // The failed requests while there was no API are in the console.
    watched.complaints.length = 0;
  });

  test("a page opened after the end shows the newest log lines, and the first ones when asked", async () => {
    const { page } = tour;
    await page.goto(`${page.url()}?tab=log`);
    const log = page.getByRole("log", { name: "Log" });
    await log.getByText("Results exported").waitFor(patience);
    const started = log.getByText("Training started");
    expect(await started.count()).toBe(0);
    const earlier = log.getByRole("button", { name: "Earlier lines" });
    while (await earlier.isVisible()) {
      const lines = await log.locator("> div").count();
      await earlier.click();
      await expect.poll(() => log.locator("> div").count(), patience).toBeGreaterThan(lines);
    }
    expect(await started.count()).toBe(1);
  });

  test("a worker that is killed is told as an incident, and the job ends in another attempt", async () => {
    const { page, stack } = tour;
    await startJob(tour, "killed", { Epochs: "120", Seed: "1" });
    await page.getByText(/^Loss, training: (\d{2,}|[5-9]) points/).waitFor({ ...patience, state: "attached" });
    process.kill(await stack.pidOf("worker"), "SIGKILL");
    const happened = page.getByRole("region", { name: "What happened" });
    await happened.getByText("Attempt 2 started").waitFor(patience);
    expect(await happened.innerText()).toMatch(/It resumed from epoch \d+/);
    await jobState(page, "Succeeded").waitFor(patience);
    await takeShot(page, "12-incident");
    const failures = happened.getByRole("switch", { name: /^Only the (failure|\d+ failures) of \d+ entries$/ });
    await failures.press("Space");
    await happened.getByText("Attempt 2 started").waitFor({ ...patience, state: "detached" });
    await failures.press("Space");
    await happened.getByText("Attempt 2 started").waitFor(patience);
  });

  test("a training is ended after a question, and has its results", async () => {
    const { page } = tour;
    await startJob(tour, "long enough", { Epochs: "5000", Seed: "3" });
    await page.getByRole("region", { name: "Learning" }).locator("canvas").first().waitFor(patience);
    await page.getByRole("button", { name: "End training here" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The best weights so far become its model").waitFor(patience);
    await takeShot(page, "13-end-training");
    await dialog.getByRole("button", { name: "End the training" }).press("Enter");
    await jobState(page, "Succeeded").waitFor(patience);
    await page.getByRole("link", { name: "Embeddings and downloads" }).waitFor(patience);
    await page.goto(`${page.url()}?tab=log`);
    await page.getByRole("log", { name: "Log" }).getByText("Training ends here, as was asked").waitFor(patience);
    await page.goto(page.url().replace("?tab=log", ""));
    await page.getByRole("note").filter({ hasText: "Training was told to end early" }).waitFor(patience);
  });

  test("a job is cancelled after a question, and one that waited for it says why and goes on", async () => {
    const { page } = tour;
    await startJob(tour, "waiting's cause", { Epochs: "5000" });
    await page.getByRole("region", { name: "Learning" }).locator("canvas").first().waitFor(patience);
    const running = page.url();
    await startJob(tour, "waiting", { Epochs: "3", Seed: "2" });
    const waiting = page.url();
    await page.getByText("Waiting, number 1 in the queue").waitFor(patience);
    await takeShot(page, "13-waiting");

    await page.goto(running);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await takeShot(page, "13-cancel");
    await page.getByRole("button", { name: "Cancel the job" }).click();
    await jobState(page, "Cancelled").waitFor(patience);
    await page.goto(waiting);
    await jobState(page, "Succeeded").waitFor(patience);
    expect(await page.getByText("in the queue").count()).toBe(0);
  });

  test("an ended job is deleted after a question, and only it is gone", async () => {
    const { page } = tour;
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete this job…" }).click();
    await page.getByRole("dialog").getByText("The dataset stays").waitFor(patience);
    await takeShot(page, "13-delete");
    const deleted = page.url();
    await page.getByRole("button", { name: "Delete the job" }).click();
    const jobs = page.getByRole("table", { name: "Jobs" });
    await jobs.getByRole("link", { name: "waiting's cause" }).waitFor(patience);
    expect(await jobs.getByRole("link", { name: "waiting", exact: true }).count()).toBe(0);
    await page.goto(deleted);
    await page.getByText("There is no such job").waitFor(patience);
  });
}
