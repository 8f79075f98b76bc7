import { AppError, type JobSpec, resolveJobSpec } from "@hopwise/contracts";
import type { Viewer } from "../../auth/viewer.ts";
import { estimateAndFit } from "../../jobs/estimate-job.ts";
import { draftTraining, type TrainingDraft } from "../../jobs/submit-job.ts";
import { requireWorkers } from "../../jobs/submit-with-estimate.ts";
import type { Services } from "../../services.ts";
import { type Changes, withChanges } from "../settings.ts";
import type { Proposed } from "./candidates.ts";
import type { Candidate } from "./search-state.ts";

const mostCandidates = 30;

/** A candidate that has been checked and planned. */
export interface AcceptedJob {
  readonly changes: Changes;
  readonly training: TrainingDraft;
  readonly estimate: unknown;
}

/** How much time there is. */
export interface Pace {
  /** Time that a trial of the first round is to take */
  readonly secondsEach: number;
  /** Time of the first round */
  readonly firstSeconds: number;
  readonly budgetSeconds: number;
}

interface Accepted extends AcceptedJob {
  readonly candidate: Candidate;
  /** Estimate of all of its epochs; null: none can be made */
  readonly seconds: number | null;
}

/**
 * The proposals that are accepted as jobs and have time for some epochs, in the order in which they are tried: as they
 * were proposed, but behind them those whose epochs the first round has no time for, the shortest first.
 *
 * @throws AppError what refused the first proposal, when none is left
 */
export async function acceptedCandidates(
  services: Services,
  viewer: Viewer,
  projectId: string,
  spec: Changes,
  { proposed, pace }: { readonly proposed: readonly Proposed[]; readonly pace: Pace },
): Promise<{ readonly candidates: Candidate[]; readonly first: AcceptedJob }> {
  const accepted: Accepted[] = [];
  let refusal: unknown = null;
  for (const each of proposed) {
    if (accepted.length === mostCandidates) break;
    try {
      const one = await acceptedOf(services, viewer, projectId, spec, { ...each, pace });
      if (one) accepted.push(one);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal ??= error;
    }
  }
  const lateness = ({ seconds }: Accepted) => (seconds === null || seconds <= pace.firstSeconds ? 0 : seconds);
  const ordered = accepted.toSorted((a, b) => lateness(a) - lateness(b));
  const [first] = ordered;
  if (!first) throw refusal ?? tooShort();
  return { candidates: ordered.map(({ candidate }) => candidate), first };
}

async function acceptedOf(
  services: Services,
  viewer: Viewer,
  projectId: string,
  spec: Changes,
  { title, changes, pace }: Proposed & { readonly pace: Pace },
): Promise<Accepted | null> {
  const input = withChanges(spec, changes);
  const resolved = resolveJobSpec(input, services.registry);
  const training = await draftTraining(services, projectId, { sent: input, resolved });
  const { estimate, objections } = await estimateAndFit(services, viewer, input);
  requireWorkers(objections);
  const epochs = epochsFor(resolved, estimate.seconds, pace);
  const candidate = epochs && { title, changes: withSparseCheckpoints(changes, resolved, spec), ...epochs };
  return candidate && { changes, training, estimate, candidate, seconds: estimate.seconds };
}

/** As many epochs as the first round has time for, a ninth at least; null when even those take a third of all time. */
function epochsFor({ train }: JobSpec, seconds: number | null, { secondsEach, budgetSeconds }: Pace) {
  const { epochs } = train;
  if (seconds === null || seconds <= secondsEach) return { epochs, firstEpochs: epochs };
  const least = Math.ceil(epochs / 9);
  const firstEpochs = Math.max(least, Math.floor((epochs * secondsEach) / seconds));
  return (seconds * firstEpochs) / epochs > budgetSeconds / 3 ? null : { epochs, firstEpochs };
}

/** A trial that is cut off is short: a few checkpoints do. */
function withSparseCheckpoints(changes: Changes, { train }: JobSpec, spec: Changes): Changes {
  const said = (spec["train"] as Changes | undefined)?.["checkpoint"];
  if (said !== undefined) return changes;
  return { ...changes, "train.checkpoint.everyEpochs": Math.max(1, Math.ceil(train.epochs / 5)) };
}

function tooShort(): AppError {
  const pointer = "/auto/budget";
  return new AppError(
    "JOB_SPEC_INVALID",
    `${pointer}: No setting can be tried in this time on this dataset; give more.`,
    {
      place: { pointer },
    },
  );
}
