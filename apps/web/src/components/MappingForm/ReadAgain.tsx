import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { askForPreview, type ChosenReaders } from "../../services/datasets.ts";
import { problemOfUnknown, type ShownProblem } from "../../services/problem.ts";
import { JobProgress } from "../JobProgress/JobProgress.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface ReadAgainProps {
  readonly datasetId: string;
  readonly readers: ChosenReaders;
  readonly onEnded: () => void;
}

/** Has the files read with the readers that were chosen; the roles of columns are then proposed anew. */
export function ReadAgain({ datasetId, readers, onEnded }: ReadAgainProps) {
  const [jobId, setJobId] = useState<string | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const read = () => {
    setProblem(null);
    askForPreview(datasetId, readers)
      .then(setJobId)
      .catch((error: unknown) => setProblem(problemOfUnknown(error)));
  };
  if (jobId !== null) return <JobProgress jobId={jobId} onEnded={onEnded} />;
  return (
    <Stack gap="xs">
      {problem && <ProblemAlert problem={problem} />}
      <Button variant="default" w="fit-content" onClick={read}>
        Read the files again
      </Button>
    </Stack>
  );
}
