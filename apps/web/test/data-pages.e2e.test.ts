import { test } from "vitest";
import { patience } from "./support/patience.ts";
import { brokenFileIsNamed } from "./tour/broken-file.ts";
import { openTour, pageNeverComplained } from "./tour/open-tour.ts";
import { publishedDataIsImported } from "./tour/published-data.ts";
import { importsAreScheduled } from "./tour/schedules.ts";

/** A tour of the pages that data come in by. */
const { tour, source } = openTour();

test("whoever comes by the one-time link is signed in", async () => {
  await tour.page.goto(tour.stack.signInLink);
  await tour.page.getByText("No datasets yet").waitFor(patience);
});
brokenFileIsNamed(tour);
publishedDataIsImported(tour, source);
importsAreScheduled(tour, source);
pageNeverComplained(tour);
