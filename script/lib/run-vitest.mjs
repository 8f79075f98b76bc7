// node run-vitest.mjs FOLDER SECONDS FILE_SECONDS ARGUMENT…
//
// Runs vitest so that it always ends. vitest's own time limits are timers inside the process that runs the test file:
// a file that blocks its event loop, or that waits in native code, outlives them. Here a file that takes longer than
// FILE_SECONDS loses its process and vitest goes on with the next; after SECONDS everything is ended.
//
// The files of a few failed tests run a second time, alone: who reads the result learns whether a test fails always or
// only sometimes. One that fails only sometimes passes and is named; decision 0077 says why.
//
// FOLDER gets `counts` ("<passed> <failed>"), `failures` (a line for each failed test, and for each file or run that
// had to be ended) and `unsteady` (a line for each test that failed and then passed).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { childrenOf, kill, processesOf } from "./processes.mjs";
import { runWithin } from "./run-within.mjs";
import { resultsOf } from "./vitest-results.mjs";

/** More failures than these are no matter of chance, and their files would take long. */
const maxFilesRunAgain = 3;

const [folder, seconds, fileSeconds, ...args] = process.argv.slice(2);
const progress = join(folder, "progress");
mkdirSync(folder, { recursive: true });
writeFileSync(progress, "");
const ended = [];
const endOfTime = Date.now() + Number(seconds) * 1000;

const { passed, failed, outsideTests } = await runOnce(join(folder, "report.json"), args);
const unsteady = await thosePassingAlone();
const names = [...failed.keys()].filter((name) => !unsteady.includes(name));
const numFailed = names.length + ended.length + (outsideTests ? 1 : 0);
writeFileSync(join(folder, "counts"), `${passed + unsteady.length} ${numFailed}\n`);
writeLines("failures", [...names, ...ended]);
writeLines("unsteady", unsteady);

/** Runs vitest; `outsideTests`: there was an error (an unhandled rejection) that left every test green. */
async function runOnce(report, args) {
  rmSync(report, { force: true });
  const reporters = ["default", "json", join(import.meta.dirname, "progress-reporter.mjs")];
  const vitest = resolve(import.meta.dirname, "../../node_modules/.bin/vitest");
  const left = Math.max(1, (endOfTime - Date.now()) / 1000);
  const { isOver, status } = await runWithin(
    [vitest, "run", ...reporters.map((name) => `--reporter=${name}`), `--outputFile.json=${report}`, ...args],
    { seconds: left, env: { HOPWISE_TEST_PROGRESS: progress }, leavesNothing: true, onSpawn: watchFiles },
  );
  if (isOver) noteEnded(`the tests were ended after ${seconds} s: ${whatRan()}`);
  const { passed, failed } = existsSync(report) ? resultsOf(report) : notedResults();
  return { passed, failed, outsideTests: status !== 0 && failed.size + ended.length === 0 };
}

/** Names of failed tests that pass when their files run a second time, with nothing beside them. */
async function thosePassingAlone() {
  const files = [...new Set(failed.values())];
  if (files.length === 0 || files.length > maxFilesRunAgain || ended.length > 0) return [];
  console.log(`Running again alone, to see whether it fails always: ${files.join(", ")}`);
  const projects = args.filter((arg, i) => arg.startsWith("--") || args[i - 1]?.startsWith("--"));
  const again = await runOnce(join(folder, "again.json"), [...projects, "--maxWorkers=1", ...files]);
  if (ended.length > 0 || again.outsideTests) return [];
  return [...failed.keys()].filter((name) => !again.failed.has(name) && !again.failed.has(failed.get(name)));
}

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

function writeLines(name, lines) {
  writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(""));
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

/** What was noted while vitest ran, for when it never came to write a report. */
function notedResults() {
  const failed = notes().filter(({ event }) => event === "failed");
  return {
    passed: notes().filter(({ event }) => event === "passed").length,
    failed: new Map(failed.map(({ file, test }) => [`${file}: ${test}`, file])),
  };
}
