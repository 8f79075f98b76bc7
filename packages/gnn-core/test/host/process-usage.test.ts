import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProcessUsage } from "../../src/host/process-usage.ts";

/** As the kernel writes them (proc(5)). */
const io = "rchar: 900\nwchar: 800\nsyscr: 3\nsyscw: 2\nread_bytes: 4096\nwrite_bytes: 512\ncancelled_write_bytes: 7\n";
const network = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 5000000   12    0    0    0     0          0         0  5000000   12    0    0    0     0       0          0
  eth0:    1000    7    0    0    0     0          0         0      200    3    0    0    0     0       0          0
  eth1:30 1 0 0 0 0 0 0 4 1 0 0 0 0 0 0
`;

test("bytes of storage are the process's own, those of the network all interfaces' but the loopback's", () => {
  const root = `${mkdtempSync(join(tmpdir(), "hopwise-usage-"))}/`;
  try {
    mkdirSync(`${root}proc/self`, { recursive: true });
    mkdirSync(`${root}proc/net`);
    writeFileSync(`${root}proc/self/io`, io);
    writeFileSync(`${root}proc/net/dev`, network);
    expect(readProcessUsage(root)).toMatchObject({ readBytes: 4096, writtenBytes: 512, networkBytes: 1234 });
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("what a system does not count is not known", () => {
  expect(readProcessUsage("/nowhere/")).toMatchObject({ readBytes: null, writtenBytes: null, networkBytes: null });
});

test("seconds of processor time grow with work", () => {
  const before = readProcessUsage().cpuSeconds;
  const until = before + 0.05;
  let spins = 0;
  while (process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 < until) spins += 1;
  expect(spins).toBeGreaterThan(0);
  expect(readProcessUsage().cpuSeconds).toBeGreaterThanOrEqual(until);
});
