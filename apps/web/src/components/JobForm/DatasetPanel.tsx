import { Select, SimpleGrid, TextInput } from "@mantine/core";
import { type JobFormProps, type JobSettings, keyOf } from "../../hooks/use-job-form.ts";
import { chosenTask } from "../../services/job-task.ts";
import { NothingToLearn } from "../NothingToLearn/NothingToLearn.tsx";
import { Panel } from "../Panel/Panel.tsx";

interface DatasetPanelProps {
  readonly choices: JobFormProps["choices"];
  readonly settings: JobSettings;
  readonly errors: ReadonlyMap<string, string>;
}

/** The dataset, what of it is learnt, and the job's name. */
export function DatasetPanel({ choices, settings, errors }: DatasetPanelProps) {
  const { spec, set, dataset, chooseDataset, chosen } = settings;
  const chooseTask = (label: string | null) => {
    const choice = chosen.tasks.find((one) => one.label === label);
    if (choice) set("task", choice.task);
  };
  return (
    <Panel title="What to train on">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Dataset"
          error={errors.get("/dataset")}
          data={choices.map((choice) => ({ value: keyOf(choice), label: choice.label }))}
          value={dataset}
          onChange={chooseDataset}
          allowDeselect={false}
          searchable
        />
        <Select
          label="What to predict"
          error={errors.get("/task/target") ?? errors.get("/task/type")}
          data={chosen.tasks.map(({ label }) => label)}
          value={chosenTask(chosen.tasks, spec["task"])?.label ?? null}
          placeholder="As set under Task below"
          onChange={chooseTask}
          allowDeselect={false}
        />
        <TextInput
          label="Job name"
          description="For you; may stay empty"
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={errors.get("/name")}
          maxLength={120}
          value={typeof spec["name"] === "string" ? spec["name"] : ""}
          onChange={(event) => set("name", event.currentTarget.value || undefined)}
        />
      </SimpleGrid>
      {chosen.tasks.length === 0 && <NothingToLearn datasetId={chosen.id} isBeingMapped={chosen.isBeingMapped} />}
    </Panel>
  );
}
