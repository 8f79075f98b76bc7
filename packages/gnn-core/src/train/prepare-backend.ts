import { loadAddon } from "../backends/native/addon.ts";
import { selectBackend } from "../backends/select-backend.ts";
import { getBackend } from "../backends/tf.ts";

/** Chooses the native backend unless this process has chosen one already, and gives it this rank's threads. */
export async function prepareBackend(threads: number): Promise<void> {
  if (!getBackend()) await selectBackend("native");
  loadAddon().setThreads(threads);
}
