import { useMemo } from "react";
import { useQuery } from "urql";
import { proposedPresetQuery } from "../services/documents/new-job.ts";
import type { ResultOf } from "../services/graphql.ts";
import type { SparseSpec } from "../services/job-form.ts";
import type { Preset, Proposal } from "../services/presets.ts";

type ProposedPreset = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof proposedPresetQuery>["dataset"]>["newestReady"]>["proposedPreset"]
>["preset"];

/** The preset that the API proposes for the newest version of a dataset; `proposal` is null until it is known. */
export function useProposal(dataset: string) {
  const [{ data, error }, refetch] = useQuery({ query: proposedPresetQuery, variables: { dataset } });
  const found = data?.dataset;
  const proposal = useMemo((): Proposal | null => {
    const proposed = found?.newestReady?.proposedPreset;
    if (!found || !proposed) return null;
    const { reason, preset, others } = proposed;
    return { dataset: found.id, reason, preset: presetOf(preset), others: others.map(presetOf) };
  }, [found]);
  return { proposal, state: { data, error }, refetch };
}

/** Specs travel as JSON; the API made them with the type named here. */
function presetOf({ name, situation, title, summary, spec }: ProposedPreset): Preset {
  return { name, situation, title, summary, spec: spec as SparseSpec };
}
