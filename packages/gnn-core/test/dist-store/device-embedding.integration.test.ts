import { beforeEach, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { tensor2d } from "../../src/backends/tf.ts";
import { DeviceEmbedding } from "../../src/dist-store/device-embedding.ts";
import { DistEmbedding } from "../../src/dist-store/dist-embedding.ts";
import { DistStore } from "../../src/dist-store/dist-store.ts";
import { uniformRows } from "../../src/dist-store/initializers.ts";
import { SparseAdagrad, SparseAdam, type SparseOptimizer } from "../../src/dist-store/sparse-optimizer.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { expectNativesRows } from "../train/support/learned-rows-on-device.ts";

useEmulatedDevice();

const cuda = () => activeCuda() as CudaBackend;
const optimizers = {
  sparseAdam: (rows: DistEmbedding) => new SparseAdam([rows], { lr: 0.1 }),
  sparseAdagrad: (rows: DistEmbedding) => new SparseAdagrad([rows], { lr: 0.1 }),
};
type Rule = keyof typeof optimizers;

describe.each(Object.keys(optimizers) as Rule[])("rows on a device, updated by %s", (rule) => {
  beforeEach(() => selectBackend("cuda", emulated));
  const [numRows, dim] = [9, 5];
  const made = async (): Promise<[DistEmbedding, SparseOptimizer]> => {
    const init = uniformRows(-1, 1, 3);
    const rows = await DistEmbedding.create(DistStore.standalone(), { name: "rows", numRows, dim, init });
    return [rows, optimizers[rule](rows)];
  };

  test("become what the owner makes of them in the host's memory, also where a step names a row again", async () => {
    const [onHost, ofHost] = await made();
    const [rows, optimizer] = await made();
    const device = new DeviceEmbedding(cuda(), rows, optimizer);
    const weight = 4;
    const step = {
      sums: cuda().addon.uploadFloats(Float32Array.of(1, weight, 0, 0)),
      scale: cuda().addon.uploadFloats(new Float32Array(new Int32Array([0, 0, 1]).buffer)),
    };
    for (const [i, named] of [[7, 0, 3], [3, 8, 3, 1, 3], [0], []].entries()) {
      const ids = Int32Array.from(named);
      const gradient = randomFloats(ids.length * dim, i);
      await onHost.pushGradients(
        ids,
        gradient.map((value) => value / weight),
      );
      await ofHost.step();
      await device.prepare(ids);
      const read = device.get();
      expect(read.shape).toEqual([ids.length, dim]);
      const dy = tensor2d(gradient, [ids.length, dim]);
      device.update(dy, step);
      read.dispose();
      dy.dispose();
    }
    await device.settle();
    const all = (of: DistEmbedding, by: SparseOptimizer) => [of.local, ...by.state(of).map(({ values }) => values)];
    const expected = all(onHost, ofHost);
    for (const [i, values] of all(rows, optimizer).entries()) {
      for (const [at, value] of values.entries()) expect(value).toBeCloseTo(expected[i]![at]!, 5);
    }
    device.dispose();
  });
});

test("rows that are trained on a device beside features are native's, and no step waits for them", () =>
  expectNativesRows("sparseAdam", true));
