import { type JobEvent, showMember, showMemberOrNone } from "@hopwise/contracts";
import type { PersistedJobEvent } from "../../job-state/job-event.ts";

/** A job's event as REST shows it. */
export function presentJobEvent(event: PersistedJobEvent): JobEvent {
  const { attempt, stageIndex } = event;
  const place = { cursor: String(event.cursor), at: event.at.toISOString(), attempt, stageIndex };
  switch (event.type) {
    case "RankUpdated":
      return { type: event.type, body: { ...event.body, ...showMember(event.body.member) }, ...place };
    case "LogAppended":
      return { type: event.type, body: { ...event.body, ...showMember(event.body.member) }, ...place };
    case "IncidentRaised":
      return { type: event.type, body: { ...event.body, ...showMemberOrNone(event.body.member) }, ...place };
    default:
      return { type: event.type, body: event.body, ...place } as JobEvent;
  }
}
