import { hostMembers, problem, sliceDevices } from "@hopwise/contracts";
import { z } from "zod";
import type { Prisma, Stage } from "../generated/prisma/client.ts";

const grantedSlice = hostMembers.extend({
  workerId: z.string(),
  /** The boot of the worker that it was granted to, or that has taken it since. */
  bootId: z.string(),
  host: z.string(),
  /** No other stage gets them as long as this one is active. */
  devices: sliceDevices,
  state: z.enum(["QUEUED", "RUNNING", "ENDED"]),
  /** What ended it, where that may only follow from what happened on another host. */
  problem: problem.nullable(),
  /** When it ended, by this service's clock. */
  endedAt: z.string().nullable(),
});
/** The members of a granted stage that one host runs, as `Stage.slices` keeps them in order. */
export type GrantedSlice = Readonly<z.infer<typeof grantedSlice>>;

const grantedSliceList = z.array(grantedSlice);

/** The slices of a granted stage. */
export function slicesOf(stage: Pick<Stage, "slices">): readonly GrantedSlice[] {
  return grantedSliceList.parse(stage.slices);
}

/** The slices with one of them changed, as the stage keeps them. */
export function withSlice(
  stage: Pick<Stage, "slices">,
  index: number,
  change: Partial<GrantedSlice>,
): Prisma.JsonArray {
  return slicesOf(stage).map((slice, i) => (i === index ? { ...slice, ...change } : slice));
}

export interface GrantedPlace extends Pick<GrantedSlice, "workerId" | "bootId" | "host"> {
  /** How many members the host runs. */
  readonly members: number;
  /** One for each of its ranks, which are no more than these; null: its ranks share what it has. */
  readonly devices: readonly string[] | null;
}

/** What a stage keeps when it is granted: the first hosts get its ranks, the members that are left are samplers. */
export function grantedSlices(places: readonly GrantedPlace[], numRanks: number): Prisma.JsonArray {
  const given = { ranks: 0, samplers: 0 };
  return places.map(({ members, devices, ...place }): GrantedSlice => {
    const most = devices?.length ?? members;
    const ranks = { first: given.ranks, count: Math.min(most, numRanks - given.ranks) };
    const samplers = { first: given.samplers, count: members - ranks.count };
    given.ranks += ranks.count;
    given.samplers += samplers.count;
    return { ...place, ranks, samplers, devices: [...(devices ?? [])], state: "QUEUED", problem: null, endedAt: null };
  });
}
