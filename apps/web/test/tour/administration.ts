import { expect, test } from "vitest";
import { expectWidth, takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** Workers, their credentials and keys. */
export function serviceIsLookedAfter(tour: Tour): void {
  test("an admin adds a worker: its credential is shown once, with what starts it, and revoked after a question", async () => {
    const { page, stack, watched } = tour;
    await page.goto(`${stack.url}/workers`);
    const panel = page.getByRole("region", { name: "Add a worker" });
    await panel.getByText("lets anybody in without a password").waitFor(patience);
    await panel.getByLabel("Worker id").pressSequentially("a:b");
    await panel.getByRole("button", { name: "Create credential" }).click();
    await panel.getByText('found "a:b"').waitFor(patience);
    // The refused id is no complaint of the page.
    watched.complaints.length = 0;
    // What was refused is still there.
    await panel.getByLabel("Worker id").press("Control+A");
    await panel.getByLabel("Worker id").pressSequentially("gpu-2");
    await panel.getByRole("button", { name: "Create credential" }).click();
    await panel.getByText("copy it now").waitFor(patience);
    const command = await panel.getByLabel("Command").innerText();
    expect(command).toMatch(/REDIS_URL=redis:\/\/hopwise-worker-gpu-2:hww_[\w-]{43}@.*docker-compose\.worker\.yml/s);
    await panel
      .getByRole("table", { name: "Credentials of workers" })
      .getByText("hopwise-worker-gpu-2")
      .waitFor(patience);
    await takeShot(page, "15-add-worker");
    await page.emulateMedia({ colorScheme: "dark" });
    await takeShot(page, "15-add-worker-dark");
    await page.setViewportSize({ width: 400, height: 800 });
    await expectWidth(page, 400);
    await takeShot(page, "15-add-worker-phone");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await panel.getByLabel("Worker id").pressSequentially("gpu-2");
    await panel.getByRole("button", { name: "Renew its password" }).click();
    await expect.poll(() => panel.getByLabel("Command").innerText(), patience).not.toBe(command);

    await page.reload();
    const revoke = panel.getByRole("button", { name: "Revoke the credential of gpu-2" });
    await revoke.click();
    await takeShot(page, "15-revoke-worker");
    await page.getByRole("button", { name: "Revoke it" }).click();
    await revoke.waitFor({ ...patience, state: "detached" });
    expect(await panel.getByText("hww_").count()).toBe(0);
  });

  test("an admin sets a project's limits and prices by keys alone, and sees what the project used and cost", async () => {
    const { page } = tour;
    await page.getByRole("link", { name: "Projects" }).press("Enter");
    const row = page.getByRole("table", { name: "Projects" }).getByRole("row", { name: /^default/ });
    await row.waitFor(patience);
    await row.getByRole("button", { name: "Limits of default" }).press("Enter");
    const form = page.getByRole("region", { name: "Limits of default" });
    await form.getByLabel("Slots held at once").pressSequentially("8");
    await form.getByLabel("Jobs waiting at once").pressSequentially("many");
    await form.getByText("Expected a number").waitFor(patience);
    expect(await form.getByRole("button", { name: "Set the limits" }).isDisabled()).toBe(true);
    await form.getByLabel("Jobs waiting at once").press("Control+A");
    await form.getByLabel("Jobs waiting at once").pressSequentially("50");
    await form.getByLabel("Jobs waiting at once").press("Enter");
    await row.getByText("0 of 8").waitFor(patience);
    await row.getByText("0 of 50").waitFor(patience);
    const prices = page.getByRole("region", { name: "Prices" });
    await prices.getByLabel("Currency").pressSequentially("EUR");
    await prices.getByLabel("A rank hour costs").pressSequentially("3600");
    await prices.getByLabel("A device hour costs").pressSequentially("0");
    await prices.getByLabel("A device hour costs").press("Enter");
    // Jobs of the tour have held slots for a second at least.
    await expect.poll(() => row.innerText(), patience).toMatch(/[1-9][\d,]*\.\d\d EUR/);
    await takeShot(page, "15-projects");
    await page.getByLabel("Span of time").focus();
    await page.keyboard.press("ArrowDown");
    await row.getByText("0.00 EUR").waitFor(patience);
    await prices.getByRole("button", { name: "Show no costs" }).press("Enter");
    await row.getByText("0.00 EUR").waitFor({ ...patience, state: "detached" });
    await row.getByRole("button", { name: "Limits of default" }).press("Enter");
    for (const name of ["Slots held at once", "Jobs waiting at once"]) {
      await form.getByLabel(name).press("Control+A");
      await form.getByLabel(name).press("Delete");
    }
    await form.getByLabel("Slots held at once").press("Enter");
    await row.getByText("0 of 8").waitFor({ ...patience, state: "detached" });
  });

  test("workers, keys and an unknown address are drawn; a new key is shown once", async () => {
    const { page, stack } = tour;
    await page.getByRole("link", { name: "Workers" }).click();
    const workers = page.getByRole("table", { name: "Workers" });
    await workers.getByText("Online").waitFor(patience);
    await page.getByRole("region", { name: "Queue" }).getByText("No job waits").waitFor(patience);
    await workers.getByRole("button", { name: /^Drain / }).click();
    await workers.getByText("Draining").waitFor(patience);
    await workers.getByRole("button", { name: /work again$/ }).click();
    await workers.getByText("Online").waitFor(patience);
    await takeShot(page, "15-workers");
    await workers.locator('a[href^="/workers/"]').press("Enter");
    const time = page.getByRole("region", { name: "Over time" });
    await time.getByRole("figure").filter({ hasText: "Slots" }).getByText("offered", { exact: true }).waitFor(patience);
    await takeShot(page, "15-worker");
    const log = page.getByRole("region", { name: "Log" });
    const lines = log.getByRole("log");
    // It has been killed before: the lines of both lives are there.
    await lines.getByText("worker is ready").last().waitFor(patience);
    await log.getByLabel("Search").pressSequentially("no line says this");
    await log.getByText("No line fits the filter.").waitFor(patience);
    await log.getByLabel("Search").press("Control+A");
    await log.getByLabel("Search").pressSequentially("READY");
    await lines.getByText("worker is ready").last().waitFor(patience);
    const saved = page.waitForEvent("download");
    await log.getByRole("button", { name: "Download" }).press("Enter");
    expect((await saved).suggestedFilename()).toMatch(/^worker-.*\.log$/);
    await takeShot(page, "15-worker-log");
    await page.getByRole("link", { name: "Its jobs" }).press("Enter");
    await page.getByRole("button", { name: /^On worker / }).waitFor(patience);
    await page.getByRole("table", { name: "Jobs" }).getByRole("link").first().waitFor(patience);
    await page.goBack();
    await page.goBack();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByLabel("Name").fill("nightly");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("copy it now").waitFor(patience);
    const revoke = page.getByRole("button", { name: "Revoke nightly" });
    await revoke.waitFor(patience);
    await takeShot(page, "16-api-keys");
    await revoke.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("refused within a second").waitFor(patience);
    expect(await page.getByText("copy it now").count()).toBe(1);
    await page.getByRole("button", { name: "Revoke it" }).focus();
    await page.keyboard.press("Enter");
    await revoke.waitFor({ ...patience, state: "detached" });
    expect(await page.getByText("copy it now").count(), "a key that is revoked is shown no more").toBe(0);
    await page.goto(`${stack.url}/jobs/job_of_nobody`);
    await page.getByText("There is no such job").waitFor(patience);
  });
}
