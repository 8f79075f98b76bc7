import { chmod, lstat, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What everybody but the owner may do. */
const others = 0o077;

/** Takes other people's rights from a folder and all that lies in it, from the folder itself last. */
export async function closeToOthers(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await closeToOthers(path);
    else if (entry.isFile()) await narrow(path);
  }
  await narrow(folder);
}

/**
 * Makes a folder that only its owner can look into. From one that is there already, other people's rights are taken,
 * with all that lies in it: earlier releases and other settings of the umask have left folders that every user of the
 * host could read.
 *
 * The folder itself comes last, so that a mending that was cut short begins anew; one that is closed is not walked
 * through. What is not ours to change stays as it is.
 *
 * @returns whether something was open to others
 */
export async function keepPrivate(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (((await stat(folder)).mode & others) === 0) return false;
  await closeToOthers(folder);
  return true;
}

async function narrow(path: string): Promise<void> {
  try {
    const { mode } = await lstat(path);
    if ((mode & others) !== 0) await chmod(path, mode & 0o7700);
  } catch (error) {
    // Gone since it was listed, or another user's.
    if (!isOneOf(error, ["ENOENT", "EPERM"])) throw error;
  }
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
