import type { Need, WorkerView } from "./need.ts";
import { objectionOf } from "./objection.ts";
import { freeDevices, type Load, type Offer, offersOf } from "./offers.ts";

const shownDevices = 4;

/** Why a stage waits for these workers: what of them others hold. Whose jobs those are is not this reader's to know. */
export function whyBusy({ members, devices }: Load, chosen: readonly Offer[], lacksDevices: boolean): string {
  const where = chosen.length === 1 ? "" : ` on ${chosen.length} hosts`;
  if (!lacksDevices) return `${members} free slots${where} are needed at once; waiting for other jobs to end.`;
  const wanted = devices === 1 ? "A free device is" : `${devices} free devices${where} are`;
  return `${wanted} needed${devices === 1 ? "" : " at once"}, each for one rank. ${chosen.map(inUse).join(" ")} Waiting for the jobs that use them to end.`;
}

/** `On gpu-1 1 of 2 × NVIDIA L4 is free; in use: 1 (GPU-5f…).` */
function inUse(offer: Offer): string {
  const { devices, worker } = offer;
  const all = devices ?? [];
  const free = freeDevices(offer);
  const busy = all.filter((device) => !free.includes(device));
  const names = busy.slice(0, shownDevices).map(({ index, uuid }) => `${index} (${uuid})`);
  const more = busy.length > shownDevices ? ` and ${busy.length - shownDevices} more` : "";
  const are = free.length === 1 ? "is" : "are";
  const { host } = worker.announcement;
  return `On ${host} ${free.length} of ${all.length} × ${all[0]?.name ?? "device"} ${are} free; in use: ${names.join(", ")}${more}.`;
}

/** Why no set of workers could ever run the job as things are. */
export function whyNone(need: Need, workers: readonly WorkerView[]): string {
  if (workers.length === 0) return "No worker is online.";
  const { mostMembers, hosts } = need;
  const wanted =
    hosts === "auto" || hosts === 1 ? `${mostMembers} are needed` : `${mostMembers} on ${hosts} hosts are needed`;
  const reasons = workers.map((worker) => {
    const { host, rankAddress } = worker.announcement;
    const objection = objectionOf(need, worker) ?? tooSmall(need, worker, wanted);
    const isAlone = hosts !== 1 && mostMembers > 1 && rankAddress === null;
    return `${host}: ${objection}${isAlone ? ", and no address for ranks on other hosts (HOPWISE_RANK_ADDRESS)" : ""}`;
  });
  const what = hosts === "auto" || hosts === 1 ? "No worker can run this job." : "No set of workers can run this job.";
  return `${what} ${reasons.join("; ")}.`;
}

function tooSmall(need: Need, worker: WorkerView, wanted: string): string {
  const { slots } = worker.announcement;
  const most = Math.max(...offersOf(need, worker).map(({ devices }) => devices?.length ?? Number.POSITIVE_INFINITY));
  if (slots >= need.mostMembers && most < need.mostDevices)
    return `it has ${most} CUDA ${most === 1 ? "device" : "devices"} of one model that will do, and each of the ${need.mostDevices} ranks needs one`;
  return `it has ${slots} slots, ${wanted}`;
}
