import type { Leadership } from "./leadership.ts";

/** Something that the leader does beside scheduling, in its own time. */
export interface LeaderWork {
  /** Begins it, unless it is under way or was done a short while ago. */
  startIfDue(leader: Pick<Leadership, "assert">): void;
  /** Resolves when it is not under way. */
  settle(): Promise<void>;
}
