// Prints "<passed> <failed>" of a vitest JSON report. A file that failed to load counts as a failure.
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const brokenFiles = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
const failed = report.numFailedTests + brokenFiles.length;
// Errors outside any test (an unhandled rejection) leave every test green and the run unsuccessful.
process.stdout.write(`${report.numPassedTests} ${failed === 0 && !report.success ? 1 : failed}`);
