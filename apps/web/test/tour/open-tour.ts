import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SourceServer } from "../../../api/test/imports/support/source-server.ts";
import { PrivateRedis } from "../../../api/test/scheduler/support/private-redis.ts";
import { launchBrowser, openPage } from "../support/browser.ts";
import { MailServer } from "../support/mail-server.ts";
import { startStackOnServer } from "../support/stack.ts";
import type { Tour } from "./tour.ts";

/** A tour, with the server that addresses of its imports lead to; both are there once the tests run. */
export interface OpenTour {
  readonly tour: Tour;
  readonly source: () => SourceServer;
}

/** Starts a service and a browser before the tests of a file, and ends them after these. */
export function openTour(): OpenTour {
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
  return { tour, source: () => source };
}

/** The last test of a tour. */
export function pageNeverComplained(tour: Tour): void {
  test("nothing was asked of another host, and the page never complained", () => {
    expect(tour.watched.foreign).toEqual([]);
    expect(tour.watched.complaints).toEqual([]);
  });
}
