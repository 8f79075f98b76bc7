import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, describe, expect, test, vi } from "vitest";
import { DeviceRoster } from "../src/devices/device-roster.ts";
import { DeviceWatch } from "../src/devices/device-watch.ts";
import { emulatedDevices } from "../src/devices/emulated-devices.ts";
import { findDevices } from "../src/devices/find-devices.ts";
import { nvidiaDevices } from "../src/devices/nvidia-devices.ts";
import { cpuDevice, visibleDevices } from "../src/devices/worker-devices.ts";
import { deviceEnvironment } from "../src/ranks/device-environment.ts";
import { holdDevice } from "../src/ranks/device-lock.ts";

const dir = mkdtempSync(join(tmpdir(), "hw-nvidia-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const log = pino({ level: "silent" });

/** A program that answers as one of the driver does on some host. */
function program(name: string, script: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
const two = program(
  "two",
  "printf '0, GPU-aa, NVIDIA H100 80GB HBM3, 81559, 580.65.06\\n1, GPU-bb, NVIDIA L4, [N/A], 580.65.06\\n'",
);

describe("nvidiaDevices", () => {
  test("reads what nvidia-smi lists, with memory in bytes and 0 for what it does not know", () => {
    expect(nvidiaDevices(two).devices).toEqual([
      { index: 0, uuid: "GPU-aa", name: "NVIDIA H100 80GB HBM3", memoryBytes: 81559 * 1024 ** 2, driver: "580.65.06" },
      { index: 1, uuid: "GPU-bb", name: "NVIDIA L4", memoryBytes: 0, driver: "580.65.06" },
    ]);
  });

  test("says plainly what is missing", () => {
    const nowhere = join(dir, "nowhere");
    expect(nvidiaDevices(nowhere, nowhere)).toMatchObject({
      devices: [],
      absence: expect.stringMatching(/is not here, and no driver is loaded$/),
    });
    expect(nvidiaDevices(nowhere, dir)).toMatchObject({
      absence: expect.stringMatching(/though the driver is loaded$/),
    });
    const broken = program("broken", "echo 'NVIDIA-SMI has failed'; exit 9");
    expect(nvidiaDevices(broken)).toMatchObject({
      absence: expect.stringMatching(/ended with 9: NVIDIA-SMI has failed/),
    });
    expect(nvidiaDevices(program("none", "exit 0"))).toMatchObject({ absence: expect.stringMatching(/lists none/) });
  });
});

describe("findDevices", () => {
  const nowhere = join(dir, "nowhere");
  const gpu = (index: number, more = {}) => ({
    kind: "device",
    index,
    uuid: `GPU-${index}`,
    name: "NVIDIA H100 80GB HBM3",
    memoryTotal: 80 * 2 ** 30,
    memoryFree: 0,
    computeCapability: "9.0",
    sliced: false,
    slices: [],
    ...more,
  });
  const driver = { kind: "driver", version: "580.65.06", cuda: 13000 };
  const listing = (name: string, ...lines: object[]) =>
    program(name, lines.map((line) => `echo '${JSON.stringify(line)}'`).join("\n"));

  test("gives GPUs with their links, and the slices of those that are sliced", () => {
    const slice = { uuid: "MIG-a", name: "NVIDIA H100 MIG 1g.10gb", memoryTotal: 10 * 2 ** 30, memoryFree: 0 };
    const links = [
      { kind: "link", a: 0, b: 1, nvlink: true, path: "system" },
      { kind: "link", a: 0, b: 2, nvlink: false, path: "numa-node" },
      { kind: "link", a: 1, b: 2, nvlink: false, path: "unknown" },
    ];
    const sliced = gpu(2, { sliced: true, slices: [slice] });
    const found = findDevices(listing("gpus", driver, gpu(0), gpu(1), sliced, ...links, { kind: "new" }), nowhere);
    expect(found).toMatchObject({ driver: { version: "580.65.06", cuda: "13.0" }, absence: null });
    expect(found.devices).toMatchObject([
      { uuid: "GPU-0", computeCapability: "9.0", driverVersion: "580.65.06", memoryBytes: 80 * 2 ** 30 },
      { uuid: "GPU-1", links: [{ to: "GPU-0", kind: "nvlink" }] },
      { uuid: "MIG-a", index: 2, migParent: "GPU-2", memoryBytes: 10 * 2 ** 30, links: [] },
    ]);
    expect(found.devices[0]?.links).toEqual([
      { to: "GPU-1", kind: "nvlink" },
      { to: "GPU-2", kind: "numa-node" },
    ]);
  });

  test("says what is missing in the program's words, and lists what an old driver's own program knows", () => {
    const error = { kind: "error", code: "DEVICE_NOT_AVAILABLE", reason: "driver-too-old", message: "Install 580." };
    const old = listing("old", error);
    expect(findDevices(old, nowhere)).toEqual({ devices: [], driver: null, absence: "Install 580." });
    expect(findDevices(old, two)).toMatchObject({
      devices: [{ uuid: "GPU-aa" }, { uuid: "GPU-bb" }],
      driver: { version: "580.65.06", cuda: null },
      absence: "Install 580.",
    });
    expect(findDevices(nowhere, nowhere).absence).toMatch(/is not here/);
    expect(findDevices(program("silent", "exit 3"), nowhere).absence).toBe("the driver lists no device");
  });

  test("tells what each GPU does as long as the program renews it, and nothing of others", async () => {
    const use = { kind: "use", index: 0, memoryFree: 60 * 2 ** 30, busyPercent: 25, watts: null };
    const watched = program(
      "watched",
      `echo '${JSON.stringify(use)}'\necho '{"kind":"use","index":7}'\ncat > /dev/null`,
    );
    const [device] = findDevices(listing("one", driver, gpu(0)), nowhere).devices;
    if (!device) throw new Error("no device");
    const watch = new DeviceWatch([device, ...emulatedDevices([1], "w1")], log, watched);
    await vi.waitFor(() =>
      expect(watch.useOf(device)).toEqual({ memoryBytes: 20 * 2 ** 30, utilization: 0.25, powerWatts: null }),
    );
    expect(watch.useOf(cpuDevice())).toBeNull();
    watch.close();
    await vi.waitFor(() => expect(watch.useOf(device)).toBeNull());
  });
});

describe("visibleDevices", () => {
  const found = findDevices(join(dir, "nowhere"), two).devices;
  const seenBy = (visible: string | undefined) => visibleDevices(found, visible).map(({ uuid }) => uuid);

  test("are all that there are, or those that CUDA_VISIBLE_DEVICES names, up to a name that means nothing", () => {
    expect(visibleDevices(found, undefined)).toMatchObject([
      { kind: "cuda", index: 0, name: "NVIDIA H100 80GB HBM3", uuid: "GPU-aa", driverVersion: "580.65.06" },
      { index: 1, name: "NVIDIA L4", memoryBytes: 0, uuid: "GPU-bb", isEmulated: false },
    ]);
    expect(seenBy("1,0")).toEqual(["GPU-aa", "GPU-bb"]);
    expect(seenBy("GPU-b")).toEqual(["GPU-bb"]);
    expect(seenBy("1,-1,0")).toEqual(["GPU-bb"]);
    expect(seenBy("")).toEqual([]);
  });
});

test("a worker on a CPU announces it with its name and the memory there is", () => {
  expect(cpuDevice()).toMatchObject({ kind: "cpu", index: 0, uuid: null });
  expect(cpuDevice().memoryBytes).toBeGreaterThan(2 ** 20);
});

test("emulated devices say what they are, and have the topology that was asked for", () => {
  const [first, second, third] = emulatedDevices([2, 1], "w1");
  expect([first, second, third].map((device) => [device?.uuid, device?.isEmulated])).toEqual([
    ["EMULATED-w1-0", true],
    ["EMULATED-w1-1", true],
    ["EMULATED-w1-2", true],
  ]);
  expect(second?.links).toEqual([
    { to: "EMULATED-w1-0", kind: "nvlink" },
    { to: "EMULATED-w1-2", kind: "host-bridge" },
  ]);
});

describe("deviceEnvironment", () => {
  test("shows a process its own GPU or slice of one alone, and none to one that has none", () => {
    const environment = { A: "1", CUDA_VISIBLE_DEVICES: "0,1" };
    expect(deviceEnvironment(environment, "GPU-aa")).toEqual({ A: "1", CUDA_VISIBLE_DEVICES: "GPU-aa" });
    expect(deviceEnvironment(environment, "MIG-cc")).toEqual({ A: "1", CUDA_VISIBLE_DEVICES: "MIG-cc" });
    expect(deviceEnvironment(environment, null)).toEqual({ A: "1", CUDA_VISIBLE_DEVICES: "" });
    expect(deviceEnvironment(environment, "EMULATED-w1-0")).toBe(environment);
  });
});

test("a device that a rank has lost is off the roster until the backend computes on it again", async () => {
  const devices = emulatedDevices([2], "w1");
  const uuids = (roster: DeviceRoster) => roster.current.map(({ uuid }) => uuid);
  let isBack = false;
  let tries = 0;
  const tryAgain = async () => {
    tries++;
    if (!isBack) throw new Error("lost still");
  };
  const use = { memoryBytes: 1, utilization: 0.5, powerWatts: null };
  const useOf = ({ index }: { index: number }) => (index === 1 ? use : null);
  const roster = new DeviceRoster({ devices, useOf, tryAgain, log, retryMs: 5 });
  roster.suspect("EMULATED-w1-0", true);
  roster.suspect("of another worker", true);
  expect(roster.current).toMatchObject([{ uuid: "EMULATED-w1-1", use }]);
  await vi.waitFor(() => expect(tries).toBeGreaterThan(1));
  expect(uuids(roster)).toEqual(["EMULATED-w1-1"]);
  isBack = true;
  await vi.waitFor(() => expect(uuids(roster)).toHaveLength(2));
  expect(roster.known).toBe(devices);
});

describe("holdDevice", () => {
  test("waits for the process that holds the device, and says so when that does not end", async () => {
    const uuid = `test-${process.pid}`;
    const lock = new URL("../dist/ranks/device-lock.js", import.meta.url).href;
    const program = `await (await import(${JSON.stringify(lock)})).holdDevice("${uuid}"); console.log("held"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(holder.stdout, "data");
      await expect(holdDevice(uuid, 0)).rejects.toMatchObject({ problem: { code: "DEVICE_BUSY", retryable: true } });
      const held = holdDevice(uuid);
      holder.kill("SIGKILL");
      await held;
    } finally {
      holder.kill("SIGKILL");
    }
  });
});
