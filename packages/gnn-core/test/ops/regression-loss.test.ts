import { beforeEach, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { type RegressionLoss, regressionLossSum } from "../../src/ops/regression-loss.ts";
import { checkOp } from "../support/check-op.ts";

const unknown = Number.NaN;
const definitions: Record<RegressionLoss, (error: number) => number> = {
  mse: (error) => error ** 2,
  mae: Math.abs,
  huber: (error) => (Math.abs(error) <= 0.4 ? error ** 2 / 2 : 0.4 * (Math.abs(error) - 0.2)),
};

describe.each(["cpu", "native"] as const)("regression losses on the backend %s", (backend) => {
  beforeEach(() => selectBackend(backend));

  test("a table by hand: errors 3, −1, ½ and one target that is not known", () => {
    const lossOf = (kind: RegressionLoss, delta = 1) => {
      const targets = Float32Array.of(1, 3, 0, unknown);
      return tidy(() => regressionLossSum(tensor2d([4, 2, 0.5, 9], [2, 2]), targets, kind, delta).dataSync()[0]!);
    };
    expect(lossOf("mse")).toBe(9 + 1 + 0.25);
    expect(lossOf("mae")).toBe(3 + 1 + 0.5);
    expect(lossOf("huber")).toBe(1 * (3 - 0.5) + 0.5 + 0.125);
    expect(lossOf("huber", 2)).toBe(2 * (3 - 1) + 0.5 + 0.125);
  });

  test.each(["mse", "mae", "huber"] as const)("%s and its gradient follow the definition", (kind) => {
    const targets = Float32Array.of(0.1, -0.7, unknown, 0.9, 2, -2);
    checkOp({
      inputs: { outputs: [3, 2] },
      run: ({ outputs }) => regressionLossSum(outputs as Tensor2D, targets, kind, 0.4),
      reference: ({ outputs }) =>
        Float64Array.of(
          outputs.reduce(
            (total, y, i) => total + (Number.isNaN(targets[i]!) ? 0 : definitions[kind](y - targets[i]!)),
            0,
          ),
        ),
    });
  });

  test("targets of another size are refused", () => {
    const run = () => tidy(() => regressionLossSum(tensor2d([[1, 2]]), Float32Array.of(1), "mse", 1));
    expect(run).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
  });
});
