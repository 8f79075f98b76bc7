import { Button, Checkbox, Group, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { createSchedule } from "../../services/imports.ts";
import { problemOfUnknown, type ShownProblem } from "../../services/problem.ts";
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
  const [adds, setAdds] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const isCron = every === "cron";
  const submit = async () => {
    setIsBusy(true);
    try {
      await createSchedule(importId, { ...(isCron ? { cron, timeZone } : { every }), ...(adds && { adds }) });
      onDone();
    } catch (error) {
      setProblem(problemOfUnknown(error));
    } finally {
      setIsBusy(false);
    }
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
        <Button size="xs" loading={isBusy} onClick={() => void submit()}>
          Schedule
        </Button>
        <Button size="xs" variant="default" onClick={onDone}>
          Not now
        </Button>
      </Group>
      <AddsChoice adds={adds} onChoose={setAdds} />
      {problem && <ProblemAlert problem={problem} />}
    </Stack>
  );
}

interface AddsChoiceProps {
  readonly adds: boolean;
  readonly onChoose: (adds: boolean) => void;
}

function AddsChoice({ adds, onChoose }: AddsChoiceProps) {
  return (
    <Checkbox
      size="xs"
      label="Add the rows of each run to the graph"
      description="For sources that give what is new alone; else each run does as this import did"
      checked={adds}
      onChange={(event) => onChoose(event.currentTarget.checked)}
    />
  );
}
