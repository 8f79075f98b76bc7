import { Button, Paper } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useQuery } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { JobForm } from "../components/JobForm/JobForm.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { type Choice, type JobFormProps, keyOf } from "../hooks/use-job-form.ts";
import { useProposal } from "../hooks/use-proposal.ts";
import { cloneSpec } from "../services/clone-spec.ts";
import { clonedJobQuery } from "../services/documents/compared-jobs.ts";
import { catalogQuery, readyDatasetsQuery } from "../services/documents/new-job.ts";
import type { ResultOf } from "../services/graphql.ts";
import type { Catalog, SparseSpec, TrainableDataset } from "../services/job-form.ts";
import type { TaskChoice } from "../services/job-task.ts";
import type { JsonSchema } from "../services/json-schema.ts";
import type { NewJobSearch } from "../services/new-job-search.ts";
import { withDevicesOf } from "../services/offered-devices.ts";
import type { Proposal } from "../services/presets.ts";

type Datasets = ResultOf<typeof readyDatasetsQuery>["datasets"];

/** The form of a training job, drawn from the catalogue's schemas. */
export function NewJobPage() {
  const [catalog, refetchCatalog] = useQuery({ query: catalogQuery });
  const [datasets, refetchDatasets] = useQuery({ query: readyDatasetsQuery });
  const { checkpoint, again } = useSearch({ from: "/shell/jobs/new" });
  const repeats = checkpoint !== undefined || again === true;
  return (
    <>
      <PageHeader
        title={repeats ? "Run again with changes" : "New training job"}
        help={
          repeats
            ? "Every field is as it was. The estimate says which stages will be reused and which will run."
            : "Choose a dataset and a preset; every other field already has a value that works."
        }
      />
      <QueryView state={datasets} onRetry={() => refetchDatasets({ requestPolicy: "network-only" })} shape="form">
        {(found) => (
          <QueryView state={catalog} onRetry={() => refetchCatalog({ requestPolicy: "network-only" })} shape="form">
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
  const { dataset, from, ...changes } = useSearch({ from: "/shell/jobs/new" });
  const [cloned] = useQuery({ query: clonedJobQuery, variables: { id: from ?? "" }, pause: from === undefined });
  const wanted = cloned.data?.job?.dataset?.dataset.id ?? dataset;
  const ready = datasets.edges.flatMap(({ node }) => (node.newestReady ? [{ ...node, ready: node.newestReady }] : []));
  const first = ready.find((node) => node.id === wanted) ?? ready[0];
  if (!first) return <NothingToTrainOn />;
  const choices = ready.map((node) => ({
    ...trainable(node),
    label: node.ready.number > 1 ? `${node.name} (version ${node.ready.number})` : node.name,
  }));
  const props = { choices, first: trainable(first), catalog };
  if (from === undefined) return <ProposedForm {...props} />;
  return (
    <QueryView state={cloned} onRetry={() => undefined} shape="form">
      {({ job }) => (
        <ProposedForm {...props} {...(job && { initial: clonedFrom(job.spec as SparseSpec, props, changes) })} />
      )}
    </QueryView>
  );
}

/** A clone learns from the newest version of the dataset; a job that is run again keeps to its own. */
function clonedFrom(
  spec: SparseSpec,
  { first, catalog }: Pick<JobFormProps, "first" | "catalog">,
  { checkpoint, again, epochs, model }: Omit<NewJobSearch, "dataset" | "from">,
): SparseSpec {
  const submitted = epochs === undefined ? spec : withEpochs(spec, epochs);
  const cloned = { ...cloneSpec(submitted, catalog, checkpoint), ...(model !== undefined && { startFrom: { model } }) };
  return checkpoint === undefined && !again ? { ...cloned, dataset: keyOf(first) } : cloned;
}

function withEpochs(spec: SparseSpec, epochs: number): SparseSpec {
  const { name, train } = spec as { name?: string; train?: object };
  return { ...spec, name: `${name || "run"}, epoch ${epochs}`.slice(-200), train: { ...train, epochs } };
}

function NothingToTrainOn() {
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

/** The form once the first dataset's preset is known, from which it starts. */
function ProposedForm(props: Omit<JobFormProps, "proposed">) {
  const { proposal, state, refetch } = useProposal(props.first.id);
  const [proposed, setProposed] = useState<Proposal | null>(null);
  if (proposed === null && proposal !== null) setProposed(proposal);
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="form">
      {() => proposed && <JobForm {...props} proposed={proposed} />}
    </QueryView>
  );
}

type Listed = Datasets["edges"][number]["node"];

function trainable({ id, latest, ready }: Listed & { readonly ready: NonNullable<Listed["newestReady"]> }): Choice {
  const tasks = ready.tasks.map((choice) => ({ ...choice, task: choice.task as TaskChoice["task"] }));
  const isBeingMapped = latest.id !== ready.id && latest.state !== "FAILED";
  return { id, number: ready.number, spec: ready.spec as TrainableDataset["spec"], tasks, isBeingMapped };
}
