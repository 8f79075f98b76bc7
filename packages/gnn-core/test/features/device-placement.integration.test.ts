import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { FeatureStore } from "../../src/features/feature-store.ts";
import { StoredRows } from "../../src/features/stored-rows.ts";
import { type FeaturePlacement, featurePlacements, placementWords } from "../../src/host/feature-placement.ts";
import { featuresToTensor } from "../../src/ops/features-to-tensor.ts";
import type { StepEvent } from "../../src/spec/step-event.ts";
import { fitTransforms, transformed } from "../../src/train/feature-transforms.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { expectClose } from "../support/check-op.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { communityData } from "../train/support/community-data.ts";
import { optionsOf } from "../train/support/train-ranks.ts";

useEmulatedDevice();

const [numRows, dim] = [50, 7];
const values = randomFloats(numRows * dim, 1);
/** Two segments, as parts are mapped */
const pieces = <Values extends Float32Array | Uint16Array | Int8Array>(all: Values) =>
  [all.slice(0, 20 * dim), all.slice(20 * dim)] as Values[];
const halves = new Uint16Array(values.length);
const columns = { scale: randomFloats(dim, 2).map(Math.abs), offset: randomFloats(dim, 3) };

const stores = {
  float32: () => new DenseFeatureStore(dim, pieces(values)),
  float16: () => new DenseFeatureStore(dim, pieces(halves)),
  int8: () => new DenseFeatureStore(dim, pieces(Int8Array.from(values, (value) => value * 127)), columns),
};

const cuda = () => activeCuda() as CudaBackend;

function place(asked: FeaturePlacement): void {
  cuda().features.policy = {
    asked,
    reservedBytes: 0,
    pinnableBytes: 1e9,
    // Every third row, and no more
    mostRead: (rows) => Int32Array.from({ length: Math.floor(rows / 3) }, (_, i) => 3 * i),
    onPlaced: () => {},
  };
}

/** Two shares in memory that other processes could read; here both are this process' own. */
function shareRows({ stored: features, numRows: rows }: DenseFeatureStore): void {
  const { addon, features: placed } = cuda();
  const { segments, columns: scales } = placed.roomOf(features)!;
  const firstRows = Int32Array.of(0, 17);
  const shares = [addon.makeShare(rows, segments, 0, 17), addon.makeShare(rows, segments, 17, rows)];
  const [scale, offset] = [scales?.scale ?? null, scales?.offset ?? null];
  placed.share(features, addon.openShares(rows, dim, segments, scale, offset, firstRows, shares), 17, 0);
}

/** A store, placed as the policy says. */
function stored(type: keyof typeof stores): DenseFeatureStore {
  const store = stores[type]();
  if (cuda().features.policy.asked === "sharded") shareRows(store);
  return store;
}

async function gatheredOnDevice(store: FeatureStore, ids: Int32Array): Promise<Float32Array> {
  const rows = await store.gatherAsync(ids);
  const tensor = featuresToTensor(rows);
  const found = tensor.dataSync<"float32">().slice();
  tensor.dispose();
  return found;
}

const ids = Int32Array.from({ length: 90 }, (_, i) => (i * 17) % numRows);

beforeEach(async () => {
  loadAddon().encodeHalf(values, halves);
  await selectBackend("cuda", emulated);
});

describe.each(featurePlacements)("feature rows that are placed as %s", (placement) => {
  beforeEach(() => place(placement));

  test.each(Object.keys(stores) as (keyof typeof stores)[])("have the processor's bits, stored as %s", async (type) => {
    const store = stored(type);
    expect(await gatheredOnDevice(store, ids)).toEqual(store.gather(ids).values);
    expect((await store.gatherAsync(ids)) instanceof StoredRows).toBe(placement !== "host");
  });

  test("are transformed and dropped as the processor does", async () => {
    const store = stored("int8");
    const changed = transformed(store, fitTransforms(["rowNormalize", "standardize"], store));
    const expected = changed.gather(ids).values;
    expect(await gatheredOnDevice(changed, ids)).toEqual(expected);
    const rows = await changed.gatherAsync(ids);
    if (!(rows instanceof StoredRows)) return;
    const dropout = { key: Int32Array.of(1, 0, 2, 3), threshold: 2 ** 15 };
    const dropped = rows.dropped(ids, dropout) as StoredRows;
    const onDevice = featuresToTensor(dropped);
    loadAddon().dropoutRows(ids.length, dim, expected, ids, dropout.key, dropout.threshold, expected);
    expect(onDevice.dataSync()).toEqual(expected);
    expect(dropped.values).toEqual(expected);
    onDevice.dispose();
  });

  test("are read anew when they were written, and the device has its memory back", async () => {
    const memory = values.slice();
    const store = new DenseFeatureStore(dim, [memory]);
    const before = cuda().addon.deviceCounters().takenBytes;
    expect((await gatheredOnDevice(store, ids))[0]).toBe(values[0]);
    memory[0] = 42;
    store.forgetCopies();
    expect((await gatheredOnDevice(store, ids))[0]).toBe(42);
    store.forgetCopies();
    expect(cuda().addon.deviceCounters().takenBytes).toBe(before);
  });
});

