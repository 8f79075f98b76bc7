import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useNextVersion } from "../../hooks/use-next-version.ts";
import { Ago } from "../Ago/Ago.tsx";
import { VersionDifference } from "../DatasetProfile/VersionDifference.tsx";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

interface ListedVersion {
  readonly number: number;
  readonly state: string;
  readonly createdAt: string;
}

interface VersionsPanelProps {
  readonly datasetId: string;
  /** Newest first */
  readonly versions: readonly ListedVersion[];
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
        <DataTable
          label="Versions"
          columns={columnsOf(datasetId, shown)}
          rows={versions}
          rowKey={({ number }) => number}
          minWidth={300}
        />
        <VersionDifference datasetId={datasetId} numbers={builtNumbers(versions)} shown={shown} />
        {next.problem && <ProblemAlert problem={next.problem} />}
        {isFinished && (
          <Group gap="sm">
            <Button variant="default" loading={next.isBusy} onClick={() => void next.mapAgain()}>
              Map the files again
            </Button>
            {newest.state === "READY" && (
              <Button variant="default" disabled={next.isBusy} onClick={() => void next.withMoreRows()}>
                Add rows
              </Button>
            )}
            <Button variant="default" disabled={next.isBusy} onClick={() => void next.withOtherFiles()}>
              Upload other files
            </Button>
            <Text size="sm" c="dimmed">
              Each makes version {(newest?.number ?? 0) + 1}.
            </Text>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

/** Only a version whose graph was built has something to compare. */
function builtNumbers(versions: readonly ListedVersion[]): number[] {
  return versions.filter(({ state }) => state === "READY").map(({ number }) => number);
}

function columnsOf(datasetId: string, shown: number): readonly Column<ListedVersion>[] {
  return [
    { head: "Version", cell: ({ number }) => <VersionLink {...{ datasetId, number, isShown: number === shown }} /> },
    { head: "State", cell: ({ state }) => <StateBadge state={state} size="sm" /> },
    { head: "Made", align: "right", cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ];
}

interface VersionLinkProps {
  readonly datasetId: string;
  readonly number: number;
  readonly isShown: boolean;
}

function VersionLink({ datasetId, number, isShown }: VersionLinkProps) {
  if (isShown) {
    return (
      <Text size="sm" fw={600} component="span" aria-current="true">
        {number} (shown)
      </Text>
    );
  }
  return (
    <Anchor component={Link} to={`/datasets/${datasetId}?version=${number}`} size="sm">
      Version {number}
    </Anchor>
  );
}
