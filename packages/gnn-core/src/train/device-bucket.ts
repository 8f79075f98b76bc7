import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { type Scalar, type Tensor, util, type Variable } from "../backends/tf.ts";
import { cancelled } from "../dist/agreement.ts";
import type { Collective } from "../dist/collective.ts";
import type { DeviceSums } from "../dist/device-sums.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { devicePlaces, type Place } from "../optim/device-places.ts";
import type { Optimizer } from "../optim/optimizer.ts";
import { type BatchSums, noBatchSums } from "../tasks/batch-sums.ts";
import type { DeviceCounts } from "../tasks/node-task.ts";
import type { NamedShape } from "./gradient-bucket.ts";

/** What rides behind the gradient, as in a `GradientBucket`: lossSum weightSum hits trials stop. */
const numSums = 4;
const tailLength = numSums + 1;
const [hitsAt, trialsAt, stopAt] = [2, 3, 4];
/** Floats that describe a gradient, and those of the totals, which are float64 (native/include/gnn/cuda/train) */
const scaleLength = 3;
const totalsLength = 12;
const stepsPerEpoch = 2 ** 32;

/**
 * A step's gradient and sums on the device, and the parameters that it updates: what `GradientBucket` is in the host's
 * memory. The sums of several ranks come about from device to device where `DeviceSums` connects them, else `reduce`
 * carries them through the host's memory to the collective and back. Beside that the host reads the totals of all steps
 * (`pendingSums`), once in a while.
 *
 *   values     [ layers.0.weightSelf … layers.1.bias | lossSum weightSum hits trials stop ]
 *   parameters [ layers.0.weightSelf … layers.1.bias ], where the model's variables lie from the first step on
 */
export class DeviceBucket {
  /** How often the ranks' gradients went through the host's memory */
  stagedReductions = 0;
  readonly #backend: CudaBackend;
  readonly #slots: readonly Place[];
  readonly #numParameters: number;
  readonly #values: FloatsHandle;
  readonly #parts: Readonly<Record<"gradient" | "sums" | "tail" | "stop", FloatsHandle>>;
  readonly #deviceSums: DeviceSums | null;
  readonly #parameters: FloatsHandle;
  readonly #scale: FloatsHandle;
  readonly #totals: FloatsHandle;
  /** Where each variable was put */
  readonly #places: FloatsHandle[] = [];
  #host: Float32Array | null = null;
  #isStopped = false;
  #isStopRequested = false;

