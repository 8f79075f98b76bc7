import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { nvidiaDevices } from "../src/devices/nvidia-devices.ts";
import { workerDevices } from "../src/devices/worker-devices.ts";

const dir = mkdtempSync(join(tmpdir(), "hw-nvidia-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A program that answers as nvidia-smi does on some host. */
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

describe("workerDevices", () => {
  const found = () => nvidiaDevices(two);

  test("announces the first device that TensorFlow may see", () => {
    expect(workerDevices("cuda", undefined, found)).toMatchObject([
      { kind: "cuda", index: 0, name: expect.stringContaining("H100") },
    ]);
    expect(workerDevices("cuda", "1,0", found)).toMatchObject([{ index: 1, name: "NVIDIA L4", memoryBytes: 0 }]);
    expect(workerDevices("cuda", "GPU-bb", found)).toMatchObject([{ index: 1 }]);
  });

  test("announces a GPU that TensorFlow uses and nvidia-smi does not tell of, without its name", () => {
    const none = () => ({ devices: [], absence: "nvidia-smi is not here" }) as const;
    expect(workerDevices("cuda", undefined, none)).toMatchObject([
      { kind: "cuda", name: expect.stringContaining("does not tell") },
    ]);
  });

  test("announces the CPU with its name and the memory there is", () => {
    const [device] = workerDevices("cpu", undefined, () => {
      throw new Error("nobody asks for GPUs");
    });
    expect(device).toMatchObject({ kind: "cpu", index: 0 });
    expect(device.memoryBytes).toBeGreaterThan(2 ** 20);
  });
});
