import { Alert, Anchor, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { EstimateState } from "../../hooks/use-estimate.ts";
import { secondsPerEpoch } from "../../services/estimate-parts.ts";
import { formatBytes, formatSeconds } from "../../services/format.ts";
import type { SparseSpec } from "../../services/job-form.ts";
import type { ShownProblem } from "../../services/problem.ts";
import { forecastLines } from "../../services/stage-forecast.ts";
import type { SweepParts } from "../../services/sweep-draft.ts";
import { Facts } from "../Facts/Facts.tsx";
import { EstimateParts } from "./EstimateParts.tsx";
import { MemoryBar } from "./MemoryBar.tsx";
import { RequestText } from "./RequestText.tsx";

interface SpecPreviewProps {
  readonly spec: SparseSpec;
  /** null: a single job is asked for. */
  readonly sweep: SweepParts | null;
  /** Epochs of the job; null: not a number yet */
  readonly epochs: number | null;
  readonly estimate: EstimateState["estimate"];
  readonly isFetching: boolean;
  readonly refusal: ShownProblem | null;
  /** A field of the form shows the refusal. */
  readonly isPlaced: boolean;
  /** Leads to that field */
  readonly onShowField: () => void;
  /** The field with the job's name */
  readonly name?: ReactNode;
  readonly children: ReactNode;
}

/** What the job will need, the button that starts it, and the same request for scripts. */
export function SpecPreview({ spec, sweep, epochs, name, children, ...state }: SpecPreviewProps) {
  return (
    <>
      <Paper component="section" aria-label="Estimate" withBorder p="md" bg="var(--hop-surface)">
        <Stack gap="sm">
          <Title order={2}>Estimate</Title>
          {state.estimate ? <Needs estimate={state.estimate} epochs={epochs} /> : <NoEstimate {...state} />}
          {name}
          {children}
        </Stack>
      </Paper>
      <RequestText spec={spec} sweep={sweep} />
    </>
  );
}

interface NeedsProps {
  readonly estimate: NonNullable<EstimateState["estimate"]>;
  readonly epochs: number | null;
}

function Needs({ estimate, epochs }: NeedsProps) {
  return (
    <>
      <Facts
        facts={[
          { label: "Memory per rank", value: formatBytes(estimate.memoryBytesPerRank) },
          { label: "Disk", value: formatBytes(estimate.diskBytes) },
          { label: "Time per epoch", value: formatSeconds(secondsPerEpoch(estimate, epochs)) },
          { label: "Time, roughly", value: formatSeconds(estimate.seconds), hint: "All stages, from start to end" },
        ]}
      />
      <Forecast stages={estimate.stages} />
      <MemoryBar explanation={estimate.explanation} />
      <EstimateParts explanation={estimate.explanation} />
      {!estimate.fits && (
        <Text size="sm" c="red" role="alert">
          No worker that is online can hold this job.
        </Text>
      )}
      {estimate.warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="Not all of the data will be used" role="alert">
          {estimate.warnings.map((warning) => (
            <Text key={warning} size="sm">
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      {estimate.notes.map((note) => (
        <Text key={note} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}

function Forecast({ stages }: Pick<NeedsProps["estimate"], "stages">) {
  const lines = forecastLines(stages);
  if (lines.length === 0) return null;
  return (
    <Text component="div" size="sm" role="group" aria-label="What is reused">
      {lines.map(({ title, stages: kinds }) => (
        <div key={title}>
          <b>{title}:</b> {kinds.join(", ")}
        </div>
      ))}
    </Text>
  );
}

type NoEstimateProps = Pick<SpecPreviewProps, "refusal" | "isPlaced" | "isFetching" | "onShowField">;

function NoEstimate({ refusal, isPlaced, isFetching, onShowField }: NoEstimateProps) {
  const pending = isFetching ? "Being worked out…" : "Not known yet.";
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {refusal === null && pending}
      {refusal !== null && !isPlaced && refusal.detail}
      {refusal !== null && isPlaced && (
        <>
          Not possible as it stands: the marked field says why.{" "}
          <Anchor component="button" type="button" size="sm" onClick={onShowField}>
            Go to the field
          </Anchor>
        </>
      )}
    </Text>
  );
}
