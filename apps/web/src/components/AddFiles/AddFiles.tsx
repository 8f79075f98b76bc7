import { Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { useCallback } from "react";
import { useDatasetUpload } from "../../hooks/use-dataset-upload.ts";
import { JobProgress } from "../JobProgress/JobProgress.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { UploadList } from "../UploadList/UploadList.tsx";

interface AddFilesProps {
  readonly datasetId: string;
  /** Names of the files that are there */
  readonly present: readonly string[];
  /** All has arrived and was looked into */
  readonly onDone: () => void;
}

/** Adds files to a dataset that is not finished, or puts others in the place of those of the same name. */
export function AddFiles({ datasetId, present, onDone }: AddFilesProps) {
  const { upload, items, isBusy, previewJobId, startedAtMs, problem, numToSend } = useDatasetUpload(datasetId);
  const end = useCallback(() => {
    upload.clear();
    onDone();
  }, [upload, onDone]);
  if (previewJobId !== null) return <JobProgress jobId={previewJobId} onEnded={end} />;
  return (
    <Stack gap="sm">
      {items.length > 0 && (
        <UploadList items={items} startedAtMs={startedAtMs} onRemove={upload.remove} isBusy={isBusy} />
      )}
      {problem && <ProblemAlert problem={problem} />}
      <Group gap="sm">
        <FileButton multiple disabled={isBusy} onChange={(files) => upload.add(files, present)}>
          {(props) => (
            <Button {...props} variant="default" disabled={isBusy}>
              Add files
            </Button>
          )}
        </FileButton>
        {items.length > 0 && (
          <Button onClick={() => void upload.start()} loading={isBusy} disabled={numToSend === 0}>
            Upload and look into them
          </Button>
        )}
        {isBusy && (
          <Button variant="default" onClick={upload.stop}>
            Stop
          </Button>
        )}
        {items.length === 0 && (
          <Text size="sm" c="dimmed">
            A file of a name that is there already takes its place, unless this version only adds rows.
          </Text>
        )}
      </Group>
    </Stack>
  );
}
