import type { WorkerAnnouncement } from "@hopwise/contracts";

/** A worker as the scheduler sees it in one round. */
export interface WorkerView {
  readonly announcement: WorkerAnnouncement;
  /** Why it gets no work; null when it may. */
  readonly refusal: string | null;
  /** Slots that no granted stage holds. Taken from as the round goes on. */
  freeSlots: number;
}

/** What a stage (and those behind it, which run on the same worker) needs. */
export interface Need {
  readonly ranks: number;
  /** The most ranks of any stage still to run. */
  readonly mostRanks: number;
  readonly device: "auto" | "cpu" | "cuda";
  readonly labels: Readonly<Record<string, string>>;
  /** `step:<name>@<version>` of every stage still to run. */
  readonly components: readonly string[];
}

export type Placement =
  | { readonly worker: WorkerView; readonly device: "cpu" | "cuda" }
  /** `reserve`: the worker that will take it once slots are free; lower priorities must not take them first. */
  | { readonly waiting: string; readonly reserve: WorkerView | null };

/**
 * Chooses the worker of a job's next stage: `preferred` (it has the inputs in its cache) if it can, else the one with
 * the most free slots. All ranks of a stage are placed at once or not at all.
 */
export function placeStage(need: Need, workers: readonly WorkerView[], preferred?: string): Placement {
  const able = workers.filter((worker) => objectionOf(need, worker) === null);
  if (able.length === 0) return { waiting: whyNone(need, workers), reserve: null };
  const ranked = able.toSorted((a, b) => b.freeSlots - a.freeSlots || (a.announcement.id < b.announcement.id ? -1 : 1));
  const favourite = ranked.find(({ announcement }) => announcement.id === preferred) ?? ranked[0];
  const worker = favourite && favourite.freeSlots >= need.ranks ? favourite : null;
  if (worker) return { worker, device: deviceOn(need, worker) };
  return {
    waiting: `${need.ranks} free slots are needed at once; waiting for other jobs to end.`,
    reserve: favourite ?? null,
  };
}

/** Why this worker can never run the job as things are; null when it can once slots are free. */
export function objectionOf(need: Need, { announcement, refusal }: WorkerView): string | null {
  if (refusal !== null) return refusal;
  if (announcement.draining) return "it is draining";
  if (announcement.slots < need.mostRanks) return `it has ${announcement.slots} slots, ${need.mostRanks} are needed`;
  const label = Object.entries(need.labels).find(([name, value]) => announcement.labels[name] !== value);
  if (label) return `its label ${label[0]} is not "${label[1]}"`;
  if (need.device === "cuda" && !hasCuda(announcement)) return "it has no CUDA device";
  const missing = need.components.find((component) => !announcement.components.includes(component));
  return missing === undefined ? null : `it lacks ${missing}`;
}

function whyNone(need: Need, workers: readonly WorkerView[]): string {
  if (workers.length === 0) return "No worker is online.";
  const reasons = workers.map((worker) => `${worker.announcement.host}: ${objectionOf(need, worker)}`);
  return `No worker can run this job. ${reasons.join("; ")}.`;
}

function deviceOn(need: Need, { announcement }: WorkerView): "cpu" | "cuda" {
  return need.device === "cpu" || !hasCuda(announcement) ? "cpu" : "cuda";
}

function hasCuda({ devices }: WorkerAnnouncement): boolean {
  return devices.some(({ kind }) => kind === "cuda");
}
