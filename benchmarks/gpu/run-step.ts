import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Command } from "./steps.ts";

export type Figures = Readonly<Record<string, unknown>>;

/** What a step has come to. */
export interface Outcome {
  readonly state: "passed" | "failed" | "timed out" | "not run";
  readonly seconds: number;
  /** Null when it passed */
  readonly why: string | null;
  /** What it told, in order, up to its end or to where it was stopped */
  readonly figures: readonly Figures[];
}

const keptFailures = 20;
const keptErrorChars = 1500;

/** Runs a step's process to its end, or kills it and all that it started when its time is up. */
export async function runCommand({ program, args }: Command, limitSeconds: number): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const output = new StepOutput();
  createInterface({ input: child.stdout }).on("line", (line) => output.take(line));
  child.stderr.on("data", (chunk: Buffer) => output.takeError(chunk.toString()));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killGroup(child.pid);
  }, limitSeconds * 1000);
  const ended = await new Promise<string | number>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(signal ?? code ?? 0));
  });
  clearTimeout(timer);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const { figures } = output;
  if (isLate) return { state: "timed out", seconds, why: `It was stopped after ${limitSeconds} s.`, figures };
  const notRun = figures.find((each) => typeof each.notRun === "string");
  if (notRun) return { state: "not run", seconds, why: String(notRun.notRun), figures: [] };
  if (ended === 0) return { state: "passed", seconds, why: null, figures };
  return { state: "failed", seconds, why: `It ended with ${ended}. ${output.error}`.trim(), figures };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}

/** Lines of JSON are figures; "passed …" and "FAILED …" are the tests of the C++ program, which are counted. */
class StepOutput {
  readonly #figures: Figures[] = [];
  readonly #tests = { passed: 0, failed: 0, failures: [] as string[] };
  #error = "";

  get figures(): readonly Figures[] {
    const { passed, failed } = this.#tests;
    return passed + failed > 0 ? [...this.#figures, this.#tests] : this.#figures;
  }

  get error(): string {
    return this.#error.trim();
  }

  take(line: string): void {
    if (line.startsWith("{")) this.#figures.push(parsed(line));
    else if (line.startsWith("passed ")) this.#tests.passed++;
    else if (line.startsWith("FAILED ")) {
      this.#tests.failed++;
      if (this.#tests.failures.length < keptFailures) this.#tests.failures.push(line);
    } else if (line.startsWith("=========")) this.takeError(`${line}\n`);
  }

  takeError(text: string): void {
    this.#error = (this.#error + text).slice(-keptErrorChars);
  }
}

function parsed(line: string): Figures {
  try {
    return JSON.parse(line) as Figures;
  } catch {
    return { unreadable: line };
  }
}
