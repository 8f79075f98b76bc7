import { Anchor, Select, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { useMutation, useQuery } from "urql";
import { useLiveRefresh } from "../../hooks/use-live-refresh.ts";
import { setJobPriorityMutation } from "../../services/documents/jobs.ts";
import { queueQuery } from "../../services/documents/workers.ts";
import { formatCount } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { Ago } from "../Ago/Ago.tsx";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";

type Queue = ResultOf<typeof queueQuery>["queue"];
type Waiting = Queue["jobs"][number];

const priorities = ["10", "9", "8", "7", "6", "5", "4", "3", "2", "1"];

const topics = ["QUEUE"] as const;

/** Who waits for a worker, in which order and why; who may train may also change the order. */
export function QueuePanel({ mayReorder }: { readonly mayReorder: boolean }) {
  const [state, refetch] = useQuery({ query: queueQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 2000 });
  const [{ fetching, error }, setPriority] = useMutation(setJobPriorityMutation);
  const onPriority = async (id: string, priority: number) => {
    const { data } = await setPriority({ id, priority });
    if (data) refresh();
  };
  return (
    <Panel title="Queue" help="Jobs begin by priority, 10 before 1; those of one priority by age.">
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      <QueryView state={state} onRetry={refresh}>
        {({ queue }) =>
          queue.jobs.length === 0 ? (
            <Text size="sm" c="dimmed">
              {hiddenOf(queue) ?? "No job waits. The next one begins at once, if a worker has room for it."}
            </Text>
          ) : (
            <DataTable
              label="Waiting jobs"
              columns={columnsFor(mayReorder && !fetching ? onPriority : null)}
              rows={queue.jobs}
              rowKey={({ jobId }) => jobId}
              minWidth={640}
            />
          )
        }
      </QueryView>
    </Panel>
  );
}

/** A key of one project is told how many others wait. */
function hiddenOf({ length }: Queue): string | null {
  if (length === 0) return null;
  return length === 1 ? "One job of another project waits." : `${formatCount(length)} jobs of other projects wait.`;
}

type OnPriority = (id: string, priority: number) => Promise<void>;

function columnsFor(onPriority: OnPriority | null): readonly Column<Waiting>[] {
  return [
    { head: "Place", align: "right", width: 70, cell: ({ position }) => position },
    {
      head: "Job",
      cell: ({ jobId, name }) => (
        <Anchor size="sm" component={Link} to={`/jobs/${jobId}`}>
          {name || jobId}
        </Anchor>
      ),
    },
    { head: "Priority", cell: (job) => <Priority job={job} onPriority={onPriority} /> },
    { head: "Submitted", align: "right", cell: ({ submittedAt }) => <Ago at={submittedAt} /> },
    { head: "Why it waits", cell: ({ reason }) => reason ?? "The scheduler has not looked at it yet." },
  ];
}

function Priority({ job, onPriority }: { readonly job: Waiting; readonly onPriority: OnPriority | null }) {
  const { jobId, name, priority } = job;
  return (
    <Select
      size="xs"
      w={72}
      aria-label={`Priority of ${name || jobId}`}
      data={priorities}
      value={String(priority)}
      disabled={onPriority === null}
      allowDeselect={false}
      onChange={(value) => value && void onPriority?.(jobId, Number(value))}
    />
  );
}
