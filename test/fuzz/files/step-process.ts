import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ProblemPlace } from "@hopwise/contracts";
import type { ArtifactDir } from "@hopwise/gnn-core";

const program = new URL("./run-steps.mjs", import.meta.url);

/** No file of the corpus is larger than 100 kB: what takes longer to read, or more memory, is a bomb. */
const mostSeconds = 20;
const mostBytes = 2 ** 31;
const lookEveryMs = 100;

export interface StepCall {
  readonly step: "map" | "ingest";
  readonly options: unknown;
  readonly files: ArtifactDir;
  /** An empty folder of its own */
  readonly dir: string;
}

/** `code`: why the step refused the files; null: it took them. `trouble`: what else happened. */
export interface StepEnd {
  readonly code: string | null;
  /** The message of a refusal; else empty */
  readonly detail: string;
  /** Where the refusal says that the fault lies */
  readonly place: ProblemPlace | null;
  readonly trouble: string | null;
  /** What a preview found; null: the step was another, or found nothing */
  readonly info: unknown;
}

/** A process that runs steps one after another, and is watched: it may die, take too long, or take too much memory. */
export class StepProcess {
  #child: ChildProcess | null = null;
  #peakBytes = 0;

  /** The most memory that it has held so far, in the eyes of the kernel */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  async run({ step, options, files, dir }: StepCall): Promise<StepEnd> {
    const [outDir, scratchDir] = ["out", "scratch"].map((name) => join(dir, name)) as [string, string];
    for (const folder of [outDir, scratchDir]) mkdirSync(folder, { recursive: true });
    const child = (this.#child ??= fork(program, { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] }));
    let lastWords = "";
    const onWords = (text: Buffer) => {
      lastWords = (lastWords + text).slice(-2000);
    };
    child.stderr?.on("data", onWords);
    const controller = new AbortController();
    const ends = [
      once(child, "message", { signal: controller.signal }).then(([end]) => end as StepEnd),
      once(child, "exit", { signal: controller.signal }).then(([code, signal]) =>
        this.#gone(`the process died (${signal ?? code}): ${lastWords}`),
      ),
      untilTooMuch(child.pid ?? 0, controller.signal).then((trouble) => {
        if (trouble !== null) child.kill("SIGKILL");
        return trouble === null ? nothing : this.#gone(trouble);
      }),
    ];
    child.send({ step, options, inputs: { files }, outDir, scratchDir });
    try {
      return await Promise.race(ends);
    } finally {
      this.#peakBytes = Math.max(this.#peakBytes, peakOf(child.pid ?? 0));
      controller.abort();
      child.stderr?.off("data", onWords);
      await Promise.allSettled(ends);
    }
  }

  async end(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  #gone(trouble: string): StepEnd {
    this.#child = null;
    return { ...nothing, trouble };
  }
}

const nothing: StepEnd = { code: null, detail: "", place: null, trouble: null, info: null };

/** What was too much; null when the signal came first. */
async function untilTooMuch(pid: number, signal: AbortSignal): Promise<string | null> {
  const start = measure(pid);
  while (!signal.aborted) {
    await setTimeout(lookEveryMs, undefined, { signal }).catch(() => undefined);
    const { seconds, bytes } = measure(pid);
    if (signal.aborted) break;
    if (seconds - start.seconds > mostSeconds) return `more than ${mostSeconds} s of computing`;
    if (bytes > mostBytes) return `${(bytes / 2 ** 30).toFixed(1)} GiB of memory`;
  }
  return null;
}

/** CPU time of all threads so far and the memory held now. */
function measure(pid: number): { seconds: number; bytes: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, bytes: Number(fields[21]) * 4096 };
  } catch {
    return { seconds: 0, bytes: 0 };
  }
}

/** What the kernel has noted as the most memory of a process; 0 once it has ended. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
