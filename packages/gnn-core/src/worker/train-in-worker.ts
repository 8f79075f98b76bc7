import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { usableCores } from "../host/usable.ts";
import type { FitOptions } from "../train/fit-options.ts";
import type { TrainerOptions } from "../train/trainer-setup.ts";
import { toPortable } from "./portable-data.ts";
import {
  type DataModule,
  type FromWorker,
  fromPlainError,
  type ToWorker,
  type WorkerResult,
  type WorkerTask,
} from "./protocol.ts";

export interface WorkerTraining extends Omit<FitOptions, "resume"> {
  /**
   * The graph and its rows, or a module that loads them inside the thread. Arrays are copied once to shared memory
   * unless they lie there already, and features are expanded to float32; a module copies nothing.
   */
  readonly data: TrainingData | DataModule;
  readonly options?: TrainerOptions;
  /** Threads of the native kernels. Default: all cores */
  readonly threads?: number;
  /** Folders with components of one's own, as for `loadRegistry` */
  readonly componentFolders?: readonly string[];
  /** Whether to compute embeddings and logits of every node too. Default false */
  readonly infer?: boolean;
  readonly resume?: FitOptions["resume"];
}

// src/worker and dist/worker lie equally deep. A thread runs compiled JavaScript: Node may not know TypeScript there.
const entry = new URL("../../dist/worker/worker-main.js", import.meta.url);

/**
 * Trains like `Trainer.fit`, in a thread of its own: the event loop of the caller stays free, for a server that answers
 * meanwhile. Same options, same seed: the same bits as `Trainer.fit`.
 *
 *   const { metrics, weights } = await trainInWorker({ data, options, onEvent: console.log, signal });
 *
 * The promise settles when the thread has ended; nothing of it is left then. An `onEvent` that throws ends the
 * training.
 *
 * @throws GnnError as `Trainer.create` and `fit` do, CANCELLED when `signal` is aborted, at the next step;
 * NATIVE_NOT_BUILT when the library has not been compiled; RANK_LOST when the thread dies of something else
 */
export async function trainInWorker(training: WorkerTraining): Promise<WorkerResult> {
  const { signal = new AbortController().signal, onEvent = () => {} } = training;
  const task = await taskOf(training, signal).catch((error: unknown) => {
    throw signal.aborted ? cancelled(error) : error;
  });
  if (signal.aborted) throw cancelled(signal.reason);
  const worker = new Worker(fileURLToPath(entry), { workerData: task, name: "hopwise-train" });
  const abort = () => tellToStop(worker);
  signal.addEventListener("abort", abort, { once: true });
  const ended = once(worker, "exit");
  try {
    return await resultOf(worker, onEvent);
  } finally {
    signal.removeEventListener("abort", abort);
    await ended;
  }
}

async function taskOf(training: WorkerTraining, signal: AbortSignal): Promise<WorkerTask> {
  const { data, options = {}, threads = usableCores(), componentFolders = [], infer = false } = training;
  const { checkpointDir, resume } = training;
  return {
    data: "module" in data ? data : { portable: await toPortable(data, signal) },
    options,
    threads,
    componentFolders,
    infer,
    ...(checkpointDir === undefined ? {} : { checkpointDir }),
    ...(resume ? { resume } : {}),
  };
}

function resultOf(worker: Worker, onEvent: NonNullable<FitOptions["onEvent"]>): Promise<WorkerResult> {
  return new Promise((resolve, reject) => {
    worker.on("message", (message: FromWorker) => {
      if (message.type === "result") resolve(message.result);
      else if (message.type === "failed") reject(fromPlainError(message.error));
      else {
        try {
          onEvent(message.event);
        } catch (error) {
          reject(error);
          tellToStop(worker);
        }
      }
    });
    worker.on("error", (cause) => reject(new GnnError("RANK_LOST", `The training thread died: ${cause}`, { cause })));
    worker.on("exit", (code) => reject(new GnnError("RANK_LOST", `The training thread ended with ${code}.`)));
  });
}

function tellToStop(worker: Worker): void {
  worker.postMessage("abort" satisfies ToWorker, []);
}

function cancelled(cause: unknown): GnnError {
  return new GnnError("CANCELLED", "The training was cancelled before it began.", { cause });
}
