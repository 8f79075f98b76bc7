import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import type { DeviceFeaturesHandle, DeviceShareHandle } from "../backends/cuda/memory-addon.ts";
import { type FeatureMatrix, matrixOf } from "../backends/feature-matrix.ts";
import { loadAddon } from "../backends/native/addon.ts";
import type { FeaturesHandle } from "../backends/native/graph-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { rankShare } from "../dist/rank-share.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { NodeRange } from "../graph/csc-graph.ts";

/** What a rank tells the others of its share: what they open it by, or why there is none */
export interface TellsOfShare {
  readonly handle: string;
  readonly whyNot: string;
}

export interface ShareOf {
  /** Among the ranks of the host */
  readonly index: number;
  readonly count: number;
}

/** Longer reasons are cut off: what ranks tell each other has a fixed size. */
const longestReason = 300;

/**
 * A rank's share of a feature matrix, and the matrix as its device reads it of the shares of all. Shares are contiguous
 * ranges: they go up as they lie, and a kernel finds them by the search that finds segments of the host.
 */
export class FeatureShare {
  readonly #cuda: CudaBackend;
  readonly #features: FeaturesHandle;
  readonly #matrix: FeatureMatrix;
  readonly #ranges: readonly NodeRange[];
  readonly #index: number;
  #own: DeviceShareHandle | null = null;
  #made: DeviceFeaturesHandle | null = null;

  constructor(cuda: CudaBackend, features: FeaturesHandle, { index, count }: ShareOf) {
    this.#cuda = cuda;
    this.#features = features;
    this.#matrix = matrixOf(features) as FeatureMatrix;
    this.#index = index;
    const { numRows } = this.#matrix;
    this.#ranges = Array.from({ length: count }, (_, i) => rankShare(numRows, { rank: i, worldSize: count }));
  }

  /** Uploads the share, unless there is an objection. */
  make(whyNot: string): TellsOfShare {
    if (whyNot !== "") return { handle: "", whyNot };
    const { numRows, segments } = this.#matrix;
    const { first, count } = this.#ranges[this.#index] as NodeRange;
    const { addon } = this.#cuda;
    try {
      return nativeSync(() => {
        this.#own = addon.makeShare(numRows, segments, first, first + count);
        return { handle: Buffer.from(addon.exportShare(this.#own)).toString("hex"), whyNot: "" };
      });
    } catch (error) {
      return { handle: "", whyNot: reasonIn(error) };
    }
  }

  /** Opens the shares of all, and looks whether their rows are read as they are. @returns why not; empty: they are */
  open(shares: readonly TellsOfShare[]): string {
    const refusal = shares.find(({ whyNot }) => whyNot !== "");
    if (refusal) return refusal.whyNot;
    const { numRows, dim, segments, columns } = this.#matrix;
    const [scale, offset] = [columns?.scale ?? null, columns?.offset ?? null];
    const firstRows = Int32Array.from(this.#ranges, ({ first }) => first);
    const sources = shares.map(({ handle }, i) =>
      i === this.#index ? (this.#own as DeviceShareHandle) : Uint8Array.from(Buffer.from(handle, "hex")),
    );
    try {
      return nativeSync(() => {
        this.#made = this.#cuda.addon.openShares(numRows, dim, segments, scale, offset, firstRows, sources);
        return this.#isReadRight(this.#made) ? "" : "rows of another device are not read as they are";
      });
    } catch (error) {
      return reasonIn(error);
    }
  }

  /** From now on rows are gathered of the shares. */
  use(roomBytes: number): void {
    const { count } = this.#ranges[this.#index] as NodeRange;
    this.#cuda.features.share(this.#features, this.#made as DeviceFeaturesHandle, count, roomBytes);
  }

  /** The matrix is placed in another way. */
  refuse(whyNot: string): void {
    this.#cuda.features.refuseToShare(this.#features, whyNot);
    if (this.#made) this.#cuda.addon.giveBack(this.#made);
    this.#made = null;
  }

  /** When no rank has it open any more */
  giveBack(): void {
    if (this.#own) nativeSync(() => this.#cuda.addon.giveBack(this.#own as DeviceShareHandle));
    this.#own = null;
  }

  /** @param everybodyHas  resolves when every rank has called it, which is when all have closed the shares of others */
  async close(everybodyHas: () => Promise<void>): Promise<void> {
    if (this.#made) this.#cuda.features.forget(this.#features);
    this.#made = null;
    await everybodyHas();
    this.giveBack();
  }

  /** The first and last row of each share: some systems map the memory of another device, and read something else. */
  #isReadRight(made: DeviceFeaturesHandle): boolean {
    const { addon } = this.#cuda;
    const ids = Int32Array.from(this.#ranges.flatMap(({ first, count }) => [first, first + count - 1]));
    const out = addon.makeFloats(ids.length * this.#matrix.dim);
    const found = new Float32Array(ids.length * this.#matrix.dim);
    addon.gatherFeatures(made, addon.uploadInts(ids), null, 0, out);
    addon.download(out, found);
    addon.giveBack(out);
    const expected = loadAddon().gatherDense(this.#features, ids);
    return found.every((value, i) => Object.is(value, expected[i]));
  }
}

function reasonIn(error: unknown): string {
  if (!(error instanceof GnnError) || error.code === "DEVICE_FAULT") throw error;
  return error.message.slice(0, longestReason);
}
