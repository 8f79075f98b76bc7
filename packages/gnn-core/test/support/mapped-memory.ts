import { readFile } from "node:fs/promises";

/** What the kernel says of a process's mappings of one file, in bytes. */
export interface MappedMemory {
  /** Pages that the process has in its page table. */
  readonly rss: number;
  /** Mapped bytes, each page divided by the number of processes that have it. */
  readonly pss: number;
  /** Pages that no other process has. */
  readonly private: number;
}

/** Sums /proc/<pid>/smaps over the mappings of the file. */
export async function mappedMemory(pid: number, file: string): Promise<MappedMemory> {
  const sums = { Rss: 0, Pss: 0, Private_Clean: 0, Private_Dirty: 0 };
  let isOurs = false;
  for (const line of (await readFile(`/proc/${pid}/smaps`, "utf8")).split("\n")) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isOurs = line.endsWith(file);
    const [, name, kilobytes] = /^(\w+): +(\d+) kB$/.exec(line) ?? [];
    if (isOurs && name && name in sums) sums[name as keyof typeof sums] += Number(kilobytes) * 1024;
  }
  return { rss: sums.Rss, pss: sums.Pss, private: sums.Private_Clean + sums.Private_Dirty };
}

export async function residentBytes(pid: number, file: string): Promise<number> {
  return (await mappedMemory(pid, file)).rss;
}
