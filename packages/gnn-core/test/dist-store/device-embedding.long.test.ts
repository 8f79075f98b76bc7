import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { artifactOf } from "../train/support/checkpoint-artifact.ts";
import { communityData } from "../train/support/community-data.ts";
import {
  expectCloseRuns,
  expectNativesRows,
  rowsOptions,
  saidOfRows,
  smallGraph,
} from "../train/support/learned-rows-on-device.ts";
import { trainRanks } from "../train/support/train-ranks.ts";

useEmulatedDevice();

describe("training rows of nodes on a device", () => {
  let scratch = "";
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "hopwise-device-rows-"));
  });
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  test("gives native's losses and rows by Adagrad on a graph without features, and no step waits for it", () =>
    expectNativesRows("sparseAdagrad", false));

  test("has the bits of the undisturbed run when it is resumed after any epoch", async () => {
    await selectBackend("cuda", emulated);
    const data = await communityData(smallGraph);
    const options = rowsOptions("sparseAdam", { epochs: 3, checkpoint: { keepBest: 2 } });
    const [whole] = await trainRanks(data, options, 1, { checkpointDir: scratch });
    const checkpoints = whole!.events.filter((event) => event.type === "checkpoint");
    expect(checkpoints).toHaveLength(3);
    for (const checkpoint of checkpoints.slice(0, 2)) {
      const [resumed] = await trainRanks(data, options, 1, { resume: artifactOf(checkpoint) });
      expect(resumed!.rows).toEqual(whole!.rows);
      expect(resumed!.weights).toEqual(whole!.weights);
    }
  });

  test("keeps the bits of frozen vectors, and learns the other rows as the host does", async () => {
    const data = await communityData(smallGraph);
    const given = rowsOptions("sparseAdam", { epochs: 2 });
    const { dim } = given.features.embedding!;
    const known = Int8Array.from({ length: smallGraph.numNodes }, (_, node) => (node % 3 === 0 ? 0 : 1));
    const values = Float32Array.from({ length: smallGraph.numNodes * dim }, (_, i) => (i % 7) / 8);
    const vectors = { values, known, frozen: true };
    await selectBackend("native");
    const [native] = await trainRanks(data, given, 1, { vectors });
    await selectBackend("cuda", emulated);
    const [device] = await trainRanks(data, given, 1, { vectors });
    for (const [i, value] of device!.rows.entries()) {
      if (known[Math.floor(i / dim)]) expect(value).toBe(values[i]);
    }
    expect(native!.rows.filter((value, i) => !known[Math.floor(i / dim)] && value !== values[i])).not.toHaveLength(0);
    expectCloseRuns(device!, native!);
  });

  test("has one result where the hosts keep the rows: of several ranks, and those that do not fit", async () => {
    await selectBackend("cuda", emulated);
    const { addon } = activeCuda() as CudaBackend;
    const data = await communityData(smallGraph);
    const options = rowsOptions("sparseAdam", { epochs: 2 }, 0);
    const [whole] = await trainRanks(data, options, 1);
    const [first] = await trainRanks(data, options, 2);
    addon.trimMemory();
    addon.setEmulatedMemory?.(500e6);
    try {
      const [crowded] = await trainRanks(data, options, 1);
      for (const other of [first!, crowded!]) {
        expect(saidOfRows(other.events)).toEqual([
          "The hosts keep and update the learned rows, and each step waits for them",
        ]);
        expectCloseRuns(other, whole!);
      }
    } finally {
      addon.setEmulatedMemory?.(2 ** 32);
    }
  });
});
