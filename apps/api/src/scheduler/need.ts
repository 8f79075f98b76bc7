import type { DeviceKind, WorkerAnnouncement } from "@hopwise/contracts";

/** Hosts that share the members of a job; auto: one where it has the slots, else as few as have them together. */
export type HostCount = number | "auto";

/** A worker as the scheduler sees it in one round. */
export interface WorkerView {
  readonly announcement: WorkerAnnouncement;
  /** Why it gets no work; null when it may. */
  readonly refusal: string | null;
  /** Slots that no granted stage holds. Taken from as the round goes on. */
  freeSlots: number;
  /**
   * UUIDs of the devices that granted stages hold, on whatever worker: several may announce one device. Shared by all
   * views of a round, and added to as it goes on.
   */
  readonly takenDevices: Set<string>;
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
  /** Ranks that compute with the worker's backend, each on a device of its own where there are such; 0: none does. */
  readonly devices: number;
  /** How many the largest stage still to run has */
  readonly mostDevices: number;
  /** What each of them needs of its device's memory */
  readonly deviceBytes: number;
  /** How few members will do after a loss; null: the job has lost nothing, and gets all of them. */
  readonly fewestMembers: number | null;
  readonly hosts: HostCount;
  readonly device: "auto" | DeviceKind;
  readonly labels: Readonly<Record<string, string>>;
  /** `step:<name>@<version>` of every stage still to run. */
  readonly components: readonly string[];
}
