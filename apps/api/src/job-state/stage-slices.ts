import { problem } from "@hopwise/contracts";
import { z } from "zod";
import type { Prisma, Stage } from "../generated/prisma/client.ts";

const grantedSlice = z.object({
  workerId: z.string(),
  /** The boot of the worker that it was granted to, or that has taken it since. */
  bootId: z.string(),
  host: z.string(),
  firstRank: z.number().int(),
  ranks: z.number().int(),
  state: z.enum(["QUEUED", "RUNNING", "ENDED"]),
  /** What ended it, where that may only follow from what happened on another host. */
  problem: problem.nullable(),
  /** When it ended, by this service's clock. */
  endedAt: z.string().nullable(),
});
/** The ranks of a granted stage that one host runs, as `Stage.slices` keeps them in order. */
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

/** What a stage keeps when it is granted. */
export function grantedSlices(
  places: readonly Pick<GrantedSlice, "workerId" | "bootId" | "host" | "ranks">[],
): Prisma.JsonArray {
  let firstRank = 0;
  return places.map((place): GrantedSlice => {
    const slice = { ...place, firstRank, state: "QUEUED", problem: null, endedAt: null } as const;
    firstRank += place.ranks;
    return slice;
  });
}
