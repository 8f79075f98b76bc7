import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The worker's name for life: given, or made once and kept in its folder, so that a restart finds its queue again. */
export async function workerId(dir: string, host: string, given: string | null): Promise<string> {
  if (given !== null) return given;
  const path = join(dir, "worker-id");
  await mkdir(dir, { recursive: true });
  try {
    const kept = (await readFile(path, "utf8")).trim();
    if (kept) return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const made = `${host.replaceAll(/[^A-Za-z0-9._-]/g, "-").slice(0, 48)}-${randomBytes(3).toString("hex")}`;
  await writeFile(path, `${made}\n`);
  return made;
}
