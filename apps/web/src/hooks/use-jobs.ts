import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { useCallback } from "react";
import { useClient } from "urql";
import { jobsQuery } from "../services/documents/jobs.ts";
import type { ResultOf, VariablesOf } from "../services/graphql.ts";
import type { JobSort } from "../services/job-search.ts";
import { useLiveRefresh } from "./use-live-refresh.ts";
import { type Pages, usePages } from "./use-pages.ts";

export type ListedJob = ResultOf<typeof jobsQuery>["jobs"]["edges"][number]["node"];
export type JobFilter = NonNullable<VariablesOf<typeof jobsQuery>["filter"]>;

const topics = ["JOBS"] as const;

/**
 * Jobs that fit a filter, newest first unless sorted otherwise; asked for again whenever one of those that the
 * viewer may see moves.
 */
export function useJobs(
  filter: JobFilter,
  first: number,
  sort: JobSort | null = null,
): Pages<ListedJob> & { readonly isMoving: boolean } {
  const client = useClient();
  // As text, so that equal ones of the next draw start no new list.
  const text = JSON.stringify({ filter, sort });
  const load = useCallback(
    async (after: string | null) => {
      const variables = { ...(JSON.parse(text) as { filter: JobFilter; sort: JobSort | null }), first, after };
      const { data, error } = await client.query(jobsQuery, variables, { requestPolicy: "network-only" });
      return { page: data?.jobs, error };
    },
    [client, text, first],
  );
  const pages = usePages(load);
  const isMoving = pages.data?.nodes.some((job) => !isTerminal(job.state)) ?? false;
  useLiveRefresh({ refresh: pages.refresh, isFetching: pages.isLoading, topics, everyMs: 2000 });
  return { ...pages, isMoving };
}
