import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import {
  add,
  concat,
  grads,
  matMul,
  mul,
  type Rank,
  reshape,
  sum,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor,
  tidy,
} from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { columnRange, joinAllColumns } from "../../src/ops/columns.ts";
import { linear } from "../../src/ops/linear.ts";
import { type RelationReduce, relationConv } from "../../src/ops/relation-conv.ts";
import { rowRange } from "../../src/ops/row-range.ts";
import { blockOf } from "../support/random-block.ts";
import { checkGolden, expectGolden } from "./check-golden.ts";
import { GoldenCase } from "./golden-file.ts";

const numRelations = 4;

/** The block of a case of rgcn, with the relation of every edge in its order. */
function typedBlock(golden: GoldenCase): Block {
  const { block, order } = golden.graph();
  const types = golden.ints("etype");
  return { ...block, types: order.map((edge) => types[edge]!) };
}

function withOwn(block: Block, x: Tensor, relations: Tensor, [loop, bias]: readonly [Tensor, Tensor]): Tensor {
  const own = rowRange(x as Tensor2D, 0, block.numDst);
  return add(linear(own, { weight: loop as Tensor2D, bias: bias as Tensor1D }, "none"), relations);
}

const graphs = ["graph", "block"] as const;
const own = ["param.loop_weight", "param.h_bias"];

describe.each(["cpu", "native"] as const)(
  "typed layers give what DGL gives, on the backend %s",
  (name: BackendName) => {
    beforeAll(() => selectBackend(name));

    test.each(graphs)("RelGraphConv with a matrix of each relation, on the %s", (which) => {
      const golden = new GoldenCase("rgcn", `full-${which}`);
      const block = typedBlock(golden);
      checkGolden(golden, ["x", "param.linear_r.W", ...own], (x, weights, ...rest) =>
        tidy(() => {
          const flat = reshape<Rank.R2>(weights, [numRelations * 8, 6]);
          const relations = relationConv(block, x as Tensor2D, flat, { numRelations, reduce: "sum" });
          return withOwn(block, x, relations, rest as [Tensor, Tensor]);
        }),
      );
    });

    const bases: readonly (readonly [string, RelationReduce])[] = [
      ["basis", "sum"],
      ["basis-norm", "mean"],
    ];
    test.each(bases.flatMap((each) => graphs.map((which) => [...each, which] as const)))(
      "RelGraphConv of shared matrices, %s with the %s, on the %s",
      (kind, reduce, which) => {
        const golden = new GoldenCase("rgcn", `${kind}-${which}`);
        const block = typedBlock(golden);
        checkGolden(
          golden,
          ["x", "param.linear_r.W", "param.linear_r.coeff", ...own],
          (x, shared, coefficients, ...rest) =>
            tidy(() => {
              const made = matMul(coefficients as Tensor2D, reshape<Rank.R2>(shared, [3, 48]));
              const flat = reshape<Rank.R2>(made, [numRelations * 8, 6]);
              const relations = relationConv(block, x as Tensor2D, flat, { numRelations, reduce });
              return withOwn(block, x, relations, rest as [Tensor, Tensor]);
            }),
        );
      },
    );

    test.each(graphs)("RelGraphConv of two diagonal blocks, on the %s", (which) => {
      const golden = new GoldenCase("rgcn", `bdd-${which}`);
      const block = typedBlock(golden);
      checkGolden(golden, ["x", "param.linear_r.W", ...own], (x, weights, ...rest) =>
        tidy(() => {
          const halves = [0, 1].map((b) => {
            // [relation, block · row · column] → rows of this block, relation after relation
            const ofBlock = columnRange(weights as Tensor2D, b * 12, (b + 1) * 12);
            const flat = reshape<Rank.R2>(ofBlock, [numRelations * 4, 3]);
            const input = columnRange(x as Tensor2D, b * 4, (b + 1) * 4);
            return relationConv(block, input, flat, { numRelations, reduce: "sum" });
          });
          return withOwn(block, x, joinAllColumns(halves), rest as [Tensor, Tensor]);
        }),
      );
    });
  },
);

