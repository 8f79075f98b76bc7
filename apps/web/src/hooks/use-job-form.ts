import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useMutation } from "urql";
import { submitJobMutation } from "../services/documents/new-job.ts";
import { submitSweepMutation } from "../services/documents/sweeps.ts";
import {
  baseSpec,
  type Catalog,
  errorsByField,
  formPointers,
  type SparseSpec,
  type TrainableDataset,
  withBase,
} from "../services/job-form.ts";
import { chosenTask, questionOf, withColumns } from "../services/job-task.ts";
import { schemaAt } from "../services/json-schema.ts";
import { editedSections, inOrder, optionsOfTask, type Preset, type Proposal, withPreset } from "../services/presets.ts";
import { problemFromGraphql } from "../services/problem.ts";
import { type SpecChange, specChanges, withoutChange } from "../services/spec-changes.ts";
import type { ReadSweep, SweepParts } from "../services/sweep-draft.ts";
import { useEstimate } from "./use-estimate.ts";
import { useProposal } from "./use-proposal.ts";

export type Choice = TrainableDataset & {
  /** A newer version is being mapped. */
  readonly isBeingMapped: boolean;
};

export interface JobFormProps {
  readonly choices: readonly (Choice & { readonly label: string })[];
  readonly first: Choice;
  /** For the first dataset */
  readonly proposed: Proposal;
  readonly catalog: Catalog;
  /** The settings of an earlier job, in place of the proposed ones */
  readonly initial?: SparseSpec;
}

/** What the form holds: a spec, the preset that it started from, and what the API proposes for the chosen dataset. */
export function useJobSettings({ choices, first, proposed, initial, catalog }: JobFormProps) {
  const [spec, setSpec] = useState<SparseSpec>(() => initial ?? begun(first, proposed.preset));
  const [started, setStarted] = useState(proposed.preset);
  // Another dataset or question was chosen and nothing changed by hand: its own preset is to come.
  const [follows, setFollows] = useState<"dataset" | "question" | null>(null);
  const edited = editedSections(spec, started.spec);
  const dataset = String(spec["dataset"]);
  const chosen = choices.find((one) => keyOf(one) === dataset) ?? first;
  const question = questionOf(chosen.tasks, spec["task"]);
  const { proposal, isForQuestion, state: proposing, refetch } = useProposal(chosen.id, question, proposed);
  const start = (preset: Preset) => {
    setStarted(preset);
    setSpec((old) => withTask(withPreset(old, preset.spec), chosen, preset, started));
  };
  // While it renders, so that the page never shows the settings of the dataset or question before.
  if (follows && isForQuestion && proposal?.dataset === chosen.id) {
    setFollows(null);
    if (follows === "dataset") start(proposal.preset);
    else {
      setStarted(proposal.preset);
      setSpec((old) => forQuestion(withPreset(old, proposal.preset.spec), proposal.preset, started));
    }
  }
  const set = (section: string, given: unknown) => {
    const value = section === "task" ? withColumns(chosen.tasks, given as SparseSpec | undefined) : given;
    const asksAnew = section === "task" && inOrder(questionOf(chosen.tasks, value)) !== inOrder(question);
    setFollows(asksAnew && edited.length === 0 ? "question" : null);
    const { [section]: _old, ...others } = spec;
    setSpec(value === undefined ? others : { ...spec, [section]: value });
  };
  const chooseDataset = (key: string | null) => {
    const choice = choices.find((one) => keyOf(one) === key);
    if (!choice) return;
    setFollows(edited.length === 0 ? "dataset" : null);
    setSpec({ ...withBase(spec, baseSpec(choice)), ...ownOnOtherDataset(spec, chosen, choice) });
  };
  const changes = useMemo(
    () => specChanges(spec, startOf(spec, chosen, started), catalog),
    [spec, chosen, started, catalog],
  );
  const reset = (change: SpecChange) => {
    setFollows(null);
    setSpec((old) => withoutChange(old, change));
  };
  const settings = { spec, set, dataset, chooseDataset, chosen, started, start, edited, changes, reset };
  // Until then the sections of one dataset's preset stand beside the task of another.
  const isSettled = follows === null || proposing.error !== undefined;
  return { ...settings, isSettled, proposal, proposing, refetch };
}

function begun(first: Choice, preset: Preset): SparseSpec {
  return withTask(withPreset(baseSpec(first), preset.spec), first, preset, preset);
}

/** What the form began with: the preset on this dataset, with the task that is chosen now. */
function startOf(spec: SparseSpec, chosen: Choice, started: Preset): SparseSpec {
  const base = baseSpec(chosen);
  const task = chosenTask(chosen.tasks, spec["task"])?.task ?? base["task"];
  const { features, ...preset } = { features: {}, ...started.spec };
  const made = (base["features"] ?? {}) as SparseSpec;
  const how = optionsOfTask(started.spec);
  return {
    ...base,
    ...preset,
    task: { ...(task as SparseSpec), ...how },
    features: { ...made, ...(features as SparseSpec) },
  };
}

