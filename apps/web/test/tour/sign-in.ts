import { test } from "vitest";
import { takeShot } from "../support/browser.ts";
import { patience } from "../support/patience.ts";
import type { Tour } from "./tour.ts";

/** Who comes without a session, and by the one-time link. */
export function signIn(tour: Tour): void {
  test("without a session every address leads to the sign-in page, which says why a used link is refused", async () => {
    const { page, stack, watched } = tour;
    await page.goto(`${stack.url}/jobs`);
    await page.getByRole("heading", { name: "Sign in to Hopwise" }).waitFor(patience);
    await page.getByLabel("Sign-in link").fill("hws_neverissued");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("has been used or has expired").waitFor(patience);
    await takeShot(page, "01-sign-in");
    // The refusals above are in the console as failed requests; from here on nothing may complain.
    watched.complaints.length = 0;
  });

  comeByLink(tour);
}

/** Whoever has the link. */
export function comeByLink(tour: Tour): void {
  test("the one-time link signs in and shows that there is nothing yet", async () => {
    const { page, stack } = tour;
    await page.goto(stack.signInLink);
    await page.getByText("No datasets yet").waitFor(patience);
    await takeShot(page, "02-no-datasets");
  });
}
