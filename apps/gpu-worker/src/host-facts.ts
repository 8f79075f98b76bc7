import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { arch } from "node:os";

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

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not this kind of machine
  }
}
