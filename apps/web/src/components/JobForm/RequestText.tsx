import { Code, Group, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { SparseSpec } from "../../services/job-form.ts";
import { commandText, curlText, mutationText, pythonText, typescriptText } from "../../services/request-text.ts";
import type { SweepParts } from "../../services/sweep-draft.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import classes from "./JobForm.module.css";

type Form = "graphql" | "curl" | "typescript" | "python" | "hopwise";
const writers: Readonly<Record<Form, (spec: SparseSpec, sweep: SweepParts | null) => string>> = {
  graphql: mutationText,
  curl: (spec, sweep) => curlText(spec, sweep, location.origin),
  typescript: (spec, sweep) => typescriptText(spec, sweep, location.origin),
  python: (spec, sweep) => pythonText(spec, sweep, location.origin),
  hopwise: (spec, sweep) => commandText(spec, sweep, location.origin),
};

interface RequestTextProps {
  readonly spec: SparseSpec;
  /** null: a single job is asked for. */
  readonly sweep: SweepParts | null;
}

/** A request for scripts that submits what the form says, folded until somebody writes one. */
export function RequestText({ spec, sweep }: RequestTextProps) {
  const [form, setForm] = useState<Form>("graphql");
  const text = writers[form](spec, sweep);
  return (
    <Paper component="section" aria-label="The same as a request" withBorder px="md" py="xs" bg="var(--hop-surface)">
      <details>
        <summary className={classes.summary}>The same as a request</summary>
        <Stack gap="sm" py="xs">
          <Group justify="space-between">
            <SegmentedControl
              size="xs"
              aria-label="Form of the request"
              value={form}
              onChange={setForm}
              data={[
                { value: "graphql", label: "GraphQL" },
                { value: "curl", label: "curl" },
                { value: "typescript", label: "TypeScript" },
                { value: "python", label: "Python" },
                { value: "hopwise", label: "hopwise" },
              ]}
            />
            <CopyButton label="Copy" value={text} />
          </Group>
          <Code block mah={360} style={{ overflow: "auto" }} tabIndex={0} aria-label="Request text">
            {text}
          </Code>
          <Text size="xs" c="dimmed">
            What is not named takes its default.
          </Text>
        </Stack>
      </details>
    </Paper>
  );
}
