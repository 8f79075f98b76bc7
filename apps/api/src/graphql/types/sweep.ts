import { limits, promoteSweepRequest, type SpreadAnswer, sweepRequest } from "@hopwise/contracts";
import { specOf } from "../../database/stored-json.ts";
import type { BestSetting } from "../../sweeps/best-setting.ts";
import { cancelSweep, deleteSweep } from "../../sweeps/change-sweep.ts";
import { promoteSweep } from "../../sweeps/promote-sweep.ts";
import { gridOf, seedsOf } from "../../sweeps/settings.ts";
import { submitSweep } from "../../sweeps/submit-sweep.ts";
import {
  directionOf,
  findSweep,
  getSweep,
  listSweeps,
  type ShownSearch,
  type ShownSweep,
  type SummedSweep,
  type SweepCounts,
  shownSearch,
  sumUp,
  taskOfSweep,
} from "../../sweeps/sweep-queries.ts";
import type { SettingSummary, TrialRow } from "../../sweeps/sweep-summary.ts";
import { builder } from "../base/builder.ts";
import { costs, nestedListCost, pageCost } from "../base/costs.ts";
import { soundArguments } from "../base/sound-arguments.ts";
import { TaskType } from "./catalog.ts";
import { connectionOf } from "./connection.ts";
import { JobStateEnum } from "./enums.ts";
import { ModelStageEnum, ModelVersionType } from "./registered-model.ts";

const CountsType = builder.objectRef<SweepCounts>("SweepCounts").implement({
  description: "Its jobs by what has become of them; those that were deleted are not counted",
  fields: (t) => ({
    jobs: t.exposeInt("jobs"),
    waiting: t.exposeInt("waiting"),
    running: t.exposeInt("running"),
    succeeded: t.exposeInt("succeeded"),
    failed: t.exposeInt("failed"),
    cancelled: t.exposeInt("cancelled"),
  }),
});

const SpreadType = builder.objectRef<SpreadAnswer>("Spread").implement({
  fields: (t) => ({
    mean: t.exposeFloat("mean"),
    deviation: t.exposeFloat("deviation", {
      nullable: true,
      description: "Standard deviation of the sample; null of a single value",
    }),
    count: t.exposeInt("count", { description: "Jobs that it is taken from" }),
  }),
});

const TrialType = builder.objectRef<TrialRow>("SweepTrial").implement({
  description: "A job of a setting",
  fields: (t) => ({
    jobId: t.id({ resolve: ({ id }) => id }),
    seed: t.int({ resolve: ({ seed }) => seed ?? 0 }),
    state: t.field({ type: JobStateEnum, resolve: ({ state }) => state }),
    validation: t.exposeFloat("validation", { nullable: true }),
    test: t.float({ nullable: true, resolve: ({ result }) => result }),
  }),
});

const SettingType = builder.objectRef<SettingSummary>("SweepSetting").implement({
  fields: (t) => ({
    index: t.exposeInt("index"),
    changes: t.field({
      type: "JSON",
      complexity: costs.json,
      description: "Values by the paths of their fields, laid over the spec",
      resolve: ({ changes }) => changes,
    }),
    title: t.exposeString("title", { description: "What it is, in words" }),
    validation: t.field({
      type: SpreadType,
      nullable: true,
      description: "The chief metric over the seeds; null: no job has succeeded yet",
      resolve: ({ validation }) => validation,
    }),
    test: t.field({ type: SpreadType, nullable: true, resolve: ({ test }) => test }),
    trials: t.field({ type: [TrialType], complexity: 1, resolve: ({ trials }) => [...trials] }),
  }),
});

const BestType = builder.objectRef<BestSetting>("SweepBest").implement({
  fields: (t) => ({
    setting: t.exposeInt("setting", { description: "Index of the setting" }),
    jobId: t.exposeID("jobId", {
      description: "Its job that did best on the validation set: the one that is promoted",
    }),
    reason: t.exposeString("reason", { description: "Why this one, in words" }),
  }),
});

const SearchType = builder.objectRef<ShownSearch>("SweepSearch").implement({
  fields: (t) => ({
    budgetSeconds: t.exposeFloat("budgetSeconds"),
    hasEnded: t.exposeBoolean("hasEnded", { description: "Whether it decides nothing any more" }),
    decisions: t.exposeStringList("decisions", { description: "What was decided and why, in words" }),
  }),
});

