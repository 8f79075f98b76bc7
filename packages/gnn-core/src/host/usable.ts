import { availableParallelism, totalmem } from "node:os";
import { groupFiles } from "./control-group.ts";

/** Cores this process may use: the quota of its control groups, else the affinity mask; at least one. */
export function usableCores(root?: string): number {
  const quotas = groupFiles("cpu", { 1: "cpu.cfs_quota_us", 2: "cpu.max" }, root).map(({ text }) => text.split(" "));
  const periods = groupFiles("cpu", { 1: "cpu.cfs_period_us", 2: "cpu.max" }, root).map(({ text }) => text.split(" "));
  // Version 2: `<quota or max> <period>`; version 1: a file for each, and -1 for no quota.
  const cores = quotas.map(([quota], i) => Number(quota) / Number(periods[i]?.at(-1)));
  const byQuota = cores.filter((count) => count > 0).map((count) => Math.floor(count));
  return Math.max(1, Math.min(availableParallelism(), ...byQuota));
}

/** Bytes of memory this process may use: the limit of its control groups, else the machine's memory. */
export function usableMemory(root?: string): number {
  const files = groupFiles("memory", { 1: "memory.limit_in_bytes", 2: "memory.max" }, root);
  const limits = files.map(({ text }) => Number(text)).filter((bytes) => bytes > 0);
  return Math.min(totalmem(), ...limits);
}
