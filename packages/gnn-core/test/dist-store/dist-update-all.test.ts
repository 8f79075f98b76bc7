import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { matMul, mul, relu, sub, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { DistGraph } from "../../src/dist-store/dist-graph.ts";
import type { DistStore } from "../../src/dist-store/dist-store.ts";
import { DistTensor } from "../../src/dist-store/dist-tensor.ts";
import { cutGraph } from "../../src/dist-store/graph-part.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import type { RowService } from "../../src/dist-store/row-service.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import {
  type ApplyFunction,
  type MessageFunction,
  type ReduceFunction,
  updateAll,
} from "../../src/ops/message-passing.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";
import { distRanks, onRanks, storesOf } from "./dist-ranks.ts";

const numNodes = 41;
const numEdges = 160;
const dim = 3;
const nodesPerBatch = 4;
function randomInts(count: number, end: number, seed: number): Int32Array {
  const random = seededRandom(seed);
  return Int32Array.from({ length: count }, () => Math.floor(random() * end));
}
const src = randomInts(numEdges, numNodes, 1);
const dst = randomInts(numEdges, numNodes - 1, 2); // the last node has no in-edges
const x = randomFloats(numNodes * dim, 3);
const norm = randomFloats(numNodes, 4);
const weight = randomFloats(dim * 2, 5);
let graph: CscGraph;
beforeAll(async () => {
  await selectBackend("native");
  graph = await graphFromEdges({ src, dst, numNodes, weights: randomFloats(numEdges, 6), duplicates: "drop" });
});

const create = (store: DistStore) =>
  DistGraph.create(
    store,
    "g",
    cutGraph(graph, store.rank, {
      x: { dtype: "float32", rowShape: [dim], values: x },
      norm: { dtype: "float32", rowShape: [], values: norm },
    }),
  );
const floats = (dist: DistGraph, name: string) => dist.ndata[name] as DistTensor<"float32">;
const rowsOf = (dist: DistGraph, name: string, width: number) =>
  dist.createNodeData(name, { dtype: "float32", rowShape: [width] });

interface Case {
  readonly message: MessageFunction;
  readonly reduce: ReduceFunction;
  readonly apply?: ApplyFunction;
  /** Numbers of a result row */
  readonly width?: number;
}

const project = (rows: Tensor2D) => matMul<Tensor2D>(rows, tensor2d(weight, [dim, 2]));
const cases: Record<string, Case> = {
  "copySrc sum": { message: "copySrc", reduce: "sum" },
  "copySrc mean, scaled by a norm of the node": {
    message: "copySrc",
    reduce: "mean",
    apply: (mean, own) => mul(mean, own!),
  },
  "copySrc max, projected": { message: "copySrc", reduce: "max", apply: project, width: 2 },
  "mul by weights, sum": { message: "mul", reduce: "sum" },
  "copyEdge mean": { message: "copyEdge", reduce: "mean", width: 1 },
  "functions of one's own": {
    message: (rows) => relu(sub(mul(rows.src!, rows.edge!), rows.dst!)),
    reduce: (messages, block) => updateAll(block, { edge: mul(messages, messages) }, "copyEdge", "sum"),
    apply: (sum, own) => mul(sum, own!),
  },
};

/** `updateAll` on the block of the whole graph. */
async function expected({ message, reduce, apply }: Case): Promise<Float32Array> {
  const block = await fullBlock(graph, 0, numNodes);
  const result = tidy(() => {
    const edge = tensor2d(block.weights!, [block.indices.length, 1]);
    // The rows of a whole graph's block are the nodes in their order.
    return updateAll(
      block,
      { src: tensor2d(x, [numNodes, dim]), dst: tensor2d(norm, [numNodes, 1]), edge },
      message,
      reduce,
      apply,
    );
  });
  const values = Float32Array.from(result.dataSync<"float32">());
  result.dispose();
  return values;
}

async function allOf(tensor: DistTensor<"float32">): Promise<Float32Array> {
  return tensor.get(Int32Array.from({ length: numNodes }, (_, node) => node));
}

/** The service, telling of each `get` by the name of its table. */
function heard(service: RowService, onGet: (name: string) => void): RowService {
  return new Proxy(service, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (key === "get") onGet(String(args[0]));
        return Reflect.apply(value, target, args);
      };
    },
  });
}

