import type { JobSpec } from "@hopwise/contracts";
import type { JobEstimate } from "@hopwise/gnn-core/estimate";
import type { Services } from "../services.ts";
import { capacityOf } from "../workers/capacity.ts";
import { shownWorkerState } from "../workers/worker-directory.ts";
import { hasDevice, judgeDevice, type OnlineWorker } from "./device-objection.ts";
import { deviceObjections } from "./device-room.ts";
import { gigabytes } from "./gigabytes.ts";
import type { Objection } from "./objection.ts";

/** What speaks against running it on these workers, and what its sender should know. */
export async function fitOn(
  { prisma }: Services,
  workers: readonly OnlineWorker[],
  needs: Pick<JobEstimate, "memoryBytes" | "partitionPeakBytes" | "deviceBytesPerRank">,
  resources: JobSpec["resources"],
): Promise<{ objections: readonly Objection[]; notes: string[] }> {
  const { objection, note } = await judgeDevice(prisma, resources, workers, new Date());
  if (objection) return { objections: [objection], notes: [objection.detail] };
  const { device } = resources;
  const able = device === "auto" ? workers : workers.filter((worker) => hasDevice(worker, device));
  const objections =
    able.length === 0
      ? []
      : [...objectionsOf(able, needs, resources), ...deviceObjections(able, needs.deviceBytesPerRank, resources)];
  const absent = workers.length === 0 ? ["No worker is online; the job will wait for one."] : [];
  return { objections, notes: note === null ? [...absent, ...objections.map(({ detail }) => detail)] : [note] };
}

/** Workers that are there now */
export async function onlineWorkers({ prisma }: Services): Promise<OnlineWorker[]> {
  const workers = await prisma.worker.findMany({ where: { state: "ONLINE", compatible: true } });
  const now = new Date();
  return workers
    .filter((worker) => shownWorkerState(worker, now) === "ONLINE")
    .map((worker) => ({ ...capacityOf(worker), host: worker.host }));
}

function objectionsOf(
  workers: readonly OnlineWorker[],
  { memoryBytes, partitionPeakBytes }: Pick<JobEstimate, "memoryBytes" | "partitionPeakBytes">,
  { ranks, samplers, hosts }: JobSpec["resources"],
): Objection[] {
  const { alone: largest, together: memory } = mostOf(workers, hosts, "memoryBytes");
  const { alone, together: slots } = mostOf(workers, hosts, "slots");
  const where = slots > alone ? "several workers; together they have" : "one worker; the largest online has";
  const found: Objection[] = [];
  if (ranks > slots) {
    found.push({
      code: "JOB_TOO_LARGE",
      pointer: "/resources/ranks",
      detail: `The job asks for ${ranks} ranks on ${where} ${slots} slots. Set resources.ranks to ${slots} or less, or start a worker with more slots.`,
    });
  } else if (ranks + samplers > slots) {
    found.push({
      code: "JOB_TOO_LARGE",
      pointer: "/resources/samplers",
      detail: `The job asks for ${ranks} ranks and ${samplers} sampler processes on ${where} ${slots} slots. Set resources.samplers to ${slots - ranks} or less, or start a worker with more slots.`,
    });
  }
  if (memoryBytes > memory || partitionPeakBytes > largest) {
    const whose = memoryBytes > memory ? "The job needs" : "Partitioning, on one worker, needs";
    const [needed, there] = memoryBytes > memory ? [memoryBytes, memory] : [partitionPeakBytes, largest];
    const holder = there > largest ? "several workers together have" : "the largest worker has";
    const remedy = "Lower train.batchSize, the fanouts or model.options.hiddenFeats, or start a larger worker.";
    const detail = `${whose} about ${gigabytes(needed)} of memory; ${holder} ${gigabytes(there)}. ${remedy}`;
    found.push({ code: "JOB_TOO_LARGE", pointer: "/resources", detail });
  }
  return found;
}

/** What the largest worker has of it, and the most that so many workers have together which reach each other. */
function mostOf(
  workers: readonly OnlineWorker[],
  hosts: number | "auto",
  what: "slots" | "memoryBytes",
): { alone: number; together: number } {
  const alone = Math.max(...workers.map((worker) => worker[what]));
  const joined = workers.filter(({ rankAddress }) => rankAddress !== null);
  const each = joined.map((worker) => worker[what]).toSorted((a, b) => b - a);
  const shared = each.slice(0, hosts === "auto" ? each.length : hosts).reduce((sum, one) => sum + one, 0);
  return { alone, together: Math.max(alone, shared) };
}
