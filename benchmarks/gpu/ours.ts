/**
 * The kernels for GPUs beside what the device can do, without Node: packages/gnn-core/native/bench-device.
 *
 * Figure: bytes per second that SpMM reads and writes. Ceiling: those of a copy on the device.
 *
 *   ours.ts            on the GPU of this machine; needs nvcc
 *   ours.ts --small    in the emulation, which shows that it runs and measures nothing
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const isSmall = process.argv.includes("--small");
const options = isSmall ? ["--bench"] : ["--gpu", "--bench"];
execFileSync("script/build-cuda", options, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const program = join(root, "packages/gnn-core/build/device/test-device", isSmall ? "device-bench" : "device-bench-gpu");
const output = execFileSync(program, isSmall ? ["--small"] : [], { encoding: "utf8" });

type Measure = { readonly name: string; readonly rate: number };
const [device, ...measures] = output
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Measure);
const named = Object.fromEntries(measures.map((measure) => [measure.name, measure]));
console.log(
  JSON.stringify({
    topic: "gpu",
    figure: named.spmmMean?.rate,
    unit: "GB/s",
    better: "higher",
    ceiling: named.copy?.rate,
    details: { ...device, ...named },
  }),
);
