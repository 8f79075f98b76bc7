import {
  type Component,
  GnnError,
  metricObjection,
  parseTask,
  type Registry,
  type ResolvedTask,
  selectionMetricOf,
  taskComponentOf,
  untaughtDefaults,
} from "@hopwise/gnn-core/spec";
import type { z } from "zod";
import { AppError } from "../errors/problem.ts";
import { pointerOf, schemaIssue } from "../errors/schema-issue.ts";
import { wholeNeighborhoods } from "./graph-task-objection.ts";
import { type JobSpec, jobSpec } from "./job-spec.ts";
import { settingsObjection } from "./settings-objection.ts";
import type { TaskObjection } from "./task-objection.ts";
import { withRowsAlone } from "./with-rows-to-read.ts";

/**
 * The whole spec with every default filled in and every component's options checked by its own schema.
 *
 * @throws AppError JOB_SPEC_INVALID with the JSON pointer of the first thing wrong
 */
export function resolveJobSpec(input: unknown, registry: Registry): JobSpec {
  const given = parseSpec(input);
  const task = resolveTask(given.task, registry);
  const left = untaughtDefaults(task.component, registry, input as Record<string, unknown>);
  const filled = Object.keys(left).length === 0 ? given : parseSpec({ ...(input as object), ...left });
  const model = resolveChoice(filled.model, registry, "model", ["model"]);
  const sampling = resolveChoice(samplingOf(input, filled, task), registry, "sampler", ["sampling"]);
  requireFittingHops(model, sampling, registry);
  requireDrawnBatches(filled.resources, model, sampling, registry);
  const spec = withRowsAlone({ ...filled, task: task.section, model, sampling }, task, registry);
  requireFitting(settingsObjection(spec, task, registry));
  requireGpuForPrecision(spec);
  requireDeviceForFeatures(spec.resources);
  return {
    ...spec,
    train: { ...spec.train, earlyStopping: resolveStopping(spec.train, task) },
    partition: resolveChoice(spec.partition, registry, "partitioner", ["partition"]),
    outputs: {
      ...spec.outputs,
      steps: spec.outputs.steps.map((step, i) => resolveChoice(step, registry, "step", ["outputs", "steps", i])),
    },
  };
}

function parseSpec(input: unknown): JobSpec {
  const parsed = jobSpec.safeParse(input);
  if (!parsed.success) throw specError(parsed.error, []);
  return parsed.data;
}

/** Where the spec leaves the sampler to the task, one on whole graphs takes all neighbours. */
function samplingOf(input: unknown, { sampling }: JobSpec, { component }: ResolvedTask): Choice {
  const isLeftOut = (input as { readonly sampling?: unknown }).sampling === undefined;
  return component.seeds === "graphs" && isLeftOut ? { type: wholeNeighborhoods, options: {} } : sampling;
}

/** What does not go together is refused, not left aside. */
function requireFitting(objection: TaskObjection | null): void {
  if (!objection) return;
  const { pointer, message } = objection;
  throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}

/** The task's own section with every default filled in. */
function resolveTask(section: JobSpec["task"], registry: Registry): ResolvedTask {
  const component = withPlace(["task", "type"], () => taskComponentOf(section, registry));
  const { resolved, error } = parseTask(section, component);
  if (error) throw specError(error, ["task"]);
  return resolved;
}

