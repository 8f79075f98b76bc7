import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCpuList } from "./cpu-list.ts";

/** A socket, or a part of one, with memory of its own: what its CPUs read from another node's takes longer. */
export interface NumaNode {
  readonly id: number;
  /** Those that this process may use, ascending */
  readonly cpus: readonly number[];
}

/** The nodes of this host on which this process may run; one for all CPUs where the kernel tells of none. */
export function numaNodes(sysfs = "/sys/devices/system/node", status = "/proc/self/status"): NumaNode[] {
  const allowed = new Set(parseCpuList(/^Cpus_allowed_list:(.*)$/m.exec(readFileSync(status, "utf8"))?.[1] ?? ""));
  const nodes = nodeIds(sysfs).map((id) => {
    const cpus = parseCpuList(readFileSync(join(sysfs, `node${id}`, "cpulist"), "utf8"));
    return { id, cpus: cpus.filter((cpu) => allowed.has(cpu)) };
  });
  const usable = nodes.filter(({ cpus }) => cpus.length > 0); // one may be memory alone
  return usable.length > 0 ? usable : [{ id: 0, cpus: [...allowed] }];
}

function nodeIds(sysfs: string): number[] {
  try {
    const ids = readdirSync(sysfs).flatMap((name) => /^node(\d+)$/.exec(name)?.[1] ?? []);
    return ids.map(Number).toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}