describe.each([1, 2, 4])("updateAll on %i ranks", (worldSize) => {
  test.each(Object.entries(cases))("%s has the bits of the whole graph's block", async (_, each) => {
    const whole = await expected(each);
    await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const into = await rowsOf(dist, "out", each.width ?? dim);
      const input = {
        src: floats(dist, "x"),
        dst: floats(dist, "norm"),
        edge: dist.edata["weight"] as DistTensor<"float32">,
      };
      await dist.updateAll(input, each.message, each.reduce, {
        into,
        nodesPerBatch,
        ...(each.apply && { apply: each.apply }),
      });
      expect(await allOf(into)).toEqual(whole);
    });
  });

  test("reads each batch's outside in-neighbours once, and the next batch's before it computes one", async () => {
    // How often each rank has asked for rows of x
    const requests = Array.from({ length: worldSize }, () => 0);
    const services = inProcessRowServices(worldSize).map((service, rank) =>
      heard(service, (name) => {
        if (name === "g/ndata/x") requests[rank]! += 1;
      }),
    );
    await onRanks(storesOf(services), async (store) => {
      const { rank } = store.rank;
      const dist = await create(store);
      const into = await rowsOf(dist, "out", dim);
      const { first, count } = dist.book.partToNodes(store.rank.rank);
      const haloOf = Array.from({ length: Math.ceil(count / nodesPerBatch) }, (_, i) => {
        const isOwn = (node: number) => node >= first && node < first + count;
        const begin = first + i * nodesPerBatch;
        const end = Math.min(begin + nodesPerBatch, first + count);
        return new Set([...src].filter((u, e) => dst[e]! >= begin && dst[e]! < end && !isOwn(u))).size;
      });
      const before = store.counters().remoteRows;
      const asked: number[] = [];
      const apply: ApplyFunction = (sum) => {
        asked.push(requests[rank]!);
        return sum;
      };
      await dist.updateAll({ src: floats(dist, "x") }, "copySrc", "sum", { into, apply, nodesPerBatch });
      expect(asked).toEqual(haloOf.map((_, i) => Math.min(i + 2, haloOf.length)));
      const halo = haloOf.reduce((a, b) => a + b, 0);
      expect(store.counters().remoteRows - before).toBe(halo);
      expect(halo > 0).toBe(worldSize > 1);
    });
  });

  test("goes on from its own results: two rounds are the square of the adjacency matrix", async () => {
    const adjacency = Array.from({ length: numNodes }, () => new Set<number>());
    for (const [e, node] of dst.entries()) adjacency[node]!.add(src[e]!);
    const unit = (node: number) => Array.from({ length: numNodes }, (_, i) => Number(i === node));
    await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const one = await rowsOf(dist, "one", numNodes);
      const two = await rowsOf(dist, "two", numNodes);
      const values = Float32Array.from([...Array(one.count).keys()].flatMap((i) => unit(one.first + i)));
      await one.set(
        Int32Array.from({ length: one.count }, (_, i) => one.first + i),
        values,
      );
      await dist.updateAll({ src: one }, "copySrc", "sum", { into: two, nodesPerBatch });
      await dist.updateAll({ src: two }, "copySrc", "sum", { into: one, nodesPerBatch });
      const paths = await allOf(one);
      for (let v = 0; v < numNodes; v++) {
        for (let u = 0; u < numNodes; u++) {
          const through = [...adjacency[v]!].filter((middle) => adjacency[middle]!.has(u)).length;
          expect(paths[v * numNodes + u]).toBe(through);
        }
      }
    });
  });

  test("stops on every rank when the signal of one is aborted", async () => {
    await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const into = await rowsOf(dist, "out", dim);
      const signal = store.rank.rank === worldSize - 1 ? AbortSignal.abort() : new AbortController().signal;
      const stopped = dist.updateAll({ src: floats(dist, "x") }, "copySrc", "sum", { into, signal });
      await expect(stopped).rejects.toMatchObject({ code: "CANCELLED" });
    });
  });
});

test("updateAll refuses rows of another graph, results that do not fit, and what it reads or cannot write as its target", async () => {
  const [store] = distRanks(1) as [DistStore];
  const dist = await create(store);
  const into = await rowsOf(dist, "out", dim);
  const round = (source: DistTensor<"float32">, target: DistTensor<"float32">) =>
    dist.updateAll({ src: source }, "copySrc", "sum", { into: target });
  const short = await DistTensor.create(store, { name: "short", shape: [numNodes - 1, dim], dtype: "float32" });
  await expect(round(short, into)).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  await expect(round(floats(dist, "x"), await rowsOf(dist, "wide", 9))).rejects.toMatchObject({
    code: "SHAPE_MISMATCH",
  });
  await expect(round(into, into)).rejects.toMatchObject({ code: "SPEC_INVALID" });
  await expect(round(into, floats(dist, "x"))).rejects.toMatchObject({ code: "SPEC_INVALID" });
});
