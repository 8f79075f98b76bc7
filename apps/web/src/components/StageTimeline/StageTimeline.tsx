import { Badge, Progress, Text } from "@mantine/core";
import { useNow } from "../../hooks/use-now.ts";
import { formatCount, formatSeconds, secondsBetween } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { StateBadge } from "../StateBadge/StateBadge.tsx";
import classes from "./StageTimeline.module.css";

type Stage = JobSnapshot["stages"][number];

/** What each stage is for. */
export const stageMeanings: Readonly<Record<string, string>> = {
  map: "Look into the files",
  ingest: "Read the files into a graph",
  partition: "Cut the graph into one part per rank",
  train: "Learn the model's weights",
  infer: "Embed and classify every node",
  remap: "Put rows back under your ids",
  project: "Draw the map of the embeddings",
  export: "Write the download files",
};

interface StageTimelineProps {
  readonly stages: readonly Stage[];
  /** The job has ended, and what has not begun never will. */
  readonly isOver: boolean;
}

/** The stages of a job in order, each with what it is doing and how far it is. */
export function StageTimeline({ stages, isOver }: StageTimelineProps) {
  const now = useNow(stages.some((stage) => stage.state === "RUNNING"));
  return (
    <ol className={classes.list} aria-label="Stages">
      {stages.map((stage) => (
        <li key={stage.index} className={classes.stage} data-state={stage.state} data-stage={stage.kind}>
          <span className={classes.dot} aria-hidden="true" />
          <div className={classes.name}>
            <Text fw={600} size="sm">
              {stage.kind}
            </Text>
            <Text size="xs" c="dimmed">
              {stageMeanings[stage.kind] ?? "A step of the catalogue"}
            </Text>
          </div>
          <StageProgress stage={stage} />
          <div className={classes.end}>
            {stage.cached ? (
              <Badge variant="outline" color="gray" radius="sm" tt="none" title="An earlier job made the same artifact">
                Reused
              </Badge>
            ) : (
              <StateBadge state={isOver && isYetToRun(stage) ? "SKIPPED" : stage.state} size="sm" />
            )}
            <Text size="xs" c="dimmed" className="num">
              {stage.startedAt && !stage.cached
                ? formatSeconds(secondsBetween(stage.startedAt, stage.finishedAt, now))
                : ""}
            </Text>
          </div>
        </li>
      ))}
    </ol>
  );
}

function isYetToRun({ state }: Stage): boolean {
  return state === "PENDING" || state === "QUEUED";
}

function StageProgress({ stage }: { readonly stage: Stage }) {
  if (stage.problem) {
    return (
      <Text size="sm" c="red">
        {stage.problem.title}
      </Text>
    );
  }
  if (stage.state !== "RUNNING") return <div />;
  const { completed, total, unit, phase, etaSeconds } = stage;
  const percent = total ? Math.min(100, ((completed ?? 0) / total) * 100) : null;
  return (
    <div className={classes.progress}>
      <Progress
        value={percent ?? 100}
        animated={percent === null}
        striped={percent === null}
        aria-label={`Progress of ${stage.kind}`}
      />
      <Text size="xs" c="dimmed" className="num">
        {[
          phase,
          total ? `${formatCount(completed ?? 0)} of ${formatCount(total)} ${unit ?? ""}` : null,
          etaSeconds ? `about ${formatSeconds(etaSeconds)} left` : null,
        ]
          .filter(Boolean)
          .join(" · ")}
      </Text>
    </div>
  );
}
