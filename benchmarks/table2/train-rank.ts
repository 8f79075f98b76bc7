import { type BackendOptions, selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { connectGloo } from "../../packages/gnn-core/src/dist/gloo.ts";
import { parentRendezvous } from "../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import { sharedRowsIn } from "../../packages/gnn-core/src/dist/shared-rows.ts";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { readShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import type { StepBreakdown, StepEvent } from "../../packages/gnn-core/src/spec/index.ts";
import { Trainer } from "../../packages/gnn-core/src/train/trainer.ts";
import type { TrainerOptions } from "../../packages/gnn-core/src/train/trainer-setup.ts";
import { fanouts, modelOptions, type TableModel } from "./source.ts";

export interface RankTask {
  readonly dir: string;
  readonly rank: number;
  readonly worldSize: number;
  readonly model: TableModel;
  /** Seeds of one rank in one step */
  readonly batchSize: number;
  readonly epochs: number;
  readonly hidden: number | null;
  /** What the backend `cuda` computes on; null: the backend is `native` */
  readonly device: BackendOptions | null;
}

export interface RankAnswer {
  readonly steps: number;
  /** Seconds of all steps: from the end of one to the end of the next, evaluations left out */
  readonly trainSeconds: number;
  /** By rank 0 alone: seconds from the end of each epoch to that of the next; the last has an evaluation */
  readonly epochSeconds: readonly number[];
  /** Seconds of the steps spent waiting for sampled batches, and for the other ranks */
  readonly waitSeconds: number;
  readonly allReduceSeconds: number;
  /** CPU seconds of the process while it trained and evaluated */
  readonly cpuSeconds: number;
  readonly valAccuracy: number;
}

/** Trains one setting of the grid as one rank, evaluating once at the end. */
export async function trainRank(task: RankTask): Promise<RankAnswer> {
  const { dir, rank, worldSize, device } = task;
  if (device) await selectBackend("cuda", device);
  const collective = await connectGloo({ rank, worldSize, store: parentRendezvous() });
  const { features, featureDim, ...data } = await readShapedGraph(dir);
  const trainer = await Trainer.create({
    data: { ...data, features: new DenseFeatureStore(featureDim, [features]) },
    rank: { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective },
    sharedRows: sharedRowsIn(dir),
    options: optionsOf(task),
  });
  const times = new StepTimes();
  const before = process.cpuUsage();
  const { steps, metrics } = await trainer.fit({ onEvent: (event) => times.take(event) });
  const { user, system } = process.cpuUsage(before);
  trainer.dispose();
  await collective.close();
  const cpuSeconds = (user + system) / 1e6;
  return { ...times.seconds(), steps, cpuSeconds, valAccuracy: metrics["val/accuracy"] ?? 0 };
}

function optionsOf({ model, batchSize, worldSize, epochs, hidden }: RankTask): TrainerOptions {
  return {
    model: { type: model, options: { ...modelOptions[model], ...(hidden ? { hiddenFeats: hidden } : {}) } },
    sampling: { type: "neighbor", options: { fanouts } },
    train: {
      epochs,
      batchSize: batchSize * worldSize,
      evaluate: { everyEpochs: epochs },
      optimizer: { type: "adam", options: { lr: 5e-3, weightDecay: 5e-4 } },
    },
  };
}

/** Adds up what a rank tells of its steps. */
class StepTimes {
  #reported = 0;
  #trainMs = 0;
  #waitMs = 0;
  #allReduceMs = 0;
  readonly #ends: number[] = [];

  take(event: StepEvent): void {
    if (event.type === "metrics" && "train/loss" in event.values) this.#ends.push(performance.now());
    if (event.type === "rank" && event.breakdown) this.#count(event.step, event.breakdown);
  }

  seconds() {
    const epochSeconds = this.#ends.slice(1).map((end, i) => (end - (this.#ends[i] as number)) / 1000);
    const [trainSeconds, waitSeconds, allReduceSeconds] = [this.#trainMs, this.#waitMs, this.#allReduceMs].map(
      (milliseconds) => milliseconds / 1000,
    ) as [number, number, number];
    return { trainSeconds, waitSeconds, allReduceSeconds, epochSeconds };
  }

  #count(step: number, { forward, backward, allReduce, optimizer, wait }: StepBreakdown): void {
    const steps = step - this.#reported;
    this.#reported = step;
    this.#trainMs += steps * (forward + backward + allReduce + optimizer + wait);
    this.#waitMs += steps * wait;
    this.#allReduceMs += steps * allReduce;
  }
}
