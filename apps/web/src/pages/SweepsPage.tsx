import { Anchor, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { useClient } from "urql";
import { type Column, DataTable } from "../components/DataTable/DataTable.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { LoadingShape } from "../components/LoadingShape/LoadingShape.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { useLiveRefresh } from "../hooks/use-live-refresh.ts";
import { useNow } from "../hooks/use-now.ts";
import { usePages } from "../hooks/use-pages.ts";
import { sweepsQuery } from "../services/documents/sweeps.ts";
import { formatAgo, formatCount } from "../services/format.ts";
import type { ResultOf } from "../services/graphql.ts";
import { problemFromGraphql } from "../services/problem.ts";
import { countsText } from "../services/sweep-table.ts";

const pageSize = 50;
const topics = ["JOBS"] as const;

type Sweep = ResultOf<typeof sweepsQuery>["sweeps"]["edges"][number]["node"];

/** Trainings that were started together, to be compared. */
export function SweepsPage() {
  const client = useClient();
  const load = useCallback(
    async (after: string | null) => {
      const variables = { first: pageSize, after };
      const { data, error } = await client.query(sweepsQuery, variables, { requestPolicy: "network-only" });
      return { page: data?.sweeps, error };
    },
    [client],
  );
  const { data, error, isLoading, refresh, loadMore } = usePages(load);
  useLiveRefresh({ refresh, isFetching: isLoading, topics, everyMs: 5000 });
  const now = useNow(true, 30_000);
  return (
    <>
      <PageHeader
        title="Sweeps"
        help="Trainings that were started together: several settings, each with several seeds, and which does best."
      />
      <Stack gap="lg">
        {error && <ProblemAlert problem={problemFromGraphql(error)} onRetry={refresh} />}
        {!data && !error && <LoadingShape shape="table" />}
        {data?.nodes.length === 0 && (
          <EmptyState title="There is no sweep yet">
            Open the form of a new job and vary a field or the seed under “Sweep”.
          </EmptyState>
        )}
        {data && data.nodes.length > 0 && (
          <Panel title="All sweeps">
            <DataTable
              label="Sweeps"
              columns={columnsAt(now)}
              rows={data.nodes}
              rowKey={({ id }) => id}
              minWidth={640}
            />
          </Panel>
        )}
        {data && <LoadMore hasMore={data.hasMore} isLoading={isLoading} onMore={loadMore} />}
      </Stack>
    </>
  );
}

function columnsAt(now: number): readonly Column<Sweep>[] {
  return [
    {
      head: "Name",
      isRowHead: true,
      cell: ({ id, name }) => (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/sweeps/$sweepId" params={{ sweepId: id }} />}>
          {name}
        </Anchor>
      ),
    },
    { head: "Dataset", cell: ({ datasetName }) => datasetName },
    { head: "Settings", align: "right", cell: ({ numSettings }) => formatCount(numSettings) },
    { head: "Jobs", cell: ({ counts }) => countsText(counts) },
    { head: "Submitted", align: "right", cell: ({ createdAt }) => formatAgo(createdAt, now) },
  ];
}
