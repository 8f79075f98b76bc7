import { describe, expect, it } from "vitest";
import { type Worker, workerFindings } from "../src/doctor/worker-findings.ts";

const worker = (more: Partial<Worker>): Worker => ({
  id: "w1",
  host: "one",
  version: "0.1.0",
  build: "b",
  compatible: true,
  reason: null,
  state: "ONLINE",
  drained: false,
  firstSeen: "2026-01-01T00:00:00Z",
  lastSeen: "2026-01-01T00:00:00Z",
  devices: [],
  slots: 4,
  cores: 4,
  memoryBytes: 2 ** 34,
  diskFreeBytes: 2 ** 40,
  isa: "avx2",
  labels: {},
  rankAddress: null,
  running: [],
  ...more,
});

const gpu = (more: object) =>
  ({
    kind: "cuda",
    index: 0,
    name: "H100",
    memoryBytes: 80 * 2 ** 30,
    isEmulated: false,
    links: [],
    ...more,
  }) as unknown as Worker["devices"][number];

const told = (workers: readonly Worker[]) =>
  workerFindings(workers).map(({ check, state, found }) => `${state} ${check}: ${found}`);

describe("what workers say of the jobs that they can take", () => {
  it("is bad where there is none, or none that takes work", () => {
    expect(told([])).toEqual(["bad workers: No worker has announced itself; jobs wait."]);
    expect(told([worker({ state: "OFFLINE" })])).toEqual(["bad workers: No worker takes work; jobs wait."]);
    expect(told([worker({ compatible: false, reason: "It speaks contract 5; the service speaks 6." })])).toEqual([
      "bad workers: Worker w1 on one gets no work: It speaks contract 5; the service speaks 6.",
      "bad workers: No worker takes work; jobs wait.",
    ]);
  });

  it("counts ranks and GPUs over those that are online", () => {
    const workers = [
      worker({ devices: [gpu({}), gpu({ index: 1 })] }),
      worker({ id: "w2", devices: [gpu({ name: "Test", isEmulated: true })] }),
      worker({ id: "w3", state: "OFFLINE", devices: [gpu({})] }),
    ];
    expect(told(workers)).toEqual([
      "good workers: 2 workers are online, for 8 ranks at once.",
      "good devices: They have 2 × H100 with 80 GiB, 1 × Test (emulated).",
    ]);
    expect(told([worker({})])[1]).toBe("good devices: They train on CPUs alone.");
  });

  it("notes a disk that is nearly full, and hosts that no job shares", () => {
    expect(told([worker({ diskFreeBytes: 2 ** 30 })]).at(-1)).toBe(
      "note disk: Worker w1 on one has 1.0 GiB free on its disk.",
    );
    const apart = [worker({ rankAddress: "10.0.0.1" }), worker({ id: "w2", host: "two" })];
    expect(told(apart).at(-1)).toBe("note hosts: No job shares w2 with a worker on another host.");
    expect(told([worker({}), worker({ id: "w2" })])).toHaveLength(2);
  });
});
