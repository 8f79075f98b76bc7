import { Anchor, Button, Group, Paper, Progress, SegmentedControl, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { useNow } from "../hooks/use-now.ts";
import { usePolling } from "../hooks/use-polling.ts";
import { jobsQuery } from "../services/documents.ts";
import { formatAgo, formatPercent, formatSeconds, secondsBetween } from "../services/format.ts";
import type { ResultOf } from "../services/graphql.ts";
import { isEnded } from "../services/job-state.ts";
import { metricOf } from "../services/metrics.ts";

type Job = ResultOf<typeof jobsQuery>["jobs"]["edges"][number]["node"];

/** Training jobs, and on demand those that the service made itself. */
export function JobsPage() {
  const [kinds, setKinds] = useState<"train" | "all">("train");
  const filter = kinds === "train" ? { kinds: ["train"] } : null;
  const [state, refetch] = useQuery({ query: jobsQuery, variables: { first: 100, filter } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const isMoving = state.data?.jobs.edges.some(({ node }) => !isEnded(node.state)) ?? false;
  usePolling(refresh, isMoving);
  const now = useNow(true, isMoving ? 1000 : 30_000);
  return (
    <>
      <PageHeader
        title="Jobs"
        help="A job cuts the graph into parts, trains a model on them and writes embeddings and predictions for every node."
        actions={
          <Button component={Link} to="/jobs/new">
            New job
          </Button>
        }
      />
      <SegmentedControl
        mb="md"
        size="xs"
        aria-label="Which jobs"
        value={kinds}
        onChange={(value) => setKinds(value === "train" ? "train" : "all")}
        data={[
          { value: "train", label: "Training" },
          { value: "all", label: "All, also reading and exporting" },
        ]}
      />
      <QueryView state={state} onRetry={refresh}>
        {({ jobs }) => (
          <Paper withBorder bg="var(--hop-surface)">
            {jobs.edges.length === 0 ? (
              <EmptyState
                title="No jobs yet"
                action={
                  <Button component={Link} to="/jobs/new" mt="sm">
                    Train a model
                  </Button>
                }
              >
                Choose a dataset and a preset; every option has a sensible default.
              </EmptyState>
            ) : (
              <Table.ScrollContainer minWidth={720}>
                <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md" aria-label="Jobs">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Job</Table.Th>
                      <Table.Th>State</Table.Th>
                      <Table.Th w={240}>Doing</Table.Th>
                      <Table.Th ta="right">Test accuracy</Table.Th>
                      <Table.Th ta="right">Took</Table.Th>
                      <Table.Th ta="right">Submitted</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody className="num">
                    {jobs.edges.map(({ node }) => (
                      <JobRow key={node.id} job={node} now={now} />
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )}
          </Paper>
        )}
      </QueryView>
    </>
  );
}

function JobRow({ job, now }: { readonly job: Job; readonly now: number }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/jobs/${job.id}`} fw={600}>
          {job.name || job.id}
        </Anchor>
        {job.kind !== "train" && (
          <Text size="xs" c="dimmed">
            {job.kind}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateBadge state={job.state} size="sm" />
      </Table.Td>
      <Table.Td>
        <Doing job={job} />
      </Table.Td>
      <Table.Td ta="right">{formatPercent(metricOf(job.model?.metrics, "test/accuracy"))}</Table.Td>
      <Table.Td ta="right">{formatSeconds(secondsBetween(job.startedAt, job.finishedAt, now))}</Table.Td>
      <Table.Td ta="right">{formatAgo(job.createdAt, now)}</Table.Td>
    </Table.Tr>
  );
}

function Doing({ job }: { readonly job: Job }) {
  const running = job.stages.find((stage) => stage.state === "RUNNING");
  const done = job.stages.filter((stage) => stage.state === "SUCCEEDED").length;
  if (!running) {
    return (
      <Text size="sm" c="dimmed">
        {done} of {job.stages.length} stages
      </Text>
    );
  }
  const percent = running.total ? ((running.completed ?? 0) / running.total) * 100 : 0;
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm">{running.kind}</Text>
        <Text size="xs" c="dimmed">
          {running.phase}
        </Text>
      </Group>
      <Progress size="sm" value={percent} aria-label={`Progress of ${running.kind}`} />
    </div>
  );
}
