import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { CliError } from "../cli-error.ts";

/** The folder within which an assistant has files read and written, without symbolic links. @throws CliError usage */
export async function boundFolder(path: string): Promise<string> {
  return realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError("usage", `--folder: ${path} cannot be read: ${error.message}.`);
  });
}

/**
 * The file that a path leads to, when it lies in the folder: relative paths begin there, and symbolic links count as
 * what they lead to.
 *
 * @returns its path without symbolic links
 * @throws CliError notAllowed when it lies elsewhere, usage when it cannot be read
 */
export async function fileWithin(folder: string, path: string): Promise<string> {
  const asked = resolve(folder, path);
  const found = await realpath(asked).catch(async (error: NodeJS.ErrnoException) => {
    // Whether there is such a file elsewhere is nobody's business.
    requireWithin(folder, await nearestThere(asked), path);
    throw new CliError("usage", `${path} cannot be read: ${error.code}.`);
  });
  requireWithin(folder, found, path);
  return found;
}

/**
 * A file that may be written in the folder, whether it is there or not.
 *
 * @throws CliError as `fileWithin`
 */
export async function newFileWithin(folder: string, path: string): Promise<string> {
  const asked = resolve(folder, path);
  const there = await realpath(asked).catch(() => null);
  if (there !== null) requireWithin(folder, there, path);
  const parent = await realpath(dirname(asked)).catch(() => null);
  requireWithin(folder, parent ?? (await nearestThere(asked)), path);
  if (parent === null) throw new CliError("usage", `${path} cannot be written: there is no such folder.`);
  return join(parent, basename(asked));
}

/** The innermost folder of a path that is there, without symbolic links. */
async function nearestThere(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(parent).catch(() => nearestThere(parent));
}

function requireWithin(folder: string, found: string, path: string): void {
  const way = relative(folder, found);
  if (way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === found) return;
  const message = `${path} lies outside the folder ${folder}, which this server may use; name a file in it, or have the server started with another --folder.`;
  throw new CliError("notAllowed", message);
}
