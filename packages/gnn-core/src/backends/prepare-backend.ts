import { loadAddon } from "./native/addon.ts";
import { selectBackend } from "./select-backend.ts";
import { getBackend } from "./tf.ts";

/** Chooses the native backend unless this process has chosen one already, and gives it this rank's threads. */
export async function prepareBackend(threads: number): Promise<void> {
  if (!getBackend()) await selectBackend("native");
  loadAddon().setThreads(threads);
}
