import { createHash } from "node:crypto";
import { join } from "node:path";
import type { z } from "zod";
import type { RankContext } from "../dist/rank-context.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type InferredRows, inferNodes } from "../infer/infer-nodes.ts";
import { rankShare } from "../infer/rank-share.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import type { GnnModel, ModelShape } from "../nn/model.ts";
import { countParameters } from "../optim/flat-gradients.ts";
import { makeOptimizer } from "../optim/make-optimizer.ts";
import type { Optimizer } from "../optim/optimizer.ts";
import { splitCode } from "../partition/split-nodes.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { withDegrees } from "../sampling/with-degrees.ts";
import { loadRegistry } from "../spec/index.ts";
import { secondsSince } from "../spec/logged.ts";
import type { Registry } from "../spec/registry.ts";
import type { StepEvent } from "../spec/step-event.ts";
import { BestWeights, type Evaluation, type KeptWeights } from "./best-weights.ts";
import { buildModel, buildSampler } from "./build-components.ts";
import { type Checkpoint, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { classWeights } from "./class-weights.ts";
import { EarlyStopping } from "./early-stopping.ts";
import { type EvaluatedSplit, evaluate, type SplitEvaluation } from "./evaluator.ts";
import { type FittedTransform, fitTransforms, transformed } from "./feature-transforms.ts";
import { GradientBucket } from "./gradient-bucket.ts";
import { metricsOf } from "./metrics.ts";
import { assignWeights, copyWeights } from "./model-weights.ts";
import { prepareBackend } from "./prepare-backend.ts";
import { RankReporter } from "./rank-reporter.ts";
import { RunLog } from "./run-log.ts";
import { type SharedRows, sharedRowsInMemory } from "./shared-rows.ts";
import { soloRank } from "./solo-rank.ts";
import { StepClock } from "./step-clock.ts";
import { trainEpoch } from "./train-epoch.ts";
import { type TrainStepOptions, trainStepOptions } from "./train-options.ts";
import { type TrainingData, trainingNodes } from "./training-data.ts";

/** They need the scores of all nodes in order, so they are computed only where they decide, and at the end. */
const rankingMetrics: ReadonlySet<string> = new Set(["val/rocAuc", "val/averagePrecision"]);

/** Options of a `train` step; without a label column of its own, data in memory needs no `task.target`. */
export type TrainerOptions = Omit<z.input<typeof trainStepOptions>, "task"> & {
  readonly task?: Partial<z.input<typeof trainStepOptions>["task"]>;
};

export interface TrainerSetup {
  readonly data: TrainingData;
  readonly options?: TrainerOptions;
  /** Default: the only rank, with all cores */
  readonly rank?: RankContext;
  /** Default: the built-in components */
  readonly registry?: Registry;
  /** Memory for the hidden rows of evaluations. Default: that of this process, which holds for one rank only */
  readonly sharedRows?: SharedRows;
  /** Digest of the data, so that a checkpoint of other data is refused */
  readonly dataDigest?: string;
}

export interface FitOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: StepEvent) => void;
  /** Folder for checkpoints, written by rank 0; left out: none are written */
  readonly checkpointDir?: string;
  /** Go on after this checkpoint: the rest of the run has the bits it would have had. */
  readonly resume?: ArtifactDir | null;
}

type Setup = Required<Omit<TrainerSetup, "options">> & { readonly options: TrainStepOptions };

/** One call of `fit` */
interface Fit {
  readonly signal: AbortSignal;
  readonly onEvent: (event: StepEvent) => void;
  readonly checkpointDir: string | null;
  readonly clock: StepClock;
  readonly reporter: RankReporter;
  readonly log: RunLog;
}

export interface FitResult {
  /** Epochs finished; fewer than asked for after early stopping */
  readonly epochs: number;
  readonly steps: number;
  readonly best: Evaluation | null;
  /** The `train.checkpoint.keepBest` best evaluations with their weights, best first */
  readonly kept: readonly KeptWeights[];
  /** Metrics of val and test with the weights that the model now has: those of the best evaluation */
  readonly metrics: Readonly<Record<string, number | null>>;
  /** Of the test nodes with the same weights, rows: label, columns: prediction; null with more than 100 classes */
  readonly confusion: number[][] | null;
}

