import type { Tensor2D } from "../backends/tf.ts";
import type { LinearAggregation } from "../components/define-model.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { SharedRows } from "../dist/shared-rows.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { FirstLayerInput } from "../infer/layerwise-inference.ts";
import type { ForwardContext, GnnModel, LayerInput } from "../nn/model.ts";
import type { TrainBatch } from "./train-step.ts";

/**
 * How a batch becomes logits, and what is kept from batch to batch. Samplers that come with more than blocks bring
 * their own (`SamplerComponent.createPass`); the others have the layers applied in order.
 *
 * Every rank calls the same methods in the same order. `forward` is left out on a rank without seeds in the step.
 */
export interface ForwardPass {
  /** Rows that the loader reads for the input nodes of a batch; asked for after `beginEpoch` */
  readonly features: FeatureStore;
  /** Before the first step of each epoch of a run */
  beginEpoch?(run: { readonly signal: AbortSignal; readonly onProgress: () => void }): Promise<void>;
  /** Before a batch that is computed on a device: reads of the graph what `forward` cannot wait for */
  prepare?(batch: TrainBatch): Promise<void>;
  /**
   * Logits of the seeds, float32 [seeds.length, outDim], on the tape.
   *
   * @param onLayer sees the output of each layer as it is made, to find the first bad one; a pass may leave it out
   */
  forward(batch: TrainBatch, context: ForwardContext, onLayer?: (layer: number, output: Tensor2D) => void): Tensor2D;
  /** After the gradients of a step were reduced: no rank is in `forward` any more */
  endStep?(): Promise<void>;
  /** After the last step of a run: gives back what no later run reads */
  endRun?(): void;
  /** What exact inference gives the first layer instead of a block of the graph; asked for after `beginEpoch` */
  readonly firstLayer?: FirstLayerInput | undefined;
}

/** What a pass may be made of. */
export interface ForwardPassContext {
  readonly model: GnnModel;
  /** The fixed sum that the model's layers begin with; null: they begin with none */
  readonly aggregation: LinearAggregation | null;
  /** Whether training rows differ from those of inference: an option of the model named …dropout is above 0 */
  readonly usesDropout: boolean;
  /** As the model sees it: with the transforms applied */
  readonly data: TrainingData;
  readonly rank: RankContext;
  readonly sharedRows: SharedRows;
  /** Joins the ranks' devices; left out or null: nothing does, or there is one rank */
  readonly peers?: PeerTensors | null;
}

/** The layers in order, each on its block, or all at once where the model has a cheaper way. */
export function layersInOrder(model: GnnModel): Pick<ForwardPass, "forward"> {
  return {
    forward(batch, context, onLayer) {
      const input = batch.input ?? batch.features;
      if (model.forward && !onLayer) return model.forward(batch.blocks, input, context);
      const alone = model.usesNeighbors ? null : edgelessBlock(batch.seeds);
      let x: LayerInput = input;
      for (const [i, layer] of model.layers.entries()) {
        const mayDropInPlace = layer.dropsInPlace === true && model.layers[i - 1]?.keepsSigns === true;
        x = layer.forward(alone ?? (batch.blocks[i] as Block), x, { ...context, mayDropInPlace });
        onLayer?.(i, x);
      }
      return x as Tensor2D;
    },
  };
}
