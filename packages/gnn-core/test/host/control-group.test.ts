import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { outOfMemoryKills } from "../../src/host/out-of-memory-kills.ts";
import { usableCores, usableMemory } from "../../src/host/usable.ts";

const gib = 1024 ** 3;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hw-cgroup-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Files as the kernel shows them. */
function machine(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** In a container of an engine on version 1: the path is the host's, the files are at the root. */
const containerOnVersion1 = {
  "proc/self/cgroup": "9:memory:/docker/1f\n4:cpu,cpuacct:/docker/1f\n0::/docker/1f\n",
  "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "100000\n",
  "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
  "sys/fs/cgroup/memory/memory.limit_in_bytes": `${gib}\n`,
  "sys/fs/cgroup/memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
};

/** In a container of an engine on version 2. */
const containerOnVersion2 = {
  "proc/self/cgroup": "0::/\n",
  "sys/fs/cgroup/cpu.max": "150000 100000\n",
  "sys/fs/cgroup/memory.max": `${gib}\n`,
  "sys/fs/cgroup/memory.events": "low 0\nhigh 0\nmax 12\noom 2\noom_kill 2\noom_group_kill 0\n",
};

describe.each([
  ["1", containerOnVersion1, 3],
  ["2", containerOnVersion2, 2],
])("in a container with limits, under control groups of version %s", (_, files, kills) => {
  beforeEach(() => machine(files));

  test("whole cores of the quota are usable, and at least one", () => expect(usableCores(root)).toBe(1));
  test("the memory of the limit is usable", () => expect(usableMemory(root)).toBe(gib));
  test("processes ended for lack of memory are counted", () => expect(outOfMemoryKills(root)).toBe(kills));
});

test("a container without limits may use what the machine has, under version 1", () => {
  machine({
    ...containerOnVersion1,
    "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
  });
  expect(usableCores(root)).toBe(availableParallelism());
  expect(usableMemory(root)).toBe(totalmem());
});

test("a container without limits may use what the machine has, under version 2", () => {
  machine({
    ...containerOnVersion2,
    "sys/fs/cgroup/cpu.max": "max 100000\n",
    "sys/fs/cgroup/memory.max": "max\n",
  });
  expect(usableCores(root)).toBe(availableParallelism());
  expect(usableMemory(root)).toBe(totalmem());
});

test("of the groups around a service the tightest limit holds", () => {
  machine({
    "proc/self/cgroup": "0::/system.slice/hopwise.service\n",
    "sys/fs/cgroup/system.slice/memory.max": `${gib / 4}\n`,
    "sys/fs/cgroup/system.slice/hopwise.service/memory.max": `${gib / 2}\n`,
    "sys/fs/cgroup/system.slice/hopwise.service/cpu.max": "100000 100000\n",
    "sys/fs/cgroup/system.slice/hopwise.service/memory.events": "oom_kill 0\n",
    "sys/fs/cgroup/system.slice/memory.events": "oom_kill 9\n",
  });
  expect(usableMemory(root)).toBe(gib / 4);
  expect(usableCores(root)).toBe(1);
  expect(outOfMemoryKills(root)).toBe(0);
});

test("a machine without control groups has no limits, and nobody counts", () => {
  expect(usableCores(root)).toBe(availableParallelism());
  expect(usableMemory(root)).toBe(totalmem());
  expect(outOfMemoryKills(root)).toBeNull();
});

test("what this machine says is within what it has", () => {
  expect(usableCores()).toBeGreaterThanOrEqual(1);
  expect(usableCores()).toBeLessThanOrEqual(availableParallelism());
  expect(usableMemory()).toBeGreaterThan(64 * 1024 ** 2);
  expect(usableMemory()).toBeLessThanOrEqual(totalmem());
});
