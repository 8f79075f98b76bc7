// What a run of vitest came to, read from its JSON report.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * @param {string} report path of the JSON report
 * @returns {{ passed: number, failed: Map<string, string> }} `failed`: path of the file by the name of each failed
 * test, or of a file that could not be loaded
 */
export function resultsOf(report) {
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
  const failed = new Map();
  for (const { name, status, assertionResults } of testResults) {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((result) => result.status === "failed");
    // A file that could not be loaded has no failed test.
    if (tests.length === 0 && status === "failed") failed.set(file, file);
    for (const { fullName } of tests) failed.set(`${file}: ${fullName}`, file);
  }
  return { passed: numPassedTests, failed };
}
