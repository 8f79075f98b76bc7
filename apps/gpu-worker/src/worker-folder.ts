import { join } from "node:path";
import { FolderInUse, folderHolder, lockFolder } from "@hopwise/artifacts";

const mostWorkers = 64;

/**
 * The folder that this process alone works in: `worker` in the data folder or, where other workers share that, the first of
 * `worker-2`, `worker-3`, … that none of them holds. With it come the id and the cache that an earlier process left there.
 *
 * @throws FolderInUse when all are held
 */
export async function takeWorkerFolder(first: string): Promise<string> {
  for (let number = 1; ; number++) {
    const folder = numbered(first, number);
    try {
      await lockFolder(lockIn(folder)); // until this process ends
      return folder;
    } catch (error) {
      if (!(error instanceof FolderInUse) || number === mostWorkers) throw error;
    }
  }
}

/** The folder that the worker of this host (in a container: of this container) took, for those who look after it. */
export async function workerFolderOf(first: string, host: string): Promise<string> {
  for (let number = 1; number <= mostWorkers; number++) {
    const folder = numbered(first, number);
    if ((await folderHolder(lockIn(folder)))?.host === host) return folder;
  }
  return first;
}

function numbered(first: string, number: number): string {
  return number === 1 ? first : `${first}-${number}`;
}

function lockIn(folder: string): string {
  return join(folder, "worker.lock");
}
