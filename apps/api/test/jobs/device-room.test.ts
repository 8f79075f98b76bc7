import { jobResources, workerCapacity } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { deviceObjections, largestDevice } from "../../src/jobs/device-room.ts";

const gpu = (index: number, memoryBytes: number, change = {}) => ({
  kind: "cuda",
  index,
  name: "NVIDIA L4",
  memoryBytes,
  uuid: `GPU-${index}`,
  ...change,
});
const workerWith = (devices: object[], rankAddress: string | null = null) => ({
  ...workerCapacity.parse({ devices, memoryBytes: 64e9, rankAddress }),
  host: "h",
});
const asking = (resources: object) => jobResources.parse({ device: "cuda", ...resources });
const detailsOf = (...given: Parameters<typeof deviceObjections>) =>
  deviceObjections(...given).map(({ pointer, detail }) => `${pointer} ${detail}`);

test("a job is refused whose ranks find no device with the memory they need, with the figures", () => {
  const workers = [workerWith([gpu(0, 24e9), gpu(1, 22e9)])];
  expect(largestDevice(workers, "cuda")).toMatchObject({ memoryBytes: 24e9, hostBytes: 64e9 });
  expect(detailsOf(workers, 24e9, asking({}))).toEqual([]);
  expect(detailsOf(workers, 24.1e9, asking({}))).toEqual([
    expect.stringMatching(/^\/resources\/device Each rank needs about 24\.1 GB .*NVIDIA L4, has 24\.0 GB\. Lower/),
  ]);
  expect(detailsOf([workerWith([gpu(0, 0)])], 1e15, asking({}))).toEqual([]); // nobody knows how much it has
});

test("a job is refused that has more ranks than devices, counting those that are large enough", () => {
  const two = [gpu(0, 24e9), gpu(1, 22e9)];
  expect(detailsOf([workerWith(two)], 1e9, asking({ ranks: 2 }))).toEqual([]);
  expect(detailsOf([workerWith(two)], 23e9, asking({ ranks: 2 }))).toEqual([
    expect.stringMatching(
      /^\/resources\/ranks .*2 ranks needs a CUDA device of its own; the largest worker online has 1/,
    ),
  ]);
  const joined = [workerWith(two, "10.0.0.1"), workerWith(two, "10.0.0.2")];
  expect(detailsOf(joined, 1e9, asking({ ranks: 4 }))).toEqual([]);
  expect(detailsOf(joined, 1e9, asking({ ranks: 4, hosts: 1 }))).toHaveLength(1);
  expect(detailsOf(joined, 1e9, asking({ ranks: 5 }))).toEqual([
    expect.stringMatching(/several workers together have 4/),
  ]);
});

test("what shares features with a device is counted by the links that its worker has announced", () => {
  const linked = (index: number, kind: string, ...others: number[]) =>
    gpu(index, 24e9, { links: others.map((other) => ({ to: `GPU-${other}`, kind })) });
  const peersOf = (...devices: object[]) => largestDevice([workerWith(devices)], "cuda")?.peers;
  expect(peersOf(linked(0, "nvlink", 1), linked(1, "nvlink", 0))).toEqual({ onHost: 2, linked: 2 });
  expect(peersOf(linked(0, "switch", 1), linked(1, "switch", 0))).toEqual({ onHost: 2, linked: 1 });
  expect(peersOf(linked(0, "nvlink", 7))).toEqual({ onHost: 1, linked: 1 }); // the other one is not for ranks
});

test("a job that leaves its device open is refused only when all workers would have it compute on devices", () => {
  const cpu = workerWith([{ kind: "cpu", index: 0, name: "x", memoryBytes: 1e9 }]);
  const gpus = workerWith([gpu(0, 1e9)]);
  const open = asking({ device: "auto", ranks: 2 });
  expect(detailsOf([gpus], 2e9, open)).toHaveLength(1);
  expect(detailsOf([gpus, cpu], 2e9, open)).toEqual([]);
  const emulated = workerWith([gpu(0, 1e9, { isEmulated: true })]);
  expect(largestDevice([emulated], "auto")).toBeNull();
  expect(largestDevice([emulated], "cuda")).not.toBeNull();
  expect(largestDevice([gpus], "cpu")).toBeNull();
});
