import { Text } from "@mantine/core";
import { formatCount, formatSeconds, humanize } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { secondsOf, shareOfStage } from "../../services/time-left.ts";
import { stageMeanings } from "../StageTimeline/StageTimeline.tsx";
import classes from "./StageStepper.module.css";

type Stage = JobSnapshot["stages"][number];

interface StageStepperProps {
  readonly stages: readonly Stage[];
  /** The job has ended, and what has not begun never will. */
  readonly isOver: boolean;
  readonly now: number;
}

/** The stages of a job side by side: which are done, how long they took, and how far the running one is. */
export function StageStepper({ stages, isOver, now }: StageStepperProps) {
  const running = stages.find(({ state }) => state === "RUNNING");
  const failed = stages.find(({ problem }) => problem !== null);
  return (
    <>
      <ol className={classes.list} aria-label="Stages">
        {stages.map((stage) => (
          <li
            key={stage.index}
            className={classes.stage}
            data-state={stage.state}
            data-stage={stage.kind}
            title={stageMeanings[stage.kind] ?? "A step of the catalogue"}
          >
            <div className={classes.bar} aria-hidden="true">
              <div className={classes.fill} style={{ width: `${widthOf(stage) * 100}%` }} />
            </div>
            <div className={classes.name}>{stage.kind}</div>
            <Text size="xs" c="dimmed" className="num">
              {wordOf(stage, isOver, now)}
            </Text>
          </li>
        ))}
      </ol>
      {running && (
        <Text size="sm" c="dimmed" mt={6} className="num">
          {detailOf(running)}
        </Text>
      )}
      {failed?.problem && (
        <Text size="sm" c="red" mt={6}>
          {failed.kind}: {failed.problem.title}
        </Text>
      )}
    </>
  );
}

function widthOf(stage: Stage): number {
  if (stage.state === "RUNNING") return Math.max(0.04, shareOfStage(stage));
  return stage.state === "PENDING" || stage.state === "QUEUED" ? 0 : 1;
}

function wordOf(stage: Stage, isOver: boolean, now: number): string {
  if (stage.cached) return "Reused";
  const isYetToRun = stage.state === "PENDING" || stage.state === "QUEUED";
  if (isYetToRun) return isOver ? "Not run" : humanize(stage.state.toLowerCase());
  const took = secondsOf(stage, now);
  const time = took === null ? "" : formatSeconds(took);
  return stage.state === "SUCCEEDED" || stage.state === "RUNNING"
    ? time
    : `${humanize(stage.state.toLowerCase())} ${time}`;
}

function detailOf({ kind, phase, completed, total, unit, etaSeconds }: Stage): string {
  const parts = [
    phase,
    total ? `${formatCount(completed ?? 0)} of ${formatCount(total)} ${unit ?? ""}` : null,
    etaSeconds ? `about ${formatSeconds(etaSeconds)} left in ${kind}` : null,
  ];
  return parts.filter(Boolean).join(" · ");
}
