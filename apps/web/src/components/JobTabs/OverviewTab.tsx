import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Anchor, Group, SimpleGrid, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { calibrationOf } from "../../services/calibration.ts";
import { confusionOf } from "../../services/confusion.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { headlineOf, type MetricSummary } from "../../services/metric-summary.ts";
import { figureName, formatMetric, metricsOf } from "../../services/metrics.ts";
import { groupSeries } from "../../services/series.ts";
import { AttemptTable } from "../AttemptTable/AttemptTable.tsx";
import { ConfusionMatrix } from "../ConfusionMatrix/ConfusionMatrix.tsx";
import { DownloadButton } from "../DownloadButton/DownloadButton.tsx";
import { Facts } from "../Facts/Facts.tsx";
import { IncidentList } from "../IncidentList/IncidentList.tsx";
import { MetricChart } from "../MetricChart/MetricChart.tsx";
import { NewNeighbors } from "../NewNeighbors/NewNeighbors.tsx";
import { NodeLookup } from "../NodeLookup/NodeLookup.tsx";
import { NotePanel } from "../NotePanel/NotePanel.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { RelationFigures } from "../RelationFigures/RelationFigures.tsx";
import { ReliabilityDiagram } from "../ReliabilityDiagram/ReliabilityDiagram.tsx";
import { UnseenNodes } from "../UnseenNodes/UnseenNodes.tsx";

export interface TabProps {
  readonly job: JobSnapshot;
}

/** How well a job learns, what disturbed it, and what came out. */
export function OverviewTab({ job, onNoted }: TabProps & { readonly onNoted: () => void }) {
  return (
    <>
      <Result job={job} />
      {job.stages.some(({ kind, state }) => kind === "matchRows" && state === "SUCCEEDED") && (
        <UnseenNodes jobId={job.id} />
      )}
      {job.stages.some(({ kind, state }) => kind === "recommend" && state === "SUCCEEDED") && (
        <>
          <RelationFigures jobId={job.id} task={job.task} />
          <NewNeighbors jobId={job.id} />
        </>
      )}
      <Disturbances job={job} />
      <Learning job={job} />
      <Mistakes job={job} />
      <Trust job={job} />
      {job.state === "SUCCEEDED" && job.stages.some(({ kind }) => kind === "remap") && (
        <NodeLookup rows={{ job: job.id }} />
      )}
      <NotePanel jobId={job.id} note={job.note} onNoted={onNoted} />
      {job.attempts.length > 0 && (
        <Panel title="Attempts" help="A job that loses its worker begins another attempt from its last checkpoint.">
          <AttemptTable attempts={job.attempts} />
        </Panel>
      )}
    </>
  );
}

function Result({ job }: TabProps) {
  const splits = metricsOf(job.metrics ?? job.model?.metrics, job.task);
  if (splits.length === 0) return null;
  return (
    <Panel
      title="Result"
      help={
        job.kind === "infer"
          ? "How the applied model does on the labelled nodes of this dataset’s own split."
          : "The figures of the model that was best by its validation metric."
      }
      aside={
        <Group gap="xs">
          {job.model?.downloads.map((download) => (
            <DownloadButton key={download.url} label={download.name} {...download} />
          ))}
        </Group>
      }
    >
      {splits.map(({ split, metrics }) => (
        <Facts
          key={split}
          facts={metrics.map(({ name, text }) => ({ label: figureName(name, job.task), value: text }))}
        />
      ))}
    </Panel>
  );
}

function Disturbances({ job }: TabProps) {
  if (job.incidents.length === 0 && job.attempts.length < 2) return null;
  return (
    <Panel title="What happened" help="Disturbances and how the job went on.">
      <IncidentList incidents={job.incidents} attempts={job.attempts} />
    </Panel>
  );
}

/** The loss and what stands for the result; the other curves have a view of their own. */
function Learning({ job }: TabProps) {
  const trains = job.stages.some((stage) => stage.kind === "train");
  if (!trains && job.series.length === 0) return null;
  const groups = groupSeries(job.series, job.task);
  const best = headlineOf(job.series, job.task)?.summary;
  return (
    <Panel
      title="Learning"
      aside={
        groups.length > 2 && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/jobs/$jobId"
                params={{ jobId: job.id }}
                search={{ tab: "metrics" }}
                resetScroll={false}
              />
            )}
          >
            All {groups.length} charts
          </Anchor>
        )
      }
    >
      {groups.length === 0 ? (
        <NoCurves isOver={isTerminal(job.state)} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
          {groups.slice(0, 2).map(({ metric, ...group }) => (
            <MetricChart
              key={`${metric} ${group.axis}`}
              syncKey={job.id}
              best={bestOn(group.axis, best)}
              format={(value) => formatMetric(value, metric, job.task)}
              {...group}
            />
          ))}
        </SimpleGrid>
      )}
    </Panel>
  );
}

/** The best epoch has no place on an axis of steps. */
export function bestOn(axis: string, summary: MetricSummary | undefined): number | null {
  return summary?.axis === axis ? summary.best.at : null;
}

export function NoCurves({ isOver }: { readonly isOver: boolean }) {
  return (
    <Text size="sm" c="dimmed">
      {isOver ? "It ended before its first epoch: there are no curves." : "Curves appear after the first epoch."}
    </Text>
  );
}

function Trust({ job }: TabProps) {
  const calibration = calibrationOf(job.model?.info);
  if (!calibration) return null;
  return (
    <Panel title="Calibration" help="Whether the model is right as often as it says.">
      <ReliabilityDiagram calibration={calibration} />
    </Panel>
  );
}

function Mistakes({ job }: TabProps) {
  const confusion = confusionOf(job.model?.info);
  if (!confusion) return null;
  return (
    <Panel title="Mistakes" help="Which classes the model takes for which.">
      <ConfusionMatrix confusion={confusion} />
    </Panel>
  );
}
