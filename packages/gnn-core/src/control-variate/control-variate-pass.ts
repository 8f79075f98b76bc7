import { activeCuda } from "../backends/active-cuda.ts";
import type { Tensor2D } from "../backends/tf.ts";
import type { LinearAggregation } from "../components/define-model.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import { layerwiseInference } from "../infer/layerwise-inference.ts";
import type { ForwardContext, GnnModel } from "../nn/model.ts";
import { addActivate } from "../ops/add-activate.ts";
import type { ForwardPass, ForwardPassContext } from "../train/forward-pass.ts";
import type { TrainBatch } from "../train/train-step.ts";
import { aggregateFeatures } from "./aggregate-features.ts";
import { controlVariateSum } from "./control-variate-sum.ts";
import { DeviceHistories } from "./device-histories.ts";
import { Histories } from "./histories.ts";
import { type NeighborSum, neighborSum } from "./neighbor-sum.ts";
import { noiseSum } from "./noise-sum.ts";
import { stackRows, updateBlock } from "./update-block.ts";

type Context = ForwardPassContext & { readonly aggregation: LinearAggregation };
type Run = Parameters<NonNullable<ForwardPass["beginEpoch"]>>[0];

/**
 * Training with control variates, for models whose layers begin with a fixed sum over neighbours (Chen, Zhu and Song
 * 2018, arXiv:1710.10568; the loop of source B). Of a model of L layers, the sampler draws L − 1 hops:
 *
 *   before the first epoch   U⁰ = Ã·X                                            aggregate-features.ts
 *   before each epoch        h̄ˡ = the exact hidden rows of all nodes with the present weights
 *   a batch                  h¹ = layer⁰(U⁰);  ẑˡ = estimate of Ã·hˡ from h̄ˡ and the drawn rows;  hˡ⁺¹ = layerˡ(ẑˡ)
 *   after its reduction      h̄ˡ ← hˡ of the batch's nodes                        histories.ts, device-histories.ts
 *
 * The weights are the plain model's. In training, dropout falls on the sums (and, for GraphSAGE, on the node's own row)
 * instead of on each neighbour's row: the same layer on the sum instead of on its terms. Its noise is no part of the
 * histories: hidden rows are computed with and without it (noise-sum.ts). Since the histories are
 * computed anew from the weights before each epoch, a checkpoint between epochs need not hold them.
 */
export class ControlVariatePass implements ForwardPass {
  readonly #context: Context;
  readonly #sum: NeighborSum;
  readonly #histories: Histories;
  readonly #onDevice: DeviceHistories | null;
  #input: FeatureStore | null = null;

  /** @throws GnnError SPEC_INVALID when the ranks are on several hosts */
  static async create(context: Context): Promise<ControlVariatePass> {
    if ((context.rank.numHosts ?? 1) > 1) throw onSeveralHosts();
    return new ControlVariatePass(context, await neighborSum(context.aggregation, context.data.graph));
  }

  private constructor(context: Context, sum: NeighborSum) {
    const { model, data, rank, sharedRows } = context;
    this.#context = context;
    this.#sum = sum;
    const dims = model.layers.slice(0, -1).map(({ outDim }) => outDim);
    this.#histories = new Histories({ dims, numNodes: data.graph.numNodes, rank, sharedRows });
    const cuda = activeCuda();
    const { peers = null } = context;
    this.#onDevice = cuda && (rank.worldSize === 1 || peers) ? new DeviceHistories({ cuda, sum, rank, peers }) : null;
  }

  /** What the first layer reads: the sums, for "mean" below the nodes' own rows */
  get features(): FeatureStore {
    return this.#input ?? this.#context.data.features;
  }

