// The processes below one, found and ended whatever process group or session they have put themselves into.
import { readdirSync, readFileSync } from "node:fs";

/** Set for a command and thus inherited by everything it starts: finds also what has lost its parent. */
export const marker = "HOPWISE_STARTED_BY";

/** Pids of the process, its descendants, and everything that carries the mark. Empty without a /proc. */
export function processesOf(pid, mark) {
  const parents = new Map();
  const found = new Set();
  for (const candidate of pids()) {
    const parent = parentOf(candidate);
    if (parent === null) continue;
    parents.set(candidate, parent);
    if (candidate === pid || (mark && environmentOf(candidate).includes(`${marker}=${mark}\0`))) found.add(candidate);
  }
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [child, parent] of parents) if (found.has(parent)) found.add(child);
  }
  found.delete(process.pid);
  return [...found];
}

/** Children of the process with their command lines. */
export function childrenOf(pid) {
  return pids()
    .filter((candidate) => parentOf(candidate) === pid)
    .map((child) => ({ pid: child, command: read(`/proc/${child}/cmdline`).replaceAll("\0", " ") }));
}

/** Kills them for good. What ended meanwhile is fine. */
export function kill(processes) {
  for (const pid of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }
}

function pids() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Null for a process that is gone or a zombie: nobody needs to end it. */
function parentOf(pid) {
  // "<pid> (<name, which may hold anything>) <state> <parent> …"
  const [state, parent] = read(`/proc/${pid}/stat`).split(")").at(-1).trim().split(" ");
  return parent === undefined || state === "Z" ? null : Number(parent);
}

const environmentOf = (pid) => read(`/proc/${pid}/environ`);

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
