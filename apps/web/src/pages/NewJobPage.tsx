import { Button, Paper, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useMutation, useQuery } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { ComponentSection } from "../components/JobForm/ComponentSection.tsx";
import { PresetPanel } from "../components/JobForm/PresetPanel.tsx";
import { SpecPreview } from "../components/JobForm/SpecPreview.tsx";
import { NothingToLearn } from "../components/NothingToLearn/NothingToLearn.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { SchemaForm } from "../components/SchemaForm/SchemaForm.tsx";
import { useEstimate } from "../hooks/use-estimate.ts";
import { useProposal } from "../hooks/use-proposal.ts";
import { catalogQuery, readyDatasetsQuery, submitJobMutation } from "../services/documents.ts";
import type { ResultOf } from "../services/graphql.ts";
import {
  baseSpec,
  type Catalog,
  componentSections,
  errorsByField,
  formPointers,
  type SparseSpec,
  type TrainableDataset,
  withBase,
} from "../services/job-form.ts";
import { chosenTask, type TaskChoice, withColumns } from "../services/job-task.ts";
import { type JsonSchema, schemaAt } from "../services/json-schema.ts";
import { withDevicesOf } from "../services/offered-devices.ts";
import { editedSections, type Preset, type Proposal, withPreset } from "../services/presets.ts";
import { problemFromGraphql } from "../services/problem.ts";
import classes from "./NewJobPage.module.css";

type Datasets = ResultOf<typeof readyDatasetsQuery>["datasets"];

/** The form of a training job, drawn from the catalogue's schemas. */
export function NewJobPage() {
  const [catalog, refetchCatalog] = useQuery({ query: catalogQuery });
  const [datasets, refetchDatasets] = useQuery({ query: readyDatasetsQuery });
  return (
    <>
      <PageHeader
        title="New training job"
        help="Choose a dataset and a preset; every other field already has a value that works."
      />
      <QueryView state={datasets} onRetry={() => refetchDatasets({ requestPolicy: "network-only" })}>
        {(found) => (
          <QueryView state={catalog} onRetry={() => refetchCatalog({ requestPolicy: "network-only" })}>
            {(known) => <ReadyForm datasets={found.datasets} catalog={catalogOf(known)} />}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

/** Schemas travel as JSON; the API made them with the types named here. */
function catalogOf({ catalog, workers }: ResultOf<typeof catalogQuery>): Catalog {
  return {
    components: catalog.components.map((one) => ({ ...one, optionsSchema: one.optionsSchema as JsonSchema })),
    jobSpecSchema: withDevicesOf(workers, catalog.jobSpecSchema as JsonSchema),
  };
}

function ReadyForm({ datasets, catalog }: { readonly datasets: Datasets; readonly catalog: Catalog }) {
  const { dataset: wanted } = useSearch({ from: "/shell/jobs/new" });
  const ready = datasets.edges.flatMap(({ node }) => (node.newestReady ? [{ ...node, ready: node.newestReady }] : []));
  const first = ready.find((node) => node.id === wanted) ?? ready[0];
  if (!first) {
    return (
      <Paper withBorder bg="var(--hop-surface)">
        <EmptyState
          title="There is no dataset to train on"
          action={
            <Button component={Link} to="/datasets/new" mt="sm">
              Upload a graph
            </Button>
          }
        >
          A job needs a dataset whose graph has been built.
        </EmptyState>
      </Paper>
    );
  }
  const choices = ready.map((node) => ({
    ...trainable(node),
    label: node.ready.number > 1 ? `${node.name} (version ${node.ready.number})` : node.name,
  }));
  return <ProposedForm choices={choices} first={trainable(first)} catalog={catalog} />;
}

/** The form once the first dataset's preset is known, from which it starts. */
function ProposedForm(props: Omit<JobFormProps, "proposed">) {
  const { proposal, state, refetch } = useProposal(props.first.id);
  const [proposed, setProposed] = useState<Proposal | null>(null);
  if (proposed === null && proposal !== null) setProposed(proposal);
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })}>
      {() => proposed && <JobForm {...props} proposed={proposed} />}
    </QueryView>
  );
}

type Listed = Datasets["edges"][number]["node"];
type Choice = TrainableDataset & { readonly isBeingMapped: boolean };

function trainable({ id, latest, ready }: Listed & { readonly ready: NonNullable<Listed["newestReady"]> }): Choice {
  const tasks = ready.tasks.map((choice) => ({ ...choice, task: choice.task as TaskChoice["task"] }));
  const isBeingMapped = latest.id !== ready.id && latest.state !== "FAILED";
  return { id, number: ready.number, spec: ready.spec as TrainableDataset["spec"], tasks, isBeingMapped };
}

interface JobFormProps {
  readonly choices: readonly (Choice & { readonly label: string })[];
  readonly first: Choice;
  /** For the first dataset */
  readonly proposed: Proposal;
  readonly catalog: Catalog;
}

