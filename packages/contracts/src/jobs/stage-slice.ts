import { z } from "zod";
import { limits } from "../limits.ts";
import type { Member, MemberKind } from "./member.ts";

/** Consecutive members of one kind. */
const memberRange = z.object({
  first: z.number().int().min(0).max(limits.ranks),
  count: z.number().int().min(0).max(limits.ranks),
});
export type MemberRange = Readonly<z.infer<typeof memberRange>>;

/** The members of a stage that one host runs. */
export const hostMembers = z.object({ ranks: memberRange, samplers: memberRange });
export type HostMembers = Readonly<z.infer<typeof hostMembers>>;

/** UUIDs of the devices that the host's ranks have for themselves, one each, in their order; none: they share a CPU. */
export const sliceDevices = z.array(z.string()).max(limits.ranks).default([]);

/** What one host runs of a stage: all of it, unless the stage is spread over several hosts. */
export const stageSlice = hostMembers.extend({
  /** 0 has rank 0: its worker tells progress and result. */
  index: z.number().int().nonnegative(),
  /** Slices, and so hosts, of the stage. */
  count: z.number().int().positive(),
  devices: sliceDevices,
});
export type StageSlice = z.infer<typeof stageSlice>;

export function countMembers({ ranks, samplers }: HostMembers): number {
  return ranks.count + samplers.count;
}

/** In the order in which a host numbers them: its ranks, then its sampler processes. */
export function membersOf({ ranks, samplers }: HostMembers): Member[] {
  return [...rangeOf("rank", ranks), ...rangeOf("sampler", samplers)];
}

function rangeOf(kind: MemberKind, { first, count }: MemberRange): Member[] {
  return Array.from({ length: count }, (_, i) => ({ kind, index: first + i }));
}
