import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { keptLogLines } from "../../services/job-log.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { LogTail } from "../LogTail/LogTail.tsx";
import { Panel } from "../Panel/Panel.tsx";

export interface LogTabProps {
  readonly job: JobSnapshot;
  readonly onEarlier: () => Promise<unknown>;
  readonly line: number | undefined;
}

/** The job's log as it grows. */
export function LogTab({ job: { id, state, logs, stages }, onEarlier, line }: LogTabProps) {
  const hasEarlier = logs.hasPreviousPage && logs.lines.length < keptLogLines;
  return (
    <Panel title="Log">
      <LogTail
        jobId={id}
        pointedLine={line}
        isOver={isTerminal(state)}
        lines={logs.lines}
        onEarlier={hasEarlier ? onEarlier : undefined}
        stageName={(index) => stages.find((stage) => stage.index === index)?.kind ?? "job"}
      />
    </Panel>
  );
}
