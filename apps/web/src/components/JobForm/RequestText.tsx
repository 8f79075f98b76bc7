import { Code, Group, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { commandText, curlText, mutationText, type SparseSpec, typescriptText } from "../../services/job-form.ts";
import { CopyButton } from "../CopyButton/CopyButton.tsx";
import classes from "./JobForm.module.css";

type Form = "graphql" | "curl" | "typescript" | "hopwise";
const writers: Readonly<Record<Form, (spec: SparseSpec) => string>> = {
  graphql: mutationText,
  curl: (spec) => curlText(spec, location.origin),
  typescript: (spec) => typescriptText(spec, location.origin),
  hopwise: (spec) => commandText(spec, location.origin),
};

/** A request for scripts that submits this job, folded until somebody writes one. */
export function RequestText({ spec }: { readonly spec: SparseSpec }) {
  const [form, setForm] = useState<Form>("graphql");
  const text = writers[form](spec);
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
