import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import type { Scalar } from "../../src/backends/tf.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import { typedInputOf } from "../../src/graph/typed-input.ts";
import { rgcn } from "../../src/models/rgcn.model.ts";
import { rsage } from "../../src/models/rsage.model.ts";
import type { GnnModel, ModelShape } from "../../src/nn/model.ts";
import { nn } from "../../src/nn/nn.ts";
import { blockOf } from "../support/random-block.ts";

// Nodes 0 and 1 have columns 0 and 1, node 2 has none, nodes 3 and 4 have column 2.
const nodeTypes = {
  names: ["paper", "topic", "author"],
  codes: Int32Array.of(0, 0, 1, 2, 2),
  columns: [
    { first: 0, dim: 2 },
    { first: 3, dim: 0 },
    { first: 2, dim: 1 },
  ],
};
const rows: FeatureRows = {
  kind: "csr",
  numRows: 5,
  dim: 3,
  indptr: Int32Array.of(0, 2, 3, 3, 4, 5),
  indices: Int32Array.of(0, 1, 1, 2, 2),
  values: Float32Array.of(1, 2, -3, 4, 5),
};
const input = typedInputOf(nodeTypes)!;
const shape: ModelShape = { inDim: 3, outDim: 2, seed: 4, numRelations: 2, numNodeTypes: 3, numLearnedRows: 1 };
const graph = { nodeTypes: nodeTypes.codes, typedInput: input };
const context = { training: false, seed: 0, epoch: 0, step: 0 };

function valuesOf({ variables }: Pick<GnnModel, "variables">, name: string): Float32Array {
  return variables.find((variable) => variable.name === name)!.variable.dataSync() as Float32Array;
}

test("the nodes of types without features are numbered, all others have columns", () => {
  expect(input).toMatchObject({ numLearned: 1, learnedRow: Int32Array.of(-1, -1, 0, -1, -1) });
});

describe.each(["cpu", "native"] as const)("on the backend %s", (backend) => {
  beforeAll(() => selectBackend(backend), 60_000);

  test("a row is W_type·x + b_type, or the learned row and b_type, before the first layer reads it", async () => {
    const outDim = 4;
    // The layer behind it gives back what it reads: a weight that is the identity.
    const inner = nn.linear({ index: 0, inDim: outDim, outDim, seed: 1, activation: "none", dropout: 0 });
    const weight = inner.variables.find(({ name }) => name.endsWith("weight"))!.variable;
    const identity = nn.tf.eye(outDim);
    weight.assign(identity);
    const layer = nn.withTypedInput({ inDim: 3, outDim, seed: 2, input }, inner);
    const bias = layer.variables.find(({ name }) => name === "input.bias")!.variable;
    bias.assign(nn.tf.range(0, 3 * outDim));
    const block = { ...blockOf(5, [[], [], [], [], []]), srcIds: Int32Array.of(0, 1, 2, 3, 4) };
    const found = layer.forward(block, rows, context);
    const w = valuesOf(layer, "input.weight");
    const e = valuesOf(layer, "input.rows");
    const column = (c: number) => Array.from(w.subarray(c * outDim, (c + 1) * outDim));
    const b = (type: number) => Array.from({ length: outDim }, (_, j) => type * outDim + j);
    const expected = [
      b(0).map((value, j) => value + column(0)[j]! + 2 * column(1)[j]!),
      b(0).map((value, j) => value - 3 * column(1)[j]!),
      b(1).map((value, j) => value + e[j]!),
      b(2).map((value, j) => value + 4 * column(2)[j]!),
      b(2).map((value, j) => value + 5 * column(2)[j]!),
    ];
    expected.flat().forEach((value, i) => expect(found.dataSync()[i]).toBeCloseTo(value, 5));
    found.dispose();
    layer.dispose();
  });

  test.each([
    ["rgcn", rgcn],
    ["rsage", rsage],
  ] as const)("%s counts the projection among its parameters, and reaches every one of them", (_, component) => {
    const options = component.options.parse({ hiddenFeats: 5, dropout: 0, norm: "batch", residual: true });
    const model = component.create(options as never, shape, nn, graph);
    const size = model.variables.reduce((sum, { variable }) => sum + variable.size, 0);
    expect(size).toBe(component.numParameters(options as never, shape));
    const types = (count: number) => Int32Array.from({ length: count }, (_, e) => e % 2);
    const srcIds = Int32Array.of(0, 1, 2, 3, 4);
    const first = { ...blockOf(5, [[1, 2, 3, 4], [0, 2], [0, 4], [1], [0]]), srcIds, types: types(10) };
    const second = { ...blockOf(5, [[1, 2, 3, 4]]), srcIds, types: types(4) };
    const training = { ...context, training: true };
    const loss = () =>
      nn.tf.tidy(() => {
        const hidden = model.layers[0]!.forward(first, rows, training);
        return nn.tf.sum<Scalar>(nn.tf.square(model.layers[1]!.forward(second, hidden, training)));
      });
    const { grads } = nn.tf.variableGrads(loss);
    for (const name of ["input.weight", "input.bias", "input.rows"]) {
      const { variable } = model.variables.find((own) => own.name === name)!;
      const gradient = grads[variable.name]!.dataSync();
      expect(
        Array.from(gradient).some((value) => value !== 0),
        name,
      ).toBe(true);
    }
    model.dispose();
  });
});
