import { Alert, Code, Group, Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { EstimateState } from "../../hooks/use-estimate.ts";
import { formatBytes, formatSeconds } from "../../services/format.ts";
import { curlText, mutationText, type SparseSpec } from "../../services/job-form.ts";
import type { ShownProblem } from "../../services/problem.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import { Facts } from "../Facts/Facts.tsx";
import { EstimateParts } from "./EstimateParts.tsx";

interface SpecPreviewProps {
  readonly spec: SparseSpec;
  readonly estimate: EstimateState["estimate"];
  readonly isFetching: boolean;
  readonly refusal: ShownProblem | null;
  /** A field of the form shows the refusal. */
  readonly isPlaced: boolean;
  readonly children: ReactNode;
}

/** What the job will need, the button that starts it, and the same request for scripts. */
export function SpecPreview({ spec, children, ...state }: SpecPreviewProps) {
  return (
    <>
      <Paper component="section" aria-label="Estimate" withBorder p="md" bg="var(--hop-surface)">
        <Stack gap="sm">
          <Title order={2}>Estimate</Title>
          {state.estimate ? <Needs estimate={state.estimate} /> : <NoEstimate {...state} />}
          {children}
        </Stack>
      </Paper>
      <RequestText spec={spec} />
    </>
  );
}

function Needs({ estimate }: { readonly estimate: NonNullable<EstimateState["estimate"]> }) {
  return (
    <>
      <Facts
        facts={[
          { label: "Memory per rank", value: formatBytes(estimate.memoryBytesPerRank) },
          { label: "Disk", value: formatBytes(estimate.diskBytes) },
          { label: "Time, roughly", value: formatSeconds(estimate.seconds) },
        ]}
      />
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

function NoEstimate({ refusal, isPlaced, isFetching }: Pick<SpecPreviewProps, "refusal" | "isPlaced" | "isFetching">) {
  const pending = isFetching ? "Being worked out…" : "Not known yet.";
  const refused = isPlaced ? "Not possible as it stands: the marked field says why." : refusal?.detail;
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {refusal ? refused : pending}
    </Text>
  );
}

function RequestText({ spec }: { readonly spec: SparseSpec }) {
  const [form, setForm] = useState<"graphql" | "curl">("graphql");
  const text = form === "graphql" ? mutationText(spec) : curlText(spec, location.origin);
  return (
    <Paper component="section" aria-label="The same as a request" withBorder p="md" bg="var(--hop-surface)">
      <Stack gap="sm">
        <Group justify="space-between">
          <SegmentedControl
            size="xs"
            aria-label="Form of the request"
            value={form}
            onChange={(value) => setForm(value === "curl" ? "curl" : "graphql")}
            data={[
              { value: "graphql", label: "GraphQL" },
              { value: "curl", label: "REST (curl)" },
            ]}
          />
          <CopyButton label={form === "graphql" ? "Copy as GraphQL" : "Copy as curl"} value={text} />
        </Group>
        <Code block mah={360} style={{ overflow: "auto" }} tabIndex={0} aria-label="Request text">
          {text}
        </Code>
        <Text size="xs" c="dimmed">
          What is not named takes its default.
        </Text>
      </Stack>
    </Paper>
  );
}
