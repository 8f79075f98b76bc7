import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Alert, Button, Stack } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { useQuery } from "urql";
import { EmbeddingDownloads } from "../components/EmbeddingDownloads/EmbeddingDownloads.tsx";
import { EmbeddingMaps } from "../components/EmbeddingMaps/EmbeddingMaps.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { useLiveRefresh } from "../hooks/use-live-refresh.ts";
import { embeddingsQuery } from "../services/documents/results.ts";
import type { ResultOf } from "../services/graphql.ts";
import { NothingHere } from "./NotFoundPage.tsx";

type Job = NonNullable<ResultOf<typeof embeddingsQuery>["job"]>;

const topics = ["JOBS"] as const;

/** The embeddings as a map, and everything to take away. */
export function EmbeddingsPage() {
  const { jobId } = useParams({ from: "/shell/jobs/$jobId/embeddings" });
  const [state, refetch] = useQuery({ query: embeddingsQuery, variables: { id: jobId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  // Opened before the job has ended: map and files appear when they are made.
  const isActive = state.data?.job ? !isTerminal(state.data.job.state) : false;
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 2000, isActive });
  return (
    <QueryView state={state} onRetry={refresh} shape="map">
      {({ job }) => (job === null ? <NothingHere what="job" /> : <EmbeddingsView job={job} />)}
    </QueryView>
  );
}

function EmbeddingsView({ job }: { readonly job: Job }) {
  const { embeddings } = job;
  return (
    <>
      <PageHeader
        title={`Embeddings of ${job.name || job.id}`}
        help="A vector for each node, or for each graph of a set. Those that the model finds alike lie together on the map."
        actions={
          <Button component={Link} to={`/jobs/${job.id}`} variant="default">
            Back to the job
          </Button>
        }
      />
      {embeddings === null ? (
        <EmptyState title="There are no embeddings yet">They are written in the last stages of the job.</EmptyState>
      ) : (
        <Stack gap="lg">
          <EmbeddingDownloads job={job} embeddings={embeddings} />
          {embeddings.projection ? (
            <EmbeddingMaps job={job} projection={embeddings.projection} numRows={embeddings.numRows} />
          ) : (
            <Alert color="gray" variant="light" title="The map is not drawn yet">
              The job's project stage makes it; this page shows it then.
            </Alert>
          )}
        </Stack>
      )}
    </>
  );
}
