import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Stack } from "@mantine/core";
import { useEffect } from "react";
import { useJob } from "../../hooks/use-job.ts";
import { LoadingShape } from "../LoadingShape/LoadingShape.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { StageTimeline } from "../StageTimeline/StageTimeline.tsx";

/** The stages of a job that the service runs for a dataset, live; tells when it has ended. */
export function JobProgress({ jobId, onEnded }: { readonly jobId: string; readonly onEnded: () => void }) {
  const { job, problem, reload } = useJob(jobId);
  const ended = job ? isTerminal(job.state) : false;
  useEffect(() => {
    if (ended) onEnded();
  }, [ended, onEnded]);
  return (
    <Stack gap="sm">
      {problem && <ProblemAlert problem={problem} onRetry={reload} />}
      {job?.problem && <ProblemAlert problem={job.problem} />}
      {job ? <StageTimeline stages={job.stages} isOver={ended} /> : !problem && <LoadingShape shape="line" />}
    </Stack>
  );
}
