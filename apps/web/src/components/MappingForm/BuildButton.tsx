import type { DatasetSpecInput } from "@hopwise/contracts";
import { Button, Group } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMutation } from "urql";
import { ingestDatasetMutation } from "../../services/documents/datasets.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface BuildButtonProps {
  readonly datasetId: string;
  readonly versionId: string;
  /** null: something is still to be decided */
  readonly spec: DatasetSpecInput | null;
}

/** Confirms what the columns mean; the dataset's page then shows the graph being built. */
export function BuildButton({ datasetId, versionId, spec }: BuildButtonProps) {
  const navigate = useNavigate();
  const [{ fetching, error }, ingest] = useMutation(ingestDatasetMutation);
  const confirm = async () => {
    if (spec === null) return;
    const answer = await ingest({ version: versionId, spec });
    if (answer.data) await navigate({ to: "/datasets/$datasetId", params: { datasetId } });
  };
  return (
    <>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
      <Group>
        <Button onClick={() => void confirm()} loading={fetching} disabled={spec === null}>
          Build the graph
        </Button>
        {spec !== null && <CopyButton label="Copy as JSON" value={JSON.stringify(spec, null, 2)} />}
      </Group>
    </>
  );
}