/**
 * Trains one model on one graph, together with the other ranks, each of which runs the same code.
 *
 *   const trainer = await Trainer.create({ data, options: { model: { type: "sage" }, train: { epochs: 20 } } });
 *   const { metrics } = await trainer.fit({ onEvent: console.log });
 *   const { embeddings, logits } = await trainer.infer();
 *   trainer.dispose();
 */
export class Trainer {
  readonly model: GnnModel;
  readonly shape: ModelShape;
  readonly transforms: readonly FittedTransform[];
  /** The data with the transforms applied: what the model sees */
  readonly data: TrainingData;
  readonly #setup: Setup;
  readonly #sampler: Sampler;
  readonly #optimizer: Optimizer;
  readonly #trainNodes: Int32Array;
  readonly #classWeights: Float32Array;
  readonly #stopping: EarlyStopping;
  readonly #best: BestWeights;
  #epoch = 0;
  #step = 0;

  /**
   * @throws GnnError SPEC_INVALID, COMPONENT_UNKNOWN when model or sampler cannot be built from the options;
   * TRAIN_NO_LABELS when there is nothing to learn from
   */
  static async create(given: TrainerSetup): Promise<Trainer> {
    const setup = await withDefaults(given);
    const { data, options, registry, rank } = setup;
    await prepareBackend(rank.threads);
    const trainNodes = trainingNodes(data);
    const transforms = fitTransforms(options.features.transforms, data.features);
    const shape = { inDim: data.features.dim, outDim: data.numClasses, seed: options.train.seed };
    const { model, numHops } = buildModel(options.model, shape, registry);
    const context = { graph: data.graph, numHops, seed: options.train.seed };
    const drawn = await buildSampler(options.sampling, context, registry);
    const sampler = model.usesDegrees ? withDegrees(drawn, data.graph) : drawn;
    return new Trainer(setup, { model, shape, sampler, transforms, trainNodes });
  }

