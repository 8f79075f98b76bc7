import { Select, SimpleGrid } from "@mantine/core";
import { type JobFormProps, type JobSettings, keyOf } from "../../hooks/use-job-form.ts";
import { type Catalog, withChild } from "../../services/job-form.ts";
import { chosenTask, hasTarget } from "../../services/job-task.ts";
import { schemaAt } from "../../services/json-schema.ts";
import { NoLabels } from "../NoLabels/NoLabels.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { SchemaField } from "../SchemaForm/SchemaField.tsx";
import { PresetField } from "./PresetField.tsx";

interface BasicsPanelProps {
  readonly choices: JobFormProps["choices"];
  readonly settings: JobSettings;
  readonly catalog: Catalog;
  readonly errors: ReadonlyMap<string, string>;
}

/** The five things that every job is about: what is learnt from what, the preset, and how long on how many ranks. */
export function BasicsPanel({ choices, settings, catalog, errors }: BasicsPanelProps) {
  const { spec, set, dataset, chooseDataset, chosen } = settings;
  const chooseTask = (label: string | null) => {
    const choice = chosen.tasks.find((one) => one.label === label);
    if (choice) set("task", choice.task);
  };
  return (
    <Panel title="What to train">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
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
          placeholder="As set under Advanced, Task"
          onChange={chooseTask}
          allowDeselect={false}
        />
      </SimpleGrid>
      {!chosen.tasks.some(hasTarget) && (
        <NoLabels datasetId={chosen.id} isBeingMapped={chosen.isBeingMapped} canLearn={chosen.tasks.length > 0} />
      )}
      <PresetField settings={settings} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
        <OneField {...{ settings, catalog, errors }} section="train" name="epochs" />
        <OneField {...{ settings, catalog, errors }} section="resources" name="ranks" />
      </SimpleGrid>
    </Panel>
  );
}

interface OneFieldProps extends Omit<BasicsPanelProps, "choices"> {
  readonly section: string;
  readonly name: string;
}

/** One field of a section whose others are drawn under the advanced settings. */
function OneField({ settings: { spec, set }, catalog, errors, section, name }: OneFieldProps) {
  const schema = schemaAt(catalog.jobSpecSchema, [section, name]);
  if (!schema) return null;
  const values = (spec[section] ?? {}) as Record<string, unknown>;
  return (
    <SchemaField
      name={name}
      schema={schema}
      pointer={`/${section}/${name}`}
      value={values[name]}
      errors={errors}
      onChange={(next) => set(section, withChild(values, name, next, schema))}
    />
  );
}