const SweepType = builder.objectRef<ShownSweep>("Sweep").implement({
  description: "Training jobs that were submitted as one: the settings of a grid, each with every seed",
  fields: (t) => ({
    id: t.exposeID("id"),
    projectId: t.exposeID("projectId"),
    createdBy: t.exposeString("createdBy"),
    name: t.exposeString("name"),
    dataset: t.exposeString("dataset", { description: "The dataset version of all its jobs, id@number" }),
    datasetName: t.exposeString("datasetName"),
    numSettings: t.exposeInt("numSettings"),
    counts: t.field({ type: CountsType, resolve: ({ counts }) => counts }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When its last job ended; null as long as one goes on",
    }),
    spec: t.field({
      type: "JSON",
      complexity: costs.json,
      description: "The job spec that the settings are laid over, as it was sent",
      resolve: specOf,
    }),
    grid: t.field({ type: "JSON", complexity: costs.json, resolve: gridOf }),
    seeds: t.field({ type: ["Int"], resolve: seedsOf }),
    search: t.field({
      type: SearchType,
      nullable: true,
      complexity: costs.json,
      description: "How a sweep that looks for settings itself gets on; null: it is a grid",
      resolve: shownSearch,
    }),
    metric: t.exposeString("chiefMetric", {
      nullable: true,
      description: "What settings are judged by, such as accuracy: the task’s chief metric, on the validation set",
    }),
    task: t.field({
      type: TaskType,
      nullable: true,
      complexity: costs.json,
      description: "How what its jobs learn is judged; null: its task is not installed any more",
      resolve: (sweep, _args, { services }) => taskOfSweep(sweep, services.registry),
    }),
    direction: t.string({
      nullable: true,
      description: "max or min: whether more or less of it is better",
      resolve: directionOf,
    }),
  }),
});

const SummaryType = builder.objectRef<SummedSweep>("SweepSummary").implement({
  fields: (t) => ({
    sweep: t.field({ type: SweepType, resolve: ({ sweep }) => sweep }),
    settings: t.field({
      type: [SettingType],
      complexity: nestedListCost(limits.sweepJobs),
      resolve: ({ settings }) => [...settings],
    }),
    best: t.field({
      type: BestType,
      nullable: true,
      description: "Null as long as no job has succeeded",
      resolve: ({ best }) => best,
    }),
  }),
});

const SweepConnection = connectionOf("Sweep", SweepType);

builder.queryFields((t) => ({
  sweeps: t.field({
    type: SweepConnection,
    description: "Newest first",
    args: { project: t.arg.id(), first: t.arg.int(), after: t.arg.string() },
    complexity: pageCost,
    resolve: (_root, args, { services, viewer }) => listSweeps(services, viewer, args),
  }),
  sweep: t.field({
    type: SummaryType,
    nullable: true,
    description: "A sweep with its settings, each with mean and deviation over its seeds, and the best of them",
    complexity: 3 * costs.query + limits.sweepJobs,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      const sweep = await findSweep(services, viewer, id);
      return sweep && sumUp(services, sweep);
    },
  }),
}));

const AutoInput = builder.inputType("AutoInput", {
  fields: (t) => ({
    budget: t.string({ description: "ISO 8601, such as PT10M: how long trials may run; left out: ten minutes" }),
    metric: t.string({ description: "Figure on the validation set that trials are chosen by; left out: the task’s" }),
  }),
});

builder.mutationFields((t) => ({
  submitSweep: t.field({
    type: SweepType,
    complexity: 10 * costs.mutation,
    description:
      "Submits the settings of a grid as training jobs, each with every seed, or a search for the best setting",
    args: {
      name: t.arg.string({ description: "Name of the sweep, and the beginning of its jobs’ names" }),
      spec: t.arg({ type: "JobSpecInput", required: true, description: "What the settings are laid over" }),
      grid: t.arg({
        type: "JSON",
        description: "Lists of values by the path of a field, such as train.optimizer.options.lr",
      }),
      seeds: t.arg.intList({ description: "Left out: the seed of the spec" }),
      auto: t.arg({
        type: AutoInput,
        description: "In place of a grid and seeds: models and settings are tried, and chosen by the validation set",
      }),
      idempotencyKey: t.arg.string(),
    },
    resolve: async (_root, { idempotencyKey, ...asked }, { services, viewer, requestId }) => {
      const { budget, metric } = asked.auto ?? {};
      const auto = asked.auto && { ...(budget != null && { budget }), ...(metric != null && { metric }) };
      const request = soundArguments(sweepRequest, { ...asked, auto });
      const { id } = await submitSweep(services, viewer, request, { idempotencyKey, requestId });
      return getSweep(services, viewer, id);
    },
  }),
  cancelSweep: t.field({
    type: SweepType,
    complexity: 10 * costs.mutation,
    description: "Has all its jobs stopped that have not ended; a search tries nothing more",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => cancelSweep(services, viewer, id),
  }),
  promoteSweep: t.field({
    type: ModelVersionType,
    complexity: costs.mutation,
    description: "Keeps the model of its best setting as the next version under a name",
    args: {
      id: t.arg.id({ required: true }),
      name: t.arg.string({ required: true, description: "Name of a new model, or of one that gets another version" }),
      stage: t.arg({ type: ModelStageEnum, description: "Where the version stands then; left out: CANDIDATE" }),
    },
    resolve: (_root, { id, ...asked }, { services, viewer }) =>
      promoteSweep(services, viewer, id, soundArguments(promoteSweepRequest, asked)),
  }),
  deleteSweep: t.boolean({
    complexity: costs.mutation,
    description: "Deletes a sweep with its jobs, which must have ended; models that are kept stay",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteSweep(services, viewer, id);
      return true;
    },
  }),
}));
