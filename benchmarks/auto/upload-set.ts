import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../test/support/client.ts";
import type { AutoSet } from "./auto-set.ts";

/** Uploads a set's files as a user does and confirms its mapping. @returns the dataset's id */
export async function uploadSet(
  client: Client,
  { name, folder, files, make, spec }: AutoSet,
  datasets: string,
  scratch: string,
): Promise<string> {
  const from = join(datasets, folder);
  const made = Object.entries((await make?.(from)) ?? {});
  const into = join(scratch, name);
  await mkdir(into, { recursive: true });
  for (const [file, content] of made) await writeFile(join(into, file), content);
  const paths = [...files.map((file) => join(from, file)), ...made.map(([file]) => join(into, file))];
  return client.makeDataset(name, paths, spec);
}
