import { Alert, Text } from "@mantine/core";
import { bottleneckOf, newestRanks } from "../../services/bottleneck.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { Panel } from "../Panel/Panel.tsx";
import { RankTable } from "../RankTable/RankTable.tsx";
import { UsagePanel } from "./UsagePanel.tsx";

/** The processes of the newest attempt: how fast each is, where its time goes, and what it used over time. */
export function RanksTab({ job }: { readonly job: JobSnapshot }) {
  const ranks = newestRanks(job.ranks);
  const bottleneck = bottleneckOf(ranks);
  return (
    <>
      <Panel
        title="Ranks"
        help="Each is a process with its own part of the graph; they exchange gradients at every step."
      >
        {bottleneck && (
          <Alert color="gray" variant="light" title={bottleneck.title} role="note">
            {bottleneck.detail}
          </Alert>
        )}
        {ranks.length === 0 ? (
          <Text size="sm" c="dimmed">
            No process of this job has started.
          </Text>
        ) : (
          <RankTable ranks={ranks} />
        )}
      </Panel>
      {ranks.length > 0 && <UsagePanel job={job} />}
    </>
  );
}
