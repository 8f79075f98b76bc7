import type { Collective } from "../../packages/gnn-core/src/dist/collective.ts";
import { loopback } from "../../packages/gnn-core/src/dist/loopback.ts";
import type { FeatureRows, FeatureStore } from "../../packages/gnn-core/src/features/feature-store.ts";
import type { ShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import type { Block } from "../../packages/gnn-core/src/graph/block.ts";
import type { GnnModel } from "../../packages/gnn-core/src/nn/model.ts";
import { Adam } from "../../packages/gnn-core/src/optim/adam.ts";
import { releaseBatch } from "../../packages/gnn-core/src/sampling/release-batch.ts";
import type { Sampler } from "../../packages/gnn-core/src/sampling/sampler.ts";
import { classificationTask } from "../../packages/gnn-core/src/tasks/node-classification.task.ts";
import { taskKit } from "../../packages/gnn-core/src/tasks/task-kit.ts";
import { GradientBucket } from "../../packages/gnn-core/src/train/gradient-bucket.ts";
import type { StepPhase } from "../../packages/gnn-core/src/train/step-clock.ts";
import { type TrainBatch, trainStep } from "../../packages/gnn-core/src/train/train-step.ts";
import { CpuClock } from "./cpu-clock.ts";
import type { SeedBatch } from "./seed-batches.ts";

/** The seeds are given step by step. */
const noSeeds = () => new Int32Array(0);

export interface BatchFigures {
  /** CPU seconds by phase */
  readonly phases: Partial<Record<StepPhase, number>>;
  readonly numEdges: number;
  readonly inputNodes: number;
  readonly loss: number;
}

export interface BatchParts {
  readonly data: ShapedGraph;
  readonly model: GnnModel;
  readonly sampler: Sampler;
  readonly features: FeatureStore;
  readonly seed: number;
  /** Left out: of one rank */
  readonly collective?: Collective;
}

/** A step reads nothing of the data but labels. */
type StepParts = Omit<BatchParts, "data"> & { readonly data: Pick<ShapedGraph, "labels" | "numClasses"> };

/** Training steps one after the other, each phase on its own: sample, gather, forward, backward, optimizer. */
export class BatchRun {
  readonly #parts: StepParts;
  readonly #clock = new CpuClock();
  readonly #step;
  /** Blocks of the last batch */
  blocks: readonly Block[] = [];
  #last: { readonly seeds: Int32Array; readonly features: FeatureRows } | null = null;

  constructor(parts: StepParts) {
    this.#parts = parts;
    const { variables } = parts.model;
    this.#step = {
      model: parts.model,
      bucket: new GradientBucket(variables.map(({ name, variable }) => ({ name, shape: variable.shape }))),
      collective: parts.collective ?? loopback(),
      optimizer: new Adam(variables, { lr: 0.003 }),
      task: classificationTask(parts.data.labels, new Float32Array(parts.data.numClasses).fill(1), noSeeds, taskKit),
      gradClipNorm: null,
      clock: this.#clock,
      signal: new AbortController().signal,
    };
  }

  async run({ epoch, step, seeds }: SeedBatch): Promise<BatchFigures> {
    const { sampler, features } = this.#parts;
    // As the trainer does after a step; the last batch stays to be looked at.
    if (this.#last) releaseBatch({ blocks: this.blocks, ...this.#last });
    this.#clock.start();
    const blocks = await sampler.sample(seeds, { epoch, step });
    this.#clock.lap("sample");
    const inputNodes = (blocks[0] as Block).srcIds;
    const rows = await features.gatherAsync(inputNodes);
    this.#clock.lap("gather");
    const batch = { epoch, step, seeds, blocks, inputNodes, features: rows, labels: null, sampleMs: 0, gatherMs: 0 };
    const loss = await this.train(batch);
    this.blocks = blocks;
    this.#last = { seeds, features: rows };
    return {
      phases: this.#clock.seconds,
      numEdges: blocks.reduce((sum, { indices }) => sum + indices.length, 0),
      inputNodes: inputNodes.length,
      loss,
    };
  }

  /** The step on a batch that is there already. @returns its loss */
  async train(batch: TrainBatch): Promise<number> {
    const { epoch, step } = batch;
    const sums = await trainStep(this.#step, batch, { training: true, seed: this.#parts.seed, epoch, step });
    return sums.lossSum / sums.weightSum;
  }
}
