import { Text } from "@mantine/core";
import type { JobSnapshot } from "../../services/job-state.ts";
import { Panel } from "../Panel/Panel.tsx";
import { RankTable } from "../RankTable/RankTable.tsx";

/** The processes of the newest attempt: how fast each is and where its time goes. */
export function RanksTab({ job }: { readonly job: JobSnapshot }) {
  const newest = Math.max(0, ...job.ranks.map((rank) => rank.attempt));
  const ranks = job.ranks.filter((rank) => rank.attempt === newest);
  return (
    <Panel
      title="Ranks"
      help="Each is a process with its own part of the graph; they exchange gradients at every step."
    >
      {ranks.length === 0 ? (
        <Text size="sm" c="dimmed">
          No process of this job has started.
        </Text>
      ) : (
        <RankTable ranks={ranks} />
      )}
    </Panel>
  );
}
