import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The files that a store's writers have not finished, or left. */
export async function halfWritten(store: string): Promise<string[]> {
  const found = await readdir(join(store, ".tmp"), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile() && entry.name !== "lock").map(({ name }) => name);
}
