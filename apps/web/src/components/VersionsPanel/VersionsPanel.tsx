import { Anchor, Button, Group, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useNextVersion } from "../../hooks/use-next-version.ts";
import { formatDateTime } from "../../services/format.ts";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

interface VersionsPanelProps {
  readonly datasetId: string;
  /** Newest first */
  readonly versions: readonly { readonly number: number; readonly state: string; readonly createdAt: string }[];
  /** The one that is shown */
  readonly shown: number;
}

/** The versions of a dataset, each with its own graph, and the ways to the next one. */
export function VersionsPanel({ datasetId, versions, shown }: VersionsPanelProps) {
  const next = useNextVersion(datasetId);
  const [newest] = versions;
  const isFinished = newest?.state === "READY" || newest?.state === "FAILED";
  return (
    <Panel title="Versions" help="A version never changes once its graph is built. Jobs stay with theirs.">
      <Stack gap="sm">
        <Table.ScrollContainer minWidth={300}>
          <Table aria-label="Versions">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Version</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th ta="right">Made</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody className="num">
              {versions.map(({ number, state, createdAt }) => (
                <Table.Tr key={number}>
                  <Table.Td>
                    {number === shown ? (
                      <Text size="sm" fw={600} component="span" aria-current="true">
                        {number} (shown)
                      </Text>
                    ) : (
                      <Anchor component={Link} to={`/datasets/${datasetId}?version=${number}`} size="sm">
                        Version {number}
                      </Anchor>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <StateBadge state={state} size="sm" />
                  </Table.Td>
                  <Table.Td ta="right">{formatDateTime(createdAt)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {next.problem && <ProblemAlert problem={next.problem} />}
        {isFinished && (
          <Group gap="sm">
            <Button variant="default" loading={next.isBusy} onClick={() => void next.mapAgain()}>
              Map the files again
            </Button>
            <Button variant="default" disabled={next.isBusy} onClick={() => void next.withOtherFiles()}>
              Upload other files
            </Button>
            <Text size="sm" c="dimmed">
              Either makes version {(newest?.number ?? 0) + 1}.
            </Text>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
