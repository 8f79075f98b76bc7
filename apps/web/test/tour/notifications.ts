import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { expectWidth, takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** What has happened, on the page and by webhooks; jobs have ended before. */
export function noticesAreRead(tour: Tour): void {
  test("the bell counts what has happened, each notice leads to its job, and read ones are counted no more", async () => {
    const { page } = tour;
    await page.getByRole("link", { name: /^Notifications, \d+ unread$/ }).click(patience);
    const notices = page.getByRole("list", { name: "Notices" });
    await notices
      .getByText(/is done: Accuracy, test \d+\.\d+ %/)
      .first()
      .waitFor(patience);
    await takeShot(page, "19-notices");
    await page.getByRole("button", { name: /^Mark \d+ as read$/ }).click();
    await page.getByRole("link", { name: "Notifications", exact: true }).waitFor(patience);
    await notices
      .getByText(/is done: /)
      .first()
      .click();
    await page.getByRole("status", { name: "State of the job" }).getByText("Succeeded").waitFor(patience);
  });

  test("a webhook is added, tried and removed; its secret is shown once and its log says what came of it", async () => {
    const { page } = tour;
    const got: (string | undefined)[] = [];
    const receiver = createServer((request, response) => {
      got.push(request.headers["hopwise-event"]?.toString());
      response.writeHead(204).end();
    });
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    await page.getByRole("link", { name: "Notifications", exact: true }).click();
    const panel = page.getByRole("region", { name: "Webhooks" });
    await panel.getByLabel("Name").fill("team chat");
    await panel.getByLabel("Address").fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
    await panel.getByRole("button", { name: "Add webhook" }).click();
    await panel.getByText("copy it now").waitFor(patience);
    await panel.getByRole("button", { name: "Send a test" }).click();
    const log = panel.getByRole("table", { name: "Deliveries to team chat" });
    await log.getByText("Delivered").waitFor(patience);
    expect(got).toEqual(["test"]);
    await takeShot(page, "19-webhooks");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    await takeShot(page, "19-webhooks-dark-phone");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.reload();
    expect(await panel.getByText("whk_").count()).toBe(0);
    await panel.getByRole("button", { name: "Remove team chat" }).click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await panel.getByRole("button", { name: "Remove team chat" }).waitFor({ ...patience, state: "detached" });
    receiver.close();
  });

  test("an address is sent e-mail, tried by keys alone, and refused where it is none", async () => {
    const { page, watched } = tour;
    await page.getByRole("link", { name: /^Notifications/ }).press("Enter");
    const panel = page.getByRole("region", { name: "E-mail" });
    await panel.getByText("It comes from hopwise@house.example.").waitFor(patience);
    await panel.getByLabel("Name").pressSequentially("the team");
    await panel.getByLabel("E-mail address").pressSequentially("team");
    await panel.getByLabel("E-mail address").press("Enter");
    await panel.getByText('Found "team" after mailto:').waitFor(patience);
    // The refused address is no complaint of the page.
    watched.complaints.length = 0;
    await panel.getByLabel("E-mail address").press("End");
    await panel.getByLabel("E-mail address").pressSequentially("@house.example");
    await panel.getByLabel("E-mail address").press("Enter");
    await panel.getByRole("button", { name: "Send a test" }).press("Enter");
    const log = panel.getByRole("table", { name: "Deliveries to the team" });
    await log.getByText("Delivered").waitFor(patience);
    await log.getByText("250").waitFor(patience);
    await takeShot(page, "19-mail");
    await panel.getByRole("button", { name: "Remove the team" }).press("Enter");
    await page.getByRole("button", { name: "Remove it" }).press("Enter");
    await panel.getByRole("button", { name: "Remove the team" }).waitFor({ ...patience, state: "detached" });
  });
}