/** Names the metric and its direction where the spec leaves them to the task. */
function resolveStopping(
  { earlyStopping }: JobSpec["train"],
  { component, options }: ResolvedTask,
): JobSpec["train"]["earlyStopping"] {
  const objection = metricObjection(component, earlyStopping, options);
  if (objection) {
    const pointer = `/train/earlyStopping/${objection.option}`;
    throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${objection.message}`, { place: { pointer } });
  }
  if (!earlyStopping) return null;
  const { metric, mode } = selectionMetricOf(component, earlyStopping);
  return { ...earlyStopping, metric, mode };
}

interface Choice {
  type: string;
  options: Record<string, unknown>;
}

/** @throws AppError JOB_SPEC_INVALID when there is no such component, or it refuses its options */
export function resolveChoice(
  choice: Choice,
  registry: Registry,
  kind: Component["kind"],
  path: (string | number)[],
): Choice {
  const options = componentOf(choice.type, registry, kind, path).options.safeParse(choice.options);
  if (!options.success) throw specError(options.error, [...path, "options"]);
  return { type: choice.type, options: options.data as Record<string, unknown> };
}

/** A model without hops draws no neighbours, whatever the sampler. */
function requireFittingHops(model: Choice, sampling: Choice, registry: Registry): void {
  const component = registry.get("model", model.type);
  const numHops = component.numHops(model.options);
  const suited = { name: model.type, aggregation: component.aggregation?.(model.options) ?? null };
  const objection = numHops > 0 && registry.get("sampler", sampling.type).check?.(sampling.options, numHops, suited);
  if (!objection) return;
  const pointer = pointerOf(
    objection.option === null ? ["sampling", "type"] : ["sampling", "options", objection.option],
  );
  throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${objection.message}`, { place: { pointer } });
}

/** Sampler processes need batches that another process can draw. */
function requireDrawnBatches(
  { samplers }: JobSpec["resources"],
  model: Choice,
  sampling: Choice,
  registry: Registry,
): void {
  if (samplers === 0) return;
  const hasHops = registry.get("model", model.type).numHops(model.options) > 0;
  const isPlanned = registry.get("sampler", sampling.type).plansEpochs === true;
  if (hasHops && !isPlanned) return;
  const found = hasHops
    ? `the sampler "${sampling.type}" plans whole epochs on the ranks`
    : `the model "${model.type}" reads no neighbours`;
  const pointer = "/resources/samplers";
  const detail = `${pointer}: ${found}, so sampler processes have nothing to draw; set samplers to 0.`;
  throw new AppError("JOB_SPEC_INVALID", detail, { place: { pointer } });
}

/** Workers on CPUs have fp32 alone: a job that may get one must not ask for more. */
function requireGpuForPrecision({ train, resources }: JobSpec): void {
  if (train.precision === "fp32" || resources.device === "cuda") return;
  const pointer = "/train/precision";
  const detail = `${pointer}: ${train.precision} is for GPUs, and resources.device is ${resources.device}; ask for the device cuda, or take fp32.`;
  throw new AppError("JOB_SPEC_INVALID", detail, { place: { pointer } });
}

/** Ranks on CPUs read features where they are mapped, and the rows of other ranks come with each batch. */
export function requireDeviceForFeatures({
  features,
  device,
  graph,
  ranks,
}: Pick<JobSpec["resources"], "features" | "device" | "graph" | "ranks">): void {
  if (features === "auto") return;
  const found =
    device !== "cuda"
      ? `${features} is for GPUs, and resources.device is ${device}; ask for the device cuda`
      : graph === "partitioned" && features !== "host"
        ? `ranks that hold a part of the graph each are sent the rows of a batch; take host, or "graph": "shared"`
        : features === "sharded" && ranks === 1
          ? "sharded is for several ranks on a host, and resources.ranks is 1; take device or cached"
          : null;
  if (found === null) return;
  const pointer = "/resources/features";
  throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${found}, or leave it out.`, { place: { pointer } });
}

function componentOf(name: string, registry: Registry, kind: Component["kind"], path: (string | number)[]): Component {
  return withPlace([...path, "type"], () => registry.get(kind, name));
}

/** What looks up a component; one that is not there is a mistake of the spec at this place. */
function withPlace<T>(path: (string | number)[], lookUp: () => T): T {
  try {
    return lookUp();
  } catch (error) {
    if (!(error instanceof GnnError)) throw error;
    throw new AppError("JOB_SPEC_INVALID", error.message, { cause: error, place: { pointer: pointerOf(path) } });
  }
}

export function specError(error: z.ZodError, path: (string | number)[]): AppError {
  const { pointer, message } = schemaIssue(error, path);
  return new AppError("JOB_SPEC_INVALID", `${pointer}: ${message}`, { cause: error, place: { pointer } });
}
