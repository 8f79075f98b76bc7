import type { GnnModel } from "../nn/model.ts";
import type { Optimizer } from "../optim/optimizer.ts";
import type { SelectionMetric } from "../spec/task-metrics.ts";
import type { TrainOptions } from "../spec/train-options.ts";
import { BestWeights, type CopiedWeights } from "./best-weights.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { EarlyStopping } from "./early-stopping.ts";
import { assignWeights, copyWeights } from "./model-weights.ts";
import type { NodeEmbedding } from "./node-embedding.ts";
import type { RunDigests } from "./spec-digest.ts";

export interface RunParts {
  readonly model: GnnModel;
  readonly optimizer: Optimizer;
  readonly embedding: NodeEmbedding | null;
}

/** All that changes from epoch to epoch: what a checkpoint holds and a resumed run goes on with. */
export class RunState {
  readonly stopping: EarlyStopping;
  readonly best: BestWeights;
  readonly #model: GnnModel;
  readonly #optimizer: Optimizer;
  readonly #embedding: NodeEmbedding | null;
  #epoch = 0;
  #step = 0;

  constructor(
    { model, optimizer, embedding }: RunParts,
    selection: SelectionMetric,
    { earlyStopping, checkpoint }: TrainOptions,
  ) {
    this.#model = model;
    this.#optimizer = optimizer;
    this.#embedding = embedding;
    this.stopping = new EarlyStopping(selection, earlyStopping?.patience);
    this.best = new BestWeights(checkpoint.keepBest, this.stopping.mode);
  }

  /** Epochs finished */
  get epoch(): number {
    return this.#epoch;
  }

  /** Steps finished */
  get step(): number {
    return this.#step;
  }

  finishEpoch(numSteps: number): void {
    this.#epoch += 1;
    this.#step += numSteps;
  }

  /** Takes the value of the chosen metric and keeps the present weights when they are among the best so far. */
  judge(metric: number | null): void {
    this.stopping.update(this.#epoch, metric);
    if (metric !== null) this.best.offer({ epoch: this.#epoch, metric }, () => this.#copy());
  }

  /** Puts the best weights into the model; without an evaluation the last ones stay. */
  takeBest(): void {
    const [best] = this.best.kept;
    if (!best) return;
    assignWeights(this.#model, best.weights);
    if (best.rows) this.#embedding?.assign(best.rows);
  }

  /** Writes this rank's learnable rows into a checkpoint. */
  async saveRows(dir: string): Promise<void> {
    await this.#embedding?.save(dir, this.#keptRows());
  }

  /** Reads them, behind `restore`. */
  async restoreRows(dir: string): Promise<void> {
    if (!this.#embedding) return;
    const rows = await this.#embedding.restore(dir, this.best.kept.length);
    this.best.restore(this.best.kept.map((kept, i) => ({ ...kept, rows: rows[i] as Float32Array })));
  }

  #copy(): CopiedWeights {
    const weights = copyWeights(this.#model);
    return this.#embedding ? { weights, rows: this.#embedding.copy() } : { weights };
  }

  #keptRows(): Float32Array[] {
    return this.best.kept.map(({ rows }) => rows as Float32Array);
  }

  snapshot(digests: RunDigests): Checkpoint {
    return {
      info: {
        version: 2,
        epoch: this.#epoch,
        step: this.#step,
        ...this.stopping.state,
        kept: this.best.kept.map(({ epoch, metric }) => ({ epoch, metric })),
        ...digests,
      },
      model: copyWeights(this.#model),
      optimizer: this.#optimizer.state(),
      best: this.best.kept,
    };
  }

  restore({ info, model, optimizer, best }: Checkpoint): void {
    this.#epoch = info.epoch;
    this.#step = info.step;
    this.best.restore(best);
    assignWeights(this.#model, model);
    this.#optimizer.restore(optimizer, info.step);
    this.stopping.restore({ best: info.best, badEvaluations: info.badEvaluations });
  }
}
