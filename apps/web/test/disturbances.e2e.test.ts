import { datasetIsMade } from "./tour/dataset.ts";
import { jobsAreDisturbed } from "./tour/disturbances.ts";
import { linksAreLearnt } from "./tour/links.ts";
import { manyJobsAreHandled } from "./tour/many-jobs.ts";
import { noticesAreRead } from "./tour/notifications.ts";
import { openTour, pageNeverComplained } from "./tour/open-tour.ts";
import { comeByLink } from "./tour/sign-in.ts";

/** A tour of what happens to jobs, of what is told of it afterwards, and of what is learnt of links. */
const { tour } = openTour();

comeByLink(tour);
datasetIsMade(tour);
jobsAreDisturbed(tour);
manyJobsAreHandled(tour);
noticesAreRead(tour);
linksAreLearnt(tour);
pageNeverComplained(tour);
