import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { useCallback } from "react";
import { useClient } from "urql";
import { jobsQuery } from "../services/documents.ts";
import type { ResultOf, VariablesOf } from "../services/graphql.ts";
import { type Pages, usePages } from "./use-pages.ts";
import { usePolling } from "./use-polling.ts";

export type ListedJob = ResultOf<typeof jobsQuery>["jobs"]["edges"][number]["node"];
export type JobFilter = NonNullable<VariablesOf<typeof jobsQuery>["filter"]>;

const movingMs = 2000;
const idleMs = 10_000;

/** Jobs that fit a filter, newest first; asked for again often while one of those shown moves, else for new ones. */
export function useJobs(filter: JobFilter, first: number): Pages<ListedJob> & { readonly isMoving: boolean } {
  const client = useClient();
  // The filter as text, so that an equal one of the next draw starts no new list.
  const text = JSON.stringify(filter);
  const load = useCallback(
    async (after: string | null) => {
      const variables = { filter: JSON.parse(text) as JobFilter, first, after };
      const { data, error } = await client.query(jobsQuery, variables, { requestPolicy: "network-only" });
      return { page: data?.jobs, error };
    },
    [client, text, first],
  );
  const pages = usePages(load);
  const isMoving = pages.data?.nodes.some((job) => !isTerminal(job.state)) ?? false;
  usePolling(pages.refresh, true, isMoving ? movingMs : idleMs);
  return { ...pages, isMoving };
}
