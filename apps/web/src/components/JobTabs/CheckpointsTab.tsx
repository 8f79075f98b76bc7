import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useQuery } from "urql";
import { checkpointsQuery } from "../../services/documents/job.ts";
import { absent, formatBytes, formatCount } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { Ago } from "../Ago/Ago.tsx";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";

type Checkpoint = NonNullable<ResultOf<typeof checkpointsQuery>["job"]>["checkpoints"][number];

/** What a job has stored of its training on the way, newest first. */
export function CheckpointsTab({ job }: { readonly job: JobSnapshot }) {
  const [state, refetch] = useQuery({ query: checkpointsQuery, variables: { id: job.id } });
  // Each epoch may bring one; the curves tell when an epoch has ended.
  const epoch = job.series.find(({ axis }) => axis === "epoch")?.steps.at(-1);
  useEffect(() => {
    if (epoch !== undefined) refetch({ requestPolicy: "network-only" });
  }, [epoch, refetch]);
  return (
    <Panel
      title="Checkpoints"
      help="The whole state of the training after an epoch: what another attempt goes on from. The newest is kept; earlier ones go once it is stored."
    >
      <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })}>
        {({ job: found }) =>
          found && found.checkpoints.length > 0 ? (
            <DataTable
              label="Checkpoints"
              columns={columnsFor(job.id)}
              rows={found.checkpoints.toSorted((a, b) => (b.epoch ?? 0) - (a.epoch ?? 0))}
              rowKey={({ id }) => id}
              minWidth={560}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {isTerminal(job.state) ? "There are none." : "The first is saved after an epoch."}
            </Text>
          )
        }
      </QueryView>
    </Panel>
  );
}

/** Leads to the form with the job's settings, to go on after a checkpoint of it. */
function ContinueLink({ jobId, checkpoint }: { readonly jobId: string; readonly checkpoint: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/jobs/new" search={{ from: jobId, checkpoint }} />}>
      Continue from here
    </Anchor>
  );
}

/** Leads to a job that trains no further: its embeddings are those of this epoch, to be laid beside later ones. */
function MapLink({ jobId, checkpoint: { id, epoch } }: { readonly jobId: string; readonly checkpoint: Checkpoint }) {
  if (epoch === null || epoch < 1) return null;
  const search = { from: jobId, checkpoint: id, epochs: epoch };
  return (
    <Anchor
      size="sm"
      title="A job that ends with this epoch: its map stands beside that of another run"
      renderRoot={(props) => <Link {...props} to="/jobs/new" search={search} />}
    >
      Map this epoch
    </Anchor>
  );
}

function columnsFor(jobId: string): readonly Column<Checkpoint>[] {
  return [
    { head: "Epoch", isRowHead: true, cell: (one) => one.epoch ?? absent },
    { head: "Step", align: "right", cell: (one) => formatCount(one.step) },
    { head: "Attempt", align: "right", cell: (one) => one.attempt ?? absent },
    { head: "Size", align: "right", cell: (one) => formatBytes(one.bytes) },
    { head: "Saved", align: "right", cell: (one) => <Ago at={one.createdAt} /> },
    {
      head: "Map",
      isHeadHidden: true,
      align: "right",
      cell: (one) => <MapLink jobId={jobId} checkpoint={one} />,
    },
    {
      head: "Continue",
      isHeadHidden: true,
      align: "right",
      cell: (one) => <ContinueLink jobId={jobId} checkpoint={one.id} />,
    },
  ];
}
