import { learnsNothing, type TaskComponent } from "../components/define-task.ts";
import type { Registry } from "../components/registry.ts";

/** The sections of a spec that a task which learns nothing has a say in; those of a job and of a `train` step alike. */
interface UntaughtSections {
  readonly task: { readonly inductive: boolean };
  readonly model: { readonly type: string };
  readonly sampling: { readonly type: string };
  readonly features: {
    readonly structural: object | null;
    readonly embedding: object | null;
    readonly transforms: readonly unknown[];
  };
  readonly train: {
    readonly epochs: number;
    readonly earlyStopping: object | null;
    readonly evaluate: { readonly mode: string };
  };
}

interface Objection {
  readonly pointer: string;
  /** A whole sentence */
  readonly message: string;
}

const sampler = "full";

/** The model whose rows are not learned, and the task that takes no steps with it. */
const untaughtModel = (registry: Registry) =>
  registry.list("model").find(({ randomRows }) => randomRows !== undefined)?.name ?? "";
const untaughtTask = (registry: Registry) => registry.list("task").find(learnsNothing)?.name ?? "";

/**
 * What a spec means that leaves model, sampler and epochs to a task which learns nothing: its model over whole
 * neighbourhoods, looked at once.
 */
export function untaughtDefaults(
  component: TaskComponent,
  registry: Registry,
  asked: { readonly model?: unknown; readonly sampling?: unknown; readonly train?: unknown },
): { model?: { type: string; options: object }; sampling?: { type: string; options: object }; train?: object } {
  if (!learnsNothing(component)) return {};
  const train = (asked.train ?? {}) as { readonly epochs?: unknown };
  return {
    ...(asked.model === undefined && { model: { type: untaughtModel(registry), options: {} } }),
    ...(asked.sampling === undefined && { sampling: { type: sampler, options: {} } }),
    ...(train.epochs === undefined && { train: { ...train, epochs: 1 } }),
  };
}

/** What does not go with learning nothing, in either direction; null: nothing, or something is learnt. */
export function untaughtObjection(
  { task, model: { type }, sampling, features, train }: UntaughtSections,
  component: TaskComponent,
  registry: Registry,
): Objection | null {
  const isWithoutWeights = registry.get("model", type).randomRows !== undefined;
  if (!learnsNothing(component)) {
    if (!isWithoutWeights) return null;
    const message = `${type} has nothing to learn, and ${component.name} learns; choose the task ${untaughtTask(registry)}, or another model.`;
    return { pointer: "/model/type", message };
  }
  const { name } = component;
  const model = untaughtModel(registry);
  const refusals: readonly (readonly [boolean, string, string])[] = [
    [!isWithoutWeights, "/model/type", `${name} takes no steps, and ${type} has weights to learn; choose ${model}`],
    [sampling.type !== sampler, "/sampling/type", `${name} averages over all neighbours; choose ${sampler}`],
    [train.epochs !== 1, "/train/epochs", `${name} takes no steps; set it to 1, or leave it out`],
    [train.earlyStopping !== null, "/train/earlyStopping", `${name} takes no steps; leave it out`],
    [train.evaluate.mode !== "layerwise", "/train/evaluate/mode", `${name} has exact rows alone; choose layerwise`],
    [task.inductive, "/task/inductive", `${name} looks at every edge of the graph; leave it out`],
    [features.structural !== null, "/features/structural", `${type} reads random rows alone; leave it out`],
    [features.embedding !== null, "/features/embedding", `${type} reads random rows alone; leave it out`],
    [features.transforms.length > 0, "/features/transforms", `${type} reads no features; leave it out`],
  ];
  const found = refusals.find(([isRefused]) => isRefused);
  return found ? { pointer: found[1], message: `${found[2]}.` } : null;
}
