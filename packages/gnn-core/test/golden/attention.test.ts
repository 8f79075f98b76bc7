import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor1d, tensor2d, tidy } from "../../src/backends/tf.ts";
import { gatConv } from "../../src/ops/gat-conv.ts";
import { linear } from "../../src/ops/linear.ts";
import { expectGolden } from "./check-golden.ts";
import { type GoldenArray, GoldenCase } from "./golden-file.ts";

const floats = ({ values }: GoldenArray) => Float32Array.from(values);

/**
 * DGL adds no self-loops and keeps repeated ones; where a node has one among its in-edges, both softmaxes are the same.
 */
function nodesWithOneLoop(golden: GoldenCase): number[] {
  const [src, dst] = [golden.ints("src"), golden.ints("dst")];
  const loops = Array.from(src.keys()).flatMap((e) => (src[e] === dst[e] ? [dst[e]!] : []));
  return loops.filter((v) => loops.indexOf(v) === loops.lastIndexOf(v));
}

function attended(golden: GoldenCase): Float32Array {
  const { block } = golden.graph();
  const [, heads = 0, dim = 0] = golden.get("param.attn_l").shape;
  const width = heads * dim;
  return tidy(() => {
    const x = tensor2d(floats(golden.get("x")), golden.get("x").shape as [number, number]);
    const { shape, values } = golden.get("param.fc.weight");
    const [rows = 0, columns = 0] = shape;
    const turned = Float32Array.from(values, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)]!);
    const z = linear(x, { weight: tensor2d(turned, [columns, rows]), bias: tensor1d(new Float32Array(width)) }, "none");
    const attention = {
      attentionSrc: tensor2d(floats(golden.get("param.attn_l")), [heads, dim]),
      attentionDst: tensor2d(floats(golden.get("param.attn_r")), [heads, dim]),
    };
    const out: Tensor2D = gatConv(block, z, attention, { negativeSlope: 0.2, merge: "concat", dropout: null });
    return out.dataSync<"float32">().slice();
  });
}

describe.each(["cpu", "native"] as const)("attention gives what DGL gives, on the backend %s", (name: BackendName) => {
  beforeAll(() => selectBackend(name));

  test.each(["heads1-graph", "heads1-block", "heads4-graph", "heads4-block"])(
    "GATConv %s, rows with a self-loop",
    (which) => {
      const golden = new GoldenCase("gat", which);
      const nodes = nodesWithOneLoop(golden);
      expect(nodes.length).toBeGreaterThan(0);
      const found = attended(golden);
      const expected = golden.get("out_f64").values;
      const bias = golden.get("param.bias").values;
      const width = bias.length;
      const rowsOf = (values: ArrayLike<number>, more: (column: number) => number) =>
        nodes.flatMap((v) => Array.from({ length: width }, (_, column) => values[v * width + column]! + more(column)));
      const wanted = Float64Array.from(rowsOf(expected, (column) => -bias[column]!));
      expectGolden(
        rowsOf(found, () => 0),
        { shape: [nodes.length, width], values: wanted },
        "the rows",
      );
    },
  );
});
