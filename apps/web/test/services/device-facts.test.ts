import { expect, test } from "vitest";
import { type DeviceFigures, deviceFacts } from "../../src/services/device-facts.ts";

const unknown: DeviceFigures = {
  uuid: "GPU-a",
  memoryBytes: 0,
  computeCapability: null,
  driverVersion: null,
  migParent: null,
  use: null,
};

test("a device says what is known of it and leaves out the rest", () => {
  expect(deviceFacts(unknown)).toEqual([]);
  expect(deviceFacts({ ...unknown, memoryBytes: 80 * 2 ** 30 })).toEqual(["80.0 GiB"]);
  const use = { memoryBytes: 20 * 2 ** 30, utilization: 0.634, powerWatts: 312.4 };
  expect(
    deviceFacts({ ...unknown, memoryBytes: 80 * 2 ** 30, computeCapability: "9.0", driverVersion: "580.65.06", use }),
  ).toEqual(["20.0 GiB of 80.0 GiB", "63 % busy", "312 W", "compute capability 9.0", "driver 580.65.06"]);
  expect(deviceFacts({ ...unknown, use: { ...use, memoryBytes: null, utilization: 0 } })).toEqual([
    "0 % busy",
    "312 W",
  ]);
});

test("a CPU's memory is its worker's, and is said there", () => {
  expect(deviceFacts({ ...unknown, uuid: null, memoryBytes: 80 * 2 ** 30 })).toEqual([]);
});
