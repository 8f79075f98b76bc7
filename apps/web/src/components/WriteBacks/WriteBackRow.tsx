import type { CallProblem, WriteBack } from "@hopwise/client";
import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api } from "../../services/api.ts";
import { formatCount, formatSeconds } from "../../services/format.ts";
import { problemOfUnknown } from "../../services/problem.ts";
import { Ago } from "../Ago/Ago.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

interface WriteBackRowProps {
  readonly shown: WriteBack;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** One write-back: where to, how far it is, why nothing goes out, and what failed. */
export function WriteBackRow({ shown, mayChange, onChanged }: WriteBackRowProps) {
  const [refusal, setRefusal] = useState<CallProblem | null>(null);
  const { id, state, schema, table, output, nodeType, url, createdAt, finishedAt, waitReason, problem } = shown;
  const name = `${schema}.${table}`;
  const cancel = async () => {
    try {
      await api.call("POST /v1/write-backs/:id/cancel", { params: { id } });
      setRefusal(null);
    } catch (error) {
      setRefusal(problemOfUnknown(error));
    }
    onChanged();
  };
  return (
    <Stack gap={6} component="article" aria-label={`Write-back into ${name}`}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <StateBadge state={state} size="sm" />
          <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {output}
            {nodeType !== null && ` of ${nodeType}`}, <Ago at={createdAt} />
          </Text>
        </Group>
        {finishedAt === null && mayChange && (
          <Button size="xs" variant="default" onClick={() => void cancel()}>
            Cancel
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {url}
      </Text>
      <RowsWritten shown={shown} />
      {waitReason !== null && (
        <Text size="sm" role="status">
          {waitReason}
        </Text>
      )}
      {problem && <ProblemAlert problem={problem} />}
      {refusal && <ProblemAlert problem={refusal} />}
    </Stack>
  );
}

function RowsWritten({ shown: { state, rowsDone, rowsTotal, etaSeconds } }: { readonly shown: WriteBack }) {
  if (state === "SUCCEEDED")
    return (
      <Text size="xs" c="dimmed" className="num">
        {formatCount(rowsDone)} rows
      </Text>
    );
  if (state !== "RUNNING" || rowsTotal === null) return null;
  const share = rowsTotal === 0 ? 100 : (100 * rowsDone) / rowsTotal;
  return (
    <>
      <Progress size="sm" value={share} aria-label="Written" />
      <Text size="xs" c="dimmed" className="num">
        {formatCount(rowsDone)} of {formatCount(rowsTotal)} rows · {Math.floor(share)} %
        {etaSeconds !== null && ` · ${formatSeconds(Math.ceil(etaSeconds))} left`}
      </Text>
    </>
  );
}
