/** One rank in a process of its own, started by gloo-ranks.ts. */
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { activeCuda } from "../../../src/backends/active-cuda.ts";
import { selectBackend } from "../../../src/backends/select-backend.ts";
import { connectGloo } from "../../../src/dist/gloo.ts";
import { points } from "../../../src/dist/points.ts";
import { prefixedStore, type RendezvousStore } from "../../../src/dist/rendezvous-store.ts";
import { sharedRowsIn } from "../../../src/dist/shared-rows.ts";
import { connectRowService } from "../../../src/dist-store/zeromq-rows.ts";
import { GnnError } from "../../../src/errors/gnn-error.ts";
import { placementWords } from "../../../src/host/feature-placement.ts";
import { samplingWords } from "../../../src/host/graph-placement.ts";
import { copyWeights } from "../../../src/train/model-weights.ts";
import { Trainer } from "../../../src/train/trainer.ts";
import { communityData } from "./community-data.ts";
import type { GlooTask } from "./gloo-ranks.ts";

export interface DeviceWaits {
  /** How often the host has waited for its device */
  readonly waits: number;
  /** What has come down from it; the JavaScript thread does not wait for all of that */
  readonly downloads: number;
}

export interface GlooRankResult {
  readonly losses: readonly number[];
  readonly valLosses: readonly number[];
  readonly weights: readonly number[];
  /** Code of the error that ended the run, null when it ended well */
  readonly code: string | null;
  /** What the error says; empty when there was none */
  readonly message: string;
  /** What there was of them when each step began; none on a CPU */
  readonly waits: readonly DeviceWaits[];
  /** Learned rows of all nodes; none without any */
  readonly rows: readonly number[];
  /** Who sampled the training's blocks, as that log tells; empty where it tells nothing */
  readonly sampledBy: string;
  /** Where the features lay, as the log of rank 0 tells, and why nowhere better; empty where it tells nothing */
  readonly placed: string;
  /** What there was left of the device's memory for the features, as that log tells */
  readonly roomBytes: number;
  /** Pieces of memory for other processes that its emulated device has at the end */
  readonly shares: number;
  /** How the ranks' gradients were added up, as the log tells; empty where it tells nothing */
  readonly sums: string;
}

export type RankMessage =
  | { readonly type: "set"; readonly key: string; readonly bytes: readonly number[] }
  | { readonly type: "get"; readonly key: string }
  | { readonly type: "result"; readonly result: GlooRankResult };

type ToRank =
  | { readonly type: "start"; readonly rank: number; readonly task: GlooTask }
  | { readonly type: "value"; readonly key: string; readonly bytes: readonly number[] };

const send = (message: RankMessage) => process.send!(message);
const waiting = new Map<string, (bytes: Uint8Array) => void>();

const store: RendezvousStore = {
  set: async (key, bytes) => void send({ type: "set", key, bytes: [...bytes] }),
  get: (key) =>
    new Promise((resolve) => {
      waiting.set(key, resolve);
      send({ type: "get", key });
    }),
};

process.on("message", (message: ToRank) => {
  if (message.type === "value") waiting.get(message.key)?.(Uint8Array.from(message.bytes));
  else void train(message.rank, message.task).then((result) => send({ type: "result", result }));
});

async function train(
  rank: number,
  {
    worldSize,
    data,
    options,
    scratchDir,
    cancel,
    stall,
    kill,
    onDevices = false,
    deviceBytes,
    timeoutMs = 30_000,
  }: Omit<GlooTask, "environment">,
): Promise<GlooRankResult> {
  if (onDevices) await selectBackend("cuda", { cudaDevice: "emulated" });
  if (deviceBytes?.[rank]) activeCuda()?.addon.setEmulatedMemory?.(deviceBytes[rank]);
  const connectRows = () => connectRowService({ rank, worldSize, store: prefixedStore(store, "rows"), secret: null });
  const collective = await connectGloo({ rank, worldSize, store, timeoutMs });
  let sums = "";
  let [placed, roomBytes] = ["", 0];
  let sampledBy = "";
  const stop = new AbortController();
  const waits: DeviceWaits[] = [];
  let steps = 0;
  points.sampled.subscribe(() => {
    steps += 1;
    if (kill?.rank === rank && steps === kill.atStep) process.kill(process.pid, "SIGKILL");
    const cuda = activeCuda();
    if (!cuda) return;
    const { synchronizations, downloads } = cuda.addon.deviceCounters();
    waits.push({ waits: cuda.readBacks + synchronizations, downloads });
  });
  const losses: number[] = [];
  const valLosses: number[] = [];
  const trainer = await Trainer.create({
    data: await communityData(data),
    options,
    rank: { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective, connectRows },
    sharedRows: sharedRowsIn(scratchDir),
  });
  let epochs = 0;
  const failure = await trainer
    .fit({
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === "log" && event.message.startsWith("Gradients")) {
          sums = `${event.message}: ${Object.values(event.fields ?? {}).join()}`;
        }
        if (event.type === "log" && Object.values(placementWords).includes(event.message)) {
          const whyNot = event.fields?.["whyNotSharded"];
          placed = typeof whyNot === "string" ? `${event.message}: ${whyNot}` : event.message;
          roomBytes = Number(event.fields?.["roomBytes"]);
        }
        if (event.type === "log" && Object.values(samplingWords).includes(event.message)) sampledBy = event.message;
        if (event.type !== "metrics") return;
        epochs += 1;
        if (event.values["train/loss"] != null) losses.push(event.values["train/loss"]);
        if (event.values["val/loss"] != null) valLosses.push(event.values["val/loss"]);
        if (cancel?.rank === rank && epochs === cancel.afterEpoch) stop.abort();
        if (stall?.rank === rank && epochs === stall.afterEpoch) {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        }
      },
    })
    .then(() => null)
    .catch((error: Error) => error);
  const rows = [...(trainer.nodeEmbedding?.rows ?? [])];
  const weights = copyWeights(trainer.model).flatMap(({ values }) => [...values]);
  trainer.dispose();
  const shares = onDevices ? numShares() : 0;
  await collective.close();
  const code = failure && (failure instanceof GnnError ? failure.code : String(failure));
  return {
    losses,
    valLosses,
    weights,
    code,
    message: failure?.message ?? "",
    sums,
    placed,
    sampledBy,
    roomBytes,
    shares,
    waits,
    rows,
  };
}

/** The emulation has each in a file without a name. */
function numShares(): number {
  const files = readdirSync("/proc/self/fd").map((name) => join("/proc/self/fd", name));
  return files.filter((file) => existsSync(file) && readlinkSync(file).includes("hopwise-emulated-device")).length;
}
