import { expect, test } from "vitest";
import { returnPath } from "../../src/services/return-path.ts";

const origin = "http://graphs.example:4680";

test("a page of this service is returned to, with its query and its place in the page", () => {
  expect(returnPath("/jobs/job_1", origin)).toBe("/jobs/job_1");
  expect(returnPath("/jobs?state=failed#log", origin)).toBe("/jobs?state=failed#log");
});

test("what leads to another host, is no path or leads back to the sign-in is not", () => {
  const refused = [
    "//evil.example/jobs",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "https://evil.example/",
    "http://graphs.example:4680/jobs",
    "javascript:alert(1)",
    "jobs",
    "",
    "/sign-in?token=hws_1",
    7,
    undefined,
  ];
  expect(refused.filter((asked) => returnPath(asked, origin) !== undefined)).toEqual([]);
});
