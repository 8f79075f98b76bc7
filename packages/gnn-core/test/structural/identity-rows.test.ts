import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { CsrFeatureStore } from "../../src/features/csr-feature-store.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { identityRows } from "../../src/structural/identity-rows.ts";
import { communityData } from "../train/support/community-data.ts";
import { adam, sageOf, sampling, small } from "../train/support/small-run.ts";
import { optionsOf, seriesOf, trainRanks } from "../train/support/train-ranks.ts";

beforeAll(() => selectBackend("native"));

test("each node has a one in its own column and nothing else", () => {
  expect(identityRows(5).gather(Int32Array.of(3, 0, 3))).toEqual({
    kind: "csr",
    numRows: 3,
    dim: 5,
    indptr: Int32Array.of(0, 1, 2, 3),
    indices: Int32Array.of(3, 0, 3),
    values: Float32Array.of(1, 1, 1),
  });
});

test("training learns from them what it learns from a file with such a matrix, to the bit, on one rank as on two", async () => {
  const { features: _, ...graph } = await communityData(small);
  const { numNodes } = graph.graph;
  const given = new CsrFeatureStore(numNodes, [
    {
      indptr: BigInt64Array.from(Array(numNodes + 1).keys(), BigInt),
      indices: Int32Array.from(Array(numNodes).keys()),
      values: new Float32Array(numNodes).fill(1),
    },
  ]);
  const train = { epochs: 10, batchSize: 40, optimizer: adam };
  const settings = { model: sageOf(0), sampling, train };
  const identity = optionsOf({ ...settings, features: { structural: { method: "identity" } } });
  const [fromFile] = await trainRanks({ ...graph, features: given }, optionsOf(settings), 1);
  const [made] = await trainRanks({ ...graph, features: noFeatures(numNodes) }, identity, 1);
  const two = await trainRanks({ ...graph, features: noFeatures(numNodes) }, identity, 2);
  expect(made!.weights).toEqual(fromFile!.weights);
  const losses = seriesOf(made!, "train/loss");
  expect(losses.at(-1)!).toBeLessThan(losses[0]! / 2);
  for (const [epoch, loss] of seriesOf(two[0]!, "train/loss").entries()) {
    expect(Math.abs(loss / losses[epoch]! - 1)).toBeLessThan(1e-5);
  }
});

test("beside features of the nodes they are refused with their place", async () => {
  const options = optionsOf({
    model: sageOf(0),
    sampling,
    features: { structural: { method: "identity" } },
    train: { epochs: 1, batchSize: 40 },
  });
  await expect(trainRanks(await communityData(small), options, 1)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/features/structural/method" },
  });
});