function JobForm({ choices, first, proposed, catalog }: JobFormProps) {
  const navigate = useNavigate();
  const [spec, setSpec] = useState<SparseSpec>(() => withPreset(baseSpec(first), proposed.preset.spec));
  const [started, setStarted] = useState(proposed.preset);
  // Another dataset was chosen and nothing changed by hand: its own preset is to come.
  const [follows, setFollows] = useState(false);
  const [{ fetching, error }, submit] = useMutation(submitJobMutation);
  const [submitted, setSubmitted] = useState<SparseSpec | null>(null);
  const chosen = choices.find((one) => `${one.id}@${one.number}` === String(spec["dataset"])) ?? first;
  const canLearn = chosen.tasks.length > 0;
  const { estimate, problem: estimateProblem, isFetching } = useEstimate(canLearn ? spec : null);
  const submitProblem = error && submitted === spec ? problemFromGraphql(error) : null;
  const problem = submitProblem ?? estimateProblem;
  const pointers = useMemo(() => formPointers(spec, catalog), [spec, catalog]);
  const { errors, isPlaced } = errorsByField(problem, pointers);
  const dataset = String(spec["dataset"]);

  const { tasks } = chosen;
  const start = (preset: Preset) => {
    setStarted(preset);
    setSpec((old) => withPreset(old, preset.spec));
  };
  const edited = editedSections(spec, started.spec);
  const { proposal, state: proposing, refetch } = useProposal(chosen.id);
  // While it renders, so that the page never shows the settings of the dataset before.
  if (follows && proposal?.dataset === chosen.id) {
    setFollows(false);
    start(proposal.preset);
  }
  const set = (section: string, given: unknown) => {
    setFollows(false);
    const value = section === "task" ? withColumns(tasks, given as SparseSpec | undefined) : given;
    const { [section]: _old, ...others } = spec;
    setSpec(value === undefined ? others : { ...spec, [section]: value });
  };
  const section = (name: string) => {
    const schema = schemaAt(catalog.jobSpecSchema, [name]);
    if (!schema) return null;
    return (
      <SchemaForm
        schema={schema}
        pointer={`/${name}`}
        value={spec[name]}
        onChange={(value) => set(name, value)}
        errors={errors}
      />
    );
  };
  const send = async () => {
    setSubmitted(spec);
    const answer = await submit({ spec, idempotencyKey: crypto.randomUUID() });
    if (answer.data) await navigate({ to: "/jobs/$jobId", params: { jobId: answer.data.submitJob.id } });
  };

  return (
    <form
      className={classes.columns}
      onSubmit={(event) => {
        event.preventDefault();
        if (canLearn) void send();
      }}
    >
      <Stack gap="lg">
        <Panel title="What to train on">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label="Dataset"
              error={errors.get("/dataset")}
              data={choices.map((choice) => ({ value: `${choice.id}@${choice.number}`, label: choice.label }))}
              value={dataset}
              onChange={(value) => {
                const choice = choices.find((one) => `${one.id}@${one.number}` === value);
                if (!choice) return;
                setFollows(edited.length === 0);
                setSpec(withBase(spec, baseSpec(choice)));
              }}
              allowDeselect={false}
              searchable
            />
            <Select
              label="What to predict"
              error={errors.get("/task/target") ?? errors.get("/task/type")}
              data={tasks.map(({ label }) => label)}
              value={chosenTask(tasks, spec["task"])?.label ?? null}
              placeholder="As set under Task below"
              onChange={(label) => {
                const choice = tasks.find((one) => one.label === label);
                if (choice) set("task", choice.task);
              }}
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
          {!canLearn && <NothingToLearn datasetId={chosen.id} isBeingMapped={chosen.isBeingMapped} />}
        </Panel>
        {proposing.error && (
          <ProblemAlert
            problem={problemFromGraphql(proposing.error)}
            onRetry={() => refetch({ requestPolicy: "network-only" })}
          />
        )}
        <PresetPanel
          proposal={proposal?.dataset === chosen.id ? proposal : null}
          started={started}
          edited={edited}
          onStart={start}
        />
        {componentSections.map(({ section: name, kind, title, help }) => (
          <ComponentSection
            key={name}
            title={title}
            help={help}
            section={name}
            components={catalog.components.filter((component) => component.kind === kind)}
            fallback={defaultComponent(catalog, name)}
            value={spec[name]}
            onChange={(value) => set(name, value)}
            errors={errors}
          />
        ))}
        <Panel title="Training" help="How long and how fast the model learns.">
          {section("train")}
        </Panel>
        <Panel title="Resources" help="Ranks are processes that train together; each holds one part of the graph.">
          {section("resources")}
        </Panel>
        <details>
          <summary className={classes.summary}>Task, split, features and outputs</summary>
          <Stack gap="lg" mt="md">
            <Panel title="Task">{section("task")}</Panel>
            <Panel title="Split">
              <SplitFields catalog={catalog} spec={spec} onChange={set} errors={errors} />
            </Panel>
            <Panel title="Features">{section("features")}</Panel>
            <Panel title="Outputs">{section("outputs")}</Panel>
          </Stack>
        </details>
      </Stack>
      <div className={classes.aside}>
        <Stack gap="md">
          {problem && !isPlaced && <ProblemAlert problem={problem} />}
          <SpecPreview spec={spec} estimate={estimate} isFetching={isFetching} refusal={problem} isPlaced={isPlaced}>
            <Button type="submit" loading={fetching} disabled={!canLearn} fullWidth size="md">
              Start training
            </Button>
          </SpecPreview>
        </Stack>
      </div>
    </form>
  );
}

function defaultComponent(catalog: Catalog, section: string): string | null {
  const choice = schemaAt(catalog.jobSpecSchema, [section]);
  const type = schemaAt(choice, ["type"])?.default;
  return typeof type === "string" ? type : null;
}

interface SplitFieldsProps {
  readonly catalog: Catalog;
  readonly spec: SparseSpec;
  readonly onChange: (section: string, value: unknown) => void;
  readonly errors: ReadonlyMap<string, string>;
}

/** The split is a choice between objects, so it is drawn as a field of a form with one field. */
function SplitFields({ catalog, spec, onChange, errors }: SplitFieldsProps) {
  const split = schemaAt(catalog.jobSpecSchema, ["split"]);
  if (!split) return null;
  return (
    <SchemaForm
      schema={{ type: "object", properties: { split } }}
      pointer=""
      value={{ split: spec["split"] }}
      onChange={(value) => onChange("split", value?.["split"])}
      errors={errors}
    />
  );
}
