import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../build/hopwise-devices", import.meta.url));

/** How hopwise-devices ended, and its lines of JSON. */
function endOf(...options: string[]) {
  const { status, stdout } = spawnSync(program, ["--json", ...options], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { status, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test("hopwise-devices lists emulated devices, the links between them, and what they do until its input ends", () => {
  const { status, lines } = endOf("--emulated", "3", "--watch", "1000");
  expect(status).toBe(0);
  expect(lines.map(({ kind }) => kind)).toEqual([
    "driver",
    ...Array<string>(3).fill("device"),
    ...Array<string>(3).fill("link"),
    ...Array<string>(3).fill("use"),
  ]);
  expect(lines[2]).toMatchObject({ index: 1, name: "emulation", memoryTotal: 2 ** 32, slices: [] });
  expect(new Set(lines.slice(1, 4).map(({ uuid }) => uuid)).size).toBe(3);
});

test("hopwise-devices says why there are no devices", () => {
  const { status, lines } = endOf("--nvml", "libno-such-driver.so");
  expect(status).toBe(1);
  expect(lines).toMatchObject([{ kind: "error", code: "DEVICE_NOT_AVAILABLE", reason: "no-driver" }]);
});

test("hopwise-devices refuses options that it does not know", () => {
  expect(endOf("--watch", "soon").status).toBe(2);
  expect(endOf("--emulated").status).toBe(2);
});
