import { ratio } from "./batch-sums.ts";
import type { RegressionOptions } from "./node-regression.task.ts";
import type { Metrics, TaskTally } from "./node-task.ts";
import type { OutputScaling } from "./output-scaling.ts";

/** Sums of one target over its known values; all but `lossSum` of standardised errors and targets. */
const sumNames = ["count", "lossSum", "absolute", "squared", "target", "targetSquared"] as const;
type Sums = Record<(typeof sumNames)[number], number>;

/**
 * loss, mae, rmse and r2, each the mean over the targets (scikit-learn's `uniform_average`); mae and rmse in the
 * targets' own units:
 *   mae = mean |y − t|    rmse = √mean (y − t)²    r2 = 1 − Σ(y − t)² / Σ(t − mean t)²
 * Targets are summed as distances from a centre near their mean, so that r2 does not lose them in float32.
 */
export class RegressionTally implements TaskTally {
  readonly confusion = null;
  readonly #targets: Float32Array;
  readonly #scaling: OutputScaling;
  readonly #loss: Pick<RegressionOptions, "loss" | "huberDelta">;
  readonly #centres: readonly number[];
  readonly #sums: Sums[];

  /**
   * @param targets standardised, float32 [numNodes · columns]; NaN = not known
   * @param centres of each column, the same on every rank
   */
  constructor(
    targets: Float32Array,
    scaling: OutputScaling,
    loss: Pick<RegressionOptions, "loss" | "huberDelta">,
    centres: readonly number[],
  ) {
    this.#targets = targets;
    this.#scaling = scaling;
    this.#loss = loss;
    this.#centres = centres;
    this.#sums = scaling.mean.map(() => sumsOf(() => 0));
  }

  addRow(outputs: Float32Array, row: number, node: number): void {
    const width = this.#sums.length;
    for (const [column, sums] of this.#sums.entries()) {
      const target = this.#targets[node * width + column] as number;
      if (Number.isNaN(target)) continue;
      const error = (outputs[row * width + column] as number) - target;
      sums.count += 1;
      sums.lossSum += lossOf(this.#loss, error);
      sums.absolute += Math.abs(error);
      sums.squared += error ** 2;
      const distance = target - (this.#centres[column] as number);
      sums.target += distance;
      sums.targetSquared += distance ** 2;
    }
  }

  flat(): Float32Array {
    return Float32Array.from(this.#sums.flatMap((sums) => sumNames.map((name) => sums[name])));
  }

  assign(flat: Float32Array): void {
    for (const [column, sums] of this.#sums.entries()) {
      Object.assign(
        sums,
        sumsOf((i) => flat[column * sumNames.length + i] as number),
      );
    }
  }

  get metrics(): Metrics {
    const scale = (column: number) => this.#scaling.scale[column] as number;
    const total = (name: keyof Sums) => this.#sums.reduce((sum, sums) => sum + sums[name], 0);
    return {
      loss: ratio(total("lossSum"), total("count")),
      mae: this.#mean(({ absolute, count }, column) => ratio(absolute * scale(column), count)),
      rmse: this.#mean(({ squared, count }, column) => (count > 0 ? Math.sqrt(squared / count) * scale(column) : null)),
      r2: this.#mean(({ squared, target, targetSquared, count }) =>
        count > 0 ? explained(squared, targetSquared - target ** 2 / count) : null,
      ),
    };
  }

  /** Mean over the targets that have the figure. */
  #mean(figure: (sums: Sums, column: number) => number | null): number | null {
    const found = this.#sums.flatMap((sums, column) => figure(sums, column) ?? []);
    return ratio(
      found.reduce((sum, value) => sum + value, 0),
      found.length,
    );
  }
}

/** 1 − residual / total; null where the targets do not vary, so that nothing is there to explain. */
function explained(residual: number, total: number): number | null {
  return total > 1e-12 ? 1 - residual / total : null;
}

function lossOf({ loss, huberDelta: delta }: Pick<RegressionOptions, "loss" | "huberDelta">, error: number): number {
  const size = Math.abs(error);
  if (loss === "mse") return error ** 2;
  if (loss === "mae") return size;
  return size <= delta ? error ** 2 / 2 : delta * (size - delta / 2);
}

function sumsOf(value: (i: number) => number): Sums {
  return Object.fromEntries(sumNames.map((name, i) => [name, value(i)])) as Sums;
}
