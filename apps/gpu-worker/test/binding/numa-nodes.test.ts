import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { numaNodes } from "../../src/binding/numa-nodes.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "hwn-"));
  for (const [id, cpus] of ["0-3", "4-7", ""].entries()) {
    mkdirSync(join(dir, `node${id}`));
    writeFileSync(join(dir, `node${id}`, "cpulist"), `${cpus}\n`);
  }
  writeFileSync(join(dir, "possible"), "0-2\n");
  writeFileSync(join(dir, "status"), "Cpus_allowed:\tfe\nCpus_allowed_list:\t1-5\n");
});
afterAll(() => rmSync(dir, { recursive: true }));

test("nodes have the CPUs that the process may use; one of memory alone is left out", () => {
  expect(numaNodes(dir, join(dir, "status"))).toEqual([
    { id: 0, cpus: [1, 2, 3] },
    { id: 1, cpus: [4, 5] },
  ]);
});

test("a kernel that tells of no nodes has one", () => {
  expect(numaNodes(join(dir, "missing"), join(dir, "status"))).toEqual([{ id: 0, cpus: [1, 2, 3, 4, 5] }]);
});

test("this host has all its CPUs on its nodes", () => {
  expect(numaNodes().flatMap(({ cpus }) => cpus)).toHaveLength(availableParallelism());
});