test("a row that is in no share is refused, and so are shares that leave a gap", () => {
  const { addon } = cuda();
  const store = stores.float32();
  shareRows(store);
  const { segments } = cuda().features.roomOf(store.stored)!;
  const share = addon.makeShare(numRows, segments, 0, numRows);
  const opened = (...firstRows: number[]) =>
    addon.openShares(numRows, dim, segments, null, null, Int32Array.from(firstRows), [share]);
  const features = opened(0);
  const gathered = (row: number) =>
    addon.gatherFeatures(features, addon.uploadInts(Int32Array.of(row)), null, 0, addon.makeFloats(dim));
  for (const row of [-1, numRows]) expect(() => gathered(row)).toThrow(/not among those of the features/);
  expect(() => opened(1)).toThrow(/do not follow each other/);
  expect(() => opened(0, 20)).toThrow(/do not follow each other/);
  expect(() => addon.makeShare(numRows, segments, 7, 7)).toThrow(/The share is empty/);
  expect(() => addon.makeShare(numRows, segments, 7, numRows + 1)).toThrow(/not among those of the matrix/);
  addon.giveBack(share);
  expect(() => addon.exportShare(share)).toThrow(/was given back/);
});

describe("training on the emulated device", () => {
  const whole = 2 ** 32;
  afterEach(() => activeCuda()?.addon.setEmulatedMemory?.(whole));

  // The host draws it, so that the graph takes no room on the device.
  const sampling = { type: "labor" as const, options: { fanouts: [3, 2] } };
  const model = { type: "sage", options: { hiddenFeats: 6, dropout: 0.2 } };
  const train = { epochs: 2, batchSize: 10 };

  async function run(featurePlacement?: FeaturePlacement) {
    const data = await communityData({ numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 });
    const features = { transforms: ["rowNormalize" as const] };
    const options = optionsOf({ model, sampling, train, features, ...(featurePlacement && { featurePlacement }) });
    const trainer = await Trainer.create({ data, options, threads: 1 });
    const lines: Extract<StepEvent, { type: "log" }>[] = [];
    await trainer.fit({ onEvent: (event) => event.type === "log" && lines.push(event) });
    const { logits } = await trainer.infer();
    trainer.dispose();
    const placed = lines.filter(({ message }) => Object.values(placementWords).includes(message));
    expect(placed).toHaveLength(activeCuda() ? 1 : 0);
    return { logits, message: placed[0]?.message, fields: placed[0]?.fields as Record<string, number> };
  }

  test("has the same bits wherever the features lie, and says where that is", async () => {
    await selectBackend("native");
    const onProcessor = await run();
    await selectBackend("cuda", emulated);
    const expected = await run("device");
    expectClose(expected.logits, onProcessor.logits, 1e-4);
    expect(expected).toMatchObject({ message: placementWords.device, fields: { rows: 40, dim: 6, deviceRows: 40 } });
    // Room for the places of 40 rows, and for 15 of them
    cuda().addon.setEmulatedMemory?.(whole - (expected.fields["roomBytes"] as number) + 40 * 4 + 15 * 24);
    const found = [await run(), await run("pinned"), await run("host")];
    expect(found.map(({ message }) => message)).toEqual([
      placementWords.cached,
      placementWords.pinned,
      placementWords.host,
    ]);
    expect(found.map(({ fields }) => fields["deviceRows"])).toEqual([15, 0, 0]);
    for (const { logits } of found) expect(logits).toEqual(expected.logits);
  });
});
