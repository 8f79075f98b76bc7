import { Alert, Button, List, Stack, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { type FinishingFile, useUnfinishedUploads } from "../../hooks/use-unfinished-uploads.ts";
import { askForPreview } from "../../services/datasets.ts";
import { formatBytes, formatPercent } from "../../services/format.ts";
import { problemOfUnknown, type ShownProblem } from "../../services/problem.ts";
import { missingFiles, type PlannedFile } from "../../services/upload-plan.ts";
import { AddFiles } from "../AddFiles/AddFiles.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface UnfinishedVersionProps {
  readonly datasetId: string;
  readonly files: readonly PlannedFile[];
  /** Whether a worker was asked to look into the files */
  readonly isLookedInto: boolean;
  /** Told when another file is there */
  readonly onChanged: () => void;
}

/** What a version lacks until its graph can be built: files that did not arrive, or what their columns mean. */
export function UnfinishedVersion({ datasetId, files, isLookedInto, onChanged }: UnfinishedVersionProps) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { partial, finishing } = useUnfinishedUploads(datasetId, onChanged);
  const missing = missingFiles(datasetId, [...files, ...finishing], partial);
  const map = useCallback(
    () => void navigate({ to: "/datasets/$datasetId/mapping", params: { datasetId } }),
    [navigate, datasetId],
  );
  const look = () => {
    setProblem(null);
    setIsAsking(true);
    askForPreview(datasetId)
      .then(map)
      .catch((error: unknown) => setProblem(problemOfUnknown(error)))
      .finally(() => setIsAsking(false));
  };
  return (
    <Alert color="yellow" variant="light" title={titleOf(files, missing, finishing)}>
      <Stack gap="sm">
        <FinishingFiles files={finishing} />
        {(files.length > 0 || finishing.length === 0) && <Text size="sm">{whatIsHere(files)}</Text>}
        {missing.length > 0 && (
          <>
            <Text size="sm">
              The upload was broken off. Choose the same files again: what has arrived of them is not sent again.
            </Text>
            <List size="sm" aria-label="Missing files">
              {missing.map(({ name, bytes, arrivedBytes }) => (
                <List.Item key={`${name} ${bytes}`}>
                  {name} ({formatBytes(bytes)}) is missing
                  {arrivedBytes > 0 && `; ${formatBytes(arrivedBytes)} of it have arrived`}
                </List.Item>
              ))}
            </List>
          </>
        )}
        {problem && <ProblemAlert problem={problem} />}
        <AddFiles datasetId={datasetId} present={files.map(({ name }) => name)} onDone={map} />
        {files.length > 0 && isLookedInto && (
          <Button component={Link} to={`/datasets/${datasetId}/mapping`} w="fit-content">
            Map the columns
          </Button>
        )}
        {files.length > 0 && !isLookedInto && (
          <Button variant={missing.length > 0 ? "default" : "filled"} onClick={look} loading={isAsking} w="fit-content">
            Look into the files
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function FinishingFiles({ files }: { readonly files: readonly FinishingFile[] }) {
  return files.map(({ name, bytes, finishedBytes }) => (
    <Text key={`${name} ${bytes}`} size="sm" role="status" aria-label={`Putting ${name} together`}>
      All of {name} ({formatBytes(bytes)}) has come; the service is putting it together:{" "}
      {formatPercent(finishedBytes / Math.max(1, bytes), 0)}
    </Text>
  ));
}

function titleOf(files: readonly unknown[], missing: readonly unknown[], finishing: readonly unknown[]): string {
  if (missing.length > 0) return "Not every file has arrived";
  if (finishing.length > 0) return "What has arrived is being put together";
  return files.length === 0 ? "No file has arrived yet" : "One step is missing";
}

function whatIsHere(files: readonly PlannedFile[]): string {
  if (files.length === 0) return "Choose the files of the graph: at least a list of its edges.";
  const names = files.map(({ name }) => name).join(", ");
  return `${files.length === 1 ? "One file is" : `${files.length} files are`} here: ${names}. Say what the columns mean, and the graph is built.`;
}
