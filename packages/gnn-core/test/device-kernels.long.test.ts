import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../script/test-device", import.meta.url));
const build = fileURLToPath(new URL("../build/device/test-device/", import.meta.url));
const sources = new URL("../native/test-device/", import.meta.url);
const run = promisify(execFile);

interface Ended {
  stdout: string;
  stderr: string;
  code?: number;
  signal?: string;
}

/** What a program printed and how it ended, whichever way that was. */
function endOf(program: string, ...options: string[]): Promise<Ended> {
  const env = { ...process.env, ASAN_OPTIONS: "detect_leaks=0:handle_segv=0" };
  return run(program, options, { env, maxBuffer: 2 ** 26 }).catch((error: Ended) => error);
}

/** The tests of the C++ sources, most of one kernel or one planted mistake. */
const titles = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("_test.cc"))
  .toSorted()
  .flatMap((file) => [...readFileSync(new URL(file, sources), "utf8").matchAll(/^DEVICE_TEST\("(.+?)"\)/gm)])
  .map((match) => match[1]!);

describe("kernels for GPUs, in the emulation", () => {
  const orders = ["forward", "backward", "shuffled"];
  let output: string;

  // The first run on a machine compiles them, for the emulation and, where nvcc is, for a GPU.
  beforeAll(async () => {
    const ended = await endOf(script);
    output = ended.stdout + ended.stderr;
    for (const skipped of output.match(/^(sanitizers|nvcc): skipped.*$/gm) ?? []) console.warn(skipped);
    if (!output.includes("built: device-tests")) throw new Error(output);
  }, 850_000);

  test.each(titles)("%s", (title) => {
    const lines = output.split("\n").filter((line) => line.includes(`: ${title}`));
    expect(lines.join("\n"), output.slice(-2000)).toBe(orders.map((order) => `passed ${order}: ${title}`).join("\n"));
  });

  test("host code that reads device memory ends the process", async () => {
    expect(await endOf(`${build}device-tests`, "--crash", "host-access")).toMatchObject({ signal: "SIGSEGV" });
  });

  test.each(["out-of-bounds", "use-after-give"])(
    "the sanitizer names the line of a kernel that reads %s",
    async (name) => {
      if (output.includes("sanitizers: skipped")) return;
      const ended = await endOf(`${build}device-tests`, "--crash", name);
      expect(ended.stderr).toContain("ERROR: AddressSanitizer: use-after-poison");
      expect(ended.stderr).toMatch(/mistakes\.cu:\d+/);
    },
  );
});
