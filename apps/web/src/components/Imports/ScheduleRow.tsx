import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "urql";
import {
  deleteImportScheduleMutation,
  type importSchedulesQuery,
  pauseImportScheduleMutation,
  resumeImportScheduleMutation,
} from "../../services/documents/imports.ts";
import { formatDateTime, humanize } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { cadenceText, pauseText, scheduleText } from "../../services/schedule-text.ts";
import { Ago } from "../Ago/Ago.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

type Schedule = ResultOf<typeof importSchedulesQuery>["importSchedules"][number];

interface ScheduleRowProps {
  readonly shown: Schedule;
  readonly onChanged: () => void;
}

/** One schedule: when it runs next, what came of its last run, and what may be done about it. */
export function ScheduleRow({ shown, onChanged }: ScheduleRowProps) {
  const [pausing, pause] = useMutation(pauseImportScheduleMutation);
  const [resuming, resume] = useMutation(resumeImportScheduleMutation);
  const [deleting, remove] = useMutation(deleteImportScheduleMutation);
  const { id, sources, pauseReason, nextAt, runId, lastAt, lastResult, problem } = shown;
  const isPaused = shown.state === "PAUSED";
  const error = pausing.error ?? resuming.error ?? deleting.error;
  const act = async (work: Promise<unknown>) => {
    await work;
    onChanged();
  };
  return (
    <Stack gap={6} component="article" aria-label={`Schedule ${cadenceText(shown)}`}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={600}>
          {scheduleText(shown)}
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={pausing.fetching || resuming.fetching}
            onClick={() => void act(isPaused ? resume({ id }) : pause({ id }))}
          >
            {isPaused ? "Resume" : "Pause"}
          </Button>
          <Button size="xs" variant="default" loading={deleting.fetching} onClick={() => void act(remove({ id }))}>
            Delete schedule
          </Button>
        </Group>
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {sources.join(" · ")}
      </Text>
      <Text size="sm">
        {runId !== null && "It is being fetched now. "}
        {runId === null && nextAt !== null && `Next at ${formatDateTime(nextAt)}. `}
        {isPaused && `${pauseText(pauseReason)} `}
        {lastResult !== null && lastAt !== null && (
          <>
            Last run: {humanize(lastResult.toLowerCase())}, <Ago at={lastAt} />.
          </>
        )}
      </Text>
      {problem && <ProblemAlert problem={problem} />}
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
    </Stack>
  );
}
