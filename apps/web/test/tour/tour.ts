import type { Page } from "playwright-core";
import type { Watched } from "../support/browser.ts";
import type { RunningStack } from "../support/stack.ts";

/**
 * One service and one browser page, which every topic of the tour uses after the other: starting them takes longer than
 * most topics. They are there once the tests run.
 */
export interface Tour {
  readonly stack: RunningStack;
  readonly watched: Watched;
  readonly page: Page;
}
