import type { StepContext } from "../components/define-step.ts";
import { secondsSince } from "../host/seconds-since.ts";
import type { ManifestDraft } from "../io/manifest.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Runs a step's work and says, in one log line of rank 0, what came of it and how many seconds it took.
 *
 * @param message  constant text, past tense: "Graph written"
 * @param fieldsOf the counts worth reading, from the info of the step's manifest
 */
export async function logged<Info extends object>(
  { onEvent, rank }: StepContext,
  message: string,
  work: () => Promise<ManifestDraft<Info> | null>,
  fieldsOf: (info: Info) => Fields,
): Promise<ManifestDraft<Info> | null> {
  const startedAt = performance.now();
  const draft = await work();
  if (draft) {
    const fields = { ...fieldsOf(draft.info), seconds: secondsSince(startedAt) };
    onEvent({ type: "log", level: "info", rank: rank.rank, message, fields });
  }
  return draft;
}
