import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiReport, apiReportPath } from "../script/lib/api-report.ts";

test("the library offers what docs/api says; after a change run script/print-api and review what it wrote", () => {
  expect(apiReport()).toBe(readFileSync(apiReportPath, "utf8"));
});

test("the report has each entry, a function with its whole signature, and types that are only mentioned", () => {
  const report = apiReport();
  expect(report.match(/^## @hopwise\/gnn-core.*$/gm)).toHaveLength(4);
  expect(report).toContain("function trainInWorker(training: WorkerTraining): Promise<WorkerResult>;");
  expect(report).toMatch(/^interface BatchNormCut \{$/m); // not exported; a part of Layer
  expect(report).not.toMatch(/\/\*\*|#private/);
});
