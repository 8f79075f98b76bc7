import { closeSync, openSync } from "node:fs";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logOutput } from "../src/log-output.ts";

/** A device that is full for ever: every write to it fails with ENOSPC. */
const fullDevice = "/dev/full";

let full: number;
beforeEach(() => {
  full = openSync(fullDevice, "w");
});
afterEach(() => closeSync(full));

it("outlives a full disk, however much is to be logged", () => {
  const log = pino(logOutput(full));
  const lines = 10_000;
  for (let i = 0; i < lines; i++) log.info({ i }, "a line that nobody will read");
  expect(log.isLevelEnabled("info")).toBe(true);
});
