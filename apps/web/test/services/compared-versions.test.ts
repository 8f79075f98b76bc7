import { expect, test } from "vitest";
import { comparedJobs } from "../../src/services/compared-versions.ts";
import { mostCompared } from "../../src/services/comparison.ts";

test("versions are compared by the jobs that trained them, the one in production first", () => {
  const versions = [
    { jobId: "job_3", stage: "CANDIDATE" },
    { jobId: null, stage: "ARCHIVED" },
    { jobId: "job_1", stage: "PRODUCTION" },
  ];
  expect(comparedJobs(versions)).toEqual(["job_1", "job_3"]);
});

test("no more are compared than the page holds", () => {
  const versions = Array.from({ length: mostCompared + 5 }, (_, i) => ({ jobId: `job_${i}`, stage: "CANDIDATE" }));
  expect(comparedJobs(versions)).toHaveLength(mostCompared);
});
