import { loadAddon } from "../backends/native/addon.ts";

/** Threads that a search may use, the one that asks included. Results do not depend on their number. */
export function setSearchThreads(count: number): void {
  loadAddon().setThreads(count);
}
