import type { AnswerOf } from "@hopwise/client";
import { type Finding, good } from "./finding.ts";

export type Worker = AnswerOf<"GET /v1/workers">["items"][number];

const leastDiskBytes = 5 * 2 ** 30;

/** What the announcements of the workers say of the jobs that they can take. */
export function workerFindings(workers: readonly Worker[]): Finding[] {
  const online = workers.filter(({ state }) => state === "ONLINE");
  const able = online.filter(({ compatible }) => compatible);
  if (able.length === 0) return [...refused(workers), noneAble(workers)];
  const slots = able.reduce((sum, worker) => sum + worker.slots, 0);
  return [
    ...refused(workers),
    good("workers", `${counted(able.length, "worker is", "workers are")} online, for ${slots} ranks at once.`),
    devicesOf(able),
    ...able.filter(({ diskFreeBytes }) => diskFreeBytes < leastDiskBytes).map(fullDisk),
    ...hostsOf(able),
  ];
}

function noneAble(workers: readonly Worker[]): Finding {
  const known = workers.length === 0 ? "No worker has announced itself" : "No worker takes work";
  return {
    check: "workers",
    state: "bad",
    found: `${known}; jobs wait.`,
    advice: "Start one with the service's REDIS_URL; its log says why it ends, if it does.",
  };
}

function refused(workers: readonly Worker[]): Finding[] {
  return workers
    .filter(({ state, compatible }) => state === "ONLINE" && !compatible)
    .map(({ id, host, reason }) => ({
      check: "workers",
      state: "bad",
      found: `Worker ${id} on ${host} gets no work: ${reason ?? "it speaks another version of the contract"}`,
      advice: "Update the service and all of its workers together.",
    }));
}

/** GPUs by their name and memory, and how many there are of each */
function devicesOf(able: readonly Worker[]): Finding {
  const counts = new Map<string, number>();
  for (const { kind, name, memoryBytes, isEmulated } of able.flatMap(({ devices }) => devices)) {
    if (kind === "cpu") continue;
    const called = isEmulated ? `${name} (emulated)` : `${name} with ${(memoryBytes / 2 ** 30).toFixed(0)} GiB`;
    counts.set(called, (counts.get(called) ?? 0) + 1);
  }
  const listed = [...counts].map(([called, count]) => `${count} × ${called}`).join(", ");
  return good("devices", listed === "" ? "They train on CPUs alone." : `They have ${listed}.`);
}

function fullDisk({ id, host, diskFreeBytes }: Worker): Finding {
  return {
    check: "disk",
    state: "note",
    found: `Worker ${id} on ${host} has ${(diskFreeBytes / 2 ** 30).toFixed(1)} GiB free on its disk.`,
    advice: "Stages wait where they do not fit; make room, or let it have another folder by HOPWISE_DATA.",
  };
}

function hostsOf(able: readonly Worker[]): Finding[] {
  const alone = able.filter(({ rankAddress }) => rankAddress === null);
  if (new Set(able.map(({ host }) => host)).size < 2 || alone.length === 0) return [];
  return [
    {
      check: "hosts",
      state: "note",
      found: `No job shares ${alone.map(({ id }) => id).join(", ")} with a worker on another host.`,
      advice: "Set HOPWISE_RANK_ADDRESS there, then run script/doctor on one of the hosts.",
    },
  ];
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
