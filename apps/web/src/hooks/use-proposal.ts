import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { proposedPresetQuery } from "../services/documents/new-job.ts";
import type { ResultOf } from "../services/graphql.ts";
import type { SparseSpec } from "../services/job-form.ts";
import type { Preset, Proposal } from "../services/presets.ts";

type ProposedPreset = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof proposedPresetQuery>["dataset"]>["newestReady"]>["proposedPreset"]
>["preset"];

/**
 * The preset that the API proposes for the newest version of a dataset and what is to be learnt of it. Until it is
 * known, `proposal` is the one before for that dataset, and null without one.
 *
 * @param question from `questionOf`; null: the dataset's own
 * @param first    what is known already
 */
export function useProposal(dataset: string, question: SparseSpec | null = null, first: Proposal | null = null) {
  const [kept, setKept] = useState(first);
  const asked = question && JSON.stringify(question);
  // As long as the same is asked, the object stays: urql asks again for another.
  const variables = useMemo(() => ({ dataset, task: asked === null ? null : JSON.parse(asked) }), [dataset, asked]);
  const [{ data, error, fetching, stale }, refetch] = useQuery({ query: proposedPresetQuery, variables });
  const found = data?.dataset;
  const proposal = useMemo((): Proposal | null => {
    const proposed = found?.newestReady?.proposedPreset;
    if (!found || !proposed) return null;
    const { reason, preset, others } = proposed;
    return { dataset: found.id, reason, preset: presetOf(preset), others: others.map(presetOf) };
  }, [found]);
  if (proposal && proposal !== kept) setKept(proposal);
  const known = proposal ?? (kept?.dataset === dataset ? kept : null);
  // Until the answer is there, urql gives that to the question before.
  return { proposal: known, isForQuestion: proposal !== null && !fetching && !stale, state: { data, error }, refetch };
}

/** Specs travel as JSON; the API made them with the type named here. */
function presetOf({ name, situation, title, summary, spec }: ProposedPreset): Preset {
  return { name, situation, title, summary, spec: spec as SparseSpec };
}
