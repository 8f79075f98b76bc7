import { Text } from "@mantine/core";
import type { JobSnapshot } from "../../services/job-state.ts";
import { Panel } from "../Panel/Panel.tsx";
import { PartitionTable } from "../PartitionTable/PartitionTable.tsx";

/** How the job's graph was cut. */
export function PartitionTab({ job: { partition } }: { readonly job: JobSnapshot }) {
  return (
    <Panel title="Partition" help="How the graph was cut: even shares and few cut edges make ranks wait less.">
      {partition ? (
        <PartitionTable report={partition} />
      ) : (
        <Text size="sm" c="dimmed">
          The graph has not been cut yet.
        </Text>
      )}
    </Panel>
  );
}
