/** Answers each message with the ceilings of this moment; see CeilingProbe. */
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import type { Ceilings } from "./ceilings.ts";
import { cpuSeconds } from "./cpu-clock.ts";

const isSmall = process.argv.includes("--small");
const rows = isSmall ? 1024 : 100_000;
const dim = 256;
const filled = (length: number) => new Float32Array(length).fill(0.5);
const a = filled(rows * dim);
const b = filled(dim * dim);
const c = filled(rows * dim);
const copyLength = isSmall ? 2 ** 20 : 2 ** 25;
const from = filled(copyLength);
const to = filled(copyLength);

function secondsOf(work: () => void): number {
  const before = cpuSeconds();
  work();
  return cpuSeconds() - before;
}

function measure(): Ceilings {
  const sgemm = secondsOf(() => loadAddon().sgemm(false, false, rows, dim, dim, a, b, c));
  const copy = secondsOf(() => to.set(from));
  return { sgemmGflops: (2 * rows * dim * dim) / sgemm / 1e9, copyGBs: (2 * from.byteLength) / copy / 1e9 };
}

measure();
process.on("message", () => process.send?.(measure()));
