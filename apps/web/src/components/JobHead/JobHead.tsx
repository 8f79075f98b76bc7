import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Text } from "@mantine/core";
import { useNow } from "../../hooks/use-now.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { type Headline, headlineOf, lossOf } from "../../services/metric-summary.ts";
import { formatMetric, metricOf, splitWord } from "../../services/metrics.ts";
import { stateLine } from "../../services/state-line.ts";
import { StageStepper } from "../StageStepper/StageStepper.tsx";
import classes from "./JobHead.module.css";

/** What is to be seen of a job without scrolling: what it does, how far it is, and how well it learns. */
export function JobHead({ job }: { readonly job: JobSnapshot }) {
  const now = useNow(true, isTerminal(job.state) ? 30_000 : 1000);
  const headline = headlineOf(job.series, job.task);
  const loss = lossOf(job.series, job.task);
  const test = headline ? metricOf(job.model?.metrics, `test/${headline.metric}`) : null;
  return (
    <section aria-label="At a glance" style={{ display: "grid", gap: 12 }}>
      <p className={classes.line} style={{ margin: 0 }}>
        {stateLine(job, now)}
      </p>
      <div className={classes.head} data-figures={headline || loss ? 2 : 0}>
        {headline && <HeadFigure headline={headline} job={job} test={test} />}
        {loss && <HeadFigure headline={loss} job={job} test={null} isLesser />}
        <div className={classes.cell}>
          <StageStepper stages={job.stages} isOver={isTerminal(job.state)} now={now} />
        </div>
      </div>
    </section>
  );
}

interface HeadFigureProps {
  readonly headline: Headline;
  readonly job: JobSnapshot;
  /** What the best weights come to on the test nodes, once that is known */
  readonly test: number | null;
  readonly isLesser?: boolean;
}

function HeadFigure({ headline: { metric, title, summary }, job, test, isLesser = false }: HeadFigureProps) {
  const { name, axis, best, last, min, max } = summary;
  const show = (value: number) => formatMetric(value, metric, job.task);
  const split = splitWord(name) ?? "";
  return (
    <div className={classes.cell} role="group" aria-label={title}>
      <Text size="sm" c="dimmed">
        {`${title}, ${test === null ? split : "test"}`}
      </Text>
      <p className={`${classes.figure} num`} data-lesser={isLesser} style={{ margin: 0 }}>
        {show(test ?? (isLesser ? last.value : best.value))}
      </p>
      <Text component="dl" size="xs" c="dimmed" className={`${classes.facts} num`}>
        <FigurePart
          name={test === null ? "best" : `best ${split}`}
          value={`${show(best.value)} (${axis} ${best.at})`}
        />
        <FigurePart name="last" value={show(last.value)} />
        <FigurePart name="min" value={show(min.value)} />
        <FigurePart name="max" value={show(max.value)} />
      </Text>
    </div>
  );
}

function FigurePart({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
