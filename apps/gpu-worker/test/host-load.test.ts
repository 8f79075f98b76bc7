import { cpus, totalmem } from "node:os";
import { expect, test } from "vitest";
import { HostLoad } from "../src/host-load.ts";

test("a core that computes all the time counts as one, and memory in use is less than there is", () => {
  const load = new HostLoad();
  const end = process.cpuUsage();
  const until = performance.now() + 300;
  while (performance.now() < until);
  const spent = process.cpuUsage(end).user / 1e6;
  const { busyCores, memoryUsedBytes } = load.read();
  expect(busyCores).toBeGreaterThan(spent / 0.3 / 2);
  expect(busyCores).toBeLessThanOrEqual(cpus().length);
  expect(memoryUsedBytes).toBeGreaterThan(0);
  expect(memoryUsedBytes).toBeLessThan(totalmem());
});
