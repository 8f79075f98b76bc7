import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { arch, availableParallelism, totalmem } from "node:os";

/** Cores this process may use: the cgroup's quota, else the affinity mask. */
export function usableCores(): number {
  const [quota, period] = (firstLine("/sys/fs/cgroup/cpu.max") ?? "max 100000").split(" ");
  const byQuota = quota === "max" ? Number.POSITIVE_INFINITY : Math.floor(Number(quota) / Number(period));
  return Math.max(1, Math.min(availableParallelism(), byQuota || Number.POSITIVE_INFINITY));
}

/** Memory this process may use: the cgroup's limit, else the machine's. */
export function usableMemory(): number {
  const limit = Number(firstLine("/sys/fs/cgroup/memory.max") ?? Number.NaN);
  return Number.isFinite(limit) && limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

export async function freeDisk(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** The widest vector set kernels may pick, e.g. `x64-avx512`: ranks of one job must agree on it. */
export function instructionSet(): string {
  const flags = new Set((/^flags\s*:(.*)$/m.exec(readText("/proc/cpuinfo") ?? "")?.[1] ?? "").trim().split(" "));
  const widest = ["avx512f", "avx2", "sse4_2"].find((flag) => flags.has(flag));
  return widest === undefined ? arch() : `${arch()}-${widest.replace("avx512f", "avx512")}`;
}

function firstLine(path: string): string | undefined {
  return readText(path)?.split("\n", 1)[0];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not this kind of machine
  }
}
