import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DistEmbedding } from "../../src/dist-store/dist-embedding.ts";
import type { DistStore } from "../../src/dist-store/dist-store.ts";
import { restoreEmbeddings, saveEmbeddings } from "../../src/dist-store/embedding-checkpoint.ts";
import { uniformRows } from "../../src/dist-store/initializers.ts";
import { SparseAdagrad, SparseAdam, type SparseOptimizer } from "../../src/dist-store/sparse-optimizer.ts";
import { SeededRandom } from "../../src/generate/random.ts";
import { failureOf } from "../conformance/row-service.suite.ts";
import { distRanks, onRanks } from "./dist-ranks.ts";

const numRows = 30;
const dim = 6;
const all = Int32Array.from({ length: numRows }, (_, id) => id);
const init = uniformRows(-0.1, 0.1, 3);
const optimizers = [
  ["SparseAdagrad", (rows: DistEmbedding) => new SparseAdagrad([rows], { lr: 0.1 })],
  ["SparseAdam", (rows: DistEmbedding) => new SparseAdam([rows], { lr: 0.1 })],
] as const;

/** What a step's batch asks of its rows: (row, gradient) in an order that every rank count shares. */
function batchOf(step: number): { ids: Int32Array; gradients: Float32Array } {
  const random = new SeededRandom(step);
  const ids = Int32Array.from({ length: 12 }, () => random.integer(step % 2 === 0 ? 10 : 20));
  return { ids, gradients: Float32Array.from({ length: 12 * dim }, () => random.uniform() - 0.5) };
}

/** Each rank pushes its slice of the batch. */
async function trainSteps(rows: DistEmbedding, optimizer: SparseOptimizer, from: number, to: number): Promise<void> {
  const { rank, worldSize } = rows.store.rank;
  for (let step = from; step < to; step++) {
    const { ids, gradients } = batchOf(step);
    const first = Math.floor((12 * rank) / worldSize);
    const end = Math.floor((12 * (rank + 1)) / worldSize);
    await rows.pushGradients(ids.slice(first, end), gradients.slice(first * dim, end * dim));
    await optimizer.step();
  }
}

async function trained(store: DistStore, make: (rows: DistEmbedding) => SparseOptimizer, steps: number) {
  const rows = await DistEmbedding.create(store, { name: "e", numRows, dim, init });
  const optimizer = make(rows);
  await trainSteps(rows, optimizer, 0, steps);
  return { rows, optimizer, values: await rows.get(all) };
}

describe.each(optimizers)("%s", (name, make) => {
  test("follows its formula: a reference in double precision, row by row", async () => {
    const [store] = distRanks(1);
    const { values } = await trained(store!, make, 5);
    const expected = reference(name, 5);
    for (const [i, value] of values.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-6);
  });

  test.each([2, 3, 4])(
    "on %i ranks the rows end as on one, within 1e-6, and as often as it is run to the bit",
    async (worldSize) => {
      const [alone] = await onRanks(distRanks(1), (store) => trained(store, make, 6));
      const runs = [];
      for (let run = 0; run < 2; run++)
        runs.push(await onRanks(distRanks(worldSize), (store) => trained(store, make, 6)));
      for (const { values } of runs[0]!) {
        for (const [i, value] of values.entries()) expect(Math.abs(value - alone!.values[i]!)).toBeLessThan(1e-6);
      }
      expect(runs[1]![0]!.values).toEqual(runs[0]![0]!.values);
    },
  );

  test("rows that nobody touched keep their bits", async () => {
    const ranks = await onRanks(distRanks(3), (store) => trained(store, make, 4));
    const before = new Float32Array(numRows * dim);
    for (const id of all) init.fill(id, before.subarray(id * dim, (id + 1) * dim));
    const touched = new Set([0, 1, 2, 3].flatMap((step) => [...batchOf(step).ids]));
    expect(touched.size).toBeLessThan(numRows);
    for (const id of all) {
      const [now, then] = [ranks[0]!.values, before].map((rows) => rows.subarray(id * dim, (id + 1) * dim));
      if (touched.has(id)) expect(now).not.toEqual(then);
      else expect(new Uint32Array(now!.slice().buffer)).toEqual(new Uint32Array(then!.slice().buffer));
    }
  });
});

