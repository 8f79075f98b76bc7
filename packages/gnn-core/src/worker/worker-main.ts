/** Entry of the thread that `trainInWorker` starts. */
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { loadRegistry } from "../spec/index.ts";
import { copyWeights } from "../train/model-weights.ts";
import { Trainer } from "../train/trainer.ts";
import { fromPortable } from "./portable-data.ts";
import { type DataModule, type FromWorker, type ToWorker, toPlainError, type WorkerTask } from "./protocol.ts";

const port = parentPort;
const stop = new AbortController();

async function main(task: WorkerTask): Promise<FromWorker> {
  const registry = await loadRegistry(task.componentFolders);
  const data = "portable" in task.data ? fromPortable(task.data.portable) : await loadData(task.data);
  const trainer = await Trainer.create({ data, options: task.options, registry, threads: task.threads });
  try {
    const fitted = await trainer.fit({
      signal: stop.signal,
      onEvent: (event) => send({ type: "event", event }),
      ...(task.checkpointDir === undefined ? {} : { checkpointDir: task.checkpointDir }),
      ...(task.resume === undefined ? {} : { resume: task.resume }),
    });
    const rows = task.infer ? await trainer.infer({ signal: stop.signal }) : null;
    const weights = copyWeights(trainer.model);
    const { embeddings = null, logits = null } = rows ?? {};
    return { type: "result", result: { ...fitted, weights, embeddings, logits } };
  } finally {
    trainer.dispose();
  }
}

async function loadData({ module, argument }: DataModule): Promise<TrainingData> {
  const exported: Record<string, unknown> = await import(module.includes("://") ? module : pathToFileURL(module).href);
  const load = exported["default"];
  if (typeof load === "function") return (await load(argument)) as TrainingData;
  throw new GnnError("SPEC_INVALID", `${module} has no default export to call; export a function that returns data.`);
}

function send(message: FromWorker): void {
  port?.postMessage(message, message.type === "result" ? buffersOf(message.result) : []);
}

/** Whole nodes' rows change hands; cloning them would halt the receiver for their size. */
function buffersOf({ embeddings, logits }: { embeddings: Float32Array | null; logits: Float32Array | null }) {
  const buffers = [embeddings?.buffer, logits?.buffer].filter((buffer) => buffer instanceof ArrayBuffer);
  return [...new Set(buffers)];
}

port?.on("message", (message: ToWorker) => {
  if (message === "abort") stop.abort();
});
const last = await main(workerData as WorkerTask).catch((error: unknown): FromWorker => {
  return { type: "failed", error: toPlainError(error) };
});
send(last);
port?.close();