/** A preset may name its task, or options of any that it suits; the task of one that was left goes with it. */
function withTask(spec: SparseSpec, chosen: Choice, { spec: { task } }: Preset, left: Preset): SparseSpec {
  const base = left.spec["task"] ? { ...spec, task: baseSpec(chosen)["task"] } : spec;
  if (!task) return base;
  const options = task as SparseSpec;
  if (options["type"] === undefined) return { ...base, task: { ...(base["task"] as SparseSpec), ...options } };
  return { ...spec, task: withColumns(chosen.tasks, options) };
}

/** With how the preset learns in place of how the one before did; what is asked stays. */
function forQuestion(spec: SparseSpec, { spec: next }: Preset, { spec: left }: Preset): SparseSpec {
  const before = optionsOfTask(left);
  const asked = Object.entries((spec["task"] ?? {}) as SparseSpec).filter(
    ([name, value]) => !Object.hasOwn(before, name) || inOrder(value) !== inOrder(before[name]),
  );
  return { ...spec, task: { ...optionsOfTask(next), ...Object.fromEntries(asked) } };
}

/** What was set by hand and means the same on another dataset: a split that is drawn, and settings of the same task. */
function ownOnOtherDataset(spec: SparseSpec, from: Choice, to: Choice): SparseSpec {
  const split = spec["split"] as SparseSpec | undefined;
  const isOwnSplit = split?.["type"] === "random" && inOrder(split) !== inOrder(baseSpec(from)["split"]);
  const task = spec["task"] as SparseSpec | undefined;
  const other = baseSpec(to)["task"] as SparseSpec;
  const isSameTask = task?.["type"] === other["type"];
  return { ...(isOwnSplit && { split }), ...(isSameTask && { task: { ...task, ...other } }) };
}

export type JobSettings = ReturnType<typeof useJobSettings>;

/** A dataset in the spec's words */
export function keyOf({ id, number }: Pick<TrainableDataset, "id" | "number">): string {
  return `${id}@${number}`;
}

/**
 * Submits the spec, and says what the API holds against it: of the last try while it is unchanged, else so far.
 *
 * @param sent  the spec as it is sent, which for a search is not all of it
 */
export function useJobSubmission(
  { spec, chosen, isSettled }: Pick<JobSettings, "spec" | "chosen" | "isSettled">,
  catalog: Catalog,
  sweep: ReadSweep,
  sent: SparseSpec,
) {
  // Without anything to learn, or before the settings are whole, nothing is asked or sent.
  const canLearn = chosen.tasks.length > 0 && isSettled;
  const { send: submit, fetching, error } = useSending();
  const [submitted, setSubmitted] = useState<SparseSpec | null>(null);
  const { estimate, problem: estimateProblem, isFetching } = useEstimate(canLearn ? spec : null);
  // Stays the same object until the next try: that it is another one tells of another refusal.
  const refusal = useMemo(
    () => (error && submitted === spec ? problemFromGraphql(error) : null),
    [error, submitted, spec],
  );
  const problem = refusal ?? estimateProblem;
  const pointers = useMemo(() => formPointers(spec, catalog), [spec, catalog]);
  const send = async () => {
    if (!canLearn) return;
    setSubmitted(spec);
    await submit(sent, sweep.parts);
  };
  return {
    send,
    canSend: canLearn && sweep.seedsProblem === null,
    isSending: fetching,
    estimate,
    epochs: epochsOf(spec, catalog),
    isEstimating: isFetching,
    problem,
    refusal,
    ...errorsByField(problem, pointers),
  };
}

/** Sends a job, or several as one sweep, and leads to its page. */
function useSending() {
  const navigate = useNavigate();
  const [job, submitJob] = useMutation(submitJobMutation);
  const [many, submitSweep] = useMutation(submitSweepMutation);
  const send = async (spec: SparseSpec, sweep: SweepParts | null) => {
    const idempotencyKey = crypto.randomUUID();
    if (!sweep) {
      const { data } = await submitJob({ spec, idempotencyKey });
      if (data) await navigate({ to: "/jobs/$jobId", params: { jobId: data.submitJob.id } });
      return;
    }
    const name = typeof spec["name"] === "string" ? spec["name"] : null;
    const { grid, seeds, auto } = sweep;
    const parts = { grid, seeds: seeds ? [...seeds] : null, auto: auto ?? null };
    const { data } = await submitSweep({ spec, ...parts, name, idempotencyKey });
    if (data) await navigate({ to: "/sweeps/$sweepId", params: { sweepId: data.submitSweep.id } });
  };
  return { send, fetching: job.fetching || many.fetching, error: job.error ?? many.error };
}

function epochsOf(spec: SparseSpec, { jobSpecSchema }: Catalog): number | null {
  const epochs = (spec["train"] as SparseSpec | undefined)?.["epochs"];
  const value = epochs === undefined ? schemaAt(jobSpecSchema, ["train", "epochs"])?.default : epochs;
  return typeof value === "number" ? value : null;
}

export type JobSubmission = ReturnType<typeof useJobSubmission>;
