import type { FloatsHandle } from "./memory-addon.ts";

/**
 * Sums over the devices of a job's ranks, by NCCL where it is found (native/binding/device/peers_binding.cc). A process
 * is a member of one group at a time.
 */
export interface PeersAddon {
  /** What adds up, such as "NCCL 2.30.7"; `whyNot` says why nothing does, and is empty where something does */
  describePeers(): { readonly name: string; readonly whyNot: string };
  /** What the members of a new group must have in common, 128 bytes; one member makes it */
  makePeerGroup(): Uint8Array;
  /** Resolves when all members have called it. Throws DEVICE_NOT_AVAILABLE when they cannot be connected */
  joinPeers(group: Uint8Array, rank: number, worldSize: number): Promise<void>;
  /** Enqueues values = the sum of all members' values, the same bits everywhere */
  addOverPeers(values: FloatsHandle): void;
  /** What has gone wrong between the members; empty: nothing is known */
  failureOfPeers(): string;
  /** Ends sums that wait for a member that is lost */
  abortPeers(): void;
  /** After the last sum is done */
  leavePeers(): void;
}
