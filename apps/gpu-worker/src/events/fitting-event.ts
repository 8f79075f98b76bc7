import { endsSlice, leadRank, limits, problemOf, type WorkerEventBody } from "@hopwise/contracts";

/** What the service knows of an event besides its body */
const headCharacters = 1024;

/**
 * The event itself, or, when it is longer than the service reads, what takes its place: a line of the job's log, or a
 * failure where it is the end of a slice, as nobody would hear of that end.
 */
export function fittingEvent(body: WorkerEventBody): WorkerEventBody {
  const found = JSON.stringify(body).length;
  const most = limits.eventCharacters - headCharacters;
  if (found <= most) return body;
  const what = `The event ${body.type} has ${found} characters; ${most} are read at most.`;
  if (!endsSlice(body.type)) {
    const message = `${what} It was left out.`;
    return { type: "step", event: { type: "log", level: "warn", member: leadRank, message } };
  }
  const advice = "A component of this step tells too much in its result or error: let it write a file instead.";
  return { type: "stageFailed", problem: { ...problemOf("INTERNAL", `${what} ${advice}`), retryable: false } };
}
