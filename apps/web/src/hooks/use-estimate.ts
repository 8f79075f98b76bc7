import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "urql";
import { estimateQuery } from "../services/documents/new-job.ts";
import type { ResultOf } from "../services/graphql.ts";
import type { SparseSpec } from "../services/job-form.ts";
import { problemFromGraphql, type ShownProblem } from "../services/problem.ts";

export interface EstimateState {
  readonly estimate: ResultOf<typeof estimateQuery>["estimateJob"] | null;
  /** What the API would refuse the spec for. */
  readonly problem: ShownProblem | null;
  readonly isFetching: boolean;
}

/** What a job of this spec would need, asked for again when the form has rested for a moment. */
export function useEstimate(spec: SparseSpec | null): EstimateState {
  const [text] = useDebouncedValue(spec === null ? "" : JSON.stringify(spec), 350);
  const [{ data, error, fetching }] = useQuery({
    query: estimateQuery,
    variables: { spec: text === "" ? null : JSON.parse(text) },
    pause: text === "",
    requestPolicy: "network-only",
  });
  return {
    estimate: error ? null : (data?.estimateJob ?? null),
    problem: error && text !== "" ? problemFromGraphql(error) : null,
    isFetching: fetching,
  };
}
