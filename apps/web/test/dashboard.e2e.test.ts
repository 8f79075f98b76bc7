import { pagesAreAccessible } from "./tour/accessibility.ts";
import { serviceIsLookedAfter } from "./tour/administration.ts";
import { modelsAreBrought } from "./tour/brought-model.ts";
import { datasetIsMade } from "./tour/dataset.ts";
import { embeddingsAreSeen } from "./tour/embeddings.ts";
import { jobIsWatched } from "./tour/job.ts";
import { jobIsFilledIn } from "./tour/job-form.ts";
import { modelsLiveOn } from "./tour/models.ts";
import { openTour, pageNeverComplained } from "./tour/open-tour.ts";
import { keysLeadEverywhere } from "./tour/shortcuts.ts";
import { signIn } from "./tour/sign-in.ts";
import { singleNodesAreAsked } from "./tour/single-nodes.ts";
import { pagesFitAPhone } from "./tour/small-and-dark.ts";
import { sweepIsCompared } from "./tour/sweeps.ts";

/** A tour of the dashboard, topic by topic; each begins where the one before has ended. */
const { tour } = openTour();

signIn(tour);
datasetIsMade(tour);
jobIsFilledIn(tour);
jobIsWatched(tour);
embeddingsAreSeen(tour);
modelsLiveOn(tour);
modelsAreBrought(tour);
singleNodesAreAsked(tour);
sweepIsCompared(tour);
pagesFitAPhone(tour);
pagesAreAccessible(tour);
keysLeadEverywhere(tour);
serviceIsLookedAfter(tour);
pageNeverComplained(tour);
