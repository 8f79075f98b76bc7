/** One rank of a setting, forked by ours.ts; answers with what its training steps took. */
import {
  connectGloo,
  DenseFeatureStore,
  parentRendezvous,
  readShapedGraph,
  type StepBreakdown,
  sharedRowsIn,
  Trainer,
} from "@hopwise/gnn-core";
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
}

export interface RankAnswer {
  readonly steps: number;
  /** Seconds of all steps: from the end of one to the end of the next, evaluations left out */
  readonly trainSeconds: number;
  /** Seconds of these spent waiting for sampled batches, and for the other ranks */
  readonly waitSeconds: number;
  readonly allReduceSeconds: number;
  /** CPU seconds of the process while it trained and evaluated */
  readonly cpuSeconds: number;
  readonly valAccuracy: number;
}

async function train(task: RankTask): Promise<RankAnswer> {
  const { dir, rank, worldSize, model, batchSize, epochs, hidden } = task;
  const collective = await connectGloo({ rank, worldSize, store: parentRendezvous() });
  const { features, featureDim, ...data } = await readShapedGraph(dir);
  const trainer = await Trainer.create({
    data: { ...data, features: new DenseFeatureStore(featureDim, [features]) },
    rank: { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective },
    sharedRows: sharedRowsIn(dir),
    options: {
      model: { type: model, options: { ...modelOptions[model], ...(hidden ? { hiddenFeats: hidden } : {}) } },
      sampling: { type: "neighbor", options: { fanouts } },
      train: {
        epochs,
        batchSize: batchSize * worldSize,
        evaluate: { everyEpochs: epochs },
        optimizer: { type: "adam", options: { lr: 5e-3, weightDecay: 5e-4 } },
      },
    },
  });
  let reported = 0;
  let trainMs = 0;
  let waitMs = 0;
  let allReduceMs = 0;
  const count = (step: number, breakdown: StepBreakdown) => {
    const { forward, backward, allReduce, optimizer, wait } = breakdown;
    const steps = step - reported;
    reported = step;
    trainMs += steps * (forward + backward + allReduce + optimizer + wait);
    waitMs += steps * wait;
    allReduceMs += steps * allReduce;
  };
  const before = process.cpuUsage();
  const { steps, metrics } = await trainer.fit({
    onEvent: (event) => event.type === "rank" && event.breakdown && count(event.step, event.breakdown),
  });
  const { user, system } = process.cpuUsage(before);
  trainer.dispose();
  await collective.close();
  return {
    steps,
    trainSeconds: trainMs / 1000,
    waitSeconds: waitMs / 1000,
    allReduceSeconds: allReduceMs / 1000,
    cpuSeconds: (user + system) / 1e6,
    valAccuracy: metrics["val/accuracy"] ?? 0,
  };
}

async function answer(task: RankTask): Promise<void> {
  process.send?.({ answer: await train(task) });
  process.disconnect();
}

process.on("message", (message: object) => {
  if ("task" in message) void answer(message.task as RankTask);
});
