import type { Problem } from "@hopwise/contracts";
import type { Prisma, Stage } from "../generated/prisma/client.ts";

/** The ranks of a granted stage that one host runs, as `Stage.slices` keeps them in order. */
export interface GrantedSlice {
  readonly workerId: string;
  /** The boot of the worker that it was granted to, or that has taken it since. */
  readonly bootId: string;
  readonly host: string;
  readonly firstRank: number;
  readonly ranks: number;
  readonly state: "QUEUED" | "RUNNING" | "ENDED";
  /** What ended it, where that may only follow from what happened on another host. */
  readonly problem: Problem | null;
  /** When it ended, by this service's clock. */
  readonly endedAt: string | null;
}

/** The slices of a granted stage. */
export function slicesOf(stage: Pick<Stage, "slices">): readonly GrantedSlice[] {
  return stage.slices as unknown as readonly GrantedSlice[];
}

/** The slices with one of them changed, as the stage keeps them. */
export function withSlice(
  stage: Pick<Stage, "slices">,
  index: number,
  change: Partial<GrantedSlice>,
): Prisma.JsonValue {
  const slices = slicesOf(stage).map((slice, i) => (i === index ? { ...slice, ...change } : slice));
  return slices as unknown as Prisma.JsonValue;
}

/** What a stage keeps when it is granted. */
export function grantedSlices(
  places: readonly Pick<GrantedSlice, "workerId" | "bootId" | "host" | "ranks">[],
): Prisma.JsonValue {
  let firstRank = 0;
  const slices = places.map((place): GrantedSlice => {
    const slice = { ...place, firstRank, state: "QUEUED", problem: null, endedAt: null } as const;
    firstRank += place.ranks;
    return slice;
  });
  return slices as unknown as Prisma.JsonValue;
}
