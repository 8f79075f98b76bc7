// node run-vitest.mjs FOLDER SECONDS FILE_SECONDS ARGUMENT…
//
// Runs vitest so that it always ends. vitest's own time limits are timers inside the process that runs the test file:
// a file that blocks its event loop, or that waits in native code, outlives them. Here a file that takes longer than
// FILE_SECONDS loses its process and vitest goes on with the next; after SECONDS everything is ended.
//
// FOLDER gets `counts` ("<passed> <failed>") and `failures` (a line for each failed test, and for each file or run that
// had to be ended).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { childrenOf, kill, processesOf } from "./processes.mjs";
import { runWithin } from "./run-within.mjs";

const [folder, seconds, fileSeconds, ...args] = process.argv.slice(2);
const [report, progress] = [join(folder, "report.json"), join(folder, "progress")];
mkdirSync(folder, { recursive: true });
rmSync(report, { force: true });
writeFileSync(progress, "");
const ended = [];

const reporters = ["default", "json", join(import.meta.dirname, "progress-reporter.mjs")];
const vitest = resolve(import.meta.dirname, "../../node_modules/.bin/vitest");
const { isOver, status } = await runWithin(
  [vitest, "run", ...reporters.map((name) => `--reporter=${name}`), `--outputFile.json=${report}`, ...args],
  { seconds: Number(seconds), env: { HOPWISE_TEST_PROGRESS: progress }, leavesNothing: true, onSpawn: watchFiles },
);
if (isOver) noteEnded(`the tests were ended after ${seconds} s: ${whatRan()}`);
const { passed, failed, names } = results();
writeFileSync(join(folder, "counts"), `${passed} ${failed}\n`);
writeFileSync(join(folder, "failures"), [...names, ...ended].map((line) => `${line}\n`).join(""));

/** Ends each process that has had one file in hand for too long. */
function watchFiles(pid) {
  const firstSeen = new Map();
  const ending = new Set();
  const look = () => {
    const takenAt = new Map(
      notes()
        .filter(({ event }) => event === "taken")
        .map(({ pid, at }) => [pid, at]),
    );
    for (const fork of childrenOf(pid).filter(({ command }) => command.includes("vitest/dist/workers/"))) {
      if (!firstSeen.has(fork.pid)) firstSeen.set(fork.pid, Date.now());
      const since = takenAt.get(fork.pid) ?? firstSeen.get(fork.pid);
      if (ending.has(fork.pid) || Date.now() - since < Number(fileSeconds) * 1000) continue;
      ending.add(fork.pid);
      noteEnded(`a test file was ended after ${fileSeconds} s: ${whatRan()}`);
      kill(processesOf(fork.pid));
    }
  };
  setInterval(look, 500).unref();
}

function noteEnded(line) {
  console.error(line);
  ended.push(line);
}

/** The files in hand, each with the last test or hook that was seen to begin there. */
function whatRan() {
  const running = new Map();
  for (const { event, file, test } of notes()) {
    if (event === "taken") continue;
    if (event === "ended") running.delete(file);
    else running.set(file, test ? `${file} (${test})` : file);
  }
  return running.size === 0 ? "no test file was running" : [...running.values()].join(", ");
}

function notes() {
  return readFileSync(progress, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** By vitest's report, or by what was noted when the run never came to write one. */
function results() {
  if (!existsSync(report)) {
    const numOf = (state) => notes().filter(({ event }) => event === state).length;
    const names = notes()
      .filter(({ event }) => event === "failed")
      .map(({ file, test }) => `${file}: ${test}`);
    return { passed: numOf("passed"), failed: Math.max(1, names.length + ended.length), names };
  }
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
  const names = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults.filter((result) => result.status === "failed");
    // A file that could not be loaded has no failed test.
    if (tests.length === 0) return status === "failed" ? [file] : [];
    return tests.map(({ fullName }) => `${file}: ${fullName}`);
  });
  const failed = names.length + ended.length;
  // Errors outside any test (an unhandled rejection) leave every test green, and the report a success.
  return { passed: numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed, names };
}
