import { AppError, type DeviceKind, type Problem } from "@hopwise/contracts";
import type { Env } from "../env.ts";
import type { Logger } from "../log.ts";
import { isAllocationFailure, outOfMemory } from "../ranks/memory-limit.ts";
import { RankProcess } from "../ranks/rank-process.ts";

export interface TrialOptions {
  readonly env: Pick<Env, "engine" | "rankEnvironment">;
  /** What a process of a step may allocate; null: what there is */
  readonly memoryBytes: number | null;
  readonly log: Logger;
  /** For how long it may load and compute; left out: what the backend may take */
  readonly limitMs?: number;
}

// Drivers compile TensorFlow's old kernels for new devices when they first load: half an hour was reported.
const limits = { native: 5 * 60_000, cuda: 5 * 60_000, cpu: 5 * 60_000, tensorflow: 60 * 60_000 } as const;

/**
 * Has a child process, started as those of steps are, load the backend and compute something small.
 *
 * @returns what the backend computes on
 * @throws AppError with the code and the words of what went wrong in the child
 */
export function tryBackendInChild(options: TrialOptions): Promise<DeviceKind> {
  const { env, memoryBytes, log } = options;
  const { backend } = env.engine;
  const limitMs = options.limitMs ?? limits[backend];
  return new Promise((resolve, reject) => {
    const fail = (problem: Problem) => reject(new AppError(problem.code as "DEVICE_NOT_AVAILABLE", problem.detail));
    const failWith = (what: string) =>
      reject(
        new AppError(
          "DEVICE_NOT_AVAILABLE",
          `The process that tried the backend ${backend} ${what}. Choose another with HOPWISE_BACKEND, or see its output in the log.`,
        ),
      );
    const birth = {
      ...env.engine,
      components: [],
      device: null,
      environment: env.rankEnvironment,
      threads: 1,
      cpus: null,
      memoryBytes,
    };
    const child = new RankProcess(birth, {
      log,
      onMessage: (message) => {
        if (message.type === "tried") resolve(message.device);
        if (message.type === "failed") fail(message.problem);
        if (message.type === "tried" || message.type === "failed") child.kill("SIGTERM");
      },
      onPulse: () => undefined,
      onExit: (code, signal, lastWords) => {
        clearTimeout(timer);
        // After an answer nothing of this is heard any more.
        if (isAllocationFailure(lastWords)) fail(outOfMemory("The process that tried the backend", "it", memoryBytes));
        const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
        const [lastWord = ""] = lastWords.split("\n").filter(Boolean).slice(-1);
        failWith(`${how}${lastWord && `, after the words "${lastWord}"`}`);
      },
    });
    const timer = setTimeout(() => {
      failWith(`had no result after ${limitMs / 1000} s`);
      child.kill("SIGKILL");
    }, limitMs);
    child.send({ type: "try" });
  });
}
