import { brokenFileIsNamed } from "./tour/broken-file.ts";
import { openTour, pageNeverComplained } from "./tour/open-tour.ts";
import { publishedDataIsImported } from "./tour/published-data.ts";
import { importsAreScheduled } from "./tour/schedules.ts";
import { comeByLink } from "./tour/sign-in.ts";

/** A tour of the pages that data come in by. */
const { tour, source } = openTour();

comeByLink(tour);
brokenFileIsNamed(tour);
publishedDataIsImported(tour, source);
importsAreScheduled(tour, source);
pageNeverComplained(tour);
