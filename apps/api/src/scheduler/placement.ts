import type { DeviceKind, WorkerAnnouncement } from "@hopwise/contracts";
import { deviceTitle } from "../workers/device-workers.ts";
import { type HostCount, mostSlots, spread, workerGroups } from "./spread.ts";

/** A worker as the scheduler sees it in one round. */
export interface WorkerView {
  readonly announcement: WorkerAnnouncement;
  /** Why it gets no work; null when it may. */
  readonly refusal: string | null;
  /** Slots that no granted stage holds. Taken from as the round goes on. */
  freeSlots: number;
}

/**
 * What a stage (and those behind it, which begin on the same worker) needs. A slot holds a member: a rank or a sampler
 * process.
 */
export interface Need {
  /** Ranks and sampler processes together */
  readonly members: number;
  /** How many the largest stage still to run has */
  readonly mostMembers: number;
  /** How few members will do after a loss; null: the job has lost nothing, and gets all of them. */
  readonly fewestMembers: number | null;
  readonly hosts: HostCount;
  readonly device: "auto" | DeviceKind;
  readonly labels: Readonly<Record<string, string>>;
  /** `step:<name>@<version>` of every stage still to run. */
  readonly components: readonly string[];
}

/** The workers that know the job already. */
export interface KnownWorkers {
  /** Runs the attempt: its stages begin there as long as it can. */
  readonly holder?: string | undefined;
  /** Ran the attempt before: has the inputs in its cache. */
  readonly preferred?: string | undefined;
}

export interface PlacedSlice {
  readonly worker: WorkerView;
  readonly members: number;
}

export type Placement =
  /** The first slice gets rank 0. */
  | { readonly slices: readonly [PlacedSlice, ...PlacedSlice[]]; readonly device: DeviceKind }
  /** `reserve`: the workers that will take it once slots are free; lower priorities must not take them first. */
  | { readonly waiting: string; readonly reserve: readonly WorkerView[] };

/**
 * Chooses the workers of a job's next stage: first the ones that know the job, if they can, then those with the most
 * free slots. All members of a stage are placed at once or not at all. A stage of one goes where the job's other
 * stages can begin too. After a loss the job makes do with what is left: fewer hosts, and if need be fewer members.
 */
export function placeStage(need: Need, workers: readonly WorkerView[], known: KnownWorkers = {}): Placement {
  const able = workers.filter((worker) => objectionOf(need, worker) === null);
  for (const { members, hosts } of acceptableSizes(need)) {
    const group = workerGroups(inOrder(able, known), members, hosts)[0];
    if (group) return placeIn(group, Math.min(need.members, members), need, known);
  }
  return { waiting: whyNone(need, workers), reserve: [] };
}

interface WorkerGroup {
  readonly workers: readonly WorkerView[];
  readonly hosts: number;
}

function placeIn({ workers, hosts: most }: WorkerGroup, members: number, need: Need, known: KnownWorkers): Placement {
  const hosts = members === 1 ? 1 : most;
  const familiar = workers.find(({ announcement: { id } }) => id === known.holder || id === known.preferred);
  const rest = workers.filter((worker) => worker !== familiar);
  const isUsed = familiar && familiar.announcement.slots + mostSlots(rest, hosts - 1) >= members;
  const ordered = isUsed ? [familiar, ...byFreeSlots(rest)] : byFreeSlots(workers);
  const chosen = ordered.slice(0, hosts);
  const free = chosen.map(({ freeSlots }) => freeSlots);
  const shares = spread(members, free);
  const [lead, ...others] = chosen.map((worker, i) => ({ worker, members: shares?.[i] ?? 0 }));
  if (shares && lead) return { slices: [lead, ...others], device: deviceOn(need, lead.worker) };
  const where = hosts === 1 ? "" : ` on ${hosts} hosts`;
  return {
    waiting: `${members} free slots${where} are needed at once; waiting for other jobs to end.`,
    reserve: hosts === 1 ? chosen : (isUsed ? [familiar, ...bySlots(rest)] : bySlots(workers)).slice(0, hosts),
  };
}

/** Numbers of members and hosts that will do, the best first. */
function* acceptableSizes({
  mostMembers,
  fewestMembers,
  hosts,
}: Need): Generator<{ members: number; hosts: HostCount }> {
  yield { members: mostMembers, hosts };
  if (fewestMembers === null) return;
  for (let members = mostMembers; members >= fewestMembers; members--) yield { members, hosts: "auto" };
}

/** Those that know the job first, then those with the most slots. */
function inOrder(workers: readonly WorkerView[], { holder, preferred }: KnownWorkers): WorkerView[] {
  const rank = ({ announcement: { id } }: WorkerView) => (id === holder ? 0 : id === preferred ? 1 : 2);
  return bySlots(workers).toSorted((a, b) => rank(a) - rank(b));
}

function bySlots(workers: readonly WorkerView[]): WorkerView[] {
  return workers.toSorted((a, b) => b.announcement.slots - a.announcement.slots || byId(a, b));
}

function byFreeSlots(workers: readonly WorkerView[]): WorkerView[] {
  return workers.toSorted((a, b) => b.freeSlots - a.freeSlots || byId(a, b));
}

function byId(a: WorkerView, b: WorkerView): number {
  return a.announcement.id < b.announcement.id ? -1 : 1;
}

/** Why this worker can never run any part of the job as things are; null when it can once slots are free. */
export function objectionOf(need: Need, { announcement, refusal }: WorkerView): string | null {
  if (refusal !== null) return refusal;
  if (announcement.draining) return "it is draining";
  const label = Object.entries(need.labels).find(([name, value]) => announcement.labels[name] !== value);
  if (label) return `its label ${label[0]} is not "${label[1]}"`;
  if (need.device !== "auto" && !hasDevice(announcement, need.device)) return `it has not ${deviceTitle(need.device)}`;
  const missing = need.components.find((component) => !announcement.components.includes(component));
  return missing === undefined ? null : `it lacks ${missing}`;
}

function whyNone(need: Need, workers: readonly WorkerView[]): string {
  if (workers.length === 0) return "No worker is online.";
  const { mostMembers, hosts } = need;
  const wanted =
    hosts === "auto" || hosts === 1 ? `${mostMembers} are needed` : `${mostMembers} on ${hosts} hosts are needed`;
  const reasons = workers.map((worker) => {
    const { host, slots, rankAddress } = worker.announcement;
    const objection = objectionOf(need, worker) ?? `it has ${slots} slots, ${wanted}`;
    const isAlone = hosts !== 1 && mostMembers > 1 && rankAddress === null;
    return `${host}: ${objection}${isAlone ? ", and no address for ranks on other hosts (HOPWISE_RANK_ADDRESS)" : ""}`;
  });
  const what = hosts === "auto" || hosts === 1 ? "No worker can run this job." : "No set of workers can run this job.";
  return `${what} ${reasons.join("; ")}.`;
}

/** Workers of one group announce the same kinds. */
function deviceOn({ device }: Need, { announcement }: WorkerView): DeviceKind {
  if (device !== "auto") return device;
  return hasDevice(announcement, "cuda") ? "cuda" : "cpu";
}

/** Whether the worker's backend computes on such a device. */
export function hasDevice({ devices }: WorkerAnnouncement, kind: DeviceKind): boolean {
  return devices.some((device) => device.kind === kind);
}
