import { expect, test } from "vitest";
import { jobTabOf } from "../../src/services/job-tabs.ts";

test("an address names the view of a job; what it does not know is the overview", () => {
  expect(jobTabOf("metrics")).toBe("metrics");
  expect(jobTabOf("secrets")).toBe("overview");
  expect(jobTabOf(undefined)).toBe("overview");
});
