import { readFileSync } from "node:fs";

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessId {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly started: string;
}

export function processId(pid: number): ProcessId | null {
  const started = startTime(pid);
  return started === null ? null : { pid, started };
}

export function isRunning({ pid, started }: ProcessId): boolean {
  return startTime(pid) === started;
}

/** Ends a process: SIGTERM, then SIGKILL after the grace time. */
export async function endProcess(id: ProcessId, graceMs: number): Promise<void> {
  if (!isRunning(id)) return;
  process.kill(id.pid, "SIGTERM");
  const deadline = Date.now() + graceMs;
  while (isRunning(id)) {
    if (Date.now() > deadline) process.kill(id.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Field 22 of /proc/<pid>/stat; null when there is no such process, or only its zombie. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in field 2 may hold spaces and brackets; the fields after it do not.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}
