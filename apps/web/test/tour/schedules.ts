import { expect, test } from "vitest";
import type { SourceServer } from "../../../api/test/imports/support/source-server.ts";
import { expectWidth, takeShot } from "../support/browser.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** An import is fetched again by schedule, without a mouse. */
export function importsAreScheduled(tour: Tour, source: () => SourceServer): void {
  test("an import is scheduled, paused, resumed and its schedule deleted by keys alone", async () => {
    const { page, stack, watched } = tour;
    const keys = keyboardOf(page);
    source().files.set("/roads.csv", { bytes: Buffer.from("src,dst\na,b\nb,c\nc,d\n"), etag: '"1"' });
    await page.goto(`${stack.url}/datasets/new`);
    await keys.type(page.getByLabel("Addresses of files"), source().url("/roads.csv"));
    await keys.press(page.getByRole("button", { name: "Fetch and continue" }));
    const row = page.getByRole("article", { name: "Import of roads.csv" });
    await keys.press(row.getByRole("button", { name: "Fetch regularly" }));

    // An expression that is none is refused beside the form, which stays as it was.
    await keys.tabTo(row.locator("input").first());
    await page.keyboard.press("ArrowDown");
    const byCron = page.getByRole("option", { name: "By a cron expression" });
    await byCron.waitFor(patience);
    for (let presses = 0; presses < 6 && (await byCron.getAttribute("data-combobox-selected")) === null; presses++)
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const expression = row.getByLabel("Minute, hour, day, month, weekday");
    await keys.tabTo(expression);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("* * * * *");
    await keys.press(row.getByRole("button", { name: "Schedule", exact: true }));
    await row.getByText("expected 15 min or more").waitFor(patience);
    watched.complaints.length = 0;
    await keys.tabTo(expression);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("30 6 * * MON");
    await keys.press(row.getByRole("button", { name: "Schedule", exact: true }));

    const schedule = page.getByRole("article", { name: /^Schedule at 30 6 \* \* MON/ });
    await schedule.getByText(/^Next at /).waitFor(patience);
    expect(await schedule.innerText()).toContain(source().url("/roads.csv"));
    expect(await row.getByRole("button", { name: "Fetch regularly" }).count(), "one schedule is enough").toBe(0);
    // Another import of the same addresses, by hand, has the same schedule.
    await keys.press(row.getByRole("button", { name: "Fetch again" }));
    await page.waitForFunction(
      () => document.querySelectorAll('article[aria-label="Import of roads.csv"]').length === 2,
      undefined,
      patience,
    );
    await row.first().getByText("Fetched again at 30 6 * * MON").waitFor(patience);
    await row.last().getByText("Fetched again at 30 6 * * MON").waitFor(patience);
    expect(await row.getByRole("button", { name: "Fetch regularly" }).count(), "nor for its second import").toBe(0);
    await takeShot(page, "25-schedule");
    await page.setViewportSize({ width: 400, height: 800 });
    await expectWidth(page, 400);
    await page.setViewportSize({ width: 1280, height: 900 });
    await keys.press(schedule.getByRole("button", { name: "Pause" }));
    await schedule.getByText("It is paused.").waitFor(patience);
    await keys.press(schedule.getByRole("button", { name: "Resume" }));
    await schedule.getByText(/^Next at /).waitFor(patience);
    await keys.press(schedule.getByRole("button", { name: "Delete schedule" }));
    await schedule.waitFor({ ...patience, state: "detached" });
    await row.first().getByRole("button", { name: "Fetch regularly" }).waitFor(patience);
  });
}
