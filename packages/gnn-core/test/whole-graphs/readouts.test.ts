import { beforeEach, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import {
  gather,
  mul,
  type Scalar,
  sum,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
  type Variable,
  variableGrads,
} from "../../src/backends/tf.ts";
import { poolBlock } from "../../src/whole-graphs/pool-block.ts";
import { attentionReadout } from "../../src/whole-graphs/readouts/attention.ts";
import { maxReadout } from "../../src/whole-graphs/readouts/max.ts";
import { meanReadout } from "../../src/whole-graphs/readouts/mean.ts";
import type { MakeReadout } from "../../src/whole-graphs/readouts/readout.ts";
import { sumReadout } from "../../src/whole-graphs/readouts/sum.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

const dim = 3;
/** Graphs of 4, 1, 7, 2 nodes; a batch has the third, the first and the second. */
const offsets = Int32Array.of(0, 4, 5, 12, 14);
const batch = Int32Array.of(5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4);
const sizes = [7, 4, 1];

/** Rows of each graph of the batch, as arrays */
function rowsByGraph(rows: ArrayLike<number>): number[][][] {
  const all = Array.from({ length: rows.length / dim }, (_, i) =>
    Array.from({ length: dim }, (_none, d) => rows[dim * i + d]!),
  );
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return all.slice(at - size, at);
  });
}

const column = (rows: number[][], d: number) => rows.map((row) => row[d]!);
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** Each readout, and what it is of the rows of one graph by its formula in double precision. */
const readouts: Record<
  string,
  { make: MakeReadout; formula: (rows: number[][], weights: readonly number[][]) => number[] }
> = {
  sum: { make: sumReadout, formula: (rows) => rows[0]!.map((_, d) => total(column(rows, d))) },
  mean: { make: meanReadout, formula: (rows) => rows[0]!.map((_, d) => total(column(rows, d)) / rows.length) },
  max: { make: maxReadout, formula: (rows) => rows[0]!.map((_, d) => Math.max(...column(rows, d))) },
  attention: {
    make: attentionReadout,
    formula: (rows, [a = [], b = []]) => {
      const powers = rows.map((row) => Math.exp(total(row.map((value, d) => value * a[d]!)) + b[0]!));
      return rows[0]!.map((_, d) => total(rows.map((row, v) => row[d]! * powers[v]!)) / total(powers));
    },
  },
};

describe.each(["cpu", "native"] as const)("on the backend %s", (backend) => {
  beforeEach(() => selectBackend(backend));

  describe.each(Object.entries(readouts))("the readout %s", (_name, { make, formula }) => {
    test("has the values and the gradient of its formula", () => {
      const readout = make({ dim, seed: 3 });
      const { pool, graphs } = poolBlock(batch, offsets);
      expect([...graphs]).toEqual([2, 0, 1]);
      const weights = readout.variables.map(({ variable }) => [...variable.dataSync<"float32">()]);
      checkOp({
        inputs: { rows: [batch.length, dim] },
        run: ({ rows }) => readout.read(pool, rows as Tensor2D),
        reference: ({ rows }) => Float64Array.from(rowsByGraph(rows).flatMap((graph) => formula(graph, weights))),
      });
      for (const { variable } of readout.variables) variable.dispose();
    });

    test("does not depend on the order of a graph's nodes", () => {
      const readout = make({ dim, seed: 3 });
      const values = randomFloats(4 * dim, 5);
      const { pool } = poolBlock(Int32Array.of(0, 1, 2, 3), offsets);
      const [one, other] = tidy(() => {
        const rows = tensor2d(values, [4, dim]);
        const turned = gather(rows, tensor1d([2, 0, 3, 1], "int32"));
        return [rows, turned].map((each) => readout.read(pool, each).dataSync<"float32">().slice());
      });
      expectClose(one!, other!, 1e-6);
      for (const { variable } of readout.variables) variable.dispose();
    });
  });
});

test("the weights of attention get the gradient of finite differences", async () => {
  await selectBackend("native");
  const readout = attentionReadout({ dim, seed: 1 });
  const [weight] = readout.variables as unknown as [{ readonly variable: Variable }];
  const { pool } = poolBlock(batch, offsets);
  const values = randomFloats(batch.length * dim, 2);
  const rows = tensor2d(values, [batch.length, dim]);
  const start = [...weight.variable.dataSync<"float32">()];
  const lossOf = (a: number[]) =>
    rowsByGraph(values)
      .flatMap((graph) => readouts["attention"]!.formula(graph, [a, [0]]))
      .reduce((sum, value, i) => sum + value * (i + 1), 0);
  const gradient = tidy(() => {
    const factors = tensor2d(
      Float32Array.from({ length: sizes.length * dim }, (_, i) => i + 1),
      [sizes.length, dim],
    );
    const { grads } = variableGrads(() => sum<Scalar>(mul(readout.read(pool, rows), factors)), [weight.variable]);
    return grads[weight.variable.name]!.dataSync<"float32">().slice();
  });
  const step = 1e-5;
  const expected = start.map((_, d) => {
    const moved = (by: number) => lossOf(start.map((value, i) => (i === d ? value + by : value)));
    return (moved(step) - moved(-step)) / (2 * step);
  });
  expectClose(gradient, expected, 1e-3);
  rows.dispose();
  for (const { variable } of readout.variables) variable.dispose();
});
