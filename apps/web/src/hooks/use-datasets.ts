import { useCallback } from "react";
import { useClient } from "urql";
import { datasetsQuery } from "../services/documents/datasets.ts";
import type { ResultOf } from "../services/graphql.ts";
import { useLiveRefresh } from "./use-live-refresh.ts";
import { type Pages, usePages } from "./use-pages.ts";

export type ListedDataset = ResultOf<typeof datasetsQuery>["datasets"]["edges"][number]["node"];

const pageSize = 50;
const topics = ["DATASETS"] as const;

/** Datasets, newest first; asked for again whenever one was changed, here or elsewhere. */
export function useDatasets(): Pages<ListedDataset> {
  const client = useClient();
  const load = useCallback(
    async (after: string | null) => {
      const variables = { first: pageSize, after };
      const { data, error } = await client.query(datasetsQuery, variables, { requestPolicy: "network-only" });
      return { page: data?.datasets, error };
    },
    [client],
  );
  const pages = usePages(load);
  useLiveRefresh({ refresh: pages.refresh, isFetching: pages.isLoading, topics, everyMs: 2000 });
  return pages;
}
