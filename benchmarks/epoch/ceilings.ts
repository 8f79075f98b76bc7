import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { cpuSeconds, median } from "./cpu-clock.ts";

/** What this core can do at best, of one thread. */
export interface Ceilings {
  /** 10⁹ floating-point operations per CPU second in sgemm [100,000 × 256]·[256 × 256]. */
  readonly sgemmGflops: number;
  /** 10⁹ bytes read and written per CPU second by a copy of 128 MiB. */
  readonly copyGBs: number;
}

/** Medians where the peers were timed (same shapes, one core), by docs of the peers' run: Xeon with AVX-512. */
export const peerMachine: Ceilings = { sgemmGflops: 154, copyGBs: 14.3 };

export function measureCeilings(isSmall: boolean): Ceilings {
  return { sgemmGflops: sgemmGflops(isSmall ? 1024 : 100_000), copyGBs: copyGBs(isSmall ? 2 ** 20 : 2 ** 25) };
}

function sgemmGflops(rows: number): number {
  const dim = 256;
  const [a, b, c] = [rows * dim, dim * dim, rows * dim].map((length) => new Float32Array(length).fill(0.5)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const seconds = secondsOf(() => loadAddon().sgemm(false, false, rows, dim, dim, a, b, c));
  return (2 * rows * dim * dim) / seconds / 1e9;
}

function copyGBs(length: number): number {
  const [from, to] = [new Float32Array(length).fill(1), new Float32Array(length).fill(1)];
  return (2 * from.byteLength) / secondsOf(() => to.set(from)) / 1e9;
}

function secondsOf(work: () => void): number {
  work();
  const rounds = Array.from({ length: 7 }, () => {
    const before = cpuSeconds();
    for (let i = 0; i < 4; i++) work();
    return (cpuSeconds() - before) / 4;
  });
  return median(rounds);
}
