import { Button, Code, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useMutation } from "urql";
import {
  cancelImportMutation,
  type importSchedulesQuery,
  type importsQuery,
  repeatImportMutation,
} from "../../services/documents/imports.ts";
import { formatBytes, formatCount, formatSeconds } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { scheduleText } from "../../services/schedule-text.ts";
import { Ago } from "../Ago/Ago.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";
import { ScheduleForm } from "./ScheduleForm.tsx";

type Import = ResultOf<typeof importsQuery>["imports"][number];
type Schedule = ResultOf<typeof importSchedulesQuery>["importSchedules"][number];

interface ImportRowProps {
  readonly shown: Import;
  /** The one that fetches its addresses again; null: there is none */
  readonly schedule: Schedule | null;
  readonly onChanged: () => void;
}

/** One import: its files, how far it is, why nothing comes, and what may be done about it. */
export function ImportRow({ shown, schedule, onChanged }: ImportRowProps) {
  const [cancelling, cancel] = useMutation(cancelImportMutation);
  const [repeating, repeat] = useMutation(repeatImportMutation);
  const [isScheduling, setIsScheduling] = useState(false);
  const { id, state, files, published, waitReason, problem } = shown;
  const isActive = state === "WAITING" || state === "RUNNING";
  const names = files.map(({ name }) => name).join(", ");
  const error = cancelling.error ?? repeating.error;
  const act = async (work: Promise<unknown>) => {
    await work;
    onChanged();
  };
  const done = () => {
    setIsScheduling(false);
    onChanged();
  };
  return (
    <Stack gap={6} component="article" aria-label={`Import of ${names}`}>
      <Group justify="space-between" gap="sm">
        <Title shown={shown} names={names} />
        {isActive ? (
          <Button size="xs" variant="default" loading={cancelling.fetching} onClick={() => void act(cancel({ id }))}>
            Cancel
          </Button>
        ) : (
          <AgainButtons
            onSchedule={
              published === null && schedule === null && shown.repeatedBy === null
                ? () => setIsScheduling(!isScheduling)
                : null
            }
            isBusy={repeating.fetching}
            onRepeat={() => void act(repeat({ id }))}
          />
        )}
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {[...new Set(files.map(({ source }) => source))].join(" · ")}
      </Text>
      {files.map(({ name, query }) => query !== null && <QueryText key={name} query={query} />)}
      {isActive && <ImportProgress shown={shown} />}
      {schedule !== null && <Text size="sm">{scheduleText(schedule)}.</Text>}
      {isScheduling && !isActive && schedule === null && <ScheduleForm importId={id} onDone={done} />}
      {waitReason !== null && (
        <Text size="sm" role="status">
          {waitReason}
        </Text>
      )}
      {problem && <ProblemAlert problem={problem} />}
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
    </Stack>
  );
}

function Title({ shown: { state, createdAt }, names }: { readonly shown: Import; readonly names: string }) {
  return (
    <Group gap="sm">
      <StateBadge state={state} size="sm" />
      <Text size="sm" fw={600}>
        {names}
      </Text>
      <Text size="sm" c="dimmed">
        <Ago at={createdAt} />
      </Text>
    </Group>
  );
}

interface AgainButtonsProps {
  /** Null: a schedule fetches it already, or it does not change. */
  readonly onSchedule: (() => void) | null;
  readonly isBusy: boolean;
  readonly onRepeat: () => void;
}

function AgainButtons({ onSchedule, isBusy, onRepeat }: AgainButtonsProps) {
  return (
    <Group gap="xs">
      {onSchedule && (
        <Button size="xs" variant="default" onClick={onSchedule}>
          Fetch regularly
        </Button>
      )}
      <Button size="xs" variant="default" loading={isBusy} onClick={onRepeat}>
        Fetch again
      </Button>
    </Group>
  );
}

function QueryText({ query }: { readonly query: string }) {
  return (
    <Code block fz="xs" mah={120} style={{ whiteSpace: "pre-wrap" }}>
      {query}
    </Code>
  );
}

function ImportProgress({ shown: { files, bytesDone, bytesTotal, etaSeconds } }: { readonly shown: Import }) {
  const counts = files.flatMap(({ rowsDone }) => (rowsDone === null ? [] : [rowsDone]));
  const share = bytesTotal ? (100 * bytesDone) / bytesTotal : null;
  return (
    <>
      <Progress
        size="sm"
        value={share ?? 100}
        striped={share === null}
        animated={share === null}
        aria-label="Fetched"
      />
      <Text size="xs" c="dimmed" className="num">
        {formatBytes(bytesDone)}
        {bytesTotal !== null && ` of ${formatBytes(bytesTotal)}`}
        {counts.length > 0 && ` · ${formatCount(counts.reduce((sum, rows) => sum + rows, 0))} rows`}
        {share !== null && ` · ${Math.floor(share)} %`}
        {etaSeconds !== null && ` · ${formatSeconds(Math.ceil(etaSeconds))} left`}
      </Text>
    </>
  );
}
