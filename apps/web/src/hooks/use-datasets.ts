import { useCallback } from "react";
import { useClient } from "urql";
import { datasetsQuery } from "../services/documents.ts";
import type { ResultOf } from "../services/graphql.ts";
import { type Pages, usePages } from "./use-pages.ts";
import { usePolling } from "./use-polling.ts";

export type ListedDataset = ResultOf<typeof datasetsQuery>["datasets"]["edges"][number]["node"];

const pageSize = 50;
const movingMs = 2000;
const idleMs = 10_000;

/** Datasets, newest first; asked for again often while the graph of one is built, else for those made elsewhere. */
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
  const isMoving = pages.data?.nodes.some(({ latest }) => latest.state === "INGESTING") ?? false;
  usePolling(pages.refresh, true, isMoving ? movingMs : idleMs);
  return pages;
}
