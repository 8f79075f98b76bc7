import { featureOptions, type Registry, type ResolvedTask, resolveTask } from "@hopwise/gnn-core/spec";
import type { CountedGraph } from "./graph-objection.ts";
import type { JobSpec } from "./job-spec.ts";
import { settingsObjection } from "./settings-objection.ts";

type Added = Pick<JobSpec["features"], "structural" | "embedding">;

/** What models can read of nodes without features, the most advisable first: rows that are learned, else columns. */
const ways: readonly Added[] = [{ embedding: {} }, { structural: {} }, { structural: { method: "degree" } }].map(
  (asked) => {
    const { structural, embedding } = featureOptions.parse(asked);
    return { structural, embedding };
  },
);

/**
 * The spec on a graph whose nodes have no features, where it leaves open what is read in their place: the first way
 * that goes with the rest of it, which is a learned row for each node wherever such rows can be learnt. Any other spec,
 * and one that nothing goes with, stays as it is.
 *
 * @param spec resolved
 */
export function withRowsToRead(
  spec: JobSpec,
  { features: { kind } }: Pick<CountedGraph, "features">,
  registry: Registry,
): JobSpec {
  const { features, model, task } = spec;
  if (kind !== "none" || features.structural || features.embedding) return spec;
  if (registry.get("model", model.type).randomRows) return spec;
  const resolved = resolveTask(task, registry);
  const fitted = ways.map((added) => ({ ...spec, features: { ...features, ...added } }));
  return fitted.find((each) => settingsObjection(each, resolved, registry) === null) ?? spec;
}

/** The spec with a learned row as wide as the task asks for, where the model reads nothing else and none is named. */
export function withRowsAlone(spec: JobSpec, { component, options }: ResolvedTask, registry: Registry): JobSpec {
  const { readsFeatures, randomRows } = registry.get("model", spec.model.type);
  const areAlone = readsFeatures === false && !randomRows;
  // Such a model is refused where classes of nodes or whole graphs are learnt.
  if (!areAlone || spec.features.embedding || component.seeds === "nodes" || component.seeds === "graphs") return spec;
  const dim = component.outDim(options, { classes: [] });
  return {
    ...spec,
    features: { ...spec.features, ...featureOptions.pick({ embedding: true }).parse({ embedding: { dim } }) },
  };
}

/** What was added to a spec by `withRowsToRead`, in words; null: nothing. */
export function addedRowsNote(
  asked: Pick<JobSpec, "features">,
  { features }: Pick<JobSpec, "features">,
): string | null {
  if (features === asked.features) return null;
  const { structural, embedding } = features;
  const why = "The nodes have no features and the job does not say what is read in their place";
  if (embedding) return `${why}: a row of ${embedding.dim} numbers is learned for each (features.embedding).`;
  return `${why}: columns are made from their edges (features.structural, by ${structural?.method}).`;
}
