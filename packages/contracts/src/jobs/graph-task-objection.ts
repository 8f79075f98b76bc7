import type { ResolvedTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

interface Choice {
  readonly type: string;
  readonly options: Record<string, unknown>;
}

/** The sampler of all neighbours, which is what a batch of whole graphs has of its nodes */
export const wholeNeighborhoods = "full";

/** Which of a job's settings a task on whole graphs cannot follow; null: it can follow all of them. */
export function graphTaskObjection(
  { task: section, features, resources, train, split, startFrom }: JobSpec,
  { component, options }: ResolvedTask,
  sampling: Choice,
): TaskObjection | null {
  if (component.seeds !== "graphs") return null;
  const { name } = component;
  const refused = (pointer: string, found: string) => ({ pointer, message: `${name} ${found}` });
  if (sampling.type !== wholeNeighborhoods) {
    const found = `takes whole graphs, of which ${sampling.type} would draw a part; leave sampling out, or choose ${wholeNeighborhoods}.`;
    return refused("/sampling/type", found);
  }
  if (resources.samplers > 0) {
    return refused("/resources/samplers", "takes whole graphs, so there is nothing to draw; set samplers to 0.");
  }
  if (section.inductive) {
    return refused("/task/inductive", "sees no graph in training that is held out; leave inductive out.");
  }
  if (train.evaluate.mode === "sampled") {
    return refused("/train/evaluate/mode", "is judged exactly, by all nodes of a graph; choose layerwise.");
  }
  if (features.embedding) {
    return refused(
      "/features/embedding",
      "learns from some graphs for others, whose nodes would have no learned row; map features.",
    );
  }
  if (features.structural && features.structural.method !== "degree") {
    return refused(
      "/features/structural/method",
      `learns from some graphs for others, where columns of ${features.structural.method} mean something else; choose degree.`,
    );
  }
  if (component.folds(options) !== null && split.type === "random") {
    return refused("/split", "is split by testFold; leave split out, or set testFold to null.");
  }
  if (startFrom) return refused("/startFrom", "begins with new weights; leave startFrom out.");
  return null;
}
