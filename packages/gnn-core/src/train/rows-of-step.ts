import { keep, type Tensor, type Tensor2D, type Variable, variable } from "../backends/tf.ts";
import type { DeviceEmbedding, StepScale } from "../dist-store/device-embedding.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { joinColumns } from "../ops/columns.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";

/** Learnable rows of a step's input nodes, read and updated on a device. */
export class RowsOfStep {
  /** float32 [nodes, dim]; its gradient is that of the rows */
  readonly variable: Variable;
  readonly #rows: DeviceEmbedding;
  #gradient: Tensor | null = null;

  /** @param rows prepared for the step's nodes */
  constructor(rows: DeviceEmbedding) {
    this.#rows = rows;
    const read = rows.get();
    this.variable = variable(read);
    read.dispose();
  }

  /** Input rows [features ‖ rows], on the tape. */
  beside(features: FeatureRows): Tensor2D {
    const rows = this.variable as unknown as Tensor2D;
    return features.dim === 0 ? rows : joinColumns(featuresToTensor(features), rows);
  }

  /** @param gradient of the loss summed over the step's seeds; left out when the loss does not depend on the rows */
  setGradient(gradient: Tensor | undefined): void {
    this.#gradient = gradient ? keep(gradient) : null;
  }

  /** Enqueues the update of the rows, when what the step found is known on the device. */
  update(step: StepScale): void {
    this.#rows.update(this.#gradient as Tensor2D | null, step);
  }

  dispose(): void {
    this.#gradient?.dispose();
    this.variable.dispose();
  }
}