/** The optimizer in double precision, gradients of a row summed first. */
function reference(name: string, steps: number): Float64Array {
  const w = new Float64Array(numRows * dim);
  const row = new Float32Array(dim);
  for (const id of all) {
    init.fill(id, row);
    w.set(row, id * dim);
  }
  const s = new Float64Array(w.length);
  const m = new Float64Array(w.length);
  const v = new Float64Array(w.length);
  const t = Array.from({ length: numRows }, () => 0);
  for (let step = 0; step < steps; step++) {
    const { ids, gradients } = batchOf(step);
    const sums = new Map<number, number[]>();
    for (const [k, id] of ids.entries()) {
      const sum = sums.get(id) ?? Array.from({ length: dim }, () => 0);
      sums.set(
        id,
        sum.map((value, c) => value + gradients[k * dim + c]!),
      );
    }
    for (const [id, gradient] of sums) {
      t[id]! += 1;
      for (const [c, g] of gradient.entries()) {
        const i = id * dim + c;
        s[i]! += g * g;
        m[i] = 0.9 * m[i]! + 0.1 * g;
        v[i] = 0.999 * v[i]! + 0.001 * g * g;
        const mHat = m[i] / (1 - 0.9 ** t[id]!);
        const vHat = v[i] / (1 - 0.999 ** t[id]!);
        w[i]! -=
          name === "SparseAdagrad" ? (0.1 * g) / (Math.sqrt(s[i]!) + 1e-10) : (0.1 * mHat) / (Math.sqrt(vHat) + 1e-8);
      }
    }
  }
  return w;
}

test("gradients without an optimizer, a second optimizer and none to update are SPEC_INVALID", async () => {
  const [store] = distRanks(1);
  const rows = await DistEmbedding.create(store!, { name: "e", numRows, dim });
  await rows.pushGradients(Int32Array.of(1), new Float32Array(dim));
  expect(await failureOf(store!.publish())).toBe("SPEC_INVALID");
  const optimizer = new SparseAdagrad([rows], { lr: 1 });
  expect(() => new SparseAdam([rows], { lr: 1 })).toThrow(/has an optimizer already/);
  expect(() => new SparseAdam([], { lr: 1 })).toThrow(/no embeddings/);
  await optimizer.step();
  expect(await DistEmbedding.create(store!, { name: "e", numRows, dim })).toBe(rows);
});

describe("checkpoints", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "hopwise-embeddings-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  describe.each(optimizers)("of %s", (_name, make) => {
    test.each([
      [2, 2],
      [2, 3],
      [3, 1],
    ])("saved by %i ranks and restored by %i, training goes on as if it had not stopped", async (before, after) => {
      const whole = await onRanks(distRanks(after), (store) => trained(store, make, 7));
      await onRanks(distRanks(before), async (store) => saveEmbeddings(dir, (await trained(store, make, 4)).optimizer));
      const resumed = await onRanks(distRanks(after), async (store) => {
        const { rows, optimizer } = await trained(store, make, 0);
        await restoreEmbeddings(dir, optimizer);
        await trainSteps(rows, optimizer, 4, 7);
        return rows.get(all);
      });
      for (const [i, value] of resumed[0]!.entries()) {
        expect(Math.abs(value - whole[0]!.values[i]!)).toBeLessThan(before === after ? Number.MIN_VALUE : 1e-6);
      }
    });
  });

  test("rows that are missing, of another width or of another optimizer are CHECKPOINT_INVALID", async () => {
    const make = optimizers[0][1];
    await onRanks(distRanks(2), async (store) => saveEmbeddings(dir, (await trained(store, make, 1)).optimizer));
    const restored = async (name: string, width: number, maker: (rows: DistEmbedding) => SparseOptimizer) => {
      const [store] = distRanks(1);
      const rows = await DistEmbedding.create(store!, { name, numRows, dim: width });
      return failureOf(restoreEmbeddings(dir, maker(rows)));
    };
    expect(await restored("other", dim, make)).toBe("CHECKPOINT_INVALID");
    expect(await restored("e", dim + 1, make)).toBe("CHECKPOINT_INVALID");
    expect(await restored("e", dim, optimizers[1][1])).toBe("CHECKPOINT_INVALID");
    await rm(join(dir, "embedding-e.1-of-2.safetensors"));
    expect(await restored("e", dim, make)).toBe("CHECKPOINT_INVALID");
  });
});
