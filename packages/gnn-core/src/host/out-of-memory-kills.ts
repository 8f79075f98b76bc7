import { groupFiles } from "./control-group.ts";

/**
 * How many processes of this one's control group the kernel has ended because memory ran out, the group's or the
 * machine's; null where it does not count them.
 *
 * @param root  of the file system; for tests
 */
export function outOfMemoryKills(root?: string): number | null {
  const [own] = groupFiles("memory", { 1: "memory.oom_control", 2: "memory.events" }, root);
  const count = /^oom_kill (\d+)$/m.exec(own?.text ?? "")?.[1];
  return count === undefined ? null : Number(count);
}