  private constructor(
    setup: Setup,
    made: Pick<Trainer, "model" | "shape" | "transforms"> & { sampler: Sampler; trainNodes: Int32Array },
  ) {
    const { data, options } = setup;
    this.#setup = setup;
    [this.model, this.shape, this.transforms] = [made.model, made.shape, made.transforms];
    [this.#sampler, this.#trainNodes] = [made.sampler, made.trainNodes];
    this.data = { ...data, features: transformed(data.features, made.transforms) };
    this.#optimizer = makeOptimizer(made.model.variables, options.train.optimizer);
    this.#classWeights = classWeights(options.task.classWeights, data.labels, made.trainNodes, data.numClasses);
    this.#stopping = new EarlyStopping(options.train.earlyStopping);
    this.#best = new BestWeights(options.train.checkpoint.keepBest, this.#stopping.mode);
  }

  /**
   * Trains until the epochs are done or early stopping ends it, and leaves the best weights in the model.
   *
   * @throws GnnError CANCELLED on every rank at the same step; TRAIN_DIVERGED; CHECKPOINT_INVALID for a foreign `resume`
   */
  async fit(options: FitOptions = {}): Promise<FitResult> {
    const fit = this.#prepare(options);
    this.#logStart(fit);
    if (options.resume) {
      this.#restore(await readCheckpoint(options.resume, this.#specDigest()));
      fit.log.info("Resumed from a checkpoint", { epoch: this.#epoch, step: this.#step });
    }
    const { train } = this.#setup.options;
    const parts = this.#epochParts(fit);
    while (this.#epoch < train.epochs && !this.#stopping.shouldStop) {
      const epoch = this.#epoch + 1;
      const startedAt = performance.now();
      const { sums, numSteps, lr } = await trainEpoch(parts, epoch, this.#step);
      [this.#epoch, this.#step] = [epoch, this.#step + numSteps];
      const values = { ...named("train", metricsOf(sums)), ...(await this.#validate(fit)) };
      this.#emit(fit, values);
      fit.log.epoch(epoch, { ...values, lr, seconds: secondsSince(startedAt) });
      await this.#checkpoint(fit, values);
    }
    this.#logEnd(fit);
    const [best] = this.#best.kept;
    if (best) assignWeights(this.model, best.weights);
    const { val, test } = await this.#evaluate(fit, ["val", "test"], true);
    this.#emit(fit, named("test", test.metrics));
    fit.reporter.report(this.#step);
    const metrics = { ...named("val", val.metrics), ...named("test", test.metrics) };
    fit.log.info("Training finished", { epochs: this.#epoch, steps: this.#step, ...metrics });
    return {
      epochs: this.#epoch,
      steps: this.#step,
      best: this.#stopping.state.best,
      kept: this.#best.kept,
      metrics,
      confusion: test.confusion,
    };
  }

  /**
   * Embedding and logits of every node with the present weights, in GlobalId order. Memory is that of `sharedRows`.
   *
   * @throws GnnError CANCELLED on every rank when the signal of one is aborted
   */
  async infer({ signal = new AbortController().signal }: Pick<FitOptions, "signal"> = {}): Promise<InferredRows> {
    const { rank, sharedRows } = this.#setup;
    const { graph, features } = this.data;
    return inferNodes({ model: this.model, graph, features, rank, signal }, (name, dim) =>
      sharedRows(name, graph.numNodes * dim),
    );
  }

  dispose(): void {
    this.model.dispose();
  }

  #prepare(options: FitOptions): Fit {
    const { signal = new AbortController().signal, onEvent = () => {} } = options;
    const { rank, data, options: spec } = this.#setup;
    const clock = new StepClock();
    const log = new RunLog(rank.rank, spec.train.epochs, onEvent);
    const reporter = new RankReporter(rank, clock, this.#ownedNodes(), onEvent);
    if (!data.split.includes(splitCode.val)) {
      log.warn("There are no validation nodes: the last weights are kept and early stopping never ends the run.");
    }
    return { signal, onEvent, checkpointDir: options.checkpointDir ?? null, clock, reporter, log };
  }

  #logStart({ log }: Fit): void {
    const { data, options, rank } = this.#setup;
    const { epochs, batchSize } = options.train;
    log.info("Training started", {
      model: options.model.type,
      parameters: countParameters(this.model.variables),
      sampling: options.sampling.type,
      optimizer: options.train.optimizer.type,
      features: `${data.features.kind} × ${data.features.dim}`,
      classes: data.numClasses,
      trainNodes: this.#trainNodes.length,
      ranks: rank.worldSize,
      epochs,
      batchSize,
      stepsPerEpoch: Math.ceil(this.#trainNodes.length / batchSize),
    });
  }

  /** Why the epochs ended early, if they did, and whose weights the model goes on with. */
  #logEnd({ log }: Fit): void {
    const { best, badEvaluations } = this.#stopping.state;
    const { metric } = this.#stopping;
    if (this.#stopping.shouldStop) log.info("Stopped early", { epoch: this.#epoch, metric, badEvaluations });
    if (best) log.info("Best epoch", { epoch: best.epoch, [metric]: best.metric });
  }

  #epochParts(fit: Fit) {
    const { rank, options } = this.#setup;
    return {
      model: this.model,
      bucket: new GradientBucket(this.model.variables.map(({ name, variable }) => ({ name, shape: variable.shape }))),
      collective: rank.collective,
      optimizer: this.#optimizer,
      classWeights: this.#classWeights,
      gradClipNorm: options.train.gradClipNorm,
      clock: fit.clock,
      signal: fit.signal,
      data: this.data,
      trainNodes: this.#trainNodes,
      sampler: this.#sampler,
      samplerThreads: options.samplerThreads,
      rank,
      reporter: fit.reporter,
      train: options.train,
    };
  }

  /** The GlobalIds of the parts that lie with this rank: part p of k with rank ⌊p·ranks/k⌋. */
  #ownedNodes() {
    const { rank, data } = this.#setup;
    const { parts } = data.graph;
    const { first, count } = rankShare(parts.length, rank);
    const owned = parts.slice(first, first + count);
    return {
      first: owned[0]?.firstNode ?? 0,
      count: owned.reduce((sum, part) => sum + part.numNodes, 0),
    };
  }

  /** Evaluates when the epoch is due and keeps the weights when they are among the best so far. */
  async #validate(fit: Fit): Promise<Record<string, number | null>> {
    const { train } = this.#setup.options;
    if (this.#epoch % train.evaluate.everyEpochs !== 0 && this.#epoch !== train.epochs) return {};
    const { val } = await this.#evaluate(fit, ["val"], rankingMetrics.has(this.#stopping.metric));
    const values = named("val", val.metrics);
    const metric = values[this.#stopping.metric] ?? null;
    this.#stopping.update(this.#epoch, metric);
    if (metric !== null) this.#best.offer({ epoch: this.#epoch, metric }, () => copyWeights(this.model));
    return values;
  }

  #evaluate<Split extends EvaluatedSplit>(
    fit: Fit,
    splits: readonly Split[],
    withRanking: boolean,
  ): Promise<Record<Split, SplitEvaluation>> {
    const { rank, sharedRows, data } = this.#setup;
    const isLast = (layer: number) => layer === this.model.layers.length - 1;
    return evaluate(
      {
        model: this.model,
        data: this.data,
        classWeights: this.#classWeights,
        rank,
        signal: fit.signal,
        onProgress: () => fit.reporter.tick(this.#step),
        onClass: () => fit.reporter.tick(this.#step),
        scoresOf: withRanking ? (split, length) => sharedRows(`scores-${split}`, length) : undefined,
        outputOf: (layer, dim) => (isLast(layer) ? null : sharedRows(`hidden-${layer}`, data.graph.numNodes * dim)),
      },
      splits,
    );
  }

  #emit(fit: Fit, values: Record<string, number | null>): void {
    if (this.#setup.rank.rank !== 0) return;
    const { epochs } = this.#setup.options.train;
    fit.onEvent({ type: "metrics", axis: "epoch", step: this.#epoch, values });
    fit.onEvent({ type: "progress", phase: "train", completed: this.#epoch, total: epochs, unit: "epochs" });
  }

  async #checkpoint(fit: Fit, metrics: Record<string, number | null>): Promise<void> {
    const { rank, options } = this.#setup;
    if (fit.checkpointDir === null || rank.rank !== 0) return;
    if (this.#epoch % options.train.checkpoint.everyEpochs !== 0 && this.#epoch !== options.train.epochs) return;
    const checkpoint = this.#snapshot();
    const dir = join(fit.checkpointDir, `epoch-${this.#epoch}`);
    await writeCheckpoint(dir, checkpoint);
    const { epoch, step } = checkpoint.info;
    fit.onEvent({ type: "checkpoint", dir, epoch, step, metrics, info: checkpoint.info });
    fit.log.checkpoint(epoch, { step });
  }

  #snapshot(): Checkpoint {
    return {
      info: {
        version: 2,
        epoch: this.#epoch,
        step: this.#step,
        ...this.#stopping.state,
        kept: this.#best.kept.map(({ epoch, metric }) => ({ epoch, metric })),
        specDigest: this.#specDigest(),
      },
      model: copyWeights(this.model),
      optimizer: this.#optimizer.state(),
      best: this.#best.kept,
    };
  }

  #restore({ info, model, optimizer, best }: Checkpoint): void {
    [this.#epoch, this.#step] = [info.epoch, info.step];
    this.#best.restore(best);
    assignWeights(this.model, model);
    this.#optimizer.restore(optimizer, info.step);
    this.#stopping.restore({ best: info.best, badEvaluations: info.badEvaluations });
  }

  /** Everything that decides the bits of the weights, but neither threads nor the number of ranks. */
  #specDigest(): string {
    const { samplerThreads: _, ...options } = this.#setup.options;
    return createHash("sha256")
      .update(canonicalJson([options, this.#setup.dataDigest]))
      .digest("hex");
  }
}

async function withDefaults(setup: TrainerSetup): Promise<Setup> {
  const rank = setup.rank ?? soloRank();
  if (rank.worldSize > 1 && !setup.sharedRows) {
    throw new GnnError(
      "SPEC_INVALID",
      "Several ranks need sharedRows that all of them see; pass sharedRowsIn(folder).",
    );
  }
  return {
    data: setup.data,
    options: parseOptions(setup.options ?? {}),
    rank,
    registry: setup.registry ?? (await loadRegistry()),
    sharedRows: setup.sharedRows ?? sharedRowsInMemory(),
    dataDigest: setup.dataDigest ?? "",
  };
}

function parseOptions({ task, ...sections }: TrainerOptions): TrainStepOptions {
  const parsed = trainStepOptions.safeParse({ ...sections, task: { target: "label", ...task } });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = `/${(issue?.path ?? []).join("/")}`;
  throw new GnnError("SPEC_INVALID", `${pointer}: ${issue?.message}`, { cause: parsed.error, place: { pointer } });
}

function named(split: EvaluatedSplit, metrics: object): Record<string, number | null> {
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`${split}/${name}`, value]));
}

/** JSON with sorted keys: a spec that went through a database column may come back in another order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
