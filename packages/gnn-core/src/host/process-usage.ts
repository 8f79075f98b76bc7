import { readFileSync } from "node:fs";
import type { ProcessUsage } from "../spec/step-event.ts";

/**
 * What this process has used so far: seconds of processor time over all its threads, and bytes that it read from and
 * wrote to storage, page cache left out; and what the network interfaces of its host carried, loopback left out, which
 * other processes share. Null where the system does not count it, as beside Linux.
 *
 * @param root  of the file system; for tests
 */
export function readProcessUsage(root = "/"): ProcessUsage {
  const { user, system } = process.cpuUsage();
  const io = textOf(`${root}proc/self/io`);
  const network = textOf(`${root}proc/net/dev`);
  return {
    cpuSeconds: (user + system) / 1e6,
    readBytes: countIn(io, "read_bytes"),
    writtenBytes: countIn(io, "write_bytes"),
    networkBytes: network === null ? null : carriedBytes(network),
  };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // not Linux, or not allowed to look
  }
}

function countIn(text: string | null, name: string): number | null {
  const count = new RegExp(`^${name}: (\\d+)$`, "m").exec(text ?? "")?.[1];
  return count === undefined ? null : Number(count);
}

/** Received and sent: the first and the ninth column behind the colon */
function carriedBytes(text: string): number {
  let bytes = 0;
  for (const [, name, columns] of text.matchAll(/^ *([^\s:]+): *(.+)$/gm)) {
    if (name === "lo" || columns === undefined) continue;
    const counts = columns.trim().split(/\s+/);
    bytes += Number(counts[0] ?? 0) + Number(counts[8] ?? 0);
  }
  return bytes;
}
