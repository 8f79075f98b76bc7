import { join } from "node:path";
import { FolderInUse, folderHolder, lockFolder, thisHolder } from "@hopwise/artifacts";

const mostWorkers = 64;

/**
 * The folder that this process alone works in: `worker` in the data folder or, where other workers share that, the
 * first of
 * `worker-2`, `worker-3`, … that none of them holds. With it come the id and the cache that an earlier process left
 * there.
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

/**
 * Adapts the settings to the folder that this process took. Workers that share a given host name are numbered as their
 * folders are.
 */
export async function inOwnFolder<
  T extends { readonly dir: string; readonly host: string; readonly isHostNamed: boolean },
>(worker: T): Promise<T> {
  const dir = await takeWorkerFolder(worker.dir);
  const number = dir.slice(worker.dir.length);
  return { ...worker, dir, host: worker.isHostNamed ? worker.host + number : worker.host };
}

/** The folder that the worker of this host (in a container: of this container) took, for those who look after it. */
export async function workerFolderOf(first: string): Promise<string> {
  const { host, namespace } = thisHolder();
  for (let number = 1; number <= mostWorkers; number++) {
    const folder = numbered(first, number);
    const holder = await folderHolder(lockIn(folder));
    if (holder?.host === host && holder.namespace === namespace) return folder;
  }
  return first;
}

function numbered(first: string, number: number): string {
  return number === 1 ? first : `${first}-${number}`;
}

function lockIn(folder: string): string {
  return join(folder, "worker.lock");
}
