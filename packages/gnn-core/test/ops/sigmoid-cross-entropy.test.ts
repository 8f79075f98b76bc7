import { beforeEach, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { sigmoidCrossEntropySum } from "../../src/ops/sigmoid-cross-entropy.ts";
import { checkOp } from "../support/check-op.ts";

describe.each(["cpu", "native"] as const)("sigmoid cross-entropy on the backend %s", (backend) => {
  beforeEach(() => selectBackend(backend));
  const lossOf = (logits: number[][], targets: number[], weights: Float32Array | null = null) =>
    tidy(() => sigmoidCrossEntropySum(tensor2d(logits), Float32Array.from(targets), weights).dataSync()[0]!);

  test("a table by hand: σ(0) = ½, σ(ln 3) = ¾", () => {
    const logits = [
      [0, Math.log(3)],
      [Math.log(3), 0],
    ];
    // −ln ½, −ln ¾ where the label is there, −ln ¼ where it is not, −ln ½
    const rows = [Math.log(2) + Math.log(4 / 3), Math.log(4) + Math.log(2)] as const;
    expect(lossOf(logits, [1, 1, 0, 0])).toBeCloseTo(rows[0] + rows[1], 5);
    expect(lossOf(logits, [1, 1, 0, 0], Float32Array.of(3, 0))).toBeCloseTo(3 * rows[0], 5);
  });

  test("values and gradient follow the definition and its finite differences", () => {
    const targets = Float32Array.from({ length: 12 }, (_, i) => ((i * 5) % 3 === 0 ? 1 : i % 4 === 0 ? 0.5 : 0));
    const weights = Float32Array.of(1, 0.5, 2, 0);
    checkOp({
      inputs: { logits: [4, 3] },
      run: ({ logits }) => sigmoidCrossEntropySum(logits as Tensor2D, targets, weights),
      reference: ({ logits }) =>
        Float64Array.of(
          logits.reduce((total, z, i) => {
            const p = 1 / (1 + Math.exp(-z));
            const t = targets[i]!;
            return total - weights[Math.floor(i / 3)]! * (t * Math.log(p) + (1 - t) * Math.log(1 - p));
          }, 0),
        ),
    });
  });

  test("large logits do not overflow", () => {
    expect(lossOf([[1000, -1000]], [0, 1])).toBeCloseTo(2000, 2);
    expect(lossOf([[1000, -1000]], [1, 0])).toBe(0);
  });

  test("targets of another size are refused", () => {
    expect(() => lossOf([[1, 2]], [1])).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
  });
});
