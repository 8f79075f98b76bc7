import { join } from "node:path";
import { prepareBackend } from "../backends/prepare-backend.ts";
import { memory } from "../backends/tf.ts";
import { comparesViews } from "../components/define-task.ts";
import { type ConnectedSums, connectRankDevices } from "../dist/connect-device-sums.ts";
import { PeerTensors } from "../dist/peer-tensors.ts";
import { points } from "../dist/points.ts";
import type { LabelledEdges } from "../edges/edge-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { batchesSampledAhead } from "../host/graph-placement.ts";
import { secondsSince } from "../host/seconds-since.ts";
import { type InferredRows, inferNodes } from "../infer/infer-nodes.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import type { GnnModel, ModelShape } from "../nn/model.ts";
import { makeOptimizer } from "../optim/make-optimizer.ts";
import type { Optimizer } from "../optim/optimizer.ts";
import { type SelectionMetric, selectionMetricOf } from "../spec/task-metrics.ts";
import type { TaskSection } from "../spec/task-section.ts";
import { calibrate, calibrationFigures } from "../tasks/calibrate.ts";
import { type OutputScaling, withOutputScaling } from "../tasks/output-scaling.ts";
import { hasBatchNorm } from "./batch-norm-step.ts";
import { partialOf, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { assertFiniteMetrics } from "./divergence.ts";
import { edgeDigest } from "./edge-setup.ts";
import { graphRowsParts } from "./evaluate-graphs.ts";
import { type EvaluationMode, type NamedMetrics, namedMetrics } from "./evaluate-run.ts";
import type { FittedTransform } from "./feature-transforms.ts";
import type { FitOptions, FitResult } from "./fit-options.ts";
import { type FitRun, startFit } from "./fit-run.ts";
import { graphDigest } from "./graph-setup.ts";
import { type InferredEdges, inferEdges } from "./infer-edges.ts";
import { type InferredGraphs, inferGraphs } from "./infer-graphs.ts";
import type { LearnedRows } from "./learned-rows.ts";
import type { Learning } from "./learning.ts";
import { linkDigest } from "./link-setup.ts";
import { makeBucket } from "./make-bucket.ts";
import { shapesOfWeights } from "./model-weights.ts";
import { type OnDevice, placeForTraining } from "./place-for-training.ts";
import { usePrecision } from "./precision.ts";
import { RunState } from "./run-state.ts";
import { type RunDigests, runDigests } from "./spec-digest.ts";
import { tellEnd, tellStart, tellSums } from "./tell-run.ts";
import type { StepsParts } from "./train-epoch.ts";
import { makeTrainerParts, type TrainerParts } from "./trainer-parts.ts";
import { type ResolvedSetup, resolveSetup, type TrainerSetup } from "./trainer-setup.ts";

/** What is reported at the end, whatever estimated the epochs */
const exactly: EvaluationMode = { mode: "layerwise", withRanking: true };

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
  readonly task: Pick<Learning, "outDim" | "scaling" | "trainMetrics">;
  /** Where links are learnt: scores pairs by the rows that `infer` gives as logits */
  readonly decoder: LinkDecoder | null;
  readonly #setup: ResolvedSetup;
  readonly #parts: TrainerParts;
  readonly #deviceSums: ConnectedSums;
  readonly #optimizer: Optimizer;
  readonly #selection: SelectionMetric;
  readonly #state: RunState;

  /**
   * @throws GnnError SPEC_INVALID, COMPONENT_UNKNOWN when model or sampler cannot be built from the options, or the
   * backend cannot multiply with the precision; DEVICE_NOT_AVAILABLE when its device cannot;
   * TRAIN_NO_LABELS when there is nothing to learn from
   */
  static async create(given: TrainerSetup): Promise<Trainer> {
    const setup = await resolveSetup(given);
    await prepareBackend(setup.rank.threads);
    usePrecision(setup.options.train.precision);
    const connected = await connectRankDevices(setup.rank.collective);
    try {
      const peers = connected.sums && new PeerTensors(connected.sums);
      return new Trainer(setup, await makeTrainerParts(setup, peers), connected);
    } catch (error) {
      connected.sums?.close();
      throw error;
    }
  }

  private constructor(setup: ResolvedSetup, parts: TrainerParts, deviceSums: ConnectedSums) {
    const { train } = setup.options;
    this.#deviceSums = deviceSums;
    this.#setup = setup;
    this.#parts = parts;
    this.model = parts.model;
    this.shape = parts.shape;
    this.transforms = parts.transforms;
    this.data = parts.data;
    this.task = parts.learning;
    this.decoder = parts.decoder;
    this.#optimizer = makeOptimizer(parts.model.variables, train.optimizer);
    const { model, embedding } = parts;
    this.#selection = selectionMetricOf(setup.judgedBy, train.earlyStopping);
    this.#state = new RunState({ model, optimizer: this.#optimizer, embedding }, this.#selection, train);
  }

  /**
   * Trains until the epochs are done, or early stopping or `endSignal` ends it, and leaves the best weights in the
   * model.
   *
   * @throws GnnError CANCELLED on every rank at the same step; TRAIN_DIVERGED; CHECKPOINT_INVALID for a foreign
   * `resume`
   */
  async fit(options: FitOptions = {}): Promise<FitResult> {
    const fit = startFit(this.#setup, options, this.#parts.learning);
    tellStart(fit.log, this.#setup, this.#parts);
    const { sampler, sharded } = await placeForTraining(this.#setup, this.#parts, fit);
    try {
      const result = await this.#train(fit, options, sampler);
      await sharded?.close();
      return result;
    } finally {
      sampler?.dispose();
    }
  }

  async #train(fit: FitRun, options: FitOptions, sampler: OnDevice | null): Promise<FitResult> {
    tellSums(fit.log, this.#deviceSums);
    if (options.resume) {
      this.#state.restore(await readCheckpoint(options.resume, this.#digests()));
      await this.#state.restoreRows(options.resume.dir);
      fit.log.info("Resumed from a checkpoint", { epoch: this.#state.epoch, step: this.#state.step });
    }
    const { epochs } = this.#setup.options.train;
    const parts = this.#epochParts(fit, sampler);
    try {
      while (this.#state.epoch < epochs && !this.#state.stopping.shouldStop && !fit.end.isAsked) {
        await this.#runEpoch(fit, parts);
      }
    } finally {
      parts.bucket.dispose();
      this.#parts.pass.endRun?.();
    }
    tellEnd(fit.log, this.#state, fit.end);
    return this.#finish(fit);
  }

  /**
   * Embedding and logits (of a regression: predictions; of links: the rows that the decoder scores) of every node with
   * the present weights, in GlobalId order.
   * Memory is that of `sharedRows`.
   *
   * @throws GnnError CANCELLED on every rank when the signal of one is aborted
   */
  async infer({ signal = new AbortController().signal }: Pick<FitOptions, "signal"> = {}): Promise<InferredRows> {
    const { rank, sharedRows } = this.#setup;
    await this.#parts.embedding?.share();
    const { graph, features } = this.data;
    const model = withOutputScaling(this.model, this.task.scaling);
    return inferNodes({ model, graph, features, rank, signal }, (name, dim) => sharedRows(name, graph.numNodes * dim));
  }

  /**
   * Rows of every graph of `graphs` with the present weights, in the order of its ids: `embeddings` what was read out
   * of the nodes, `outputs` what was made of it (classes: logits; numbers: predictions in their units). All ranks
   * return the same.
   *
   * @throws GnnError SPEC_INVALID when no graphs are learnt; CANCELLED on every rank when the signal of one is aborted
   */
  async inferGraphs({
    signal = new AbortController().signal,
  }: Pick<FitOptions, "signal"> = {}): Promise<InferredGraphs> {
    const { graphs, sampler } = this.#parts;
    if (!graphs) throw new GnnError("SPEC_INVALID", "No graphs are learnt here; call infer for rows of nodes.");
    const parts = { ...graphRowsParts(this.#setup, { model: this.model, data: this.data, sampler }), signal };
    const { outDim, scaling } = graphs.task;
    return inferGraphs(parts, { ...graphs, outDim, scaling });
  }

  /**
   * What the present weights predict of `edges`; left out: of those that were given to learn from and to judge by. Of
   * classes logits, of numbers predictions in their units. All ranks return the same; where each holds part of the
   * graph, rank 0 alone has the rows to predict by.
   *
   * @throws GnnError SPEC_INVALID when no edges are learnt; CANCELLED on every rank when the signal of one is aborted
   */
  async inferEdges({
    edges,
    signal,
  }: Pick<FitOptions, "signal"> & { readonly edges?: LabelledEdges } = {}): Promise<InferredEdges> {
    const learnt = this.#parts.edges;
    if (!learnt) throw new GnnError("SPEC_INVALID", "No edges are learnt here; call infer for rows of nodes.");
    const { logits } = await this.infer(signal ? { signal } : {});
    return inferEdges({ rows: logits, dim: this.task.outDim }, learnt, edges ?? learnt.edges);
  }

  /** What batches are drawn of */
  get learns(): Learning["seeds"] {
    return this.#parts.learning.seeds;
  }

  /** What takes outputs to the targets' own units, of nodes, of graphs or of edges; null: they are no numbers */
  get outputScaling(): OutputScaling | null {
    return this.#parts.graphs?.task.scaling ?? this.#parts.edges?.task.scaling ?? this.task.scaling;
  }

  /** The `task` section of the options with every default filled in */
  get taskSection(): TaskSection {
    return this.#setup.options.task;
  }

  /** Names and shapes of the model's weights, frozen ones and those of what follows the layers among them */
  get weightShapes(): { readonly name: string; readonly shape: number[] }[] {
    return shapesOfWeights(this.model);
  }

  /** Learned rows of the nodes after `fit`; null: there are none */
  get nodeEmbedding(): LearnedRows | null {
    return this.#parts.embedding?.learned ?? null;
  }

  dispose(): void {
    this.#deviceSums.sums?.close();
    this.model.dispose();
    this.#parts.embedding?.dispose();
    this.#optimizer.dispose();
  }

  async #runEpoch(fit: FitRun, parts: StepsParts): Promise<void> {
    const startedAt = performance.now();
    const { sums, numSteps, lr } = await this.#parts.learning.trainEpoch(
      parts,
      this.#state.epoch + 1,
      this.#state.step,
    );
    this.#state.finishEpoch(numSteps);
    const isLast = await fit.end.isLast(this.#state.epoch);
    const values = { ...namedMetrics("train", this.task.trainMetrics(sums)), ...(await this.#validate(fit, isLast)) };
    this.#emit(fit, values);
    fit.log.epoch(this.#state.epoch, { ...values, lr, seconds: secondsSince(startedAt) });
    await this.#checkpoint(fit, values, isLast);
    const leaked = fit.leakAlarm.afterEpoch(memory().numTensors);
    if (leaked !== null) {
      fit.log.warn(
        "Every epoch leaves tensors behind: something in model or loss is neither disposed nor inside tf.tidy.",
        {
          tensorsPerEpoch: leaked,
        },
      );
    }
  }

  /** An epoch that is due, or the last one, is evaluated, which decides about stopping and the best weights. */
  async #validate(fit: FitRun, isLast: boolean): Promise<NamedMetrics> {
    const { train } = this.#setup.options;
    const { epoch } = this.#state;
    if (epoch % train.evaluate.everyEpochs !== 0 && !isLast) return {};
    const { mode } = train.evaluate;
    const { val } = await this.#evaluate(fit, ["val"], { mode, withRanking: this.#selection.isRanking });
    const values = namedMetrics("val", val.metrics);
    assertFiniteMetrics(values, epoch);
    this.#state.judge(values[this.#selection.metric] ?? null);
    return values;
  }

  /** Metrics of val and test with the best weights. */
  async #finish(fit: FitRun): Promise<FitResult> {
    this.#state.takeBest();
    const { epoch: epochs, step: steps, best, stopping } = this.#state;
    const { val, test } = await this.#evaluate(fit, ["val", "test"], exactly);
    this.#emit(fit, namedMetrics("test", test.metrics));
    fit.reporter.report(steps);
    const metrics = { ...namedMetrics("val", val.metrics), ...namedMetrics("test", test.metrics) };
    const splits = { val: val.scored ?? null, test: test.scored ?? null };
    const calibration = calibrate(splits, () => fit.reporter.tick(steps));
    if (calibration) fit.log.info("Calibration", calibrationFigures(calibration));
    fit.log.info("Training finished", { epochs, steps, ...metrics });
    const { confusion } = test;
    return { epochs, steps, best: stopping.state.best, kept: best.kept, metrics, confusion, calibration };
  }

  async #evaluate<Split extends "val" | "test">(fit: FitRun, splits: readonly Split[], mode: EvaluationMode) {
    await this.#parts.embedding?.share();
    const { model, learning, data, seesWholeGraph, evaluationSampler: sampler } = this.#parts;
    const pass = seesWholeGraph ? this.#parts.pass : {};
    const run = { model, data, pass, sampler, setup: this.#setup, fit, step: this.#state.step };
    return learning.evaluate(run, splits, mode);
  }

  /** Whether more than gradients goes through the host's memory in a step */
  get #hostReduces(): boolean {
    const { task, rank } = this.#setup;
    const sharesMore = comparesViews(task.component) || hasBatchNorm(this.model);
    const { embedding, peers } = this.#parts;
    return (embedding !== null && !embedding.isOnDevice) || (sharesMore && rank.worldSize > 1 && !peers);
  }

  #epochParts(fit: FitRun, sampler: OnDevice | null): StepsParts {
    const { rank, options } = this.#setup;
    const { model } = this;
    return {
      ...this.#parts,
      bucket: makeBucket(model, this.#hostReduces, this.#deviceSums.sums),
      collective: rank.collective,
      optimizer: this.#optimizer,
      gradClipNorm: options.train.gradClipNorm,
      clock: fit.clock,
      signal: fit.signal,
      ...(sampler && { sampler }),
      // A device draws one batch at a time: another thread reads rows meanwhile, where the host does.
      samplerThreads: sampler ? Math.min(batchesSampledAhead - 1, options.samplerThreads) : options.samplerThreads,
      rank,
      reporter: fit.reporter,
      end: fit.end,
      train: options.train,
    };
  }

  #emit(fit: FitRun, values: NamedMetrics): void {
    if (this.#setup.rank.rank !== 0) return;
    const { epoch } = this.#state;
    fit.onEvent({ type: "metrics", axis: "epoch", step: epoch, values });
    const { epochs } = this.#setup.options.train;
    fit.onEvent({ type: "progress", phase: "train", completed: epoch, total: epochs, unit: "epochs" });
  }

  async #checkpoint(fit: FitRun, metrics: NamedMetrics, isLast: boolean): Promise<void> {
    const { rank, options } = this.#setup;
    const { epoch, step } = this.#state;
    if (fit.checkpointDir === null) return;
    if (epoch % options.train.checkpoint.everyEpochs !== 0 && !isLast) return;
    const dir = join(fit.checkpointDir, `epoch-${epoch}`);
    const writeRows = this.#parts.embedding ? (partialDir: string) => this.#saveRows(partialDir) : undefined;
    if (rank.rank !== 0) return writeRows?.(partialOf(dir));
    const checkpoint = this.#state.snapshot(this.#digests());
    points.checkpointWrite.publish({ epoch });
    await writeCheckpoint(dir, checkpoint, writeRows);
    fit.onEvent({ type: "checkpoint", dir, epoch, step, metrics, info: checkpoint.info });
    fit.log.checkpoint(epoch, { step });
  }

  /** Every rank writes its own rows into the folder that rank 0 makes and completes. */
  async #saveRows(partialDir: string): Promise<void> {
    const { collective } = this.#setup.rank;
    await collective.barrier();
    await this.#state.saveRows(partialDir);
    await collective.barrier();
  }

  #digests(): RunDigests {
    const { options, dataDigest, links, graphs, edges } = this.#setup;
    const learnt = links ? linkDigest(links) : edges ? edgeDigest(edges) : graphs && graphDigest(graphs);
    return runDigests(options, learnt ? `${dataDigest} ${learnt}` : dataDigest);
  }
}
