import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import type { ShownProblem } from "../../services/problem.ts";

interface ProblemAlertProps {
  readonly problem: ShownProblem;
  readonly onRetry?: (() => void) | undefined;
}

/** An error as the API words it (found, expected, next step), its place and its code. */
export function ProblemAlert({ problem, onRetry }: ProblemAlertProps) {
  const place = placeOf(problem);
  return (
    <Alert color="red" variant="light" title={problem.title} role="alert">
      <Text size="sm">{problem.detail}</Text>
      <Group mt="xs" gap="xs">
        {place && (
          <Text size="sm" c="dimmed">
            {place}
          </Text>
        )}
        <Anchor href={`/help/errors.html#${problem.code}`} ff="monospace" size="xs" title="What this code means">
          {problem.code}
        </Anchor>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function placeOf({ file, line, field, pointer }: ShownProblem): string | null {
  const parts = [
    file && `file ${file}`,
    line !== undefined && line !== null && `line ${line}`,
    field && `column ${field}`,
    pointer && `at ${pointer}`,
  ].filter((part) => typeof part === "string" && part !== "");
  return parts.length > 0 ? parts.join(", ") : null;
}
