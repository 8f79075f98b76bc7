import { expect, test } from "vitest";
import { jobCommands, matching, pageCommands } from "../../src/services/commands.ts";

test("commands are found by parts of words in any case and order, those that begin so first", () => {
  const labels = (text: string) => matching(pageCommands, text).map(({ label }) => label);
  expect(labels("")).toHaveLength(pageCommands.length);
  expect(labels("JOBS")).toEqual(["Jobs", "Compare jobs"]);
  expect(labels("job new")).toEqual(["New job"]);
  expect(labels("nothing like it")).toEqual([]);
});

test("jobs of an earlier answer are offered as far as they fit what is typed by now", () => {
  const jobs = [
    { id: "job_1", name: "First sage" },
    { id: "job_2", name: "" },
  ];
  const labels = (text: string) => jobCommands(jobs, text).map(({ label }) => label);
  expect(labels("")).toEqual(["First sage", "job_2"]);
  expect(labels(" SAGE ")).toEqual(["First sage"]);
  expect(labels("job_2")).toEqual(["job_2"]);
  expect(labels("use dark")).toEqual([]);
});