  /** @param deviceSums  adds up what the ranks' devices have; null: the collective of their hosts does */
  constructor(backend: CudaBackend, variables: readonly NamedShape[], deviceSums: DeviceSums | null = null) {
    const { addon } = backend;
    const { places, length: end } = devicePlaces(variables.map(({ shape }) => util.sizeFromShape([...shape])));
    this.#slots = places;
    this.#backend = backend;
    this.#numParameters = end;
    this.#values = addon.makeFloats(end + tailLength);
    this.#parts = {
      gradient: addon.partOf(this.#values, 0, end),
      sums: addon.partOf(this.#values, end, end + numSums),
      tail: addon.partOf(this.#values, end, end + tailLength),
      stop: addon.partOf(this.#values, end + stopAt, end + tailLength),
    };
    this.#deviceSums = deviceSums;
    this.#parameters = addon.makeFloats(end);
    addon.fill(0, this.#parameters);
    this.#scale = addon.makeFloats(scaleLength);
    this.#totals = addon.makeFloats(totalsLength);
    addon.fill(0, this.#totals);
  }

  /** Begins a step: arrays that kernels read in it are uploaded once. Variables that were assigned anew move here. */
  begin(variables: readonly Variable[]): void {
    this.#backend.uploads.begin();
    this.#isStopRequested = false;
    this.#backend.addon.fill(0, this.#values);
    for (const [i, variable] of variables.entries()) {
      const place = this.#places[i];
      if (place && this.#backend.isIn(variable, place)) continue;
      const { begin, end } = this.#slots[i] as Place;
      this.#places[i] = this.#backend.addon.partOf(this.#parameters, begin, end);
      this.#backend.moveTo(variable, this.#places[i]);
    }
  }

  /** Ends it, whether it came to its end or not. */
  end(): void {
    this.#backend.uploads.end();
  }

  requestStop(): void {
    this.#isStopRequested = true;
  }

  /**
   * True on every rank, after the same step, once one rank asked for it: after the next reduction through the hosts'
   * memory, and two later where devices add up by themselves.
   */
  get isStopRequested(): boolean {
    return this.#isStopped;
  }

  setGradient(variable: number, gradient: Tensor): void {
    const { begin, end } = this.#slots[variable] as Place;
    this.#copy(gradient, begin, end);
  }

  setSums(lossSum: Scalar, { weightSum, hits, trials }: DeviceCounts): void {
    const known = [0, weightSum, ...[hits, trials].map((count) => (typeof count === "number" ? count : 0)), 0];
    this.#backend.addon.uploadInto(Float32Array.from(known), this.#parts.tail);
    this.#setSum(lossSum, 0);
    if (typeof hits !== "number") this.#setSum(hits, hitsAt);
    if (typeof trials !== "number") this.#setSum(trials, trialsAt);
  }

  /**
   * Adds up what all ranks have. A single rank has it already.
   *
   * @throws GnnError RANK_LOST, RANK_TIMEOUT, RANK_MISMATCH
   */
  async reduce(collective: Collective): Promise<void> {
    if (collective.worldSize === 1) this.#isStopped = this.#isStopRequested;
    else if (this.#deviceSums) this.#isStopped = (await this.#addOnDevices(this.#deviceSums)) > 0;
    else await this.#addOnHosts(collective);
  }

  #addOnDevices(deviceSums: DeviceSums): Promise<number> {
    const { stop } = this.#parts;
    if (this.#isStopRequested) this.#backend.addon.fill(1, stop);
    return deviceSums.add(this.#values, stop);
  }

  /** Waits for the device off the JavaScript thread. */
  async #addOnHosts(collective: Collective): Promise<void> {
    const { addon } = this.#backend;
    this.#host ??= new Float32Array(this.#numParameters + tailLength);
    const host = this.#host;
    await addon.downloadAsync(this.#values, host);
    host[this.#numParameters + stopAt] = this.#isStopRequested ? 1 : 0;
    await collective.allReduceSum(host);
    this.stagedReductions++;
    addon.uploadInto(host, this.#values);
    this.#isStopped = (host[this.#numParameters + stopAt] as number) > 0;
  }

  /**
   * Divides the gradient by the weight of all seeds, shortens it to `maxNorm` if it is longer, and updates the
   * parameters, unless something is not finite: then this step changes nothing, and `pendingSums` tells it.
   */
  update(
    optimizer: Optimizer,
    { epoch, step, lr, maxNorm }: { epoch: number; step: number; lr?: number | undefined; maxNorm: number | null },
  ): void {
    const { addon } = this.#backend;
    const { gradient, sums } = this.#parts;
    addon.scaleGradient(gradient, maxNorm ?? 0, sums, epoch * stepsPerEpoch + step, this.#scale, this.#totals);
    optimizer.stepOnDevice({ addon, parameter: this.#parameters, gradient, scale: this.#scale }, lr);
  }

  /** What the step that was updated last found, for updates of what lies beside its parameters. */
  get stepScale(): { readonly sums: FloatsHandle; readonly scale: FloatsHandle } {
    return { sums: this.#parts.sums, scale: this.#scale };
  }

  /**
   * Sums of all steps since the last call, over the global batches.
   *
   * @throws GnnError TRAIN_DIVERGED naming the first step whose loss or gradient was not finite; CANCELLED when a rank
   * asked to stop in a step whose sum was still under way; RANK_LOST, RANK_TIMEOUT
   */
  async pendingSums(): Promise<BatchSums> {
    const { addon } = this.#backend;
    if (this.#deviceSums && (await this.#deviceSums.settle()) > 0) throw cancelled();
    const floats = new Float32Array(totalsLength);
    await addon.downloadAsync(this.#totals, floats);
    addon.fill(0, this.#totals);
    const [lossSum, weightSum, hits, trials, numBad, firstBad] = new Float64Array(floats.buffer) as unknown as number[];
    if (numBad === 0) return { ...noBatchSums, lossSum, weightSum, hits, trials } as BatchSums;
    const [epoch, step] = [Math.floor((firstBad as number) / stepsPerEpoch), (firstBad as number) % stepsPerEpoch];
    throw new GnnError(
      "TRAIN_DIVERGED",
      `In epoch ${epoch}, step ${step}, the loss or a gradient is not a finite number; lower the learning rate, set gradClipNorm, or look for NaN among the features. The backend native names the first tensor that is not finite.`,
    );
  }

  /** Gives back everything but the parameters, which belong to the variables that lie there. */
  dispose(): void {
    const { addon } = this.#backend;
    for (const each of [this.#values, ...Object.values(this.#parts), this.#parameters, this.#scale, this.#totals]) {
      addon.giveBack(each);
    }
  }

  #setSum(sum: Scalar, at: number): void {
    this.#copy(sum, this.#numParameters + at, this.#numParameters + at + 1);
  }

  #copy(from: Tensor, begin: number, end: number): void {
    const { addon } = this.#backend;
    const to = addon.partOf(this.#values, begin, end);
    addon.copy(this.#backend.floats(from), to);
    addon.giveBack(to);
  }
}
