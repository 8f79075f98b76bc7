import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useMutation } from "urql";
import { createImportScheduleMutation } from "../../services/documents/imports.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

const choices = [
  { value: "hourly", label: "Every hour" },
  { value: "6h", label: "Every 6 hours" },
  { value: "daily", label: "Every day" },
  { value: "weekly", label: "Every week" },
  { value: "cron", label: "By a cron expression" },
];

interface ScheduleFormProps {
  readonly importId: string;
  readonly onDone: () => void;
}

/** When an import is to be fetched again. */
export function ScheduleForm({ importId, onDone }: ScheduleFormProps) {
  const [every, setEvery] = useState("daily");
  const [cron, setCron] = useState("0 6 * * MON-FRI");
  const [timeZone, setTimeZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [{ fetching, error }, create] = useMutation(createImportScheduleMutation);
  const isCron = every === "cron";
  const submit = async () => {
    const { data } = await create({ import: importId, input: isCron ? { cron, timeZone } : { every } });
    if (data) onDone();
  };
  return (
    <Stack gap="xs">
      <Group gap="sm" align="end">
        <Select
          size="xs"
          label="Fetch again"
          data={choices}
          value={every}
          allowDeselect={false}
          onChange={(value) => setEvery(value ?? "daily")}
        />
        {isCron && (
          <>
            <TextInput
              size="xs"
              label="Minute, hour, day, month, weekday"
              value={cron}
              onChange={(event) => setCron(event.currentTarget.value)}
            />
            <TextInput
              size="xs"
              label="Time zone"
              value={timeZone}
              onChange={(event) => setTimeZone(event.currentTarget.value)}
            />
          </>
        )}
        <Button size="xs" loading={fetching} onClick={() => void submit()}>
          Schedule
        </Button>
        <Button size="xs" variant="default" onClick={onDone}>
          Not now
        </Button>
      </Group>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
    </Stack>
  );
}
