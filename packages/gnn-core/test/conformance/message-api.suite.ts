import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import { add, memory, mul, relu, slice, sub, sum, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { attentionSum } from "../../src/ops/attention-sum.ts";
import { edgeSoftmax } from "../../src/ops/edge-softmax.ts";
import { headScores } from "../../src/ops/head-scores.ts";
import { gsddmm, gspmm, updateAll } from "../../src/ops/message-passing.ts";
import type { Reduce } from "../../src/ops/reduce-edges.ts";
import { checkOp } from "../support/check-op.ts";
import { blockOf } from "../support/random-block.ts";
import { eachEdge } from "../support/reference-messages.ts";
import type { Doubles } from "../support/reference-ops.ts";
import { awkwardBlocks } from "./message-passing.suite.ts";

type Visit = (edge: number, src: number, dst: number) => readonly number[];

/** Messages edge by edge, then their sum, mean or maximum per dst row. */
function passed(block: Block, dim: number, reduce: Reduce, message: Visit): Doubles {
  const lists: number[][][] = Array.from({ length: block.numDst }, () => []);
  eachEdge(block, (edge, src, dst) => lists[dst]!.push([...message(edge, src, dst)]));
  return Float64Array.from(
    lists.flatMap((list) =>
      Array.from({ length: dim }, (_, d) => {
        if (list.length === 0) return 0;
        const values = list.map((each) => each[d]!);
        if (reduce === "max") return Math.max(...values);
        return values.reduce((a, b) => a + b, 0) / (reduce === "mean" ? list.length : 1);
      }),
    ),
  );
}

const row = (x: Doubles, dim: number, at: number) => [...x.subarray(at * dim, (at + 1) * dim)];
const formulas = {
  add: (a: number, b: number) => a + b,
  sub: (a: number, b: number) => a - b,
  mul: (a: number, b: number) => a * b,
};
const combined = (op: keyof typeof formulas, a: readonly number[], b: readonly number[]) =>
  a.map((value, i) => formulas[op](value, b[b.length === 1 ? 0 : i]!));
const reductions = ["sum", "mean", "max"] as const;
const dim = 5;

/** gspmm, gsddmm, edgeSoftmax and updateAll on every backend, with their gradients. */
export function messageApiSuite(name: BackendName, options: BackendOptions = {}): void {
  describe(`the message passing API on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name, options));

    describe.each(awkwardBlocks)("on %s", (_title, block) => {
      test.each(reductions)("gspmm copySrc %s and its gradient are right", (reduce) => {
        checkOp({
          inputs: { src: [block.numSrc, dim] },
          run: ({ src }) => gspmm(block, "copySrc", reduce, { src: src as Tensor2D }),
          reference: ({ src }) => passed(block, dim, reduce, (_, u) => row(src, dim, u)),
        });
      });
    });

    test.each([1, 3])("the scores of %i heads and their gradients are right", (heads) => {
      checkOp({
        inputs: { x: [7, heads * dim], attention: [heads, dim] },
        run: ({ x, attention }) => headScores(x as Tensor2D, attention as Tensor2D),
        reference: ({ x, attention }) =>
          Float64Array.from({ length: 7 * heads }, (_, i) => {
            const ofHead = row(attention, dim, i % heads);
            return row(x, dim, i).reduce((total, value, d) => total + value * ofHead[d]!, 0);
          }),
      });
    });

    // Without edges, nothing depends on the rows of edges: there is no gradient to check.
    const withEdges = awkwardBlocks.filter(([, { indices }]) => indices.length > 0);
    describe.each(withEdges)("on %s, for each edge", (_title, block) => {
      const numEdges = block.indices.length;

      test.each([
        [1, "concat"],
        [3, "concat"],
        [2, "mean"],
      ] as const)("the rows that %i heads attend to, by %s, and their gradients are right", (heads, merge) => {
        checkOp({
          inputs: { z: [block.numSrc, heads * dim], alpha: [numEdges, heads] },
          run: ({ z, alpha }) => attentionSum(block, z as Tensor2D, alpha as Tensor2D, merge),
          reference: ({ z, alpha }) => {
            const ofHead = (h: number) =>
              passed(block, dim, "sum", (e, u) =>
                row(z, dim, u * heads + h).map((value) => value * alpha[e * heads + h]!),
              );
            const all = Array.from({ length: heads }, (_, h) => ofHead(h));
            if (merge === "mean")
              return all[0]!.map((_, i) => all.reduce((total, each) => total + each[i]! / heads, 0));
            return Float64Array.from({ length: block.numDst * heads * dim }, (_, i) => {
              const [v, h] = [Math.floor(i / (heads * dim)), Math.floor(i / dim) % heads];
              return all[h]![v * dim + (i % dim)]!;
            });
          },
        });
      });

      test.each(reductions)("gspmm copyEdge %s and its gradient are right", (reduce) => {
        checkOp({
          inputs: { edge: [numEdges, dim] },
          run: ({ edge }) => gspmm(block, "copyEdge", reduce, { edge: edge as Tensor2D }),
          reference: ({ edge }) => passed(block, dim, reduce, (e) => row(edge, dim, e)),
        });
      });

      test.each((["add", "sub", "mul"] as const).flatMap((op) => reductions.map((reduce) => [op, reduce] as const)))(
        "gspmm %s %s of rows and edges and its gradients are right",
        (op, reduce) => {
          for (const width of [1, dim]) {
            checkOp({
              inputs: { src: [block.numSrc, dim], edge: [numEdges, width] },
              run: ({ src, edge }) => gspmm(block, op, reduce, { src: src as Tensor2D, edge: edge as Tensor2D }),
              reference: ({ src, edge }) =>
                passed(block, dim, reduce, (e, u) => combined(op, row(src, dim, u), row(edge, width, e))),
            });
          }
        },
      );

      test.each(["add", "sub", "mul"] as const)("gsddmm %s and its gradients are right", (op) => {
        checkOp({
          inputs: { src: [block.numSrc, dim], dst: [block.numDst, dim] },
          run: ({ src, dst }) => gsddmm(block, op, { src: src as Tensor2D, dst: dst as Tensor2D }),
          reference: ({ src, dst }) => {
            const out: number[] = [];
            eachEdge(block, (_, u, v) => out.push(...combined(op, row(src, dim, u), row(dst, dim, v))));
            return Float64Array.from(out);
          },
        });
      });

      test("gsddmm dot and its gradients are right", () => {
        for (const width of [1, 5, 21]) {
          checkOp({
            inputs: { src: [block.numSrc, width], dst: [block.numDst, width] },
            run: ({ src, dst }) => gsddmm(block, "dot", { src: src as Tensor2D, dst: dst as Tensor2D }),
            reference: ({ src, dst }) => {
              const out: number[] = [];
              eachEdge(block, (_, u, v) =>
                out.push(combined("mul", row(src, width, u), row(dst, width, v)).reduce((a, b) => a + b, 0)),
              );
              return Float64Array.from(out);
            },
          });
        }
      });

      test("edgeSoftmax and its gradient are right", () => {
        checkOp({
          inputs: { scores: [numEdges, 3] },
          run: ({ scores }) => edgeSoftmax(block, scores as Tensor2D),
          reference: ({ scores }) => {
            const sums = passed(block, 3, "sum", (e) => row(scores, 3, e).map(Math.exp));
            const out = new Float64Array(numEdges * 3);
            eachEdge(block, (e, _, v) => {
              for (let h = 0; h < 3; h++) out[e * 3 + h] = Math.exp(scores[e * 3 + h]!) / sums[v * 3 + h]!;
            });
            return out;
          },
        });
      });

      test("functions of one's own pass gradients to all their rows", () => {
        checkOp({
          inputs: { src: [block.numSrc, dim], dst: [block.numDst, dim], edge: [numEdges, 1] },
          run: ({ src, dst, edge }) =>
            updateAll(
              block,
              { src: src as Tensor2D, dst: dst as Tensor2D, edge: edge as Tensor2D },
              (rows) => mul<Tensor2D>(sub(rows.src!, rows.dst!), rows.edge!),
              "mean",
              (reduced, own) => add(reduced, own!),
            ),
          reference: ({ src, dst, edge }) =>
            passed(block, dim, "mean", (e, u, v) =>
              combined("mul", combined("sub", row(src, dim, u), row(dst, dim, v)), row(edge, 1, e)),
            ).map((value, i) => value + dst[i]!),
        });
      });
    });

    test("built-in names and functions of one's own mix, and leave no tensor", () => {
      const before = memory().numTensors;
      tidy(() => {
        const block = blockOf(3, [[1, 2], [0]]);
        const src = tensor2d([[1], [-2], [5]]);
        const edge = tensor2d([[1], [10], [100]]);
        const values = (out: Tensor2D) => [...out.dataSync()];
        expect(values(updateAll(block, { src, edge }, "mul", "sum"))).toEqual([-2 + 50, 100]);
        expect(values(updateAll(block, { src }, "copySrc", "max", (max) => relu(max)))).toEqual([5, 1]);
        const total = updateAll(block, { src, edge }, "add", (messages) => sum<Tensor2D>(messages, 0, true));
        expect(values(total)).toEqual([-2 + 1 + (5 + 10) + (1 + 100)]);
        expect(values(updateAll(block, { edge }, "copyEdge", (messages) => messages))).toEqual([1, 10, 100]);
      });
      expect(memory().numTensors).toBe(before);
    });

    test("rows that are missing or too few are a SHAPE_MISMATCH that names them", () => {
      tidy(() => {
        const block = blockOf(3, [[1, 2], [0]]);
        const refused = (message: RegExp) =>
          expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringMatching(message) });
        const src = tensor2d([[1], [2], [3]]);
        expect(() => gspmm(block, "copySrc", "sum", {})).toThrow(refused(/`src` rows/));
        expect(() => gspmm(block, "mul", "sum", { src, edge: slice(src, 0, 2) })).toThrow(
          refused(/2 rows; expected 3/),
        );
        expect(() => gsddmm(block, "dot", { src, dst: src })).toThrow(refused(/3 rows; expected 2/));
        expect(() => updateAll(block, { src }, () => slice(src, 0, 1), "sum")).toThrow(refused(/1 messages.*3/));
      });
    });
  });
}
