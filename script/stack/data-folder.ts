import { readdirSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { keepPrivate } from "@hopwise/artifacts";

/** What the stack itself puts into its data folder. */
const ours =
  /^(pglite|artifacts|redis|secrets|logs|demo|serve|worker(-\d+)?|(pglite|worker)\.lock|stack\.json(\.lock|\.new)?)$/;

/**
 * Makes the data folder, or takes other people's rights from all that a stack keeps in it. The folder itself is closed
 * too when nothing else lies in it: one that is shared with other things stays open, and only our parts of it are
 * closed.
 */
export async function prepareDataFolder(data: string): Promise<void> {
  await keepNew(data);
  const names = readdirSync(data);
  for (const name of names.filter((one) => ours.test(one))) {
    const path = join(data, name);
    if ((await stat(path)).isDirectory()) await keepPrivate(path);
    else await chmod(path, 0o600);
  }
  if (names.every((name) => ours.test(name))) await keepPrivate(data);
}

/** Makes it when it is not there, and nothing else. */
async function keepNew(data: string): Promise<void> {
  const found = await stat(data).catch(() => null);
  if (found === null) await keepPrivate(data);
}
