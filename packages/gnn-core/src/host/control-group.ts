import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

export type Controller = "cpu" | "memory";

/** A file of the control groups that this process is in, innermost first; files that are not there are left out. */
export interface GroupFile {
  readonly text: string;
  /** Version of the kernel's interface: files of the two versions have different names and meanings. */
  readonly version: 1 | 2;
}

const mount = "sys/fs/cgroup";

/**
 * Reads a file of each control group that limits this process: of its own and of those around it. In a container the
 * group's path may be the host's, of which the container sees the end only, at the root: that is read, too.
 *
 * @param names  of the file, under each version
 * @param root   of the file system; for tests
 */
export function groupFiles(controller: Controller, names: Readonly<Record<1 | 2, string>>, root = "/"): GroupFile[] {
  const group = groupOf(controller, readText(join(root, "proc/self/cgroup")) ?? "");
  if (group === null) return [];
  const { version, path, folder } = group;
  return selfAndAncestors(path).flatMap((ancestor) => {
    const text = readText(join(root, mount, folder, ancestor, names[version]));
    return text === undefined ? [] : [{ text: text.trim(), version }];
  });
}

/** Finds the group in lines like `4:cpu,cpuacct:/docker/1f` (version 1) and `0::/user.slice` (version 2). */
function groupOf(controller: Controller, text: string): { version: 1 | 2; path: string; folder: string } | null {
  const lines = text.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    return controllers === undefined || path === undefined ? [] : [{ controllers: controllers.split(","), path }];
  });
  const first = lines.find(({ controllers }) => controllers.includes(controller));
  if (first) return { version: 1, path: first.path, folder: controller };
  const second = lines.find(({ controllers }) => controllers.join() === "");
  return second ? { version: 2, path: second.path, folder: "" } : null;
}

function selfAndAncestors(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === path ? [path] : [path, ...selfAndAncestors(parent)];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not this kind of machine
  }
}