/** Users and items in one space of ids: rows of users, then of items, each padded to the wider of the two. */
describe.each(graphs)("HeteroGraphConv of SAGEConv, on the %s", (which) => {
  const relations = ["follows", "buys", "boughtBy", "similar"] as const;
  const ends = {
    follows: ["user", "user"],
    buys: ["user", "item"],
    boughtBy: ["item", "user"],
    similar: ["item", "item"],
  } as const;
  const golden = new GoldenCase("hetero_sage", `mean-sum-${which}`);
  const width = { user: 6, item: 4 } as const;
  beforeAll(() => selectBackend("native"));

  test.each(["user", "item"] as const)("rows of the type %s and their gradients", (type) => {
    const into = relations.filter((relation) => ends[relation][1] === type);
    const numDst = golden.ints(`${into[0]}.num_dst`)[0]!;
    const numOf = { user: golden.get("x.user").shape[0]!, item: golden.get("x.item").shape[0]! };
    const other = type === "user" ? "item" : "user";
    // The dst type's rows come first, so that its first rows are the dst rows.
    const offset = { [type]: 0, [other]: numOf[type] } as Record<"user" | "item", number>;
    const lists = Array.from({ length: numDst }, (_, v) =>
      into.flatMap((relation, r) => {
        const [src, dst] = [golden.ints(`${relation}.src`), golden.ints(`${relation}.dst`)];
        return Array.from(src.keys())
          .filter((e) => dst[e] === v)
          .map((e) => ({ src: offset[ends[relation][0]] + src[e]!, r }));
      }),
    );
    const plain = blockOf(
      numOf.user + numOf.item,
      lists.map((list) => list.map(({ src }) => src)),
    );
    const block = { ...plain, types: Int32Array.from(lists.flat(), ({ r }) => r) };
    const padded = (name: string, columns: number, transposed: boolean) => {
      const { shape, values } = golden.get(name);
      const [rows, inner] = transposed ? [shape[1]!, shape[0]!] : [shape[0]!, shape[1]!];
      const height = transposed ? 6 : rows;
      return tensor(
        Float32Array.from({ length: height * columns }, (_, i) => {
          const [row, column] = [Math.floor(i / columns), i % columns];
          if (row >= rows || column >= inner) return 0;
          return values[transposed ? column * shape[1]! + row : row * shape[1]! + column]!;
        }),
        [height, columns],
      );
    };
    const parameters = into.flatMap((relation) => [
      padded(`param.mods.${relation}.fc_neigh.weight`, 5, true),
      padded(`param.mods.${relation}.fc_self.weight`, 5, true),
    ]);
    const biases = into.map((relation) =>
      tensor(Float32Array.from(golden.get(`param.mods.${relation}.fc_self.bias`).values)),
    );
    const run = (mine: Tensor, theirs: Tensor, ...weights: Tensor[]) =>
      tidy(() => {
        const x = stacked([mine, theirs]);
        const neigh = stacked(into.map((_, r) => weights[2 * r]!));
        const self = into.map((_, r) => weights[2 * r + 1]!).reduce((a, b) => add(a, b));
        const bias = biases.reduce((a, b) => add(a, b));
        const sums = relationConv(block, x as Tensor2D, neigh as Tensor2D, {
          numRelations: into.length,
          reduce: "mean",
        });
        return add(
          linear(rowRange(x as Tensor2D, 0, numDst), { weight: self as Tensor2D, bias: bias as Tensor1D }, "none"),
          sums,
        );
      });
    const inputs = [padded(`x.${type}`, 6, false), padded(`x.${other}`, 6, false), ...parameters];
    const out = run(...(inputs as [Tensor, Tensor, ...Tensor[]]));
    expectGolden(out.dataSync<"float32">(), golden.get(`out.${type}_f64`), "the output");
    const upstream = tensor(Float32Array.from(golden.get(`upstream.${type}`).values), out.shape);
    const found = grads((...of: Tensor[]) => sum(mul(run(...(of as [Tensor, Tensor, ...Tensor[]])), upstream)))(inputs);
    into.forEach((relation, r) => {
      const gradient = golden.get(`grad.param.mods.${relation}.fc_neigh.weight_f64`);
      const inDim = width[ends[relation][0]];
      const values = found[2 + 2 * r]!.dataSync<"float32">();
      const turned = Float64Array.from(
        { length: inDim * 5 },
        (_, i) => values[(i % inDim) * 5 + Math.floor(i / inDim)]!,
      );
      expectGolden(turned, gradient, `the gradient by the weight of ${relation}`);
    });
    expect(found).toHaveLength(inputs.length);
  });
});

/** Rows below each other. */
function stacked(parts: readonly Tensor[]): Tensor {
  return concat([...parts] as Tensor2D[], 0);
}
