import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** CPU seconds of a process, all its threads together. */
export function cpuSecondsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
