import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const record = z.object({ bootId: z.string(), inode: z.number() });

/**
 * Leaves a note of this boot in the folder that this process alone holds, for the next one there.
 *
 * @returns the boot that worked there before, which has ended, as one process at a time holds a folder; null when
 * nobody has, or the folder is a copy: the worker of the original may be alive
 */
export async function recordBoot(dir: string, bootId: string): Promise<string | null> {
  const path = join(dir, "boot.json");
  const inode = (await stat(dir)).ino;
  const before = await read(path);
  await writeFile(`${path}.new`, JSON.stringify({ bootId, inode } satisfies z.infer<typeof record>));
  await rename(`${path}.new`, path);
  return before?.inode === inode ? before.bootId : null;
}

async function read(path: string): Promise<z.infer<typeof record> | null> {
  try {
    return record.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null; // none, or not readable: then the earlier boot's announcement is waited out
  }
}
