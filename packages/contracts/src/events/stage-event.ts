import { type StepEvent, stepEvent } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { type Member, member } from "../jobs/member.ts";

const [progress, metrics, rank, log] = stepEvent.options;

/** What the members of a stage report while it runs. Rank 0 alone tells progress and metrics. */
export const stageEvent = z.discriminatedUnion("type", [
  progress,
  metrics,
  /** How a member is getting on. */
  rank.omit({ rank: true }).extend({ type: z.literal("member"), member }),
  log.omit({ rank: true }).extend({ member }),
]);
export type StageEvent = z.infer<typeof stageEvent>;

/** What a step of the engine says, as the word of the member that runs it. */
export function stageEventOf(speaker: Member, event: Exclude<StepEvent, { type: "checkpoint" }>): StageEvent {
  if (event.type === "progress" || event.type === "metrics") return event;
  const { rank: _rank, ...said } = event;
  return said.type === "rank" ? { ...said, type: "member", member: speaker } : { ...said, member: speaker };
}
