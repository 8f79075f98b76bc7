import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SourceServer } from "../../api/test/imports/support/source-server.ts";
import { PrivateRedis } from "../../api/test/scheduler/support/private-redis.ts";
import { launchBrowser, openPage } from "./support/browser.ts";
import { MailServer } from "./support/mail-server.ts";
import { startStackOnServer } from "./support/stack.ts";
import { pagesAreAccessible } from "./tour/accessibility.ts";
import { serviceIsLookedAfter } from "./tour/administration.ts";
import { brokenFileIsNamed } from "./tour/broken-file.ts";
import { modelsAreBrought } from "./tour/brought-model.ts";
import { datasetIsMade } from "./tour/dataset.ts";
import { jobsAreDisturbed } from "./tour/disturbances.ts";
import { embeddingsAreSeen } from "./tour/embeddings.ts";
import { jobIsWatched } from "./tour/job.ts";
import { jobIsFilledIn } from "./tour/job-form.ts";
import { manyJobsAreHandled } from "./tour/many-jobs.ts";
import { modelsLiveOn } from "./tour/models.ts";
import { noticesAreRead } from "./tour/notifications.ts";
import { publishedDataIsImported } from "./tour/published-data.ts";
import { importsAreScheduled } from "./tour/schedules.ts";
import { keysLeadEverywhere } from "./tour/shortcuts.ts";
import { signIn } from "./tour/sign-in.ts";
import { singleNodesAreAsked } from "./tour/single-nodes.ts";
import { pagesFitAPhone } from "./tour/small-and-dark.ts";
import { sweepIsCompared } from "./tour/sweeps.ts";
import type { Tour } from "./tour/tour.ts";

/** A tour of the whole dashboard, topic by topic; each begins where the one before has ended. */

// One that other hosts could reach: where none can, no credential is offered (first-steps).
let redis: PrivateRedis;
let mail: MailServer;
let source: SourceServer;
let browser: Browser;
const tour = {} as { -readonly [Name in keyof Tour]: Tour[Name] };

beforeAll(async () => {
  redis = await PrivateRedis.start();
  const networks = { HOPWISE_WEBHOOK_NETWORKS: "127.0.0.1", HOPWISE_IMPORT_NETWORKS: "127.0.0.1" };
  mail = await MailServer.start();
  source = await SourceServer.start();
  const ofSource = { HOPWISE_DATASETS_MIRROR: source.url("") };
  const ofMail = { HOPWISE_SMTP_URL: mail.url, HOPWISE_MAIL_FROM: "hopwise@house.example" };
  const settings = { ...networks, ...ofMail, ...ofSource, REDIS_URL: await redis.listen() };
  [tour.stack, browser] = await Promise.all([startStackOnServer(settings), launchBrowser()]);
  tour.watched = await openPage(browser, tour.stack.url);
  tour.page = tour.watched.page;
});

afterAll(async () => {
  await browser?.close();
  await tour.stack?.stop();
  await redis?.stop();
  await mail?.stop();
  await source?.close();
});

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
jobsAreDisturbed(tour);
brokenFileIsNamed(tour);
manyJobsAreHandled(tour);
noticesAreRead(tour);
keysLeadEverywhere(tour);
serviceIsLookedAfter(tour);
publishedDataIsImported(tour, () => source);
importsAreScheduled(tour, () => source);

test("nothing was asked of another host, and the page never complained", () => {
  expect(tour.watched.foreign).toEqual([]);
  expect(tour.watched.complaints).toEqual([]);
});
