import { type Registry, type ResolvedTask, resolveTask } from "@hopwise/gnn-core/spec";
import { canonicalJson } from "../canonical-json.ts";
import { sameColumnsObjection } from "./feature-objection.ts";
import type { GraphForm } from "./graph-form.ts";
import type { CountedGraph } from "./graph-objection.ts";
import type { JobSpec } from "./job-spec.ts";
import { rowsBesideWeightsObjection } from "./learned-rows-objection.ts";
import { headObjection, modelObjection, type TrainedSpec } from "./model-objection.ts";
import type { TaskObjection } from "./task-objection.ts";
import { sameTypesObjection } from "./types-as-learnt.ts";

type StartedSpec = Pick<JobSpec, "task" | "features" | "model" | "startFrom">;

/**
 * What does not fit between a job and the model that it is to start from. The first thing found; null: it fits.
 *
 * @param trained  the form of the graph that the model was trained on
 * @param graph    the form of the graph that the job trains on
 */
export function startObjection(
  spec: StartedSpec,
  model: TrainedSpec,
  trained: GraphForm,
  graph: GraphForm & Pick<CountedGraph, "weights">,
  registry: Registry,
): TaskObjection | null {
  return (
    modelChoiceObjection(spec, model) ??
    featureChoiceObjection(spec, model) ??
    graphOrModelObjection(model, trained, graph, registry) ??
    (spec.startFrom?.layers === "all" ? outputObjection(spec, model, trained, graph, registry) : null)
  );
}

function modelChoiceObjection({ model: asked }: StartedSpec, { model }: TrainedSpec): TaskObjection | null {
  if (asked.type !== model.type) {
    const message = `The weights to start from are those of ${model.type}, not of ${asked.type}; train ${model.type}, or start from another model.`;
    return { pointer: "/model/type", message };
  }
  const names = [...new Set([...Object.keys(asked.options), ...Object.keys(model.options)])];
  const other = names.find((name) => !areEqual(asked.options[name], model.options[name]));
  if (other === undefined) return null;
  const message = `The model to start from has ${JSON.stringify(model.options[other] ?? null)} here; ask for the same.`;
  return { pointer: `/model/options/${other}`, message };
}

/** Weights mean something only on rows that have gone through the same transforms. */
function featureChoiceObjection({ features: asked }: StartedSpec, { features }: TrainedSpec): TaskObjection | null {
  const other = (["transforms", "structural", "embedding"] as const).find(
    (name) => !areEqual(asked[name], features[name]),
  );
  if (other === undefined) return null;
  const message = `The model to start from was trained with ${JSON.stringify(features[other])} here; ask for the same.`;
  return { pointer: `/features/${other}`, message };
}

function graphOrModelObjection(
  model: TrainedSpec,
  trained: GraphForm,
  graph: GraphForm & Pick<CountedGraph, "weights">,
  registry: Registry,
): TaskObjection | null {
  const ofHead = headObjection(model, registry);
  if (ofHead) return { pointer: "/startFrom/model", message: ofHead };
  const ofRows = rowsBesideWeightsObjection(model, trained, registry);
  if (ofRows) return { pointer: "/startFrom/model", message: ofRows };
  const other = sameColumnsObjection(trained, graph) ?? sameTypesObjection(trained, graph);
  const found =
    modelObjection(model, trained, graph, registry) ??
    (other === null ? null : ({ pointer: "/dataset", message: other } as const));
  return found && { pointer: found.pointer === "/model" ? "/startFrom/model" : "/dataset", message: found.message };
}

/** The last layer has a column for each class or target, in their order. */
function outputObjection(
  { task }: StartedSpec,
  model: TrainedSpec,
  trained: GraphForm,
  graph: GraphForm,
  registry: Registry,
): TaskObjection | null {
  const [asked, learnt] = [resolveTask(task, registry), resolveTask(model.task, registry)];
  const found =
    asked.component.name === learnt.component.name
      ? columnObjection(outputsOf(learnt, trained), outputsOf(asked, graph))
      : `The last layer was trained for ${learnt.component.name}, and the job is ${asked.component.name}.`;
  if (found === null) return null;
  const message = `${found} Take over the other layers alone with "startFrom": {"layers": "hidden"}.`;
  return { pointer: "/startFrom/layers", message };
}

interface Outputs {
  readonly width: number;
  /** Names of the columns, where they are those of the classes */
  readonly classes: readonly string[];
}

function outputsOf({ component, options }: ResolvedTask, { classes }: GraphForm): Outputs {
  const width = component.outDim(options, { classes });
  const areClasses = width !== component.outDim(options, { classes: [] });
  return { width, classes: areClasses ? classes : [] };
}

function columnObjection(trained: Outputs, asked: Outputs): string | null {
  if (trained.width !== asked.width) {
    return `The last layer has ${trained.width} outputs, and the job needs ${asked.width}.`;
  }
  const at = trained.classes.findIndex((name, i) => name !== asked.classes[i]);
  if (at < 0) return null;
  return `The last layer has the class "${trained.classes[at]}" where the graph has "${asked.classes[at]}".`;
}

function areEqual(a: unknown, b: unknown): boolean {
  // One of them was in a database column, which keeps keys in an order of its own.
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
