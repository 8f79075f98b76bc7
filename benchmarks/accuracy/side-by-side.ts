import { type ChildProcess, fork } from "node:child_process";
import type { Run } from "./run-row.ts";

const apart = "HOPWISE_ACCURACY_TRAINING";

/** A row, by its name, with a seed */
export interface Training {
  readonly row: string;
  readonly seed: number;
}

export interface SideBySide {
  readonly processes: number;
  /** Trainings that are not done by then end without a result; null: none does */
  readonly limitSeconds: number | null;
  /** Told as soon as a training has ended well */
  readonly onRun: (training: Training, run: Run) => void;
  /** Told why a training has no result */
  readonly onFailure: (training: Training, why: string) => void;
}

/**
 * Trains in processes of this program, some at a time, in their order, each training in a process of its own: on one
 * GPU, whose steps leave it idle while a host prepares the next, or on more cores than one training has use for. One
 * that fails takes no other along.
 */
export async function trainSideBySide(trainings: readonly Training[], options: SideBySide): Promise<void> {
  const { processes, limitSeconds, onRun, onFailure } = options;
  const waiting = [...trainings];
  const running = new Set<ChildProcess>();
  let isOver = false;
  const end = () => {
    isOver = true;
    for (const child of running) child.kill("SIGKILL");
  };
  const timer = limitSeconds === null ? null : setTimeout(end, limitSeconds * 1000);
  const takeNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const training = next;
      const why = isOver ? "not begun" : await trainApart(training, running, (run) => onRun(training, run));
      if (why !== null) onFailure(training, isOver ? `the time of ${limitSeconds} s was over` : why);
    }
  };
  await Promise.all(Array.from({ length: processes }, takeNext));
  if (timer) clearTimeout(timer);
}

/** @returns why there is no result; null: there is one */
function trainApart(training: Training, running: Set<ChildProcess>, onRun: (run: Run) => void): Promise<string | null> {
  const child = fork(process.argv[1] as string, process.argv.slice(2), {
    env: { ...process.env, [apart]: "1" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  running.add(child);
  child.send(training);
  let why: string | null = "it ended without a result";
  child.on("message", ({ run, failed }: Answer) => {
    why = failed ?? null;
    if (run) onRun(run);
  });
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      running.delete(child);
      resolve(why && `${why} (${signal ?? code})`);
    });
  });
}

interface Answer {
  readonly run?: Run;
  readonly failed?: string;
}

/** In such a process: does the one training that is asked for, and tells what came of it. */
export async function answerParent(train: (training: Training) => Promise<Run>): Promise<void> {
  const training = await new Promise<Training>((resolve) => process.once("message", resolve));
  let answer: Answer;
  try {
    answer = { run: await train(training) };
  } catch (error) {
    answer = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  await new Promise<void>((resolve) => process.send?.(answer, () => resolve()));
  process.disconnect();
}

/** Whether this process was started by `trainSideBySide`. */
export const isTrainingApart = process.env[apart] !== undefined;