  get firstLayer() {
    const input = this.#input;
    if (!input) return undefined;
    return async (firstNode: number, count: number) => {
      const ids = Int32Array.from({ length: count }, (_, i) => firstNode + i);
      return { block: updateBlock(this.#sum.type, ids), features: await input.gatherAsync(ids) };
    };
  }

  async beginEpoch(run: Run): Promise<void> {
    if (!this.#input) {
      const { data, rank, sharedRows } = this.#context;
      const sums = await aggregateFeatures({ sum: this.#sum, features: data.features, rank, sharedRows, ...run });
      this.#input = this.#sum.type === "mean" ? stackedStore(data.features, sums) : sums;
    }
    await this.#histories.reset();
    await this.#refresh(run);
    const hidden = this.#context.model.layers.slice(1);
    this.#onDevice?.begin(hidden.map((_, i) => this.#histories.of(i + 1)));
  }

  async prepare({ blocks }: TrainBatch): Promise<void> {
    await this.#onDevice?.prepare(blocks);
  }

  endRun(): void {
    this.#onDevice?.dispose();
  }

  forward(batch: TrainBatch, context: ForwardContext): Tensor2D {
    const { model, usesDropout } = this.#context;
    const type = this.#sum.type;
    let h = this.#apply(0, batch.inputNodes, batch.features, context);
    // Rows without dropout vary less: those are estimated and remembered, and dropout's share is added.
    let mu =
      usesDropout && batch.blocks.length > 0
        ? this.#apply(0, batch.inputNodes, batch.features, withoutDropout(context))
        : h;
    for (let layer = 1; layer < model.layers.length; layer++) {
      const block = batch.blocks[layer - 1] as Block;
      const ids = block.srcIds.subarray(0, block.numDst);
      const sums = this.#sumAndRemember(layer, block, mu);
      const isLast = layer === model.layers.length - 1;
      const dropped = mu === h ? sums : addActivate(sums, noiseSum(type, block, h, mu), "none");
      h = this.#apply(layer, ids, dropped, context);
      mu = usesDropout && !isLast ? this.#apply(layer, ids, sums, withoutDropout(context)) : h;
    }
    return h;
  }

  #sumAndRemember(layer: number, block: Block, mu: Tensor2D): Tensor2D {
    if (this.#onDevice) return this.#onDevice.sumAndRemember(layer, block, mu);
    this.#histories.remember(layer, block.srcIds, mu.dataSync<"float32">());
    return controlVariateSum(block, mu, this.#sum, this.#histories.of(layer));
  }

  async endStep(): Promise<void> {
    if (this.#onDevice) this.#onDevice.publish();
    else await this.#histories.publish();
  }

  #apply(layer: number, ids: Int32Array, x: Tensor2D | FeatureRows, context: ForwardContext): Tensor2D {
    const { layers } = this.#context.model;
    return (layers[layer] as GnnModel["layers"][number]).forward(updateBlock(this.#sum.type, ids), x, context);
  }

  /** Exact rows of all layers but the last, whose rows no layer reads. Ends with a barrier. */
  async #refresh({ signal, onProgress }: Run): Promise<void> {
    const { model, data, rank } = this.#context;
    await layerwiseInference({
      model: { ...model, layers: model.layers.slice(0, -1) },
      graph: data.graph,
      features: data.features,
      firstLayer: this.firstLayer,
      rank,
      signal,
      onProgress,
      outputOf: (layer) => this.#histories.of(layer + 1),
    });
  }
}

function withoutDropout(context: ForwardContext): ForwardContext {
  return { ...context, training: false };
}

/** Rows of the nodes, then those of their sums, as `updateBlock` has them. */
function stackedStore(own: FeatureStore, sums: FeatureStore): FeatureStore {
  return {
    numRows: own.numRows,
    dim: own.dim,
    kind: own.kind,
    gather: (ids) => stackRows(own.gather(ids), sums.gather(ids)),
    gatherAsync: async (ids) => stackRows(...(await Promise.all([own.gatherAsync(ids), sums.gatherAsync(ids)]))),
  };
}

function onSeveralHosts(): GnnError {
  return new GnnError(
    "SPEC_INVALID",
    "Control variates remember rows in memory that the ranks of one host share; put the ranks on one host, or choose another sampler.",
    { place: { pointer: "/resources/hosts" } },
  );
}
